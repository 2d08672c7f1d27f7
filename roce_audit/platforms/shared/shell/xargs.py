"""`ls FOLDER | xargs -I{} COMMAND {}`, `find ... -exec COMMAND {} \\;` and `parallel COMMAND ::: WORDS` as the loops that they are."""

from __future__ import annotations

import re

_PIPED = re.compile(r"\s{0,40}+([^;&\n`(]{1,400}?)\|\s{0,9}+(?:sudo\s{1,9}+(?:-\w\s{1,9}+){0,3})?xargs\s([^\n]++)")
_FOUND = re.compile(
    r"\s{0,40}(find\s[^;&|\n]{1,300}?)\s-exec(?:dir)?\s{1,9}([^\n]{1,2000}?)\s{0,9}(?:\\;|';'|\";\"|\+)\s{0,9}"
)
_PARALLEL = re.compile(
    r"\s{0,40}(?:sudo\s{1,9}+(?:-\w\s{1,9}+){0,3})?parallel\s([^\n]{1,2000}?)\s:::\s([^\n:|;&<>]{1,400})(?:\|\|[^\n]*)?"
)
_NAMED = re.compile(r"\s-i?name\s+[\"']?([A-Za-z0-9_.*?\[\]-]{1,60})[\"']?")
_UNDER = re.compile(r"find\s+(?:-[HLP]\s+)?(/[A-Za-z0-9_./-]{1,80}?)/?(?=\s|$)")
_BARE_NAMES = re.compile(r"-printf\s+[\"']?%f")
_BASENAME = re.compile(r"(?:-n\s?1\s+)?basename\s{0,9}")
_OPTION = re.compile(
    r"\s{0,9}(?:-(?:I\s{0,9}(?P<own>\S{1,20})|(?P<braces>i)|[rt0]{1,3}|[nLP]\s{0,9}[0-9]{1,4})|--no-run-if-empty"
    r"|--(?:max-args|max-procs|replace)=\S{1,20}|--)(?=\s)"
)
_AT_ONCE = re.compile(
    r"\s{0,9}(?:-j\s{0,9}\S{1,9}|-k|--(?:jobs|delay|tag|will-cite|no-notice|halt)(?:[= ]\S{1,20})?)(?=\s)"
)
_INNER = re.compile(r"((?:/bin/)?(?:ba)?sh\s+-\w*c\s+)'([^']{1,1500})'\s+\S{1,20}\s+\{\}(?:\s|$)")
"""`sh -c '... $1 ...' _ {}`: the word comes as the first argument."""
_NAME = "each"


def as_loop(text: str) -> str:
    """The same line with `for each in $(LIST); do COMMAND; done`; as it is where it is something else."""
    found = _PARALLEL.fullmatch(text)
    if found is not None:
        return _loop(found[2].strip(), _without_options(found[1], _AT_ONCE)[0], "{}") or text
    found = _FOUND.fullmatch(text)
    if found is not None:
        return _loop(_words(found[1]), found[2].strip(), "{}") or text
    found = _PIPED.fullmatch(text)
    if found is None:
        return text
    command, mark = _without_options(found[2], _OPTION)
    return _loop(_words(found[1].strip()), command, mark) or text


def _without_options(text: str, option: re.Pattern[str]) -> tuple[str, str]:
    """(the command behind the options, what stands in it for the word)."""
    mark = ""
    while (found := option.match(text)) is not None:
        groups = found.groupdict()
        mark = groups.get("own") or ("{}" if groups.get("braces") else mark)
        text = text[found.end() :]
    return text.strip(), mark


def _loop(words: str, command: str, mark: str) -> str:
    if not command or command.startswith("-") or _BASENAME.fullmatch(command):
        return ""
    command = _INNER.sub(lambda found: f"{found[1]}'{found[2].replace('$1', '{}')}' ", command)
    is_marked = bool(mark) and mark in command
    command = command.replace(mark, f"${_NAME}") if is_marked else f"{command} ${_NAME}"
    return f"for {_NAME} in {words}; do {command}; done"


def _words(listing: str) -> str:
    """What a listing gives: words, or the question where nobody knows."""
    if listing.startswith("echo "):
        return listing.removeprefix("echo ").strip()
    if not listing.startswith("find "):
        return f"$({listing})"
    named, under = _NAMED.search(listing), _UNDER.match(listing)
    if named is None:
        return f"$({listing})"
    return named[1] if _BARE_NAMES.search(listing) or under is None else f"{under[1]}/{named[1]}"
