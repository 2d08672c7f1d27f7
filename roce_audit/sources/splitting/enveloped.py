"""Answers in JSON that a program wrote around them: below their commands, beside them, and as APIs and playbooks hand them out.

An answer is a text, a list of its lines, or an object. One that is an object keeps its place in the file; all lines of a text stand on the
one line of its string.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.platforms.signature import compiled, literal_in
from roce_audit.records import dataclass
from roce_audit.sources.commands import prompted, typed
from roce_audit.text.document import Document
from roce_audit.text.memo import of_text
from roce_audit.text.structured.jsonspans import Span, spans
from roce_audit.text.structured.jsontext import JsonError, JsonText, parse
from roce_audit.text.structured.positions import Path

_ASKED = ("command", "cmd", "input", "cli", "request")
"""Keys of the command beside its answer."""
_ANSWERED = (
    "output",
    "result",
    "results",
    "response",
    "responses",
    "body",
    "answer",
    "outputs",
    "stdout",
    "stdout_lines",
)
"""Keys of answers beside their commands, in the order in which they count."""
_LISTED = ("commands", "cmds")
"""Keys of the commands of a list of answers."""
_NAMED = ("hostname", "inventory_hostname", "host", "device", "device_name", "switch", "node", "name")
"""Keys of the name of a device beside its answers."""
_NAME = lazy(r"[A-Za-z][A-Za-z0-9_.-]{0,62}")
_NO_NAMES = frozenset(
    (
        *_ASKED,
        *_ANSWERED,
        *_LISTED,
        *_NAMED,
        "data",
        "ins_api",
        "hosts",
        "devices",
        "plays",
        "tasks",
        "invocation",
        "facts",
    )
)
_DEEPEST = 8
_MOST = 20_000
"""Answers in one file."""
_HEAD = 200_000
_FILE = lazy(r"[\w./-]{1,200}\.[a-z]\w{0,7}")
"""What names the file in which an answer stands, and is none itself."""


@dataclass(frozen=True, slots=True)
class _Answer:
    host: str
    command: str
    path: Path
    """Where the answer stands in the file."""


@of_text
def split(text: str) -> Mapping[str, tuple[Document, ...]]:
    """Name of a device, or "" where the file says none -> its answers, without the path of the file; empty for any other text."""
    if text.lstrip()[:1] not in ("{", "[") or not _may_hold_answers(text):
        return {}
    try:
        json = parse(text)
    except JsonError:
        return {}
    answers = [*islice(_answers(json.value, "", (), 0), _MOST)]
    places = spans(text, (answer.path for answer in answers))
    found: dict[str, list[Document]] = defaultdict(list)
    for answer in answers:
        document = _document(text, json, answer, places[answer.path])
        if document is not None:
            found[answer.host].append(document)
    return {host: tuple(its) for host, its in found.items()}


def command_of(text: str) -> str | None:
    """The command whose answer a text in JSON is by its keys; None for any other text."""
    if text.lstrip()[:1] != "{":
        return None
    looks = (look for one in platforms.every() for look in one.looks.items())
    return next((command for pattern, command in looks if _looks(text, pattern)), None)


def _looks(text: str, pattern: str) -> bool:
    return literal_in(pattern) in text and compiled(pattern).search(text, 0, _HEAD) is not None


def _may_hold_answers(text: str) -> bool:
    """Whether a string in it begins as a command that shows something, or it is what an API answers."""
    is_of_api = '"jsonrpc"' in text[:_HEAD] and '"result"' in text
    return is_of_api or compiled(rf'"(?:{prompted().pattern})[ \t]+[^"\n]').search(text) is not None


def _is_command(text: Any) -> bool:
    return isinstance(text, str) and len(text) < 200 and " " in text and prompted().match(text) is not None


def _answers(value: Any, host: str, path: Path, depth: int) -> Iterator[_Answer]:
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _answers(inner, host, (*path, number), depth + 1)
    elif isinstance(value, dict):
        named = (value[key] for key in _NAMED if isinstance(value.get(key), str))
        host = next((name for name in named if _NAME.fullmatch(name)), host)
        beside = tuple(_beside(value, host, path))
        yield from beside
        for key, inner in value.items() if not beside else ():
            if _is_command(key):
                yield _Answer(host, key, _unwrapped(inner, (*path, key)))
            elif isinstance(inner, dict | list):
                is_name = isinstance(inner, dict) and key not in _NO_NAMES and _NAME.fullmatch(key) is not None
                yield from _answers(inner, key if is_name else host, (*path, key), depth + 1)


def _beside(value: Mapping[str, Any], host: str, path: Path) -> Iterator[_Answer]:
    """One command and its answer, or a list of either."""
    answered = next((key for key in _ANSWERED if value.get(key)), "")
    if not answered:
        return
    asked = next((value[key] for key in _ASKED if _is_command(value.get(key))), "")
    given, way = value[answered], (*path, answered)
    if asked:
        yield _Answer(host, asked, _unwrapped(given, way))
        return
    commands = _commands(value, 0)
    if isinstance(given, list) and (len(commands) == len(given) or "jsonrpc" in value):
        for number, answer in enumerate(given):
            command = commands[number] if len(commands) == len(given) else ""
            yield _Answer(host, command, _unwrapped(answer, (*way, number)))


def _commands(value: Any, depth: int) -> Sequence[str]:
    """The commands that an object says were asked, itself or below (`invocation`, `module_args`, `params`)."""
    if not isinstance(value, dict) or depth > 2:
        return ()
    for key in _LISTED:
        listed = value.get(key)
        if isinstance(listed, list) and listed:
            plain = [one.get("command") or one.get("cmd") if isinstance(one, dict) else one for one in listed]
            return [one if isinstance(one, str) else "" for one in plain]
    below = (
        _commands(value[key], depth + 1) for key in ("invocation", "module_args", "params", "request") if key in value
    )
    return next(filter(None, below), ())


def _unwrapped(value: Any, path: Path) -> Path:
    """Where the answer itself stands: some stand alone below `output` and the like."""
    while isinstance(value, dict) and len(value) < 4:
        inner = next((key for key in _ANSWERED if isinstance(value.get(key), str | dict | list)), None)
        if inner is None:
            break
        path, value = (*path, inner), value[inner]
    return path


def _document(text: str, json: JsonText, answer: _Answer, place: Span) -> Document | None:
    value = json.value
    for step in answer.path:
        value = value[step]
    if isinstance(value, str):
        return _of_text(value, [json.line_of(answer.path)] * (value.count("\n") + 1), answer.command)
    if isinstance(value, list) and value and all(isinstance(line, str) for line in value):
        lines = [json.line_of((*answer.path, number)) for number in range(len(value))]
        spread = [line for line, said in zip(lines, value, strict=True) for _ in range(said.count("\n") + 1)]
        return _of_text("\n".join(value), spread, answer.command)
    if not isinstance(value, dict | list):
        return None
    start, end = place
    command = typed(answer.command) if answer.command else command_of(text[start:end])
    if command is None:
        return None
    return Document("", text[start:end], command, json.line_of(answer.path))


def _of_text(said: str, lines: Sequence[int], command: str) -> Document | None:
    if not command or not said.strip() or _FILE.fullmatch(said.strip()) is not None:
        return None
    return Document("", said, typed(command), lines[0], lines=tuple(lines))
