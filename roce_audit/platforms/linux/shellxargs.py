"""`ls FOLDER | xargs -I{} COMMAND {}` as the loop that it is."""

from __future__ import annotations

import re

_PIPED = re.compile(
    r"\s{0,40}((?:ls|echo)\s[^|;&\n]{1,300}(?:\|\s{0,9}grep\s[^|;&\n]{1,100})?)\|\s{0,9}xargs\s([^\n]{1,2000})"
)
_BASENAME = re.compile(r"(?:-n\s?1\s+)?basename\s{0,9}")
_OPTION = re.compile(
    r"\s{0,9}(?:-(?:I\s{0,9}(?P<own>\S{1,20})|(?P<braces>i)|[rt0]|[nLP]\s{0,9}[0-9]{1,4})|--no-run-if-empty|--)(?=\s)"
)
_NAME = "each"


def as_loop(text: str) -> str:
    """The same line with `for each in $(LIST); do COMMAND; done`; as it is where it is something else."""
    found = _PIPED.fullmatch(text)
    if found is None:
        return text
    listing, rest = found.groups()
    mark = ""
    while (option := _OPTION.match(rest)) is not None:
        mark = option["own"] or ("{}" if option["braces"] else mark)
        rest = rest[option.end() :]
    command = rest.strip()
    if not command or command.startswith("-") or _BASENAME.fullmatch(command):
        return text
    command = command.replace(mark, f"${_NAME}") if mark else f"{command} ${_NAME}"
    words = f"$({listing.strip()})" if listing.startswith("ls") else re.sub(r"^echo\s+", "", listing).strip()
    return f"for {_NAME} in {words}; do {command}; done"
