"""Variables of communication libraries in texts of a shell: scripts, option lists of launchers, lines of job files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from roce_audit.platforms.shared.host.settings import LIBRARY_NAMES, LIBRARY_PREFIXES, VARIABLES, meant_variable
from roce_audit.text.statements.misspelling import meant

_LIBRARIES = rf"(?:{LIBRARY_PREFIXES}|NVME(?=_TRANSPORT_TOS))"
LIBRARY_WORDS = (*(f"{name}_" for name in LIBRARY_NAMES), "MC_IB_", "MC_GID_", "MOONCAKE_DEVICE", "NVME_TRANSPORT_TOS")
"""One of these stands in every variable of a library."""
VARIABLE = rf"{_LIBRARIES}_[A-Z0-9_]{{1,80}}"
"""A variable of a library, in a pattern."""
_VALUE = r"(\"[^\"\n]{0,500}\"|'[^'\n]{0,500}'|[^\s\"';|&()<>`]{0,500})"
_INTO = r"(?:(?:APPTAINER|SINGULARITY)ENV_)?"
"""What apptainer sets in a container, in the name of a variable of the host."""
_ASSIGNED = re.compile(rf"(?<![A-Za-z0-9_$./{{-]){_INTO}({VARIABLE})={_VALUE}")
_DEFAULT = re.compile(rf":[ \t]{{1,9}}[\"']?\$\{{({VARIABLE}):?=([^\s\"'`${{}}]{{1,300}})\}}[\"']?")
"""`: "${NAME:=VALUE}"`: it is set where it is not (bash(1), Parameter Expansion)."""
_ONE_MORE = re.compile(rf",(?={VARIABLE}=)")
"""Between the variables of `--env NAME=VALUE,NAME=VALUE` (apptainer)."""
_LISTED = re.compile(rf"(?:^|\s){VARIABLE}=")
_NEARLY = re.compile(rf"(?<![A-Za-z0-9_$./{{-])([A-Z][A-Z0-9]{{0,10}}_[A-Z0-9_]{{2,60}})={_VALUE}")
"""Variables by whatever name: one of them may be misspelt where it says whose it is."""
_HANDED = re.compile(rf"\s*([a-z]{{3,12}})\s+(?=(?:{VARIABLE})=)")
_TWO_WORDS = re.compile(rf"(?:setenv|-genv|-env|--genv|^ENV)[ \t]{{1,20}}({VARIABLE})[ \t]{{1,20}}{_VALUE}")
_MEMBER = re.compile(
    rf"(?<![A-Za-z0-9_])\\?[\"']({VARIABLE})\\?[\"'][ \t]{{0,8}}:[ \t]{{0,8}}"
    r"(?:\\?\"([^\"\\\n]{0,500})\\?\"|'((?:[^'\\\n]|\\.){0,500})'|([0-9]{1,9})(?![\w.]))"
)
"""A member of a JSON object, as Ray and Kubernetes are handed an environment; in a string of a shell its quotes are escaped."""
_EXPORTED = re.compile(r"--export(?:=|[ \t]{1,20})[\"']?([^\s\"']{1,2000})")
_OF_PBS = re.compile(r"(?:^#PBS|\bqsub)[ \t](?:[^\n|;&]{0,300}[ \t])?-v[ \t]{1,20}[\"']?([^\s\"']{1,2000})")
"""The list of variables that PBS is to hand a job."""
_SUBSTITUTED = re.compile(r"(?<![\w/-])s([/|#,@])(?:(?!\1)[^\n]){1,200}\1((?:(?!\1)[^\n]){0,200})\1")
"""`sed 's/OLD/NEW/'`: what it writes is the second of the two."""
_LOOKED_FOR = re.compile(
    r"\b[efz]?grep\s+(?:-\S{1,20}\s+){0,5}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'|[^\s;&|]{1,300})"
    r"|\bsed\s+(?:-\S{1,20}\s+){0,5}[\"']?/(?:[^/\n]{1,200})/d\b"
    r"|\b(?:echo|printf|logger|log\w{0,9}|info|warn\w{0,9}|err\w{0,9}|die|fail\w{0,5})\s+(?:-\w{1,4}\s+)?"
    r"(?:\"(?!export )[^\"\n]{0,400}\"|'(?!export )[^'\n]{0,400}')\s*+(?:1?>&2\s*+)?(?=$|;|&&|\|\||\}|#)"
)
"""What is looked for, taken out, or only said."""
_PERFTEST = re.compile(r"\bib_(?:write|read|send|atomic)_(?:bw|lat)\b(.*)")
_FLAGS = {
    "PERFTEST_TCLASS": re.compile(r"(?:^|\s)(?:-T\s{0,9}|--(?:tclass|tos)[= ]\s{0,9})(\S{1,40})"),
    "PERFTEST_GID_INDEX": re.compile(r"(?:^|\s)(?:-x\s{0,9}|--gid-index[= ]\s{0,9})(\S{1,40})"),
    "PERFTEST_SL": re.compile(r"(?:^|\s)(?:-S\s{0,9}|--sl[= ]\s{0,9})(\S{1,40})"),
}
_DEVICE_OPTION = re.compile(
    r"(?<![\w-])--disaggregation-ib-device[= \t][ \t]{0,9}[\"']?"
    r"([A-Za-z]\w{0,40}(?:,[A-Za-z]\w{0,40}){0,31})(?=[\s\"'\\]|$)"
)
"""The RDMA devices by which a server of SGLang hands caches over, each by its whole name (SGLang, server arguments)."""
DEVICE_OPTION = "--disaggregation-ib-device"
_PARAMETER = re.compile(rf"(?:(?<![\w-])--?mca[ \t]{{1,9}}(btl|pml)[ \t]{{1,9}}|\bOMPI_MCA_(btl|pml)=){_VALUE}")
"""What carries the messages of Open MPI: `--mca btl tcp,self`, or the variable in its place (mpirun(1))."""
_LONGEST = 4_000


_FORMATTED = frozenset({"%s", "%d", "%q", "%i"})
"""What `printf` and `%` put a value in the place of."""


def assignments(text: str) -> Iterator[tuple[str, str]]:
    """(variable, value) of everything that one line hands to a library: assignments, `-x NAME=VALUE`, `--export=...`, JSON members.

    Options of perftest programs are told as PERFTEST_TCLASS, PERFTEST_GID_INDEX and PERFTEST_SL, parameters of Open MPI as
    OMPI_MCA_BTL and OMPI_MCA_PML, the devices of a server of SGLang as MC_IB_OPTION.
    """
    line = text.strip()
    if len(line) > _LONGEST or (line.startswith("#") and not line.startswith(("#SBATCH", "#PBS", "#BSUB"))):
        return
    lists = [listed.group(1) for listed in _EXPORTED.finditer(line)]
    of_pbs = _OF_PBS.search(line)
    for listed in [*lists, *([of_pbs.group(1)] if of_pbs is not None else [])]:
        for piece in listed.split(","):
            found = re.fullmatch(rf"({VARIABLE})=(.*)", piece)
            if found is not None:
                yield found.group(1), found.group(2)
    line = _LOOKED_FOR.sub(" ", line)
    if "sed " in line:
        for changed in _SUBSTITUTED.finditer(line):
            yield from assignments(changed.group(2))
        line = _SUBSTITUTED.sub(" ", line)
    rest = _OF_PBS.sub(" ", _EXPORTED.sub(" ", line))
    for pattern in (_ASSIGNED, _TWO_WORDS):
        for found in pattern.finditer(rest):
            value, *more = _ONE_MORE.split(unquoted(found.group(2)))
            for piece in more:
                yield from assignments(piece)
            if _LISTED.search(value):  # NCCL_ARGS="-x NCCL_IB_TC=104": a list of options, whatever it is called
                yield from assignments(value)
            else:
                yield found.group(1), f"${found.group(1)}" if value in _FORMATTED else value
    if (given := _DEFAULT.match(rest)) is not None:
        yield given[1], given[2]
    for found in _MEMBER.finditer(rest):
        yield found.group(1), next(value for value in found.groups()[1:] if value is not None)
    for found in _NEARLY.finditer(rest):
        if not re.fullmatch(VARIABLE, found.group(1)) and meant_variable(found.group(1)) is not None:
            yield found.group(1), unquoted(found.group(2))
    for found in _PARAMETER.finditer(rest) if "mca" in rest.lower() else ():
        name, own_name, value = found.groups()
        yield f"OMPI_MCA_{(name or own_name).upper()}", unquoted(value)
    devices = _DEVICE_OPTION.search(rest) if DEVICE_OPTION in rest else None
    if devices is not None:
        yield "MC_IB_OPTION", f"={devices[1]}"
    test = _PERFTEST.search(rest)
    for name, flag in _FLAGS.items() if test is not None else ():
        option = flag.search(test.group(1)) if test is not None else None
        if option is not None:
            yield name, option.group(1)


def of_members(line: str) -> Iterator[tuple[str, str]]:
    """(variable, value) of the members of a mapping in a line of Python."""
    text = line.strip()
    if len(text) <= _LONGEST and not text.startswith("#"):
        for found in _MEMBER.finditer(text):
            yield found[1], next(value for value in found.groups()[1:] if value is not None)


_BY_PROGRAM = re.compile(
    rf"\b(?:\w{{0,20}}_)?env(?:iron|ironment|_vars|s)?(?:\[[\"']({VARIABLE})[\"']\]\s{{0,9}}=(?!=)|\.setdefault\([\"']({VARIABLE})[\"']\s{{0,9}},)\s{{0,9}}"
    r"(?:([0-9]{1,9})|[\"']([^\"'\n]{0,300})[\"'])[ \t]{0,9}\)?[ \t]{0,9}(?:$|[#;,}]|--)"
)
_BY_MODULE = re.compile(
    rf"^(?:setenv|pushenv)\([ \t]{{0,9}}[\"']({VARIABLE})[\"'][ \t]{{0,9}},[ \t]{{0,9}}[\"']?([^\"'\n()]{{0,300}})[\"']?[ \t]{{0,9}}\)"
)


def by_program(line: str) -> Iterator[tuple[str, str]]:
    """The same of a line of Lua, or of a program that is not read as a whole: `os.environ["NCCL_IB_TC"] = "106"`,
    `env["NCCL_IB_TC"] = "106"`, `environ.setdefault("NCCL_IB_TC", "106")`."""
    text = line.strip()
    if len(text) <= _LONGEST and not text.startswith(("#", "--")):
        for found in _BY_PROGRAM.finditer(text):
            yield found[1] or found[2], found[3] or found[4] or ""


def by_module(line: str) -> Iterator[tuple[str, str]]:
    """`setenv("NCCL_IB_TC", "106")` of a module (Lmod)."""
    text = line.strip()
    if len(text) <= _LONGEST and (module := _BY_MODULE.match(text)) is not None:
        yield module[1], module[2].strip()


_BARE = re.compile(
    rf"({VARIABLE})=(?:\"[^\"$`]{{0,200}}\"|'[^']{{0,200}}'|[^\s\"'$`;|&()]{{1,200}})[ \t]{{0,9}}(?:#.*)?"
)
"""A variable that is set for the shell alone, to a value that is written down."""
_EXPORTS = re.compile(rf"(?<![\w.$-])export[ \t]{{1,20}}{_LIBRARIES}_")
_ALL_EXPORTED = re.compile(
    r"\bset[ \t]{1,20}-(?:[b-zA-Z]{0,8}a|o[ \t]{1,20}allexport)|\bexport[ \t]{1,20}\$|\bsource[ \t]{1,20}/dev/stdin"
)
NOT_EXPORTED = "it is not exported as others of this script are, so no program that the script starts sees it"


def is_handed(text: str, name: str) -> bool:
    """Whether a launcher or a container hands a variable to its program, in place of what the script exports: `-x NAME=...`, `--env`,
    the list of `srun --export`; or the shell that it starts sets it (`srun bash -c 'export NAME=...; ...'`)."""
    inside = rf"sh[ \t]{{1,9}}-[a-z]{{0,3}}c[ \t]{{1,9}}[\"'](?:[^\"'\n]{{0,400}}[;&\s])?{re.escape(name)}=(?![\"']?\$)"
    if "sh -" in text and re.search(inside, text) is not None:
        return True
    if "--export" in text and not text.lstrip().startswith("#"):
        lists = (listed[1].split(",") for listed in _EXPORTED.finditer(text))
        if any(piece.startswith(f"{name}=") for listed in lists for piece in listed):
            return True
    return re.search(rf"(?:^|\s)(?:-x|-e|--?env|-genv)[ =][ \t]{{0,9}}[\"']?{re.escape(name)}[= \t]", text) is not None


KEEPS_OFF = frozenset({"NCCL_IB_DISABLE", "NCCL_NET"})
"""What keeps a library off RDMA: under a condition of its own, and for what runs on one node, on purpose."""
_NODES = re.compile(
    r"(?:^#(?:SBATCH|BSUB)[ \t](?:[^\n#]{0,200}[ \t])?(?:-N[ \t=]{0,4}|--nodes[= ]|-nnodes[ \t]{1,4})|^#PBS[ \t][^\n#]{0,100}select="
    r"|(?<![A-Za-z_])(?i:nnodes|--num_nodes)[\"']?[ \t]{0,4}[=: ][ \t]{0,4}[\"']?)"
    r"(?!\$\{?\w{0,40}(?:NNODES|NUM_NODES))([0-9$][^\s\"',;:)]{0,40})",
    re.MULTILINE,
)
"""How many nodes a job asks the scheduler for, or its launcher runs on; a value that the scheduler gives says nothing more."""
_STANDALONE = re.compile(r"[ \t]--standalone(?:\s|\Z)")


def on_one_node(text: str) -> bool:
    """Whether all that a text says of the number of its nodes is 1: what keeps it off RDMA leaves nothing behind."""
    numbers = {found[1] for found in _NODES.finditer(text)}
    return numbers == {"1"} or (not numbers and _STANDALONE.search(text) is not None)


_EXPORT = re.compile(
    rf"export[ \t]{{1,20}}({VARIABLE})=([\w.:,^=-]{{1,200}}|\"[\w.:,^=-]{{1,200}}\")[ \t]{{0,20}}(?:#.*)?"
)
_UNSET = re.compile(r"unset(?:[ \t]{1,9}-v)?((?:[ \t]{1,9}[A-Za-z_]\w{0,80}){1,20})[ \t]{0,20}(?:#.*)?")
_SETS_ONLY = re.compile(
    r"\s*+(?:#.*|export[ \t].*|[A-Za-z_]\w{0,60}=[^\s()`$]*+|(?:ulimit|module|source|umask|set|shopt|echo)[ \t].*)?"
)


def exported_twice(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """(earlier, later) lines that export one variable with two values, or take it back, with nothing run under the first and no condition
    in between."""
    said: dict[str, tuple[int, str]] = {}
    for index, text in enumerate(texts):
        found = _EXPORT.fullmatch(text)
        if found is not None:
            value = unquoted(found[2])
            before = said.get(found[1])
            if before is not None and before[1] != value:
                yield before[0], index
            said[found[1]] = (index, value)
        elif (taken := _UNSET.fullmatch(text)) is not None:
            yield from ((said.pop(name)[0], index) for name in taken[1].split() if name in said)
        elif _SETS_ONLY.fullmatch(text) is None:
            said.clear()


_OF_CLASS = re.compile(r"(?:NCCL_IB_TC|UCX_IB_TRAFFIC_CLASS|NVSHMEM_IB_TRAFFIC_CLASS|MC_IB_TC)")
_FROM_VARIABLE = re.compile(r"\$\{?([A-Za-z_]\w{0,40})\}?")
_GIVEN = re.compile(r"(?:^|[\s;(])([A-Za-z_]\w{0,40})=[\"']?([0-9]{1,3})[\"']?(?=[\s;)]|$)")
STORAGE_BYTE = "STORAGE_TCLASS"
"""What the ToS byte of a storage client is called beside the variables of a job."""
STORAGE_DEVICES, STORAGE_GIDS = "STORAGE_DEVICES", "STORAGE_GID_INDEX"
"""The same for its RDMA devices, and the entry of their GID tables."""
LIKE_DSCPS = frozenset({10, 13, 24, 26, 32, 34, 46})
"""As ToS bytes they are DSCP 2, 3, 6, 6, 8, 8 and 11, which no guide gives to RoCE."""


def dscps_for_bytes(texts: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """(index of a line, value, variable of a library) where a script gives a variable of its own several values, hands it over as ToS
    byte, and one of the values reads like a DSCP beside others that are bytes."""
    handed = {
        found[1]: name
        for text in texts
        for name, value in assignments(text)
        if _OF_CLASS.fullmatch(name) is not None and (found := _FROM_VARIABLE.fullmatch(value)) is not None
    }
    given = [
        (i, m[1], int(m[2])) for i, text in enumerate(texts) if handed for m in _GIVEN.finditer(text) if m[1] in handed
    ]
    for index, name, value in given:
        others = [other for _, one, other in given if one == name and other not in LIKE_DSCPS]
        if value in LIKE_DSCPS and any(other > max(LIKE_DSCPS) for other in others):
            yield index, value, handed[name]


def not_exported(texts: Sequence[str]) -> frozenset[int]:
    """Lines that set a variable of a library for the shell alone, in a script that exports others and names this one nowhere else."""
    whole = "\n".join(text for text in texts if not text.lstrip().startswith("#"))
    if _EXPORTS.search(whole) is None or _ALL_EXPORTED.search(whole) is not None:
        return frozenset()
    found = {
        index: match[1]
        for index, text in enumerate(texts)
        if (match := _BARE.fullmatch(text.strip())) is not None
        and match[1] in VARIABLES
        and not texts[index - 1].rstrip().endswith("\\")
    }
    return frozenset(index for index, name in found.items() if len(re.findall(rf"\b{name}\b", whole)) == 1)


_EXPORTS_NAME = r"(?<![\w.$-])(?:export|(?:declare|typeset)[ \t]{{1,9}}-\w{{0,4}}x\w{{0,4}})[ \t][^\n]{{0,600}}\b{}\b"


def set_for_shell(texts: Sequence[str]) -> frozenset[str]:
    """Variables of libraries that a script sets for the shell alone, and nowhere exports."""
    said = [text for text in texts if not text.lstrip().startswith("#")]
    whole = "\n".join(said)
    if _ALL_EXPORTED.search(whole) is not None:
        return frozenset()
    names = {
        match[1]
        for before, text in pairwise(("", *said))
        if (match := _BARE.fullmatch(text.strip())) is not None and not before.rstrip().endswith("\\")
    }
    return frozenset(name for name in names if re.search(_EXPORTS_NAME.format(name), whole) is None)


_SPACED = re.compile(
    rf"(?:^|\s)(?:export|-x|--env|-e)[ \t]{{1,20}}({VARIABLE})(?:[ \t]{{1,20}}=[^=]|=[ \t]{{1,20}}[\w.:,-])"
)


def spaced(text: str) -> str | None:
    """The variable of `export NAME= VALUE` or `-x NAME =VALUE`: to a shell the value is a word of its own."""
    found = _SPACED.search(text) if not text.lstrip().startswith("#") else None
    return found.group(1) if found is not None else None


def is_never_set(text: str) -> bool:
    """`exoprt NAME=VALUE`: the shell finds no such command, and nothing is set."""
    found = _HANDED.match(text)
    return found is not None and meant(found.group(1), ("export", "setenv", "declare")) is not None


def unquoted(value: str) -> str:
    """A value without the quotes around it."""
    value = value.strip()
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
