"""A switch session log: prompts with commands, each followed by its answer; or the sections of `show tech-support`.

What was typed in configuration mode is a document as well, unless the log shows the configuration itself.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Sequence

from roce_audit.patterns import lazy
from roce_audit.platforms.signature import compiled
from roce_audit.records import dataclass
from roce_audit.sources.commands import prompted, typed
from roce_audit.sources.splitting import configsession
from roce_audit.text.document import Document
from roce_audit.text.memo import of_text
from roce_audit.text.structured.indented import without_margin

_NAME = r"[A-Za-z0-9][A-Za-z0-9_.-]{0,62}"
_PROMPT = lazy(
    r"^[ \t]{0,3}(?:RP/\S{1,20}:)?"
    r"(?:\([\w.+-]{1,40}\) |\[\d{1,2}:\d{2}(?::\d{2})?\] )?(?:"  # a Python environment's name, the time
    rf"(?:\[(?P<remote>{_NAME})\]: ?)?PS [A-Z]:\\[^>\n]{{0,200}}>"  # PS C:\Users\a>, [host]: PS C:\>
    rf"|<(?P<angle>{_NAME})>"  # <leaf1>display version
    rf"|\[[~*]?(?P<view>{_NAME})\]"
    rf"|\[\w{{1,32}}@(?P<boxed>{_NAME})(?:(?:[ :][^\]\n]{{0,80}})?\] ?[#$]|:[^\]\n]{{1,80}}\](?= ))"  # [root@host ~]#, [root@host:~]
    rf"|(?:[AB]:)?(?:\w{{1,32}}@)?(?P<host>{_NAME})"
    r"(?::[^\s#$>]{0,80}| [~/][^\s#$>]{0,80})?"  # user@host:~$
    r"(?: ?\[[^\]\n]{1,60}\])?"  # leaf1 [standalone: master] #
    r"(?P<mode> ?\([^)\n]{1,60}\))?"  # leaf1(config)#
    r" ?[#>$%]"
    r")[ \t]*(?P<typed>[^\n]*)$",
    re.M,
)
_HEADER = lazy(
    r"^[ \t]{0,4}[-=*#+]{4,80}[ \t]{0,4}((?:show|display) [^\n`]{1,200}?)[ \t]{0,4}(?:\[[^\]\n]{4,60}\][ \t])?[-=*#+]{4,80}[ \t]*$"
    r"|^`(show [^\n`]{1,200})`[ \t]*$"
    r"|^\*{4,80}[ \t]*\nCommand : (show [^\n]{1,200}?)[ \t]*\n\*{4,80}[ \t]*$"
    r"|^={4,80}[ \t]*\n\[(?:Begin|End)\] Feature [^\n]{1,80}\n={4,80}[ \t]*$",
    re.M,
)
"""The header of a section, with the time behind the command in that of IOS XR; the last form begins or ends a group and shows nothing."""
_SUPPORT = lazy(r"(?:show tech(?:-support)?|display diagnostic-information)\b")
"""Commands whose answer is the answers of others, each below its header."""
_SHOWN = ("show ", "display ")
_BEFORE_SHOWN = lazy(r"[-=*#+][ \t]{0,4}\Z|`\Z|\nCommand : \Z")
_BEFORE = 11
"""Characters that it looks at."""
_RULE = lazy(r"[ \t]{0,4}[-=*#]{4,80}[ \t]*")
_WRITERS = ("cat", "tee")
_SIGNS = "#>$%]"
"""A prompt ends with one of these."""
_SHOWS = lazy(r"(?:(?:do|run) )?(?:sh(?:o|ow)?|dis(?:p(?:lay)?)?)\b")
_CONFIGURATION = lazy(r"show (?:(?:running|startup)-config|configuration|running-?configuration)\b")
_LONGEST_PROMPT = 300
_RULED = lazy(r"[-=*#]{4,}")
_FENCE = lazy(r"^[ \t]{0,3}```", re.M)
_ABOVE_PROMPT = lazy(r"\n(?:\{[a-z]{1,20}(?::[a-z0-9]{1,20})*\}|(?:--)?\{[^}\n]{1,80}\}--\[[^\]\n]{0,80}\]--)\s*\Z")
"""What some systems print above each prompt: `{master:0}`, `--{ running }--[  ]--`."""
_FIRST_LINES = 4
"""Above the first prompt some systems print a line of their own."""
_PREAMBLE_LINES = 10
"""A login banner is shorter; more lines than this before the first prompt are an answer whose command is not in the log."""


@dataclass(frozen=True, slots=True)
class Session:
    """The answers of one device in a log. `host` is the name in its prompt; empty where there is no prompt."""

    host: str
    documents: tuple[Document, ...]


@dataclass(frozen=True, slots=True)
class _Mark:
    start: int
    end: int
    host: str
    command: str
    configures: str = ""
    """What was typed to configure, with its prompt where that says which block is open."""
    is_header: bool = False


def split(text: str, path: str) -> tuple[Session, ...]:
    """The sessions of a log, one a device; empty when the text is no log.

    A text is a log when two commands that show something stand behind prompts or in section headers, or when one does, or
    somebody configures, and nothing but a login banner stands before it.
    """
    if text.lstrip("\n")[:1] in (" ", "\t"):
        text = without_margin(text)
    marks = _marks(text)
    commands = [m for m in marks if m.command]
    configuring = [m for m in marks if m.configures]
    if not commands and len(configuring) < configsession.FEWEST:
        return ()
    first = min((*commands[:1], *configuring[:1]), key=lambda m: m.start)
    preamble = text[: first.start]
    is_banner = sum(1 for line in preamble.split("\n") if line.strip()) < _PREAMBLE_LINES
    if len(commands) < 2 and not is_banner:
        return ()
    answers = _typed(text, path, marks)
    fences = [found.start() for found in _FENCE.finditer(text)] if "```" in text else []
    host, line, counted = first.host, 1, 0
    if not is_banner:
        answers.setdefault(host, []).append(Document(path, preamble))
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        host = mark.host or host
        if not mark.command:
            continue
        line += text.count("\n", counted, mark.end)
        counted = mark.end
        end = following.start if following is not None else len(text)
        behind = bisect(fences, mark.start)
        if behind % 2 and behind < len(fences):  # the prompt stands in a fence of Markdown, and so does its answer
            end = min(end, fences[behind])
        body = _ABOVE_PROMPT.sub("", text[mark.end + 1 : end]).removesuffix("\n")
        body = _above_rules(body) if mark.is_header else body
        answers.setdefault(host, []).append(Document(path, body, typed(mark.command), line + 1))
    return tuple(Session(name, tuple(documents)) for name, documents in answers.items())


def holds_answers(command: str, text: str) -> bool:
    """Whether a file that is named after a command holds answers of others: what is printed for support, or a terminal's log."""
    return _SUPPORT.match(command) is not None or begins(text)


def begins(text: str) -> bool:
    """Whether a command stands behind a prompt in the first lines: what was taken off a terminal may be named after its command."""
    asks = prompted()
    prompts = map(_PROMPT.match, text[:_LONGEST_PROMPT].split("\n")[:_FIRST_LINES])
    return any(found is not None and asks.match(found["typed"]) for found in prompts)


def _above_rules(body: str) -> str:
    """A section without the rules that some systems print below it."""
    end = len(body)
    while end > 0:
        start = body.rfind("\n", 0, end) + 1
        last = body[start:end]
        if last.strip() and not _RULE.fullmatch(last):
            break
        end = max(start - 1, 0)
    return body[:end]


def _typed(text: str, path: str, marks: Sequence[_Mark]) -> dict[str, list[Document]]:
    """Host -> what was typed there in configuration mode; nothing for a device that also shows its configuration."""
    shown = {mark.host for mark in marks if _CONFIGURATION.match(typed(mark.command))}
    ends = [*(mark.start for mark in marks[1:]), len(text)]
    lines = [
        configsession.ConfigLine(mark.start, mark.host, mark.configures, text[mark.end : end])
        for mark, end in zip(marks, ends, strict=False)
        if mark.configures and mark.host not in shown
    ]
    return {host: [Document(path, said)] for host, said in configsession.texts(text, lines).items()}


@of_text
def _marks(text: str) -> tuple[_Mark, ...]:
    """Prompts of devices that were asked something, and section headers, in the order of the text."""
    prompts = list(_prompts(text)) if _has_sign(text) and _is_asked(text) else []
    asked = {mark.host for mark in prompts if mark.command or mark.configures}
    headers = _headers(text) if _may_have_headers(text) else ()
    # a line like `leaf1# configure` ends an answer as well, but only where its name was seen to prompt before
    marks = [*(mark for mark in prompts if mark.host in asked), *headers]
    return tuple(sorted(marks, key=lambda m: m.start))


def _prompts(text: str) -> Iterator[_Mark]:
    """All that look like prompts, and what was typed there to show or to configure something."""
    asks, levels = prompted(), configsession.Levels(text)
    for found in _PROMPT.finditer(text):
        if found["host"] in _WRITERS and "<<" in found["typed"]:  # `cat > FILE <<EOF`
            continue
        host = found["angle"] or found["view"] or found["boxed"] or found["host"] or found["remote"] or ""
        typed_there, mode = found["typed"].strip(), found["mode"] or ""
        is_privileged = text[found.start() : found.start("typed")].rstrip().endswith("#")
        in_full = levels.in_full(typed_there, found.start()) if is_privileged else None
        command = typed_there if in_full is None else in_full
        shown = _SHOWS if "(conf" in mode or found["view"] else asks  # there `ip` and `dcb` configure
        if shown.match(command):
            yield _Mark(found.start(), found.end(), host, command)
            continue
        before = text[max(0, found.start() - _LONGEST_PROMPT) : found.start()]
        # a mode between blanks, or of several words, names the open block
        names_block = mode.startswith(" ") and (" " in mode[1:] or text.startswith(" ", found.end("mode")))
        said = found.group() if names_block else command
        configures = configsession.configures(mode, command, before, in_full is not None)
        yield _Mark(found.start(), found.end(), host, "", said if configures else "")


def _headers(text: str) -> Iterator[_Mark]:
    """The headers of sections; one that begins or ends a group of them shows nothing."""
    for found in _HEADER.finditer(text):
        if not _RULED.search(found.group(1) or ""):
            shown = found.group(1) or found.group(2) or found.group(3) or ""
            yield _Mark(found.start(), found.end(), "", shown.strip(), is_header=True)


def _may_have_headers(text: str) -> bool:
    """Whether a command that shows something stands behind a rule or a backtick: quick for the many texts without one."""
    return any(_may_have_header_of(word, text) for word in _SHOWN)


def _may_have_header_of(word: str, text: str) -> bool:
    """The same for one word that shows."""
    at = text.find(word)
    while at >= 0:
        if _BEFORE_SHOWN.search(text, max(0, at - _BEFORE), at) is not None:
            return True
        at = text.find(word, at + 1)
    return False


def _has_sign(text: str) -> bool:
    """Whether there is any character by which a prompt ends."""
    return any(sign in text for sign in _SIGNS)


def _is_asked(text: str) -> bool:
    """Whether a command stands behind a prompt anywhere: quick for the many texts without one."""
    return configsession.may_configure(text) or any(_is_asked_behind(sign, text) for sign in _SIGNS)


def _is_asked_behind(sign: str, text: str) -> bool:
    """The same where prompts end with this character."""
    asks = compiled(rf"[ \t]*{prompted().pattern}")
    at = text.find(sign)
    while at >= 0:
        if asks.match(text, at + 1) and _PROMPT.match(text, text.rfind("\n", max(0, at - _LONGEST_PROMPT), at) + 1):
            return True
        at = text.find(sign, at + 1)
    return False
