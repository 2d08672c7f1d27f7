"""Scripts, units, udev rules and cron lines that call NIC tools at boot, and which NICs they call them for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Literal

from roce_audit.platforms.hostanswers import Answer
from roce_audit.platforms.hostboot import Program
from roce_audit.platforms.hostcollector import HOST, Collector, Subject, full_address
from roce_audit.platforms.hosttools import programs
from roce_audit.platforms.linux.shell import Shell, calls_of

BOOT_FILES = "boot files"

_DEVICE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,60}")
_FILE = re.compile(
    r"echo\s+(?:-n\s+)?[\"']?(?:Global\s+tclass=)?([^\s\"'>|]{1,40})[\"']?\s*(?:>|\|\s*(?:sudo\s+)?tee(?:\s+-a)?)\s*[\"']?"
    r"(?:/sys/class/infiniband/(?P<tc>[^/\s]{1,80})/tc/\d+/traffic_class"
    r"|/sys/kernel/config/rdma_cm/(?P<tos>[^/\s]{1,80})/ports/\d+/default_roce_tos)(?P<tail>[^\s\"';&|)]{0,40})"
)
_IP_LINK = re.compile(r"\bip\s+(?:-\S+\s+)*link\s+set\s+(?:dev\s+)?(\S+)\s[^;&|]{0,200}?\bmtu\s+([^\s;&|\"']{1,40})")
_IFCONFIG = re.compile(r"\bifconfig\s+(\S+)\s[^;&|]{0,200}?\bmtu\s+([^\s;&|\"']{1,40})")
_PAUSE = re.compile(r"\bethtool\s+(?:-A|--pause)\s+(\S+)\s+([a-z ]{2,60})")
_UDEV_NAME = re.compile(r"(?:KERNEL|NAME|ENV\{(?:ID_NET_NAME|INTERFACE)\})==\"([A-Za-z0-9_.*?\[\]|-]{1,100})\"")
_STARTED = re.compile(r"([A-Za-z0-9_.-]{1,60})@(?:%k|\$name|\$env\{INTERFACE\})\.service")
_INSTANCE = re.compile(r"/([A-Za-z0-9_.-]+)@([A-Za-z0-9_.-]*)\.service$")
_PATTERN = ("%k", "$name", "$env{INTERFACE}")
_INSTANCES = ("%i", "%I")
Kind = Literal["net", "rdma", "card", "slot", "type", "family"]
"""What a call names: network devices, RDMA devices, cards as their tool calls them, PCI slots, PCI device ids, a family."""


@dataclass(frozen=True)
class Call:
    """A call in a boot file: for which NIC, and a statement of boot files about it."""

    answer: Answer
    number: int
    kind: Kind
    device: str
    """A name, a pattern, several of them, or a text that cannot be resolved."""
    statement: str
    label: str = ""
    """How people call these NICs."""
    branch: int = 0
    """Calls of one branch follow each other: of two that set the same the later one counts."""

    @property
    def sets(self) -> tuple[str, str, str]:
        """What it sets, and of whom."""
        return self.kind, self.device, self.statement.rpartition(" ")[0]


@dataclass
class Scripts:
    """The boot scripts of one host."""

    calls: list[Call] = field(default_factory=list)
    templates: dict[str, list[Call]] = field(default_factory=lambda: defaultdict(list))
    """Name of a unit template -> the calls in it that are for its instance."""
    started: list[tuple[str, str]] = field(default_factory=list)
    """(unit template, patterns of the NICs that it is started for)."""
    units: dict[str, list[Call]] = field(default_factory=lambda: defaultdict(list))
    """Path of a unit below /etc/systemd/system -> its calls: they count where the unit is enabled."""
    installed: set[str] = field(default_factory=set)
    """Units that can be enabled: they have WantedBy."""
    enabled: set[str] = field(default_factory=set)
    shells: dict[str, Shell] = field(default_factory=lambda: defaultdict(Shell))
    """Path of a script -> its variables and loops so far."""
    sections: dict[str, str] = field(default_factory=dict)
    sees_links: bool = False
    """The links that enable units were looked for."""
    latest: dict[tuple[object, ...], int] = field(default_factory=dict)
    """What a call sets -> its place in its list."""

    def add(self, calls: list[Call], path: str, call: Call) -> None:
        """Put a call at the end of its list, in place of an earlier one of the same file and branch that sets the same."""
        key = (id(calls), path, call.branch, *call.sets)
        have = self.latest.get(key)
        if have is None:
            self.latest[key] = len(calls)
            calls.append(call)
        else:
            calls[have] = call

    def all_calls(self) -> Iterator[Call]:
        """The calls of all files that a boot runs."""
        yield from self.calls
        for path, calls in self.units.items():
            name = path.rpartition("/")[2]
            if not self.sees_links or path not in self.installed or name in self.enabled:
                yield from calls
        for template, patterns in self.started:
            for call in self.templates.get(template, ()):
                yield Call(call.answer, call.number, call.kind, patterns, call.statement)

    def say_all(self, collector: Collector) -> None:
        """Say of each NIC what is called for it."""
        for call in self.all_calls():
            named = list(_subjects(call, collector))
            for subject in named:
                call.answer.say(call.statement, call.number, subject, BOOT_FILES)
            if call.kind == "family":
                call.answer.say(f"of {call.device} {call.statement}", call.number, HOST, BOOT_FILES)
            elif not named and (call.kind == "card" or not _DEVICE.fullmatch(call.device)):
                kind = "mtu" if call.statement.startswith("mtu ") else "tool"
                call.answer.say(f"somewhere {kind}", call.number, HOST, BOOT_FILES)


def _subjects(call: Call, collector: Collector) -> Iterator[Subject]:
    """Whom a call is for, among the NICs that were seen."""
    patterns = re.split(r"[ |]", call.device)
    if call.kind == "net":
        yield from (("net", n) for n in collector.nics if any(fnmatchcase(n, p) for p in patterns))
    elif call.kind == "rdma":
        listed = {*collector.rdma_netdev, *collector.identified}
        yield from (("rdma", n) for n in sorted(listed) if any(fnmatchcase(n, p) for p in patterns))
    elif call.kind == "slot":
        yield from (("net", n) for n, nic in collector.nics.items() if nic.pci.rpartition(".")[0] in patterns)
    elif call.kind == "type":
        yield from (("net", n) for n, nic in collector.nics.items() if nic.device_id in patterns)
    elif call.kind == "card":
        for name in patterns:
            if name in collector.cards:
                yield ("card", name)
            elif ":" in name:
                yield ("pci", full_address(name))


def script_line(answer: Answer, scripts: Scripts, path: str, number: int, value: str) -> None:
    """One line of a script, unit, rule or table of cron."""
    if "/systemd/system/" in path:
        name = path.rpartition("/")[2]
        if re.search(r"\.(?:wants|requires)/", path):
            scripts.enabled.add(name)
        if re.match(r"(?:WantedBy|RequiredBy)=", value):
            scripts.installed.add(path)
    if path.startswith("/etc/cloud/") and not _every_boot(scripts, path, value):
        return
    rule = _UDEV_NAME.search(value) if path.endswith(".rules") else None
    pattern = rule.group(1) if rule is not None else ("*" if path.endswith(".rules") else "")
    scripts.started += [(template, pattern) for template in _STARTED.findall(value) if pattern]
    instance = _INSTANCE.search(path)
    shell = scripts.shells[path]
    for plain in shell.lines(value):
        for kind, device, statement in settings(plain):
            who = shell.devices(device).strip("\"'")
            who = pattern if who in _PATTERN and pattern else who
            into = scripts.calls
            if who in _INSTANCES and instance is not None and not instance.group(2):
                into = scripts.templates[instance.group(1)]
            elif who in _INSTANCES and instance is not None:
                who = instance.group(2)
            elif re.match(r"/etc/systemd/system/[^/]+$", path):
                into = scripts.units[path]
            scripts.add(into, path, Call(answer, number, kind, who, statement, branch=shell.branch))


def _every_boot(scripts: Scripts, path: str, value: str) -> bool:
    """cloud-init runs `bootcmd` at every boot, `runcmd` only at the first (cloud-init, module reference)."""
    if value[:1] not in (" ", "-", "\t"):
        scripts.sections[path] = value.partition(":")[0]
    return scripts.sections.get(path) == "bootcmd"


def settings(line: str) -> Iterator[tuple[Kind, str, str]]:
    """(kind, device as written, statement) of everything that a line sets up."""
    for program in programs():
        for options in calls_of(program.name, line):
            yield from _of_program(program, options)
    for found in _FILE.finditer(line):
        what, device = ("traffic_class", found["tc"]) if found["tc"] else ("cma_tos", found["tos"])
        yield "rdma", device, f"{what} {found.group(1)}{found['tail']}"
    for pattern in (_IP_LINK, _IFCONFIG):
        for device, mtu in pattern.findall(line):
            yield "net", device, f"mtu {mtu}"
    for device, words in _PAUSE.findall(line):
        pairs = words.split()
        for direction, word in zip(pairs[::2], pairs[1::2], strict=False):
            if direction in ("rx", "tx"):
                yield "net", device, f"{direction.capitalize()}FlowControl {word}"


def _of_program(program: Program, options: str) -> Iterator[tuple[Kind, str, str]]:
    named = re.search(program.nic, options)
    kind: Kind = "family"
    device = program.family
    rest = options
    if named is not None:
        groups = named.groupdict()
        rest = f"{options[: named.start()]} {groups.get('keep') or ''} {options[named.end() :]}"
        names = ((k, groups.get(g)) for k, g in (("net", "net"), ("rdma", "rdma"), ("card", "card"), ("card", "pci")))
        kind, device = next((k, name) for k, name in names if name)  # type: ignore[assignment]
    elif not program.family:
        return
    try:
        for statement in program.settings(re.sub(r"[\"']", "", " ".join(rest.split()))):
            yield kind, device, statement
    except ValueError:
        if rest.strip():
            yield kind, device, f"unclear {' '.join(rest.split())}"
