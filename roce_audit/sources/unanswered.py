"""What was asked for and not given: by a device that is not judged for it, for it refused to show its configuration or showed nothing, or
its file holds none; and by switches that refused another command.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.sources import injson, kinds, names
from roce_audit.sources.files import STDIN
from roce_audit.sources.loaded import Problem
from roce_audit.sources.reading import Answer, refusal
from roce_audit.sources.unit import Unit
from roce_audit.text.decode import REFUSED
from roce_audit.text.document import DeviceInput, Document

_LONGEST_REFUSAL = 8_000
_NOTHING = (kinds.EMPTY, kinds.MARKUP, kinds.POINTER, kinds.ENCRYPTED, kinds.FAILED, "a link", *REFUSED)
_HOLDS_NONE = (*_NOTHING, kinds.SHORT, kinds.ARCHIVE, injson.AROUND)
"""How it begins what is said of files that may stand in a configuration's place: a download that failed, what somebody compressed,
a link that is not followed."""
_BY_ITS_NAME = {kinds.JSON: (".json",), kinds.YAML: (".yaml", ".yml")}
"""What a file may well be that has one of these extensions; under another name it is what some service answered."""
_PACKED = lazy(r"(?i:\.(?:tar|gz|tgz|xz|bz2|zst|zip|7z)){1,4}+\Z")
_CONFIGURATIONS = ("", ".cfg", ".conf", ".config", ".set", ".txt", ".log")
"""Extensions by which a file beside others is one of the same kind; variables and programs may well be empty."""
_TEXTS = ("", ".txt", ".log")
"""Of these a page, or what some program was answered in XML, may well be one."""
_FEWEST = 2
"""Devices in folders of their own, by which a file of the same name in another one is to be that of a device."""
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


def beside_configurations(
    unrecognised: Iterable[tuple[str, str]],
    devices: Sequence[DeviceInput],
    told: Collection[str],
    of_jobs: Collection[str] = (),
) -> Iterator[Problem]:
    """Files that hold no configuration where each device beside them has its own; `told` are paths that were spoken of already.

    `of_jobs` are the names of jobs and the like: a file beside one is no device's.
    """
    if devices:
        for word in (word for path, word in unrecognised if path == STDIN):
            yield Problem(STDIN, 0, f"no configuration on standard input ({word})", "without-configuration")
    files = [
        (path, word)
        for path, word in unrecognised
        if path not in told
        and path != STDIN
        and (word.startswith(_NOTHING) or word in _BY_ITS_NAME or _is_packed(path))
    ]
    for path, word in _in_place_of_one(files, devices, of_jobs) if files else ():
        yield Problem(path, 0, f"no configuration ({word}), where each file beside it is one", "without-configuration")


def _in_place_of_one(
    files: Iterable[tuple[str, str]], devices: Iterable[DeviceInput], of_jobs: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Of these files those that lie beside files each of which is a device, or in a folder beside those of devices under the same name."""
    names_read: set[str] = set()
    folders: set[str] = set()
    beside: set[tuple[str, str]] = set()
    like: Counter[tuple[str, str]] = Counter()
    for device in devices:
        names_read.add(device.name)
        paths = {document.path for document in device.documents}
        folders.update(path.rpartition("/")[0] for path in paths)
        for path in paths if len(paths) == 1 else ():
            folder, _, name = path.rpartition("/")
            above, _, own = folder.rpartition("/")
            if names.fallback(path, own) == own:
                like[above, name] += 1
            elif platforms.platform(device.platform).kind == "switch" or (
                _extension(name) and device.name not in of_jobs  # a script may be beside it
            ):
                beside.add((folder, _extension(name)))
    for path, word in files:
        folder, _, name = _PACKED.sub("", path).rpartition("/")
        extension = _extension(name)
        is_page = word.startswith(kinds.MARKUP) and extension in _TEXTS
        is_beside = word not in _BY_ITS_NAME and (folder, extension) in beside and extension in _CONFIGURATIONS
        is_below = like[folder.rpartition("/")[0], name] >= _FEWEST and folder not in folders
        if is_below or (is_beside and not is_page and names.stem(name) not in names_read):
            yield path, word


def _is_packed(path: str) -> bool:
    """Whether it is one packed file that has the name of a configuration: `leaf1.cfg.gz`."""
    return _extension(_PACKED.sub("", path)) in _CONFIGURATIONS[1:] and _PACKED.search(path) is not None


def _extension(name: str) -> str:
    return name[name.rfind(".") :].lower() if "." in name else ""


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
        if command in shows:
            continue
        if command not in asked.commands:
            # at a prompt it may be a slip of the pen, in a file of its own a script asked
            is_file = (
                document.first_line == 1 and 0 < len(document.text) < _LONGEST_REFUSAL and bool(document.text.strip())
            )
            if is_file and _is_near(command, asked.commands) and (words := _refused(document)):
                refused[command] = command, words, f"{document.path}:{document.first_line}"
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


def _is_near(command: str, commands: Sequence[str]) -> bool:
    """Whether it asks for what one of these commands shows, with more words: of a port, or of one column."""
    return any(command.startswith(f"{one} ") for one in commands)


def _refused(document: Document) -> str:
    """Why a document holds no answer; "" where it holds one."""
    if not document.text.strip():
        return "it is empty"
    return refusal(Answer(document.command or "", document.text.encode(), document.exit_status))
