"""How jobs are launched: batch scripts, prologs, programs, and launchers' parameter files."""

from __future__ import annotations

import re

from roce_audit.platforms.linux import nvmecalls
from roce_audit.platforms.linux.env import JOB, place
from roce_audit.platforms.linux.jobslips import TASK_PROLOG
from roce_audit.platforms.linux.setups import CALLED, hear_variables, read_script
from roce_audit.platforms.linux.variables import (
    KEEPS_OFF,
    LIBRARY_WORDS,
    VARIABLE,
    assignments,
    by_program,
    of_members,
    on_one_node,
    unquoted,
)
from roce_audit.platforms.shared.host.answers import Answer, Tool

_BEHIND = r"(?:[^\s()#]{1,60}\)[ \t]{1,8}|if [^\n]{1,200}; then |\[{1,2} [^\n]{1,200} \]{1,2} && )?"
"""An arm of `case`, a condition."""
_HANDED = (
    rf"{_BEHIND}(?:(?:echo[ \t]{{1,8}}[\"']?)?export[ \t]{{1,8}}|-x[ \t]{{1,8}}|(?:-e|--env)[ =][ \t]{{0,8}}[\"']?"
    rf"|:[ \t]{{1,8}}[\"']?\$\{{|\w{{1,40}}\+?=[\"'(][^\n]{{0,300}}?"
    rf"|(?:ssh|pdsh|clush)[ \t][^\n\"']{{1,200}}[\"'](?:[^\n\"']{{0,200}}?[ ;&])?)?(?:(?:APPTAINER|SINGULARITY)ENV_)?"
)
"""What stands before a variable that a script sets: nothing, a condition, an option, a list of options. What a prolog of Slurm
prints as `export NAME=VALUE` goes into the environment of the task (slurm.conf(5), TaskProlog)."""
_LAUNCHED = r"(?:mpirun|mpiexec(?:\.hydra)?|srun|sbatch|salloc|torchrun|(?:docker|podman|nerdctl) run)"
MEMBER = rf"\\?[\"']{VARIABLE}\\?[\"'][ \t]{{0,8}}:[ \t]{{0,8}}[\\\"'0-9]"
"""A variable as a member of a JSON object: the environment that Ray, or a runner of jobs, is handed."""
_WRITTEN = r"(?:[^\n]{0,300}\n){0,20}?[^\n]{0,300}<<-?[ \t]{0,4}[\\\"']{0,2}[A-Za-z_]\w{0,40}[^\n]{0,300}\n#!"
"""The head of a text that writes a script into a file."""


def _script(answer: Answer) -> None:
    answer.collector.launched = place(answer, answer.document.first_line)
    (read_script if re.match(CALLED, answer.document.text, re.M) else hear_variables)(answer)


SCRIPT = Tool(
    name="job script",
    named=TASK_PROLOG,
    split=_script,
    signature=rf"\A(?:#[^\n]{{0,300}}\n){{0,20}}?#(?:SBATCH|PBS|BSUB) [\s\S]{{0,16000}}?\b{VARIABLE}="
    rf"|\A(?:#!(?!{CALLED})|{_WRITTEN})[\s\S]{{0,19000}}?^(?:[ \t]*{_HANDED}{VARIABLE}:?=|[^\n]{{0,300}}?{MEMBER})"
    rf"|^[ \t]*(?:\$ )?(?:(?:sudo|exec|nohup|time) ){{0,3}}(?:\S{{0,80}}/)?{_LAUNCHED} "
    rf"(?:[^\n]{{0,600}}\\\n){{0,40}}[^\n]{{0,600}}(?:\b{VARIABLE}[ =]|--?mca btl )"
    # a script that names no shell and begins with a function
    rf"|\A(?:(?:#[^\n]{{0,300}}|)\n){{0,40}}(?:function )?[A-Za-z_]\w{{0,40}} ?\(\)[ \t]{{0,8}}\{{?[ \t]{{0,8}}\n(?!{CALLED})"
    rf"[\s\S]{{0,19000}}?^[ \t]{{0,40}}export {VARIABLE}="
    # a service that runs the job, or what adds to it
    rf"|\A(?:(?:[#;][^\n]{{0,300}}|)\n){{0,40}}\[(?:Unit|Service)\](?!{CALLED})[\s\S]{{0,19000}}?^Environment=[^\n]{{0,600}}?\b{VARIABLE}="
    # csh, and modules of Tcl; parameters of Open MPI
    rf"|^[ \t]*setenv[ \t]{{1,8}}{VARIABLE}[ \t]|^mca_base_env_list[ \t]*=[^\n]{{0,600}}?\b{VARIABLE}="
    # a file of variables that it changes
    rf"|^[ \t]*(?:sudo )?sed -i[^\n]{{0,200}}\b{VARIABLE}="
    r"|^[ \t]*ib_(?:write|read|send)_(?:bw|lat) [^\n]{0,300}(?:--tclass|--tos|-T)[ =]"
    rf"|{nvmecalls.CALLED}"
    # how an image of a container is built
    rf"|\A(?:(?:#[^\n]{{0,300}}|ARG [^\n]{{0,300}}|)\n){{0,60}}FROM [^\n]{{1,300}}\n"
    rf"[\s\S]{{0,19000}}?^ENV (?:[^\n]{{0,600}}\\\n){{0,40}}[^\n]{{0,600}}?\b{VARIABLE}[= ]",
    words=(*LIBRARY_WORDS, "-mca btl ", "--tclass", "ib_write_bw ", "ib_send_bw ", *nvmecalls.WORDS),
    scripts=True,
)


def _program(answer: Answer) -> None:
    answer.collector.launched = place(answer, answer.document.first_line)
    members = dict[str, dict[str, int]]()
    is_handed = _HANDED_BY_RAY.search(answer.document.text) is not None
    is_alone = on_one_node(answer.document.text)
    conditions: list[int] = []
    """The indents of those that hold for the line."""
    for number, text in answer.lines():
        indent = len(text) - len(text.lstrip())
        while conditions and text.strip() and indent <= conditions[-1]:
            conditions.pop()
        for name, value in of_members(text) if is_handed else ():
            members.setdefault(name, {}).setdefault(value, number)
        for name, value in by_program(text):
            is_open = (conditions or is_alone) and name in KEEPS_OFF
            answer.collector.variable(name, f"${name}" if is_open else value, place(answer, number), JOB)
        if _CONDITION.match(text) is not None and _DEFAULT.search(text) is None:
            conditions.append(indent)

    for name, values in members.items():
        for value, number in (
            values.items() if len(values) == 1 else ()
        ):  # several: a table, of which something else picks one
            is_open = is_alone and name in KEEPS_OFF
            answer.collector.variable(name, f"${name}" if is_open else value, place(answer, number), JOB)


_CONDITION = re.compile(r"[ \t]{0,80}(?:if|elif|else|except)\b[^\n]{0,400}:[ \t]{0,20}(?:#.*)?$")
_DEFAULT = re.compile(r"__name__|\bnot in os\.environ|\bis None|\bnot os\.(?:environ\.get|getenv)\(")
"""Of a condition that holds for a program that somebody starts, or where nobody has set the variable."""
_HANDED_BY_RAY = re.compile(r"\b(?:runtime_env|env_vars)\b")
"""What Ray is handed for its workers (Ray, Environment Dependencies, runtime_env)."""
PROGRAM = Tool(
    name="job program",
    split=_program,
    signature=rf"^[ \t]*[\w.]{{0,40}}(?:\b|_)env(?:iron|ironment|_vars|s)?(?:\[|\.setdefault\()[\"']{VARIABLE}[\"'][\],]"
    rf"|^(?:setenv|pushenv)\([ \t]{{0,9}}[\"']{VARIABLE}[\"']"
    rf"|\A(?=[\s\S]{{0,19000}}?\b(?:runtime_env|env_vars)\b)[\s\S]{{0,19000}}?{MEMBER}",
    words=LIBRARY_WORDS,
    scripts=True,
)
"""A launcher in Python, or a job_submit plugin of Slurm in Lua, that sets variables."""


def _mpi_line(answer: Answer, path: str, number: int, value: str) -> None:
    """`mca_base_env_list = NCCL_IB_TC=106;UCX_TLS=rc` (Open MPI, openmpi-mca-params.conf)."""
    key, _, listed = value.partition("=")
    if key.strip() not in ("mca_base_env_list", "mca_base_env_list_internal"):
        return
    for piece in unquoted(listed).split(";"):
        for name, given in assignments(piece):
            answer.collector.variable(name, given, place(answer, number), JOB)


MPI = Tool(name="mpi parameters", files=r"/\S*/openmpi-mca-params\.conf", read_file=_mpi_line)

TOOLS = (PROGRAM, SCRIPT, MPI)
