"""Files that set a NIC up at boot: netplan, systemd-networkd, NetworkManager, ifupdown, ifcfg; scripts stand in `bootscripts`.

What is found becomes the port's `nic.persisted`. Files may name their NIC by a pattern or behind what they set, so everything
is said when all answers were read. A setting that no boot file makes is absent there: nobody was seen to make it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from roce_audit.platforms import hostboot
from roce_audit.platforms.hostanswers import Answer, Line, Tool
from roce_audit.platforms.hostclaims import Facts, not_understood, one_of, whole
from roce_audit.platforms.hostcollector import HOST
from roce_audit.platforms.linux import bootconf
from roce_audit.platforms.linux.bootscripts import Scripts, script_line
from roce_audit.values import At, Why

_NETPLAN_KEY = re.compile(r"( *)([A-Za-z0-9_.-]{1,64}|\"[^\"]{1,64}\"):\s*(.*)")
_NAMES = re.compile(r"[A-Za-z0-9_.*?\[\]! -]{1,300}")
_LONGEST = 2_000


@dataclass
class Stanza:
    """What one stanza of a boot file sets, and which NICs it is about: names or patterns."""

    names: str = ""
    settings: list[tuple[Answer, int, str]] = field(default_factory=list)


@dataclass
class BootFile:
    """Where we are in a file that is read line by line."""

    section: str = ""
    keys: list[tuple[int, str]] = field(default_factory=list)
    stanzas: dict[str, Stanza] = field(default_factory=dict)

    def stanza(self, key: str, names: str = "") -> Stanza:
        """The stanza of this key, for NICs of these names until a line says better."""
        return self.stanzas.setdefault(key, Stanza(names))


@dataclass
class Boot:
    """The boot files of one host."""

    files: dict[str, BootFile] = field(default_factory=dict)
    scripts: Scripts = field(default_factory=Scripts)
    configurations: dict[str, list[tuple[Answer, int, str]]] = field(default_factory=dict)
    """Files of services and drivers: path -> lines."""
    is_lone: bool = False
    """Some of it is no file of the host's own."""


def _line(answer: Answer, path: str, number: int, value: str) -> None:
    if len(value) > _LONGEST or not value.strip() or re.match(r"\s*(?:#|;(?!;))", value):
        return
    boot = boot_of(answer)
    if bootconf.is_configuration(path):
        boot.configurations.setdefault(path, []).append((answer, number, value))
        return
    file = boot.files.setdefault(path, BootFile())
    for pattern, read in _READERS:
        if re.search(pattern, path):
            read(answer, file, path, number, value)
            return
    script_line(answer, boot.scripts, path, number, value)


def boot_of(answer: Answer) -> Boot:
    """The boot files of the host; what they set is said at the end."""
    collector = answer.collector
    if collector.boot is None:
        boot = collector.boot = Boot()
        collector.at_end.append(lambda: _say_all(boot))
        collector.at_end.append(lambda: boot.scripts.say_all(collector))
        collector.at_end.append(lambda: bootconf.say_all(boot.configurations, collector))
    found: Boot = collector.boot
    return found


def _say_all(boot: Boot) -> None:
    for file in boot.files.values():
        for stanza in file.stanzas.values():
            for answer, number, statement in stanza.settings:
                for name in answer.collector.nics:
                    if any(fnmatchcase(name, pattern) for pattern in stanza.names.split()):
                        answer.say(statement, number, ("net", name), BOOT.name)


def _netplan(answer: Answer, file: BootFile, path: str, number: int, value: str) -> None:
    found = _NETPLAN_KEY.fullmatch(value.rstrip())
    if found is None:
        return
    depth = len(found.group(1))
    while file.keys and file.keys[-1][0] >= depth:
        file.keys.pop()
    file.keys.append((depth, found.group(2).strip('"')))
    keys = [name for _, name in file.keys]
    if len(keys) < 4 or keys[0] != "network" or keys[1] not in ("ethernets", "bonds", "vlans"):
        return
    stanza = file.stanza(keys[2], keys[2])
    text = found.group(3).split(" #")[0].strip().strip("\"'")
    if keys[3:] == ["mtu"]:
        stanza.settings.append((answer, number, f"mtu {text}"))
    elif keys[3:] == ["set-name"] or (keys[3:] == ["match", "name"] and stanza.names == keys[2]):
        stanza.names = text


def _sections(answer: Answer, file: BootFile, path: str, number: int, value: str) -> None:
    """Files of systemd-networkd and keyfiles of NetworkManager: one stanza a file."""
    value = value.strip()
    if value.startswith("["):
        file.section = value.strip("[]").lower()
        return
    key, sign, text = (piece.strip() for piece in value.partition("="))
    stanza = file.stanza("")
    if (file.section, key) in _NAMING and _NAMES.fullmatch(text):
        stanza.names = text.replace(";", " ")
    elif (file.section, key) in _SETTINGS and sign:
        stanza.settings.append((answer, number, f"{_SETTINGS[(file.section, key)]} {text}"))


_NAMING = {("match", "Name"), ("match", "OriginalName"), ("link", "Name"), ("connection", "interface-name")}
_SETTINGS = {
    ("link", "MTUBytes"): "mtu",
    ("link", "RxFlowControl"): "RxFlowControl",
    ("link", "TxFlowControl"): "TxFlowControl",
    ("ethernet", "mtu"): "mtu",
    ("infiniband", "mtu"): "mtu",
    ("ethtool", "pause-rx"): "RxFlowControl",
    ("ethtool", "pause-tx"): "TxFlowControl",
    ("dcb", "priority-flow-control"): "pfc",
}


def _interfaces(answer: Answer, file: BootFile, path: str, number: int, value: str) -> None:
    """`/etc/network/interfaces`: `iface NAME inet static`, then its options; `up` and the like run commands."""
    words = value.split()
    if words[0] in ("iface", "auto", "mapping", "source") or words[0].startswith("allow-"):
        file.section = words[1] if words[0] == "iface" and len(words) > 1 else ""
    elif words[0] == "mtu" and len(words) == 2 and file.section:
        file.stanza(file.section, file.section).settings.append((answer, number, f"mtu {words[1]}"))
    elif words[0] in ("up", "post-up", "pre-up") and file.section:
        command = re.sub(r"\$\{?IFACE\}?", file.section, " ".join(words[1:]))
        script_line(answer, boot_of(answer).scripts, path, number, command)


def _ifcfg(answer: Answer, file: BootFile, path: str, number: int, value: str) -> None:
    key, _, text = value.strip().partition("=")
    text = text.strip("\"'")
    stanza = file.stanza("", path.rpartition("/ifcfg-")[2])
    if key == "DEVICE":
        stanza.names = text
    elif key == "MTU" and text:
        stanza.settings.append((answer, number, f"mtu {text}"))


_READERS: tuple[tuple[str, Callable[[Answer, BootFile, str, int, str], None]], ...] = (
    (r"^/etc/netplan/|^/run/netplan/", _netplan),
    (r"\.(?:network|link|nmconnection)$|/system-connections/|\.(?:network|link)\.d/", _sections),
    (r"^/etc/network/interfaces", _interfaces),
    (r"/ifcfg-[^/]+$", _ifcfg),
)


def _mtu(facts: Facts, text: str, at: At) -> None:
    facts.claim("nic.persisted.ip_mtu_bytes", whole(text.strip("\"'"), 68, 65536), at)


def _rdma(facts: Facts, text: str, at: At) -> None:
    facts.claim(hostboot.RDMA, True, at)


_BOOLEAN = {"yes": True, "true": True, "1": True, "on": True, "no": False, "false": False, "0": False, "off": False}


def _pause_rx(facts: Facts, text: str, at: At) -> None:
    facts.claim("nic.persisted.link_pause_rx", one_of(text.lower(), _BOOLEAN), at)


def _pause_tx(facts: Facts, text: str, at: At) -> None:
    facts.claim("nic.persisted.link_pause_tx", one_of(text.lower(), _BOOLEAN), at)


def _pfc(facts: Facts, text: str, at: At) -> None:
    bits = [one_of(bit.strip(), {"0": False, "1": True}) for bit in text.split(",")]
    if len(bits) != 8:
        raise ValueError(text)
    facts.claim("nic.persisted.pfc.priorities", frozenset(i for i, bit in enumerate(bits) if bit), at)


def _pfc_mask(facts: Facts, text: str, at: At) -> None:
    """A bit for each priority."""
    mask = whole(text.strip(), 0, 255)
    facts.claim(hostboot.PFC, frozenset(n for n in range(8) if mask >> n & 1), at)


def _roce(facts: Facts, text: str, at: At) -> None:
    facts.claim("nic.persisted.nic.roce", one_of(text, _SWITCH), at)


def _pfc_list(facts: Facts, text: str, at: At) -> None:
    """`3,4` or `none`; a list that names one twice was meant otherwise (`0,0,0,1,0,0,0,0`)."""
    named = [] if text == "none" else [whole(word, 0, 7) for word in text.split(",")]
    if len(named) != len(set(named)):
        raise ValueError(text)
    facts.claim(hostboot.PFC, frozenset(named), at)


_SWITCH = {"on": True, "enable": True, "off": False, "disable": False}


def _pfc_bit(facts: Facts, text: str, at: At) -> None:
    priority, _, switch = text.partition(" ")
    facts.claim(f"{hostboot.SINGLE}.{whole(priority, 0, 7)}", one_of(switch, _SWITCH), at)


def _trust(facts: Facts, text: str, at: At) -> None:
    facts.claim("nic.persisted.trust", one_of(text, {"dscp": "dscp", "pcp": "pcp"}), at)


def _dscp(facts: Facts, text: str, at: At) -> None:
    code, _, priority = text.partition(" ")
    facts.claim(f"nic.persisted.dscp.{whole(code, 0, 63)}", whole(priority, 0, 7), at)


def _mapped(facts: Facts, text: str, at: At) -> None:
    """An entry of the application table: with one of them the driver goes by DSCP."""
    _dscp(facts, text, at)
    facts.claim("nic.persisted.trust", "dscp", at)


def _cable(facts: Facts, text: str, at: At) -> None:
    facts.claim("nic.persisted.cable_m", whole(text, 0, 65535), at)


def _cma_tos(facts: Facts, text: str, at: At) -> None:
    facts.claim("nic.persisted.nic.cma_tos", whole(text, 0, 255), at)


def _of_family(facts: Facts, text: str, at: At) -> None:
    """A statement about every NIC of one family."""
    family, _, statement = text.partition(" ")
    if not BOOT.apply(hostboot.of_family(facts, family), statement, at):
        raise ValueError(text)


def _maybe(facts: Facts, text: str, at: At) -> None:
    """A call that may be made or not: nobody knows what it sets."""
    line = BOOT.by_lead.get(text.partition(" ")[0])
    if text.startswith("pfc-bit "):
        facts.doubt(hostboot.PFC, Why.NOT_VISIBLE, at)
    elif text.startswith(("dscp ", "mapped ")):
        facts.doubt(f"nic.persisted.dscp.{whole(text.split()[1], 0, 63)}", Why.NOT_VISIBLE, at)
    else:
        for path in line.paths if line is not None else ():
            facts.doubt(path, Why.NOT_VISIBLE, at)


def _elsewhere(facts: Facts, text: str, at: At) -> None:
    """The value stands in another file."""
    facts.doubt({"pfc": hostboot.PFC}[text], Why.NOT_VISIBLE, at)


def _forced(facts: Facts, text: str, at: At) -> None:
    facts.claim("nic.persisted.nic.forced_traffic_class", whole(text, 0, 255), at)


def _somewhere(facts: Facts, text: str, at: At) -> None:
    """A call that names its NIC by something that cannot be resolved: what it sets may be set for this NIC as well."""
    line = BOOT.by_lead.get(text)
    paths = line.paths if line is not None and line.paths != ("nic.persisted",) else (*hostboot.BY_TOOLS, hostboot.MTU)
    for path in paths:
        facts.claim(f"{hostboot.SOMEWHERE}.{path}", True, at)


def _places(answer: Answer) -> None:
    """`/etc/netplan read`: whether each place of boot files was read whole. One that was hidden leaves doubt."""
    hidden = False
    for number, text in answer.lines():
        words = text.split()
        if len(words) != 2 or words[1] not in ("read", "none", "hidden"):
            answer.unread(number, text)
            answer.say("unclear places", number, HOST, BOOT.name)
        hidden = hidden or words[-1] == "hidden"
    boot_of(answer).scripts.sees_links = True
    if not hidden and not answer.document.truncated:
        answer.say("all places", answer.document.first_line, HOST, BOOT.name)


def _all_places(facts: Facts, text: str, at: At) -> None:
    facts.claim(hostboot.PLACES, True, at)


BOOT = Tool(
    name="boot files",
    files=r"/(?:etc|run)/(?:netplan|systemd|udev|network|networkd-dispatcher|NetworkManager|sysconfig/network|cron\.[a-z]+|cloud)\S*"
    r"|/etc/(?:default|sysconfig)/\S+|/etc/\S*(?:roce|rdma|qos)\S*"
    r"|/etc/modprobe\.d/\S+|/usr/lib/modprobe\.d/\S+|/etc/bnxt_re/\S+|/var/lib/lldpad/\S+"
    r"|/(?:usr/)?lib/(?:systemd|udev)/\S+|/etc/(?:rc\.d/)?rc\.local|/etc/crontab|/var/spool/cron/\S+"
    r"|/(?:usr|opt|root|home|srv)/\S+",
    read_file=_line,
    lines=(
        Line("mtu", ("nic.persisted.ip_mtu_bytes",), _mtu),
        Line("RxFlowControl", ("nic.persisted.link_pause_rx",), _pause_rx),
        Line("TxFlowControl", ("nic.persisted.link_pause_tx",), _pause_tx),
        Line("pfc", (hostboot.PFC,), _pfc),
        Line("pfc-list", (hostboot.PFC,), _pfc_list),
        Line("pfc-mask", (hostboot.PFC,), _pfc_mask),
        Line("roce", ("nic.persisted.nic.roce",), _roce),
        Line("pfc-bit", (hostboot.PFC,), _pfc_bit),
        Line("trust", ("nic.persisted.trust",), _trust),
        Line("dscp", ("nic.persisted.dscp",), _dscp),
        Line("mapped", ("nic.persisted.dscp", "nic.persisted.trust"), _mapped),
        Line("cable", ("nic.persisted.cable_m",), _cable),
        Line("cma_tos", ("nic.persisted.nic.cma_tos",), _cma_tos),
        Line("elsewhere", (), _elsewhere),
        Line("maybe", ("nic.persisted",), _maybe),
        Line("of", (), _of_family),
        Line("rdma", (hostboot.RDMA,), _rdma),
        Line("unclear", ("nic.persisted",), not_understood),
        Line("traffic_class", ("nic.persisted.nic.forced_traffic_class",), _forced),
        Line("somewhere", (), _somewhere),
        Line("all places", (), _all_places),
        Line("unclear places", (hostboot.PLACES,), not_understood),
    ),
)
PLACES = Tool(name="boot places", split=_places, commands=r"boot-places", host_facts=True)

TOOLS = (BOOT, PLACES)
