"""How jobs are launched: batch scripts, prologs, and launchers' parameter files (programs: `programs`)."""

from __future__ import annotations

import re

from roce_audit.platforms.linux.env import ENVIRONMENT, JOB, place
from roce_audit.platforms.linux.jobs.programs import MEMBER, PROGRAM
from roce_audit.platforms.linux.jobs.slips import TASK_PROLOG
from roce_audit.platforms.linux.jobs.variables import LIBRARY_WORDS, VARIABLE, assignments, unquoted
from roce_audit.platforms.linux.setups.files import CALLED, hear_variables, read_script
from roce_audit.platforms.linux.storage import nvmecalls
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
_BEGINNING = (
    r"(?:if|while) [^\n]{0,300}(?:;|\bthen|\bdo|\])$|case [^\n]{1,300} in$|for \w{1,40} in |\[{1,2} [^\n]{1,300} \]|: [\"']?\$\{"
    r"|set [-+]|(?:export|declare|typeset|readonly|unset|module|source|\.|ulimit|umask|shopt) [^\s][^\n]{0,300}$|[A-Za-z_]\w{0,40}="
)
"""How a script begins whose first line names no shell."""
_PERFTEST = r"ib_(?:write|read|send|atomic)_(?:bw|lat) [^\n]{0,300}(?:--tclass|--tos|-T)[ =]"
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
    # one that others take in, and that begins with a condition or whatever else a shell does
    rf"|\A(?!{ENVIRONMENT.signature})(?:(?:#(?!!)[^\n]{{0,300}}|)\n){{0,40}}(?:{_BEGINNING})(?!{CALLED})"
    rf"[\s\S]{{0,19000}}?^[ \t]{{0,40}}(?:{_BEHIND})?(?:export|(?:declare|typeset) -x) {VARIABLE}="
    # a service that runs the job, or what adds to it
    rf"|\A(?:(?:[#;][^\n]{{0,300}}|)\n){{0,40}}\[(?:Unit|Service)\](?!{CALLED})[\s\S]{{0,19000}}?^Environment=[^\n]{{0,600}}?\b{VARIABLE}="
    # csh, and modules of Tcl; parameters of Open MPI
    rf"|^[ \t]*setenv[ \t]{{1,8}}{VARIABLE}[ \t]|^mca_base_env_list[ \t]*=[^\n]{{0,600}}?\b{VARIABLE}="
    # a file of variables that it changes
    rf"|^[ \t]*(?:sudo )?sed -i[^\n]{{0,200}}\b{VARIABLE}="
    rf"|^[ \t]*{_PERFTEST}|\A#!(?!{CALLED})[\s\S]{{0,19000}}?^[^#\n]{{0,300}}?\b{_PERFTEST}"
    rf"|{nvmecalls.CALLED}"
    # how an image of a container is built
    rf"|\A(?:(?:#[^\n]{{0,300}}|ARG [^\n]{{0,300}}|)\n){{0,60}}FROM [^\n]{{1,300}}\n"
    rf"[\s\S]{{0,19000}}?^ENV (?:[^\n]{{0,600}}\\\n){{0,40}}[^\n]{{0,600}}?\b{VARIABLE}[= ]",
    words=(*LIBRARY_WORDS, "-mca btl ", "--tclass", "ib_write_bw ", "ib_send_bw ", "ib_read_bw ", *nvmecalls.WORDS),
    scripts=True,
)


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
