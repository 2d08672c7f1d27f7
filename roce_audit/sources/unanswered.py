"""What was asked for and not given: by a device that is not judged for it, for it refused to show its configuration or showed nothing, or
its file holds none; and by switches that refused another command.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.sources import injson, kinds, names
from roce_audit.sources.loaded import Problem
from roce_audit.sources.reading import Answer, refusal
from roce_audit.sources.unit import Unit
from roce_audit.text.decode import REFUSED
from roce_audit.text.document import Document

_LONGEST_REFUSAL = 8_000
_HOLDS_NONE = (kinds.EMPTY, kinds.SHORT, kinds.MARKUP, kinds.ARCHIVE, "a link", injson.AROUND, *REFUSED)
"""How it begins what is said of files that may stand in a configuration's place: a download that failed, what somebody compressed,
a link that is not followed."""
_BY_ITS_NAME = {kinds.JSON: (".json",), kinds.YAML: (".yaml", ".yml")}
"""What a file may well be that has one of these extensions; under another name it is what some service answered."""
_PACKED = lazy(r"(?i:\.(?:tar|gz|tgz|xz|bz2|zst|zip|7z)){1,4}+\Z")
_NUMBERS = lazy(r"[0-9]{1,20}")
_MOST = 4


def without_configuration(documents: Sequence[Document]) -> Sequence[Problem]:
    """What is to be said of a device's answers, where none of those that were to show its configuration does."""
    shows = set(platforms.configurations().values())
    asked = [document for document in documents if document.command is not None and "config" in document.command]
    problems = []
    for document in asked:
        words = _refused(document)
        if not words:
            return ()  # another answer shows it, as after a slip of the pen in a session
        if document.command in shows:
            told = f"no configuration in the answer of {document.command}: {words}"
            problems.append(Problem(document.path, document.first_line, told, "unreadable"))
    return problems


def all_empty(documents: Sequence[Document]) -> Iterator[Problem]:
    """What is to be said of a device none of whose answers holds a word."""
    if len(documents) > 1 and not any(document.text.strip() for document in documents):
        words = f"all {len(documents)} answers of it are empty"
        yield Problem(documents[0].path.rpartition("/")[0] or documents[0].path, 0, words, "unreadable")


def without_a_device(unrecognised: Iterable[tuple[str, str]], missing: Collection[str]) -> Iterator[Problem]:
    """Files that hold no configuration and are named after a device that cables lead to and of which nothing else was read."""
    for path, word in unrecognised if missing else ():
        if _holds_none(path, word):
            folder = path.rpartition("/")[0].rpartition("/")[2]
            name = names.fallback(_PACKED.sub("", path), folder)
            if name in missing:
                yield Problem(path, 0, f"no configuration ({word}), and cables lead to {name}", "unreadable")


def beside_configurations(unrecognised: Iterable[tuple[str, str]], read: Iterable[str]) -> Iterator[Problem]:
    """Files that hold no configuration, among those of several devices whose paths differ from theirs in numbers alone."""
    empty = [(path, word) for path, word in unrecognised if _holds_none(path, word)]
    alike: dict[str, list[str]] = defaultdict(list)
    for path in read if empty else ():
        alike[_NUMBERS.sub("#", path)].append(path)
    for path, word in empty:
        others = alike.get(_NUMBERS.sub("#", path), ())
        if len(others) > 1:
            told = f"no configuration ({word}), and {others[0]} and {others[1]} beside it hold one"
            yield Problem(path, 0, told, "unreadable")


def _holds_none(path: str, word: str) -> bool:
    extensions = _BY_ITS_NAME.get(word)
    return word.startswith(_HOLDS_NONE) if extensions is None else not path.lower().endswith(extensions)


def refused_and_answered(
    documents: Sequence[Document], platform: str
) -> tuple[tuple[tuple[str, str, str], ...], tuple[str, ...]]:
    """The commands that a switch is asked and refused, each with its words and where they stand, and those that it answered."""
    asked, shows = platforms.platform(platform), frozenset(platforms.configurations().values())
    refused: dict[str, tuple[str, str, str]] = {}
    answered: dict[str, None] = {}
    for document in documents if asked.kind == "switch" else ():
        command = document.command or ""
        if command not in asked.commands or command in shows:
            continue
        is_empty_rightly = not document.text and not asked.must_tell(
            command
        )  # nothing is configured that it would show
        words = _refused(document) if len(document.text) < _LONGEST_REFUSAL and not is_empty_rightly else ""
        if words:
            refused[command] = command, words, f"{document.path}:{document.first_line}"
        else:
            answered[command] = None
    return tuple(refused.values()), tuple(answered)


def refused_commands(devices: Iterable[tuple[str, Sequence[Unit]]]) -> Iterator[str]:
    """One note for each of the commands that switches (by name) are asked, and some of these refused: nothing of it was judged there.

    A command that another answer of the same switch answers, as after a slip of the pen, is none.
    """
    by_words: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for name, units in devices:
        refused = {command: (words, place) for unit in units for command, words, place in unit.refused}
        for command in refused.keys() - {command for unit in units for command in unit.answered}:
            words, place = refused[command]
            by_words[command, words].append((name, place))
    for (command, words), those in sorted(by_words.items()):
        more = f" and {len(those) - _MOST} more" if len(those) > _MOST else ""
        who = ", ".join(name for name, _ in those[:_MOST])
        yield f"{those[0][1]}: `{command}` was refused by {who}{more} ({words}): what it shows was not judged"


def _refused(document: Document) -> str:
    """Why a document holds no answer; "" where it holds one."""
    if not document.text.strip():
        return "it is empty"
    return refusal(Answer(document.command or "", document.text.encode(), document.exit_status))
