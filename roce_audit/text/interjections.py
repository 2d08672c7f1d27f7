"""What stands between and around the lines of an answer and is none of it: log messages, times, a fence. No line moves."""

from __future__ import annotations

import re

from roce_audit.patterns import lazy

_MNEMONIC = lazy(r"%[A-Z][A-Z0-9_]{1,40}(?:-[A-Z0-9_]{1,40}){0,3}-[0-7]-[A-Z0-9_]{2,60}:")
_MESSAGE = lazy(
    r"^(?:<\d{1,3}>\d?:? ?)?(?:\d{1,9}: )?[*.]?(?:\d{4} )?(?:[A-Z][a-z]{2} {1,2}\d{1,2}|\d{4}-\d\d-\d\d)(?: \d{4})?"
    r"[ T]\d\d:\d\d:\d\d[^\n%]{0,160}(?:%\$[^\n%]{0,40}%\$ )?"
    rf"{_MNEMONIC.pattern}[^\n]*$",
    re.M,
)
"""A message of a switch: time, perhaps a name, and `%FACILITY-SEVERITY-MNEMONIC:`, as NX-OS, EOS and IOS print it."""
_TIME = r"\d\d:\d\d:\d\d(?:[.,]\d{1,6})?(?:Z|[+-]\d\d:?\d\d)?"
_STAMP = rf"(?:\[(?:\d{{4}}[-/]\d\d[-/]\d\d[ T])?{_TIME}\]|\d{{4}}[-/]\d\d[-/]\d\d[ T]{_TIME}:?|{_TIME})(?: |$)"
_STAMPED = lazy(rf"^{_STAMP}", re.M)
_STAMPED_LINE = lazy(rf"\n{_STAMP}", re.M)
"""The same with the end of the line before: newlines are looked for at the speed of memory."""
_FENCE = lazy(r"\A\s*```[\w+-]{0,20}[ \t]*\n")
_FENCE_END = lazy(r"^```\s*\Z", re.M)
_SAMPLE = 4_000
_FEWEST = 5


def without_messages(text: str) -> tuple[str, int, int]:
    """The text with log messages blanked, the line of the first, and their number."""
    if _MNEMONIC.search(text) is None:
        return text, 0, 0
    first = _MESSAGE.search(text)
    if first is None:
        return text, 0, 0
    clean, count = _MESSAGE.subn("", text)
    return clean, text.count("\n", 0, first.start()) + 1, count


def without_times(text: str) -> str:
    """The text without the time that a terminal program wrote before every line; as it stands where most lines have none."""
    head = text[:_SAMPLE]
    stamped = len(_STAMPED_LINE.findall(f"\n{head}"))
    if stamped < _FEWEST or 2 * stamped < sum(1 for line in head.split("\n") if line.strip()):
        return text
    return _STAMPED.sub("", text)


def without_fence(text: str) -> str:
    """The text of a file that is one fenced block of Markdown and nothing else; any other text as it stands."""
    begins = _FENCE.match(text)
    if begins is None or text.count("```") != 2:
        return text
    end = text.rindex("```")
    if _FENCE_END.match(text, end) is None:
        return text
    return "\n" * begins.group().count("\n") + text[begins.end() : end] + text[end + 3 :]
