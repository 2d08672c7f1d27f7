"""Slips of the pen in scripts, units and udev rules that no call shows: a whole file or line would be passed over."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from roce_audit.platforms.shared.host.tools import programs
from roce_audit.text.statements.misspelling import meant

EXEC_KEYS = ("ExecStart", "ExecStartPre", "ExecStartPost", "ExecReload")
_SECTIONS = ("Unit", "Service", "Install")
_RULE_KEY = re.compile(r"([A-Za-z]{2,20})(?:\{[^{}\"]{0,80}\})?[ \t]{0,9}(?:[=!]=|[-+:]?=)[ \t]{0,9}\"")
_COMPARED = re.compile(
    r"(?:^|,)[ \t]{0,9}(?:ACTION|DEVPATH|KERNELS?|SUBSYSTEMS?|DRIVERS?|ATTRS\{[^{}\"]{0,80}\})[ \t]{0,9}[-+:]?=[ \t]{0,9}\""
    r"|(?:^|,)[ \t]{0,9}RUN(?:\{[a-z]{1,20}\})?[ \t]{0,9}[=!]=[ \t]{0,9}\""
)
"""A key that is only compared, given a value, and one that is only given values, compared: udev passes over the rule
(systemd, udev-rules.c, parse_token)."""
_RULE_KEYS = re.compile(
    r"ACTION|ATTRS?|CONST|DEVPATH|DRIVERS?|ENV|GOTO|GROUP|IMPORT|KERNELS?|LABEL|MODE|NAME|OPTIONS|OWNER|PROGRAM|RESULT|RUN"
    r"|SECLABEL|SUBSYSTEMS?|SYMLINK|SYSCTL|TAGS?|TEST"
)
"""udev(7); a line with a key that is none of them is passed over."""
_NAMED = re.compile(r"(?:^|[\s;&|(])([A-Za-z_]\w{0,40})(?:\+?=|\s+in\s)")
_DECLARES = re.compile(
    r"\b(?:read|local|declare|typeset|export|readonly|mapfile|readarray|getopts|printf|let|shift|unset)\b(.*)"
)
"""What stands behind these may be names that it sets."""
_NAME = re.compile(r"[A-Za-z_]\w{0,40}")
_USED = re.compile(r"\$\{?([A-Za-z_]\w{2,40})(?![\w:-])")
_LISTS = re.compile(r"\bin\s|<<<|\||\b(?:read|echo|printf)\b|\[[@*]\]")
"""A line that goes through several values, or shows some: the name of many of a thing is meant there."""
_LOOP_BEGINS = re.compile(r"\s*([a-z]{2,8})\s+[A-Za-z_]\w{0,40}\s+in\s")
_ALONE = ("done", "then", "else", "esac")
"""Words of a script that stand on a line of their own."""
_WORD = re.compile(r"([a-z]{3,6})[ \t]{0,9};?")
_READS_ANOTHER = re.compile(r"\s*(?:\.|source)\s")


def unheard(texts: Sequence[str]) -> set[int]:
    """Lines of a unit that set nothing: a misspelt key, all below a misspelt section, a command that only a shell understands, or one
    for the name of the unit."""
    found: set[int] = set()
    section = ""
    for index, text in enumerate(texts):
        section = text.strip("[] \t") if text.lstrip().startswith("[") else section
        key = text.partition("=")[0].strip()
        is_misspelt = meant(section, _SECTIONS) is not None or meant(key, EXEC_KEYS) is not None
        if is_misspelt or (key in EXEC_KEYS and _in_vain(text.partition("=")[2])):
            found.add(index)
    return found


_BY_SHELL = re.compile(r"[ \t]*[-@:+!]{0,3}(?:/[\w./-]{1,60}/)?(?:env[ \t]{1,9}|sudo[ \t]{1,9}|(?:ba|da|z|k)?sh[ \t])")
_ONLY_SHELL = re.compile(r"(?<=[ \t])(?:>{1,2}|\|{1,2}|&&)(?=[ \t])|(?<=[ \t])>{1,2}/")
_OWN_NAME = re.compile(r"[ \t](?:-i|--interface|dev)[ =]?%[nN](?!\w)")
"""systemd puts the name of the unit there, not that of its instance (%i)."""


def _in_vain(command: str) -> bool:
    """Whether systemd hands arrows, pipes and the like to a program as words (systemd.service(5), Command lines)."""
    if _OWN_NAME.search(command) is not None:
        return True
    bare = re.sub(r"\"[^\"]{0,500}\"|'[^']{0,500}'", "", command)
    return _BY_SHELL.match(command) is None and _ONLY_SHELL.search(bare) is not None


_TYPE = re.compile(r"[ \t]{0,9}Type=(\w{1,20})")
_STARTS = re.compile(r"[ \t]{0,9}ExecStart=[ \t]{0,9}\S")


def refused(texts: Sequence[str]) -> bool:
    """Whether systemd loads no such unit: several commands start it, and it is not of the type that runs one after the other
    (systemd.service(5), ExecStart)."""
    if not {"[Unit]", "[Service]"} <= {text.strip() for text in texts}:  # single lines of it may have been gathered
        return False
    kinds = [found[1] for text in texts if (found := _TYPE.match(text)) is not None]
    return sum(_STARTS.match(text) is not None for text in texts) > 1 and kinds[-1:] != ["oneshot"]


_MOST_JOINED = 40
_OPTION_ALONE = re.compile(r"[ \t]+(--?[A-Za-z][\w-]{0,40})(?:[ =]|$)[^()]{0,300}")
_CALLS_FIRST = re.compile(
    r"[ \t]{0,80}(?:sudo[ \t]+)?(?:/[\w./-]{1,80}/)?([a-z][\w.-]{1,40})[ \t][^#]{0,600}[^\\\s&|;(]"
)


def before(texts: Sequence[str], index: int) -> str:
    """The command on the lines before this one, as one line."""
    start = index - 1
    while start > 0 and index - start < _MOST_JOINED and texts[start - 1].rstrip().endswith("\\"):
        start -= 1
    return (
        " ".join(text.rstrip().removesuffix("\\").strip() for text in texts[start : index - 1])
        + " " * (start < index - 1)
        + (texts[index - 1].strip())
    )


def cut_off(texts: Sequence[str]) -> Iterator[int]:
    """Lines that are options of the program on the line before, which does not go on: the shell takes them for a command."""
    for index, text in enumerate(texts[1:], 1):
        option = _OPTION_ALONE.fullmatch(text)
        call = _CALLS_FIRST.fullmatch(before(texts, index)) if option is not None else None
        program = programs().get(call.group(1)) if call is not None else None
        if option is not None and program is not None and option.group(1) in program.words:
            yield index


_SWALLOWED = re.compile(
    r"[ \t]{0,80}(?:sudo[ \t]+)?(?:/[\w./-]{1,80}/)?([a-z][\w.-]{1,40})[ \t]+-[id][ \t=]?[\w.${}\"@-]{1,60}[ \t]+"
    r"#[ \t]{0,9}(--?[A-Za-z][\w-]{0,40})[ \t=][\w,:.]{1,80}[ \t]{0,9}"
)


def swallowed(texts: Sequence[str]) -> Iterator[int]:
    """Lines that name a NIC and have all that they were to set behind a comment sign: the program only shows what is set."""
    for index, text in enumerate(texts):
        found = _SWALLOWED.fullmatch(text)
        program = programs().get(found.group(1)) if found is not None else None
        if found is not None and program is not None and found.group(2) in program.words:
            yield index


def in_script(texts: Sequence[str], hooks: Collection[str]) -> Iterator[int]:
    """Lines with a misspelt word of a loop, or a variable that nothing sets and whose name is a slip of one that the script sets."""
    unset = dict(misspelt(texts, hooks))
    for index, text in enumerate(texts):
        loop = _LOOP_BEGINS.match(text)
        is_loop = loop is not None and meant(loop.group(1), ("for", "select")) is not None
        alone = _WORD.fullmatch(text.strip())
        if index in unset or is_loop or (alone is not None and meant(alone.group(1), _ALONE) is not None):
            yield index


def misspelt(texts: Sequence[str], hooks: Collection[str]) -> Iterator[tuple[int, Collection[str]]]:
    """Lines with variables that nothing sets and whose names are slips of those that the script sets, and these."""
    names = {name for text in texts for name in _named(text)} | set(hooks)
    if any(_READS_ANOTHER.match(text) for text in texts):
        return
    listed = {name for text in texts if _LISTS.search(text) is not None for name in _USED.findall(text)}
    for index, text in enumerate(texts):
        wanted = {name: meant(name, names) for name in _USED.findall(text) if name not in names}
        found = [name for name, one in wanted.items() if one is not None and not _may_be_many(name, one, listed)]
        if found:
            yield index, found


def _may_be_many(name: str, one: str, listed: Collection[str]) -> bool:
    """Whether a name is the plural of another on purpose: whoever calls the script may hand over a list, in an exported variable
    (in capitals) or for a loop. A small letter behind an option of a program, and in no list, is a slip."""
    return name in (f"{one}s", f"{one}S") and (name != name.lower() or name in listed)


def _named(text: str) -> Iterator[str]:
    """Variables that a line may set."""
    yield from _NAMED.findall(text)
    for behind in _DECLARES.findall(text):
        yield from _NAME.findall(behind)


def in_rule(line: str) -> bool:
    """Whether a key of a udev rule is misspelt, or has an operator that it does not take."""
    return _COMPARED.search(line) is not None or any(_is_slip(key) for key in _RULE_KEY.findall(line))


def _is_slip(key: str) -> bool:
    return (
        _RULE_KEYS.fullmatch(key) is None and meant(key, ("KERNEL", "NAME", "RUN", "SUBSYSTEM", "ACTION")) is not None
    )
