"""Files that set a NIC up at boot: netplan, systemd-networkd, NetworkManager, and the scripts and units that call NIC tools.

What is found becomes the port's `nic.persisted`. A file that names its device by a pattern or a variable tells nothing of one
NIC, so what it sets stays "not visible".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from roce_audit.platforms.hostanswers import Answer, Line, Tool
from roce_audit.platforms.hostclaims import Facts, one_of, whole
from roce_audit.platforms.hostcollector import Subject
from roce_audit.platforms.hosttools import by_name
from roce_audit.values import At

AT_BOOT = "boot "
"""A tool of this name and a program (`boot mlnx_qos`) reads the options that boot scripts give to the program."""

_DEVICE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,14}")
_NETPLAN_KEY = re.compile(r"( *)([A-Za-z0-9_.-]+|\"[^\"]{1,40}\"):\s*(.*)")
_INTERFACE = re.compile(r"(?:^|\s)-i\s*(\S+)")
_FORCED = re.compile(r"echo\s+\"?([0-9]{1,3})\"?\s*>\s*/sys/class/infiniband/([A-Za-z0-9_]+)/tc/1/traffic_class")
_INSTANCE = re.compile(r"@([A-Za-z0-9_.-]+)\.service$")
_LONGEST = 2_000


@dataclass
class BootFile:
    """Where we are in a file that is read line by line."""

    section: str = ""
    device: str = ""
    keys: list[tuple[int, str]] = field(default_factory=list)


def _line(answer: Answer, path: str, number: int, value: str) -> None:
    if len(value) > _LONGEST or value.lstrip().startswith(("#", ";")):
        return
    state = answer.collector.boot_files.setdefault(path, BootFile())
    if path.endswith((".yaml", ".yml")):
        _netplan(answer, state, number, value)
    elif path.endswith((".network", ".link", ".nmconnection")):
        _sections(answer, state, number, value.strip())
    else:
        _script(answer, path, number, value)


def _netplan(answer: Answer, state: BootFile, number: int, value: str) -> None:
    found = _NETPLAN_KEY.fullmatch(value.rstrip())
    if found is None:
        return
    depth = len(found.group(1))
    while state.keys and state.keys[-1][0] >= depth:
        state.keys.pop()
    state.keys.append((depth, found.group(2).strip('"')))
    names = [name for _, name in state.keys]
    if len(names) == 4 and names[0] == "network" and names[1] in ("ethernets", "bonds", "vlans") and names[3] == "mtu":
        _say(answer, number, names[2], f"mtu {found.group(3)}")


def _sections(answer: Answer, state: BootFile, number: int, value: str) -> None:
    if value.startswith("["):
        state.section = value.strip("[]").lower()
        return
    key, sign, text = value.partition("=")
    key, text = key.strip(), text.strip()
    if not sign:
        return
    if (state.section, key) in (("match", "Name"), ("link", "Name"), ("connection", "interface-name")):
        state.device = text
    elif (state.section, key) in (("link", "MTUBytes"), ("ethernet", "mtu")):
        _say(answer, number, state.device, f"mtu {text}")
    elif state.section == "link" and key in ("RxFlowControl", "TxFlowControl"):
        _say(answer, number, state.device, f"{key} {text}")


def _script(answer: Answer, path: str, number: int, value: str) -> None:
    forced = _FORCED.search(value)
    if forced is not None:
        answer.say(f"traffic_class {forced.group(1)}", number, ("rdma", forced.group(2)), BOOT.name)
    instance = _INSTANCE.search(path)
    for name in by_name():
        program = name.removeprefix(AT_BOOT)
        if program == name or not re.search(rf"(?:^|[\s/=;&'\"]){re.escape(program)}\s", value):
            continue
        options = value.partition(program)[2].strip().rstrip("'\";")
        device = _INTERFACE.search(" " + options)
        if device is None:
            continue
        who = device.group(1)
        if who in ("%i", "%I") and instance is not None:
            who = instance.group(1)
        rest = " ".join(_INTERFACE.sub(" ", " " + options, count=1).split())
        if rest:
            _say(answer, number, who, rest, name)


def _say(answer: Answer, number: int, device: str, statement: str, tool: str = "") -> None:
    if _DEVICE.fullmatch(device):
        about: Subject = ("net", device)
        answer.say(statement, number, about, tool or BOOT.name)


def _mtu(facts: Facts, text: str, at: At) -> None:
    facts.claim("nic.persisted.ip_mtu_bytes", whole(text.strip("\"'"), 68, 65536), at)


_BOOLEAN = {"yes": True, "true": True, "1": True, "on": True, "no": False, "false": False, "0": False, "off": False}


def _pause_rx(facts: Facts, text: str, at: At) -> None:
    facts.claim("nic.persisted.link_pause_rx", one_of(text.lower(), _BOOLEAN), at)


def _pause_tx(facts: Facts, text: str, at: At) -> None:
    facts.claim("nic.persisted.link_pause_tx", one_of(text.lower(), _BOOLEAN), at)


def _forced(facts: Facts, text: str, at: At) -> None:
    facts.claim("nic.persisted.nic.forced_traffic_class", whole(text, 0, 255), at)


BOOT = Tool(
    name="boot files",
    files=r"/etc/(?:netplan|systemd|udev|network|networkd-dispatcher|NetworkManager)/\S+|/(?:usr/)?lib/(?:systemd|udev)/\S+"
    r"|/etc/rc\.local|/usr/local/s?bin/\S+",
    read_file=_line,
    lines=(
        Line("mtu", ("nic.persisted.ip_mtu_bytes",), _mtu),
        Line("RxFlowControl", ("nic.persisted.link_pause_rx",), _pause_rx),
        Line("TxFlowControl", ("nic.persisted.link_pause_tx",), _pause_tx),
        Line("traffic_class", ("nic.persisted.nic.forced_traffic_class",), _forced),
    ),
)
