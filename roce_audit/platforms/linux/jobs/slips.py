"""Slips in how a launcher hands variables to the ranks of a job: options of mpirun, and lists that a shell cuts.

Source: mpirun(1) of Open MPI (`-x`: which variables the remote processes get; the first word that is no option is the program).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from roce_audit.platforms.linux.jobs.variables import VARIABLE, set_for_shell
from roce_audit.platforms.shared.host.settings import VARIABLES, WORDS
from roce_audit.text.memo import of_text

_SET = re.compile(rf"[\"']?({VARIABLE})=[^\n]{{0,500}}")
_LAUNCHERS = frozenset({"mpirun", "mpiexec", "orterun", "prterun"})
# fmt: off
_TAKES = {
    **dict.fromkeys(("-x", "-np", "-n", "-c", "-N", "-H", "-host", "--host", "-hostfile", "--hostfile", "-machinefile", "--machinefile",
                     "--np", "-npernode", "--npernode", "-bind-to", "--bind-to", "-map-by", "--map-by", "-rank-by", "--rank-by",
                     "-wdir", "--wdir", "--prefix", "-prefix"), 1),
    "-mca": 2, "--mca": 2,
}
_ALONE = frozenset((
    "--allow-run-as-root", "-allow-run-as-root", "--tag-output", "-tag-output", "--oversubscribe", "-oversubscribe", "-v", "-q",
    "--report-bindings", "-report-bindings", "--display-map", "-display-map", "--display-allocation", "-display-allocation",
))
# fmt: on
"""Options of mpirun, and how many words each takes."""
NO_OPTION = "no -x stands before it as before the others, so mpirun takes it for the program that it is to start"
_CUT_LIST = (
    "a shell ends the statement at the semicolon: the list has one device, and the others are commands that there are none of; "
    "commas part the devices"
)
NOT_HANDED = "mpirun hands the ranks on other nodes only what -x names, and this is not named: they run without it"


def taken_for_program(words: Sequence[str]) -> int | None:
    """Index of the assignment that mpirun takes for its program, among the words behind its name; None where there is none."""
    index, is_sure = 0, True
    while index < len(words):
        word = words[index]
        if word in _TAKES:
            index, is_sure = index + 1 + _TAKES[word], True
            continue
        if word.startswith("-"):
            is_sure = word in _ALONE or "=" in word
        elif "$" in word and _SET.fullmatch(word) is None:
            is_sure = False  # who knows what it comes to
        elif is_sure:
            return index if _SET.fullmatch(word) is not None else None
        index += 1
    return None


def behind_launcher(words: Sequence[str]) -> Sequence[str]:
    """The words behind the name of mpirun; none where it is not called."""
    found = next((index for index, word in enumerate(words) if word.rpartition("/")[2] in _LAUNCHERS), None)
    return words[found + 1 :] if found is not None else ()


def handed(words: Sequence[str]) -> frozenset[str]:
    """The variables that `-x` names."""
    return frozenset(word.strip("\"'").partition("=")[0] for before, word in pairwise(words) if before == "-x")


_COMMAND = re.compile(r"[^#\n]{0,300}\b(?:mpirun|mpiexec|orterun|prterun)[ \t]")
_MOST_LINES = 60
_QUOTED = re.compile(r"\"[^\"]{0,2000}\"|'[^']{0,2000}'")


def _commands_of_launchers(texts: Sequence[str]) -> Iterator[tuple[int, int, list[str]]]:
    """(first line, line behind the last, words behind mpirun) of each such command of a script, over lines that go on."""
    index = 0
    while index < len(texts):
        start = index
        index += 1
        if _COMMAND.match(texts[start]) is None:
            continue
        while index < len(texts) and texts[index - 1].rstrip().endswith("\\") and index - start < _MOST_LINES:
            index += 1
        joined = " ".join(text.strip().removesuffix("\\") for text in texts[start:index])
        # a text in quotes is one word
        whole = _QUOTED.sub(lambda found: re.sub(r"\s", "\0", found[0]), joined)
        yield start, index, [word.replace("\0", " ") for word in behind_launcher(whole.split())]


def _without_option(texts: Sequence[str]) -> Iterator[int]:
    """Lines of a script with an assignment between the options of mpirun that no option hands over."""
    for start, end, words in _commands_of_launchers(texts):
        lost = taken_for_program(words)
        if lost is not None:
            begins = words[lost].split(" ", maxsplit=1)[0]
            yield next((index for index in range(start, end) if begins in texts[index]), start)


_CUT = re.compile(
    rf"[ \t]{{0,80}}(?:export[ \t]{{1,9}})?(?:{'|'.join(WORDS.values())})=\w[\w:]{{0,60}}"
    r"((?:;[ \t]{0,4}\w[\w:]{0,60}){1,40})[ \t]{0,9}"
)
_DEVICE = re.compile(r"[a-z]\w{0,50}\d(?:f\d{1,2})?(?:np\d{1,2})?(?::\d{1,2})?")


def _is_cut_list(text: str) -> bool:
    """Whether semicolons part the devices of a list in a line of a shell: `export NCCL_IB_HCA=mlx5_0;mlx5_1`."""
    found = _CUT.fullmatch(text)
    return found is not None and all(_DEVICE.fullmatch(one.strip()) for one in found[1].split(";")[1:])


_BLANK_IN_LIST = re.compile(
    rf"[^#\n]{{0,300}}?(?<![\w$])(?:{'|'.join(WORDS.values())})=[\^=]{{0,2}}[a-z]\w{{0,50}}(?::\d)?"
    r"(?:,[a-z]\w{0,50}(?::\d)?){0,40}(?:,[ \t]{1,4}|[ \t]{1,4},[ \t]{0,4})([a-z]\w{0,50}\d(?::\d)?)(?=[,\s]|$)"
)
_BLANK = "a shell ends the value at the blank: the list has the devices before it, and those behind it are words of their own"


def _has_blank(text: str) -> bool:
    """Whether a blank parts the devices of a list in a line of a shell: `export NCCL_IB_HCA=mlx5_0, mlx5_1`."""
    found = _BLANK_IN_LIST.match(text)
    return found is not None and _DEVICE.fullmatch(found[1]) is not None


_HANDED_BY_NAME = re.compile(rf"(?<!\S)-x[ \t]{{1,20}}({VARIABLE})(?![\w=])")
_OF_SHELL_ALONE = (
    "-x hands on what the environment has, and this variable is set for the shell alone: mpirun hands on nothing"
)


def _handed_of_shell(texts: Sequence[str]) -> Iterator[int]:
    """Lines with an option `-x NAME` for a variable that the script sets and does not export."""
    own = set_for_shell(texts)
    for index, text in enumerate(texts):
        if not text.lstrip().startswith("#") and any(one[1] in own for one in _HANDED_BY_NAME.finditer(text)):
            yield index


_ASSIGNS = re.compile(r"[A-Za-z_]\w{0,80}=(?:\"[^\"]{0,500}\"|'[^']{0,500}'|[^\s\"'`();&|]{0,500})")
_NOT_IN_EXPORT = "the export on the lines before ends without a backslash, so this is set for the shell alone, and no program sees it"


def _behind_cut_export(texts: Sequence[str]) -> Iterator[int]:
    """Lines that an `export` over several lines was to go on with, and the line before them ends without its backslash."""
    for index in range(2, len(texts)):
        text = texts[index]
        if (
            not text[:1].isspace()
            or texts[index - 1].rstrip().endswith("\\")
            or not texts[index - 2].rstrip().endswith("\\")
        ):
            continue
        start = index - 2
        while start and texts[start - 1].rstrip().endswith("\\"):
            start -= 1
        head = texts[start]
        is_deeper = len(text) - len(text.lstrip()) > len(head) - len(head.lstrip())
        if not head.lstrip().startswith("export ") or not is_deeper:
            continue
        end = index
        while end + 1 < len(texts) and texts[end].rstrip().endswith("\\"):
            end += 1
        words = " ".join(one.rstrip().removesuffix("\\") for one in texts[index : end + 1]).split()
        if words and all(_ASSIGNS.fullmatch(word) for word in words) and any(_SET.fullmatch(word) for word in words):
            yield index


_NOT_IN_LIST = (
    "srun gives its tasks only the variables that --export lists, without ALL among them, and this is none of them"
)
_LISTS = re.compile(r"--export(?:=|[ \t]{1,9})[\"']?([A-Za-z_][^\s\"']{0,2000})")
_SRUN = re.compile(r"[^#\n]{0,300}\bsrun[ \t]")


def _not_listed(texts: Sequence[str]) -> Iterator[int]:
    """Lines that export a variable of a library which no srun of the script gives its tasks: each has a list of others (srun(1))."""
    kept: set[str] = set()
    first = None
    for index, text in enumerate(texts):
        if _SRUN.match(text) is None:
            continue
        end = index
        while end + 1 < len(texts) and texts[end].rstrip().endswith("\\"):
            end += 1
        found = _LISTS.search(" ".join(texts[index : end + 1]))
        names = {one.partition("=")[0] for one in found[1].split(",")} if found is not None else {"ALL"}
        if "ALL" in names or any("$" in one for one in names):
            return
        kept |= names
        first = index if first is None else first
    for index, name in _exported_once(texts, first or 0):
        if name not in kept:
            yield index


def _exported_once(texts: Sequence[str], behind: int) -> Iterator[tuple[int, str]]:
    """(line, name) of each variable of a library that is exported before a line and stands nowhere else in the script."""
    times = times_named("\n".join(texts))
    for index, text in enumerate(texts[:behind]):
        exported = _EXPORTED.fullmatch(text)
        if exported is not None and exported[1] in VARIABLES and times[exported[1]] == 1:
            yield index, exported[1]


_NOT_PRINTED = (
    "a TaskProlog hands its task what it prints as export NAME=VALUE (slurm.conf(5)), and this is only set for itself"
)
TASK_PROLOG = r"(?i:(?:^|/)(?:slurm[._-]?)?task[._-]?prolog(?:\.\w{1,8}){0,2}\Z)"
"""Pattern of the paths of such prologs."""


def _not_printed(path: str, texts: Sequence[str]) -> Iterator[int]:
    """Lines of a task prolog of Slurm that export a variable of a library for the prolog alone."""
    if re.search(TASK_PROLOG, path) is None or any(_STARTS_ANOTHER.search(text) for text in texts):
        return
    for index, text in enumerate(texts):
        exported = _EXPORTED.fullmatch(text)
        if exported is not None and exported[1] in VARIABLES:
            yield index


_STARTS_ANOTHER = re.compile(r"^\s*(?:env|printenv|exec|cat|declare|typeset)\b|\b(?:printenv|env)\s*\||export -p")
"""By what it may print all of them."""
_NAME = re.compile(r"\w+")


@of_text
def times_named(text: str) -> Counter[str]:
    """How often each word stands in a text."""
    return Counter(_NAME.findall(text))


_EXPORTED = re.compile(rf"[ \t]{{0,80}}export[ \t]{{1,9}}({VARIABLE})=[^\n]{{0,500}}")
_BY_SCHEDULER = re.compile(r"^#(?:SBATCH|PBS|BSUB)|\bsrun\b|\bSLURM_|mca_base_env_list", re.M)
"""What starts mpirun's daemons with the environment of the job, or hands variables over in another way."""
_HOSTS = frozenset({"-H", "-host", "--host", "-hostfile", "--hostfile", "-machinefile", "--machinefile"})


def _not_handed(texts: Sequence[str]) -> Iterator[int]:
    """Lines that export a variable of a library which no mpirun of the script hands on, though it hands on others to other nodes."""
    whole = "\n".join(texts)
    calls = list(_commands_of_launchers(texts))
    if not calls or _BY_SCHEDULER.search(whole) is not None:
        return
    for _, _, words in calls:
        passed = handed(words)
        is_script = any(word.endswith(".sh") or word.rpartition("/")[2] in ("bash", "sh") for word in words)
        made = any("[@]" in word for word in words) or any(
            one == "-x" and name.strip("\"'").startswith("$") for one, name in pairwise(words)
        )
        if not passed or not _HOSTS & frozenset(words) or is_script or made:
            return  # the list of names is made elsewhere: `-x $NAMES`
    for index, _ in _exported_once(texts, calls[0][0]):
        yield index


def slips(path: str, texts: Sequence[str]) -> Iterator[tuple[int, str]]:
    """(line, what is to be said of it) of all slips of the script at a path."""
    for lines, meaning in (
        (_without_option(texts), NO_OPTION),
        (_not_printed(path, texts), _NOT_PRINTED),
        (_not_handed(texts), NOT_HANDED),
        (_not_listed(texts), _NOT_IN_LIST),
        (_behind_cut_export(texts), _NOT_IN_EXPORT),
        ((index for index, text in enumerate(texts) if _is_cut_list(text)), _CUT_LIST),
        ((index for index, text in enumerate(texts) if _has_blank(text)), _BLANK),
        (_handed_of_shell(texts), _OF_SHELL_ALONE),
    ):
        for index in lines:
            yield index, meaning
