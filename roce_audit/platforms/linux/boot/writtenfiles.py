"""Files that a script writes by here-documents: each is read as a file of its own, for it is run later, and by somebody else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from roce_audit.platforms.shared.shell.values import Values

_OPENS = re.compile(r"(?<!<)<<-?[ \t]{0,9}(\\|'|\")?([A-Za-z_]\w{0,40})")
_WRITER = re.compile(r"(?:^|[;&|(]|\bsudo)[ \t]{0,20}(?:cat|tee)\b")
_INTO = re.compile(r"(?:>{1,2}|\btee(?:[ \t]{1,9}-a)?)[ \t]{0,9}[\"']?(/[\w./@%+-]{1,200})[\"']?(?=[\s;&|<]|$)")
_NOWHERE = "/dev/"
_NEW_HOST = "/target"
"""Where the installer of Ubuntu and Debian has the new host's files."""
_INSTALLS = re.compile(r"^(?:(?:# )?%post\b|[ \t]{0,20}late-commands:)", re.MULTILINE)
"""An installer, behind which nobody comes (kickstart, autoinstall)."""
_UNIT = re.compile(r"/(?:etc|usr/lib|lib)/systemd/system/([\w.-]{1,80})\.service")
_WANTED = re.compile(r"(?:WantedBy|RequiredBy)=\S")
_ENABLES = re.compile(r"\bsystemctl\b([^\n;&|]{0,80}\b(?:re)?enable\b[^\n;&|]{0,300})")
_ELSEWHERE = re.compile(r"\.wants/|systemd/system-preset|systemctl preset|ansible-playbook|\bdracut\b")
"""By what a unit may be enabled besides."""


class InFile(NamedTuple):
    """A line of such a file."""

    path: str
    text: str
    """As it is in the file: with the values that the script puts in."""


def written(texts: Sequence[str], values: Values) -> Mapping[int, InFile]:
    """Index of a line in the script -> where it goes; `values` are the script's constants.

    A file whose name is computed, that is written more than once (in each way of a condition), or into which the script puts a
    value that is no constant, is left in the script.
    """
    found: dict[int, InFile] = {}
    ends, path, is_raw = "", "", False
    opened: Counter[str] = Counter()
    computed: set[str] = set()
    for index, text in enumerate(texts):
        if ends:
            if text.strip() == ends:
                ends = ""
            elif path:
                put_in, is_constant = (text, True) if is_raw else _put_in(text, values)
                found[index] = InFile(path, put_in)
                if not is_constant:
                    computed.add(path)
            continue
        documents = _OPENS.findall(text)
        if not documents:
            continue
        quote, ends = documents[0]
        names = [name for name in _INTO.findall(text) if not name.startswith(_NOWHERE)]
        is_written = len(documents) == 1 and len(names) == 1 and _WRITER.search(text) is not None
        path, is_raw = names[0].removeprefix(_NEW_HOST) if is_written else "", bool(quote)
        opened[path] += 1
    return (
        {} if ends else {n: line for n, line in found.items() if opened[line.path] == 1 and line.path not in computed}
    )


def never_enabled(texts: Sequence[str], found: Mapping[int, InFile]) -> Iterator[tuple[int, str]]:
    """(index of the line, name) of units that can be enabled, and that the script does not enable as it does others, or that an
    installer writes."""
    own = "\n".join(text for index, text in enumerate(texts) if index not in found)
    enabled = _ENABLES.findall(own)
    is_installer = _INSTALLS.search(own) is not None and "services --enabled" not in own
    if not (enabled or is_installer) or "$" in "".join(enabled) or _ELSEWHERE.search(own) is not None:
        return
    for index, line in found.items():
        unit = _UNIT.fullmatch(line.path)
        if unit is None or _WANTED.match(line.text.strip()) is None:
            continue
        name = unit[1]
        if not any(re.search(rf"(?<![\w.@-]){re.escape(name)}(?:\.service)?(?![\w.@-])", words) for words in enabled):
            yield index, f"{name}.service"


def _put_in(text: str, values: Values) -> tuple[str, bool]:
    """A line with the constants of the script in it, and whether that is all that the script puts in; what is written `\\$NAME`
    stays for whoever runs the file."""
    filled = values.filled(text.replace("\\$", "\0"), {})
    return filled.replace("\0", "$"), "$" not in filled
