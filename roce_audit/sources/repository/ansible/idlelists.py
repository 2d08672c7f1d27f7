"""Lists of ports that a repository keeps for its hosts: those that nothing in it uses, beside lists that tasks or templates go through, and
lists of links between switches of which one host has fewer than all others.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.platforms.base import Seen, seen
from roce_audit.sources.repository.variables import Own
from roce_audit.text.sentences import listed
from roce_audit.values import Place

_NUMBERS = lazy(r"[0-9]{1,9}")
_BY_ANY_NAME = lazy(
    r"\bvars\[|\bhostvars\[|lookup\(['\"](?:ansible\.builtin\.)?vars?(?:names)?['\"]|\bquery\(['\"]vars?"
)
"""What asks for variables whose names are made."""
_OF_A_HOST = lazy(r"(?:^|/)host_vars/[^/]+#site\Z|#host\Z")
"""Whose variables are a host's own."""
_LEFT_OUT = lazy(
    r"(?i)(?<![a-z])(?:spare|un_?used|free|empty|future|reserved?|disabled?|shut(?:down)?|mgmt|management|oob|console)(?![a-z])"
)
"""Words in the names of lists of ports that nobody sets up."""
_BETWEEN_SWITCHES = lazy(r"(?i)(?<![a-z])(?:up_?links?|spines?|isls?|backbone|transit)(?![a-z])")
"""Words in the names of lists of links between switches, which are alike on switches of one kind."""
_NAMES = ("name", "interface", "port", "intf")
_FEWEST_OTHERS = 2
_MOST_NAMES = 6
_MOST = 1_024


def idle_lists(
    own: Collection[Own], texts_of: Callable[[], Mapping[str, str]], ports: Collection[str]
) -> Iterator[Seen]:
    """Each list whose name no line uses and whose ports nothing configures, while the ports of another one are among `ports`, which are
    configured, and are called alike. `texts_of` gives the texts of the repository; none of a part of one.
    """
    lists = [(name, value, file) for _, name, written, file in own if _is_list(value := _value(written))]
    texts = texts_of() if len({name for name, _, _ in lists}) > 1 else {}
    if not texts or any(_BY_ANY_NAME.search(text) is not None for text in texts.values()):
        return
    used = {name: _is_used(name, texts) for name in {name for name, _, _ in lists}}
    through = {one: name for name, value, _ in lists if used[name] for one in value if one in ports}
    shapes = {_shape(one): name for one, name in through.items()}
    told: dict[str, list[tuple[Place, list[str]]]] = defaultdict(list)
    for name, value, file in lists:
        is_meant = not used[name] and _LEFT_OUT.search(name) is None
        if is_meant and all(_shape(one) in shapes and one not in ports for one in value):
            told[name].append((Place(file, _line(name, texts.get(file, ""))), value))
    for name, where in told.items():
        value = where[0][1]
        counted = "1 port" if len(value) == 1 else f"{len(value)} ports"
        beside = shapes[_shape(value[0])].rpartition(".")[2]
        text = f"nothing uses this list of {counted}: what sets up those of {beside} leaves these out"
        called = name.rpartition(".")[2]
        yield seen("unapplied", called, text, where[0][0], called, tuple(value), *(at for at, _ in where[1:]))


def shorter_lists(own: Collection[Own], texts_of: Callable[[], Mapping[str, str]]) -> Iterator[Seen]:
    """Each list of links between switches that leaves some of those out which the lists of all other hosts have."""
    found: dict[str, dict[str, tuple[frozenset[str], str]]] = defaultdict(dict)
    for whose, name, written, file in own:
        if _OF_A_HOST.search(whose) is not None and _BETWEEN_SWITCHES.search(name) is not None:
            found[name][whose] = (_ports(written), file)
    for name, by_host in found.items():
        usual, most = Counter(ports for ports, _ in by_host.values()).most_common(1)[0]
        if most < max(_FEWEST_OTHERS, len(by_host) - 1) or most == len(by_host):
            continue
        ports, file = next(one for one in by_host.values() if one[0] != usual)
        text = texts_of().get(file, "") if ports and ports < usual else ""
        if text:
            missing = listed(sorted(usual - ports), _MOST_NAMES)
            place = Place(file, _line(name, text))
            words = f"{missing} {'is' if len(usual - ports) == 1 else 'are'} not in this list, and in that of all {most} other hosts"
            yield seen("conflict", name, words, place, name, ())


def _ports(written: str) -> frozenset[str]:
    value = json.loads(written) if written.startswith("[") else None
    names = (
        next((one[key] for key in _NAMES if key in one), None) if isinstance(one, dict) else one for one in value or ()
    )
    return frozenset(one for one in names if isinstance(one, str) and _NUMBERS.search(one) is not None)


def _value(written: str) -> Any:
    return json.loads(written) if written.startswith('["') else None


def _is_list(value: Any) -> bool:
    return (
        isinstance(value, list)
        and 0 < len(value) <= _MOST
        and all(isinstance(one, str) and _NUMBERS.search(one) is not None and len(one) < 80 for one in value)
    )


def _shape(port: str) -> str:
    return _NUMBERS.sub("#", port)


def _is_used(name: str, texts: Mapping[str, str]) -> bool:
    """Whether a line says the name, but as the key that sets it."""
    word = name.rpartition(".")[2]
    said = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])(?!\s{{0,8}}[\"']?\s{{0,8}}[:=](?!=))")
    return any(word in text and said.search(text) is not None for text in texts.values())


def _line(name: str, text: str) -> int:
    found = re.search(rf"(?m)^\s{{0,60}}[\"']?{re.escape(name.rpartition('.')[2])}[\"']?\s{{0,8}}[:=]", text)
    return 1 if found is None else text.count("\n", 0, found.start() + len(found[0]) - len(found[0].lstrip())) + 1
