"""What belongs to the host: release, kernel, kernel parameters, services, and the environment of the communication libraries."""

from __future__ import annotations

import re
from collections.abc import Sequence

from roce_audit.platforms.linux.boot.calls import settings
from roce_audit.platforms.linux.boot.slips import before, misspelt
from roce_audit.platforms.linux.jobs import containerruns
from roce_audit.platforms.linux.jobs.libraryfiles import NAMED, is_own
from roce_audit.platforms.linux.jobs.libraryfiles import slip as slip_of_own
from roce_audit.platforms.linux.jobs.slips import slips
from roce_audit.platforms.linux.jobs.variables import (
    NOT_EXPORTED,
    STORAGE_BYTE,
    assignments,
    dscps_for_bytes,
    exported_twice,
    not_exported,
    spaced,
    unquoted,
)
from roce_audit.platforms.linux.storage import nvmecalls
from roce_audit.platforms.shared.host import boot as hostboot
from roce_audit.platforms.shared.host.answers import Answer, Line, Tool
from roce_audit.platforms.shared.host.collector import HOST, noticed
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.own import Own
from roce_audit.platforms.shared.host.settings import VARIABLES, meant_variable
from roce_audit.platforms.shared.host.words import one_of
from roce_audit.platforms.shared.shell.arithmetic import computed
from roce_audit.text.document import Document
from roce_audit.values import At, Place, Why, known, unknown

_EXPORTING = r"(?:export|(?:declare|typeset)[ \t]{1,9}-\w{0,4}x\w{0,4})[ \t]{1,20}"
_ASSIGNMENT = re.compile(rf"(?:{_EXPORTING})?([A-Za-z_][A-Za-z0-9_]{{0,80}})\s*=\s*(.*)")
_GIVEN_HERE = re.compile(r":[ \t]{1,9}[\"']?\$\{([A-Za-z_]\w{0,80}):?=([^{}$`\"']{0,200})\}[\"']?")
"""`: "${NAME:=VALUE}"` gives a variable a value where it has none."""
_EXPORTS = re.compile(_EXPORTING)
_HANDED_ON = re.compile(rf"{_EXPORTING}[A-Za-z_]\w{{0,80}}(?:[ \t]{{1,20}}[A-Za-z_]\w{{0,80}}){{0,40}}")
"""`export NAME`: what other lines set is handed on."""
_LIBRARY = re.compile(r"(?<![\w$/{-])(?:NCCL|RCCL|UCX)_[A-Z0-9_]{1,80}")
_REMARK = re.compile(r"[ \t]#")
_ENVIRONMENT, HANDED, JOB, _HOME_FILE, _SYSTEM_FILE, _LOGIN_FILE = 6, 5, 4, 3, 2, 1
"""The environment wins over ~/.nccl.conf, that over /etc/nccl.conf (NCCL documentation, Environment Variables); what a job
hands over is its environment."""


def place(answer: Answer, line: int) -> Place:
    """A line of an answer."""
    return Place(answer.document.path, line)


def _assign(answer: Answer, number: int, text: str, rank: int) -> None:
    text = text.strip()
    if not text or text.startswith("#"):
        return
    found = _ASSIGNMENT.fullmatch(text) or _GIVEN_HERE.fullmatch(text)
    if found is not None:
        value = found.group(2)
        if "{{" in value:  # it stands elsewhere
            return
        if rank == _ENVIRONMENT:  # a shell that reads the file computes
            value = computed(value, lambda _: None)
        answer.collector.variable(found.group(1), unquoted(value), place(answer, number), rank)
    elif any(map(_is_judged, _LIBRARY.findall(text))) and _HANDED_ON.fullmatch(text) is None:
        answer.unread(number, text)


def _is_judged(name: str) -> bool:
    """Whether a variable of a library is one that is judged, or is meant to be one."""
    return name in VARIABLES or name.startswith("RCCL_") or meant_variable(name) is not None


def _each(text: str) -> list[str]:
    """Each variable of a line that exports several, or hands them to a command: `export A=1 B=2`, `export A=1 export B=2`,
    `A=1 B=2 ucx_perftest -t tag_bw`, `A=1 B=2 \\`."""
    several = (
        _SEVERAL.findall(text) if _EXPORTS.match(text.lstrip()) is not None or _HANDS.match(text) is not None else []
    )
    return several if len(several) > 1 else [text]


_HANDS = re.compile(
    r"[ \t]{0,80}(?:[A-Za-z_]\w{0,80}=[^\s\"'`();&|]{0,300}[ \t]{1,20}){2,40}(?:[A-Za-z./~][\w./-]{0,200}(?:[ \t]|$)|\\?$)"
)
"""Two or more assignments before a command, or before the line goes on with it."""


_SEVERAL = re.compile(r"(?<!\S)[A-Za-z_]\w{0,80}=(?:\"[^\"]{0,500}\"|'[^']{0,500}'|[^\s\"'`();&|]{0,500})(?=\s|$)")


def _before_remark(text: str) -> str:
    """A file of variables is sourced by a shell, or read by what takes ` #` for the beginning of a remark as well."""
    said, *remark = _REMARK.split(text, maxsplit=1)
    quoted = said.count('"') % 2 or said.count("'") % 2
    return text if not remark or quoted else said


_HANDED = re.compile(r"[ \t]{1,40}(?:-x|-genv|--?mca|-np|--export)[ \t=][^()]{0,400}")
_LAUNCHED = re.compile(r"[^#\"'(]{0,200}\b(?:mpirun|mpiexec|orterun|prterun|srun)[ \t]")


def _launches(command: str) -> bool:
    """Whether a command starts a job, and ends where it stands."""
    is_open = command.endswith("\\") or command.count('"') % 2 or command.count("'") % 2
    return not is_open and _LAUNCHED.match(command) is not None


def hear_slips(answer: Answer, said: Sequence[tuple[int, str]]) -> None:
    """What a script was to hand its programs, and does not: `export NAME= VALUE`, or a variable that it does not export."""
    texts = [text for _, text in said]
    bare = not_exported(texts)
    for index, unset in misspelt(texts, ()) if any("$" in text for text in texts) else ():
        read = [value for name, value in assignments(texts[index]) if name in VARIABLES and "$" in value]
        if any(name in value for value in read for name in unset):
            answer.unread(said[index][0], texts[index].strip())
    for index, value, name in dscps_for_bytes(texts):
        meaning = (
            f"it is handed over as {name}, a ToS byte: {value} is DSCP {value // 4}; four times the DSCP was meant, as in "
            "its other values"
        )
        answer.collector.seen.append(noticed("conflict", place(answer, said[index][0]), texts[index].strip(), meaning))
    for earlier, later in exported_twice(texts):
        is_back = texts[later].startswith("unset")
        what = (
            "exports it, which this one takes back"
            if is_back
            else "exports it with another value, which this one replaces"
        )
        meaning = f"line {said[earlier][0]} of this script {what} before anything runs"
        at = place(answer, said[later][0])
        answer.collector.seen.append(noticed("conflict", at, texts[later].strip(), meaning))
    for index, byte in nvmecalls.given(texts):
        answer.collector.other(STORAGE_BYTE, str(byte), place(answer, said[index][0]))
        answer.collector.variable(STORAGE_BYTE, str(byte), place(answer, said[index][0]), JOB)
    connected = list(nvmecalls.slips(texts))
    if connected and any(statement == "trust dscp" for text in texts for _, _, statement, _ in settings(text)):
        connected = []  # what the script itself pauses says which byte is wrong (app/job-outside-setup)
    for index, meaning in (*connected, *containerruns.slips(texts), *slips(answer.document.path, texts)):
        answer.collector.seen.append(noticed("conflict", place(answer, said[index][0]), texts[index].strip(), meaning))
    for index, (number, text) in enumerate(said):
        if index in bare:
            answer.collector.seen.append(noticed("conflict", place(answer, number), text.strip(), NOT_EXPORTED))
        if index and _HANDED.match(text) is not None and _launches(before(texts, index)):
            meaning = (
                "the command on the line before does not go on, so this is a command of its own, which there is none of"
            )
            answer.collector.seen.append(noticed("conflict", place(answer, number), text.strip(), meaning))
        apart = spaced(text)
        if apart is not None:
            answer.collector.slip(apart, place(answer, number), text.strip())


def _is_slip_of_own(answer: Answer, number: int, text: str) -> bool:
    """Say what a line of a file that a library reads itself does otherwise than it reads; then its variable is not known."""
    found = slip_of_own(text)
    if found is not None:
        name, meaning = found
        answer.collector.seen.append(noticed("conflict", place(answer, number), text.strip(), meaning))
        answer.collector.variable(name, f"${name}", place(answer, number), _ENVIRONMENT)
    return found is not None


def _environment(answer: Answer) -> None:
    own = answer.document.command is None and is_own(answer.document.path)
    if answer.document.command is None and not own:
        hear_slips(answer, list(answer.lines()))
    for number, text in answer.lines():
        if own and _is_slip_of_own(answer, number, text):
            continue
        # a file is sourced by a shell: remarks, and assignments that go on on the next line
        said = _before_remark(text).rstrip("\\") if answer.document.command is None else text
        for one in _each(said) if answer.document.command is None else (said,):
            _assign(answer, number, one, _ENVIRONMENT)
    if not answer.document.truncated:
        answer.collector.host.environment = known(True, place(answer, 0))


ENVIRONMENT = Tool(
    name="env",
    named=NAMED,
    split=_environment,
    commands=r"env|printenv",
    signature=r"\A(?!#!)"
    r"(?:[ \t]*(?:#(?!BSUB|PBS|SBATCH)[^\n]{0,400}|(?:export |(?:declare|typeset) -x )?[A-Za-z_]\w{0,60}=[^\n]{0,400}"
    r"|(?:source|\.|set) [^\n]{0,400}|: [\"']?\$\{[^\n]{0,400}|export [A-Za-z_]\w{0,60})?\n){0,40}"
    r"(?:(?:export |(?:declare|typeset) -x )?(?:NCCL|RCCL|HCCL|UCCL|UCX|NVSHMEM)_[A-Z0-9_]{1,60}="
    r"|: [\"']?\$\{(?:NCCL|RCCL|HCCL|UCCL|UCX|NVSHMEM)_[A-Z0-9_]{1,60}:?=)",
)


def _conf_line(answer: Answer, path: str, number: int, value: str) -> None:
    if path.endswith((".nccl.conf", "/nccl.conf", "/rccl.conf", "/ucx.conf")):
        rank = _HOME_FILE if "/." in path else _SYSTEM_FILE
        if is_own(path) and _is_slip_of_own(answer, number, value):
            return
    else:
        value = re.sub(r"^[0-9]{1,6}:", "", value)  # grep -n
        for name, given in assignments(value):
            answer.collector.variable(name, given, place(answer, number), _LOGIN_FILE)
        return
    _assign(answer, number, value, rank)


LIBRARY_FILES = Tool(
    name="library files",
    files=r"/\S*/(?:\.?nccl\.conf|rccl\.conf|ucx\.conf)|/etc/(?:environment|profile\.d/[^/]+|environment\.d/[^/]+)"
    r"|/etc/slurm\S*",
    read_file=_conf_line,
)


def _set(answer: Answer, name: str, value: object, number: int) -> None:
    answer.collector.host.values.setdefault(name, known(value, place(answer, number)))


def _os_line(answer: Answer, path: str, number: int, value: str) -> None:
    if not re.fullmatch(r"[A-Z_]{1,40}=(?:\"[^\"]{0,200}\"|'[^']{0,200}'|[^\s\"']{0,200})", value):
        return
    key, _, text = value.partition("=")
    values = answer.collector.host.values
    if key == "PRETTY_NAME":
        values["os_release"] = known(unquoted(text), place(answer, number))
    elif key in ("NAME", "VERSION_ID"):
        have = values.get("os_release")
        if have is None:
            values["os_release"] = known(unquoted(text), place(answer, number))
        elif key == "VERSION_ID" and unquoted(text) not in have.get():
            values["os_release"] = known(f"{have.get()} {unquoted(text)}", *have.at, place(answer, number))


OS_RELEASE = Tool(name="os-release", files=r"/(?:etc|usr/lib)/os-release", read_file=_os_line)


def _uname(answer: Answer) -> None:
    for number, text in answer.lines():
        found = re.fullmatch(r"Linux \S+ (\S+) .{0,300}Linux|([0-9]\S{0,100})", text)
        if found is not None:
            _set(answer, "kernel", found.group(1) or found.group(2), number)
        elif text != "Linux":
            answer.unread(number, text)
        return


def _without_name(document: Document, _: Own) -> str:
    """The host's own name is said by nobody."""
    return _NAMED.sub("Linux x ", document.text)


_NAMED = re.compile(r"\ALinux [A-Za-z0-9_.-]{1,253} (?=[0-9])")
UNAME = Tool(
    name="uname",
    split=_uname,
    plain=_without_name,
    commands=r"uname(?: -[a-z]+)?",
    signature=r"\ALinux (?!version )\S+ [0-9]+\.[0-9]",
)

SYSCTL_FIELDS = {"net/ipv4/conf/all/arp_ignore": "arp_ignore", "net/ipv4/conf/all/arp_announce": "arp_announce"}


def _kernel_line(answer: Answer, path: str, number: int, value: str) -> None:
    _sysctl(answer, path.removeprefix("/proc/sys/"), value, number)


def _sysctl(answer: Answer, key: str, value: str, number: int) -> None:
    if key == "kernel/osrelease":
        if re.fullmatch(r"[0-9]{1,3}\.[0-9]\S{0,100}", value.strip()):
            _set(answer, "kernel", value.strip(), number)
        else:
            answer.unread(number, f"{key}: {value}")
    elif key in SYSCTL_FIELDS:
        if re.fullmatch(r"[0-9]{1,3}", value.strip()):
            _set(answer, SYSCTL_FIELDS[key], int(value), number)
        else:
            answer.unread(number, f"{key} = {value}")
            answer.collector.host.values.setdefault(SYSCTL_FIELDS[key], unknown(Why.NOT_PARSED, place(answer, number)))


def _sysctl_lines(answer: Answer) -> None:
    for number, text in answer.lines():
        key, sign, value = text.partition("=")
        if sign:
            _sysctl(answer, key.strip().replace(".", "/"), value.strip(), number)


KERNEL_FILES = Tool(name="proc files", files=r"/proc/sys/\S+", read_file=_kernel_line)
SYSCTL = Tool(
    name="sysctl",
    split=_sysctl_lines,
    commands=r"sysctl(?: .*)?",
    signature=r"^net\.ipv4\.conf\.all\.arp_\w+ = ",
)

_STATES = frozenset(
    {"active", "inactive", "failed", "activating", "deactivating", "unknown", "enabled", "disabled", "static", "masked"}
)
_DCB_SERVICES = frozenset({"lldpad", "lldpad.service"})
_MANAGERS = frozenset({"lldpad", "kubelet", "puppet", "chef-client", "salt-minion"})
"""Services that keep settings of their own, or run others' that do, and apply them after the boot files."""


def _services(answer: Answer) -> None:
    """`name active enabled` a line; only lldpad owns DCB settings (lldpd does not)."""
    host = answer.collector.host
    manager, known_states = 0, 0
    for number, text in answer.lines():
        words = text.split()
        if len(words) > 3 or any(word not in _STATES for word in words[1:]):
            answer.unread(number, text)
            answer.say("not understood", number, HOST)
            host.agents_seen = unknown(Why.NOT_PARSED, place(answer, number))
            return
        if len(words) < 2 or words[1] == "unknown":
            continue
        known_states += words[0] in _MANAGERS
        if words[1] == "active" and words[0] in _DCB_SERVICES:
            host.agents["lldpad"] = place(answer, number)
        if words[1] == "active" and words[0] in _MANAGERS:
            manager = number
    if answer.document.truncated or not known_states:
        return
    host.agents_seen = known(True, place(answer, answer.document.first_line))
    if manager or known_states == len(_MANAGERS):
        answer.say("manager" if manager else "no manager", manager or answer.document.first_line, HOST)


def _manager(nic: NicSettings, text: str, at: At) -> None:
    nic.set(hostboot.MANAGER, one_of(text, {"manager": True, "no manager": False}), at)


SERVICES = Tool(
    name="services",
    split=_services,
    commands=r"lldpad|services",
    lines=(Line("", (hostboot.MANAGER,), _manager),),
)


def _virtualisation(answer: Answer) -> None:
    for number, text in answer.lines():
        if re.fullmatch(r"[a-z0-9-]{2,30}", text.strip()):
            _set(answer, "bare_metal", text.strip() == "none", number)
        else:
            answer.unread(number, text)
        return


VIRTUAL = Tool(
    name="virtualisation",
    split=_virtualisation,
    commands=r"systemd-detect-virt(?: .*)?",
    partial=True,  # `none` comes with exit status 1
)


HOSTNAME = Tool(name="hostname", commands=r"hostname(?: -[a-z]+)?")
"""Nothing is said of it: the name is taken before the host is read."""
OTHERS = Tool(
    name="others",
    commands=r"ethtool (?:-[SkgmclxT]|--\S+) \S+|rdma (?:-\S+ )*(?:dev|system|stat\S*)(?: .*)?|ip (?:-\S+ )*rule(?: .*)?"
    r"|devlink .*|lldpctl.*|lldptool -.*|lsmod|lspci.*\||modules|uptime|units|ibv_devices|ibstat -.*|lscpu|numactl.*"
    r"|dcb (?:-\S+ )*(?:apptrust|rewr) .*|tc (?:-\S+ )*qdisc .*|nvidia-smi.*|date.*|cat /proc/uptime",
)

TOOLS = (
    ENVIRONMENT,
    LIBRARY_FILES,
    OS_RELEASE,
    UNAME,
    KERNEL_FILES,
    SYSCTL,
    SERVICES,
    VIRTUAL,
    HOSTNAME,
    OTHERS,
)
