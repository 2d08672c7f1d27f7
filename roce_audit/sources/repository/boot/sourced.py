"""Files of settings that shell scripts take in (`. ./roce.env`, `source "$(dirname "$0")/common.conf"`).

What such a file sets plainly is said again behind the line that takes it in, so that no line of the script gets another number.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import islice

from roce_audit.patterns import lazy
from roce_audit.sources.files import Candidate

SCRIPTS = (".sh", ".bash", ".sbatch", ".slurm")
_TAKES_IN = lazy(
    r"(?:^|[;&|]|\bthen\b|\bdo\b)[ \t]{0,40}(?:\.|source)[ \t]{1,8}"
    r"(\"(?:\$\([^()\n]{1,80}\)|[^\"\n]){1,200}\"|(?:\$\([^()\n]{1,80}\)|[^\s;&|\"'()]){1,200})",
    re.M,
)
_COMPUTED = lazy(r"\$\([^()\n]{1,80}\)|\$\{[^{}\n]{1,80}\}|\$\w{1,60}|[\"`)}]")
"""What ends the beginning of a path that is computed: scripts ask for their own folder so."""
_ASSIGNED = lazy(
    r"[ \t]{0,20}(?:export[ \t]{1,8}|declare[ \t]{1,8}-x[ \t]{1,8})?([A-Za-z_]\w{0,60})="
    r"(\"[\w .,:/@%+=-]{0,300}\"|'[\w .,:/@%+=-]{0,300}'|[\w.,:/@%+=-]{0,300})[ \t]{0,20}(?:;|#.*)?"
)
_SET = lazy(r"^[ \t]{0,20}(?:[a-z]{1,10}[ \t]{1,8}(?:-\w[ \t]{1,8})?)?([A-Za-z_]\w{0,60})\+?=", re.M)
_VARIABLE = lazy(r"\$\{?([A-Za-z_]\w{0,60})\}?")
_ABOVE = 6
"""Folders above a script in which such a tree may begin."""
_MOST = 100
"""Files that one script takes in, names that one file gives."""
_MOST_SCRIPTS = 2_000


def taken_in(path: str, text: str, known: Collection[str]) -> Iterator[tuple[int, str]]:
    """(where in a script's text the path ends, file) of each of the known files that it takes in."""
    for found in islice(_TAKES_IN.finditer(text), _MOST):
        written = found[1].strip('"')
        named = _VARIABLE.fullmatch(written)
        if named is not None:  # CONFIG=/etc/roce.conf
            assigned = set(
                re.findall(rf"^[ \t]*(?:readonly[ \t]+)?{named[1]}=[\"']?([\w./-]{{1,200}})[\"']?[ \t]*$", text, re.M)
            )
            written = assigned.pop() if len(assigned) == 1 else written
        if written.startswith("/"):
            yield from ((found.end(), at) for at in _deployed(path, written, known))
            continue
        ends = [part.end() for part in _COMPUTED.finditer(written)] if "$" in written else []
        rest = written[ends[-1] :].lstrip("/") if ends else written
        at = posixpath.normpath(posixpath.join(posixpath.dirname(path), rest)) if rest else ""
        if at in known and at != path:
            yield found.end(), at


def _deployed(path: str, written: str, known: Collection[str]) -> Iterator[str]:
    """The file of a tree of files that is laid over the root of a host: `etc/roce.conf` in the script's folder, or one above it."""
    folder = posixpath.dirname(path)
    for _ in range(_ABOVE):
        at = posixpath.join(folder, written.lstrip("/"))
        if at in known and at != path:
            yield at
            return
        if not folder:
            return
        folder = posixpath.dirname(folder)


def settings(text: str) -> Mapping[str, str]:
    """Name -> value, quoted as it is written, of what a file of settings sets once, and plainly."""
    found = [one for line in text.split("\n") if (one := _ASSIGNED.fullmatch(line)) is not None]
    times = Counter(_SET.findall(text))
    return {one[1]: one[2] for one in found[:_MOST] if times[one[1]] == 1}


def of_scripts(candidates: Iterable[Candidate], text_of: Callable[[Candidate], str]) -> Iterator[tuple[str, str, str]]:
    """(file, name, value) of what the scripts among these files take in."""
    by_path = {one.path: one for one in candidates}
    scripts = [one for one in by_path.values() if one.name.endswith(SCRIPTS)][:_MOST_SCRIPTS]
    given = dict.fromkeys(at for one in scripts for _, at in taken_in(one.path, text_of(one), by_path))
    for path in given:
        yield from ((path, name, value) for name, value in settings(text_of(by_path[path])).items())


def filled(path: str, text: str, given: Mapping[str, Mapping[str, str]]) -> tuple[str, tuple[str, ...]]:
    """A script with the settings that it uses behind each line that takes them in, and the files that give them."""
    pieces: list[str] = []
    givers: dict[str, None] = {}
    last = 0
    for end, at in taken_in(path, text, given):
        used = "".join(f"; {name}={value}" for name, value in given[at].items() if re.search(rf"\$\{{?{name}\b", text))
        if used:
            pieces += [text[last:end], used]
            last, givers[at] = end, None
    return "".join((*pieces, text[last:])), tuple(givers)
