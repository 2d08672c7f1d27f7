"""Scripts, units, udev rules and cron lines that call NIC tools at boot, and which NICs they call them for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from roce_audit.platforms.hostanswers import Answer
from roce_audit.platforms.hostcollector import HOST, Collector
from roce_audit.platforms.hosttools import by_name

AT_BOOT = "boot "
"""A tool of this name and a program (`boot mlnx_qos`) reads the options that boot scripts give to the program."""
BOOT_FILES = "boot files"

_DEVICE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,14}")
_INTERFACE = re.compile(r"(?:^|\s)-i\s*(\S+)")
_FORCED = re.compile(r"echo\s+\"?([0-9]{1,3})\"?\s*>\s*/sys/class/infiniband/([A-Za-z0-9_]+)/tc/1/traffic_class")
_IP_LINK = re.compile(r"\bip\s+(?:-\S+\s+)*link\s+set\s+(?:dev\s+)?(\S+)\s[^;&|]{0,200}?\bmtu\s+([0-9]{1,6})\b")
_IFCONFIG = re.compile(r"\bifconfig\s+(\S+)\s[^;&|]{0,200}?\bmtu\s+([0-9]{1,6})\b")
_PAUSE = re.compile(r"\bethtool\s+(?:-A|--pause)\s+(\S+)\s+([a-z ]{2,60})")
_LOOP = re.compile(r"\bfor\s+([A-Za-z_][A-Za-z0-9_]{0,30})\s+in\s+([A-Za-z0-9_. -]{1,500}?)\s*(?:;|$)")
_UDEV_NAME = re.compile(r"(?:KERNEL|NAME|ENV\{(?:ID_NET_NAME|INTERFACE)\})==\"([A-Za-z0-9_.*?\[\]|-]{1,100})\"")
_STARTED = re.compile(r"([A-Za-z0-9_.-]{1,60})@(?:%k|\$name|\$env\{INTERFACE\})\.service")
_INSTANCE = re.compile(r"/([A-Za-z0-9_.-]+)@([A-Za-z0-9_.-]*)\.service$")
_PATTERN = ("%k", "$name", "$env{INTERFACE}")


@dataclass(frozen=True)
class Call:
    """A call in a boot file: for which NIC, a statement about it, and which tool reads the statement."""

    answer: Answer
    number: int
    device: str
    """A name, a pattern, or a text that cannot be resolved."""
    statement: str
    tool: str


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
    loops: dict[tuple[str, str], str] = field(default_factory=dict)
    sections: dict[str, str] = field(default_factory=dict)
    sees_links: bool = False
    """The links that enable units were looked for."""

    def say_all(self, collector: Collector) -> None:
        """Say of each NIC what is called for it."""
        for path, calls in self.units.items():
            name = path.rpartition("/")[2]
            if not self.sees_links or path not in self.installed or name in self.enabled:
                self.calls += calls
        for template, patterns in self.started:
            for call in self.templates.get(template, ()):
                self.calls.append(Call(call.answer, call.number, patterns, call.statement, call.tool))
        for call in self.calls:
            named = [n for n in collector.nics if any(fnmatchcase(n, p) for p in re.split(r"[ |]", call.device))]
            for name in named:
                call.answer.say(call.statement, call.number, ("net", name), call.tool)
            if not named and not _DEVICE.fullmatch(call.device):
                kind = "mtu" if call.tool == BOOT_FILES else "tool"
                call.answer.say(f"somewhere {kind}", call.number, HOST, BOOT_FILES)


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
    for variable, listed in _LOOP.findall(value):
        scripts.loops[(path, variable)] = listed
    forced = _FORCED.search(value)
    if forced is not None:
        answer.say(f"traffic_class {forced.group(1)}", number, ("rdma", forced.group(2)), BOOT_FILES)
    rule = _UDEV_NAME.search(value) if path.endswith(".rules") else None
    pattern = rule.group(1) if rule is not None else ("*" if path.endswith(".rules") else "")
    scripts.started += [(template, pattern) for template in _STARTED.findall(value) if pattern]
    instance = _INSTANCE.search(path)
    for device, statement, tool in _calls(value):
        who = scripts.loops.get((path, device.strip("\"'").strip("${}")), device).strip("\"'")
        if who in _PATTERN and pattern:
            who = pattern
        call = Call(answer, number, who, statement, tool)
        if who in ("%i", "%I") and instance is not None and not instance.group(2):
            scripts.templates[instance.group(1)].append(call)
        elif who in ("%i", "%I") and instance is not None:
            scripts.calls.append(Call(answer, number, instance.group(2), statement, tool))
        elif re.match(r"/etc/systemd/system/[^/]+$", path):
            scripts.units[path].append(call)
        else:
            scripts.calls.append(call)


def _every_boot(scripts: Scripts, path: str, value: str) -> bool:
    """cloud-init runs `bootcmd` at every boot, `runcmd` only at the first (cloud-init, module reference)."""
    if value[:1] not in (" ", "-", "\t"):
        scripts.sections[path] = value.partition(":")[0]
    return scripts.sections.get(path) == "bootcmd"


def _calls(value: str) -> Iterator[tuple[str, str, str]]:
    """(device as written, statement, tool) of each call of a NIC tool in a line."""
    plain = re.sub(r"[\[\],]\s+|^\s*-\s+\[|\]\s*$", " ", value) if value.lstrip().startswith("- [") else value
    for name, tool in by_name().items():
        program = name.removeprefix(AT_BOOT)
        if (
            program == name
            or tool.read_file
            or tool.split
            or not re.search(rf"(?:^|[\s/=;&'\"]){re.escape(program)}\s", plain)
        ):
            continue
        options = plain.partition(program)[2].strip().rstrip("'\";")
        device = _INTERFACE.search(" " + options)
        rest = " ".join(_INTERFACE.sub(" ", " " + options, count=1).split())
        if device is not None and rest:
            yield device.group(1), rest, name
    for pattern in (_IP_LINK, _IFCONFIG):
        for device, mtu in pattern.findall(plain):
            yield device, f"mtu {mtu}", BOOT_FILES
    for device, options in _PAUSE.findall(plain):
        words = options.split()
        for direction, word in zip(words[::2], words[1::2], strict=False):
            if direction in ("rx", "tx"):
                yield device, f"{direction.capitalize()}FlowControl {word}", BOOT_FILES
