"""Files that set a NIC up at boot: netplan, systemd-networkd, NetworkManager, ifupdown, ifcfg; scripts stand in `bootscripts`.

What is found becomes the port's `nic.persisted`. Files may name their NIC by a pattern or behind what they set, so everything
is said when all answers were read. A setting that no boot file makes is absent there: nobody was seen to make it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import lru_cache

from roce_audit import platforms
from roce_audit.platforms.linux.boot import conf as bootconf
from roce_audit.platforms.linux.boot import netplan, plannednetwork
from roce_audit.platforms.linux.boot.calls import settings
from roce_audit.platforms.linux.boot.scripts import Scripts, script_line
from roce_audit.platforms.linux.boot.stanzas import NAMES, Line, Stanza, nobody
from roce_audit.platforms.linux.boot.statements import STATEMENTS
from roce_audit.platforms.linux.storage import clients as storageclients
from roce_audit.platforms.shared.host.answers import Answer, Tool
from roce_audit.platforms.shared.host.boot import MISSPELT, misspelt
from roce_audit.platforms.shared.host.collector import HOST, Collector
from roce_audit.text.statements.misspelling import meant

_LONGEST = 2_000
_COMMENT = re.compile(r"\s*(?:#|;(?!;))")


@dataclass
class BootFile:
    """Where we are in a file that is read line by line."""

    section: str = ""
    stanzas: dict[str, Stanza] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    """Of a file that is read as a whole."""

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
    in_force: Scripts | None = None
    """What answers show that all NICs of a family are set to."""
    forced: dict[str, tuple[Answer, int, int]] = field(default_factory=dict)
    """Module -> the answer and line that show the DSCP which all RDMA devices of it send, and that DSCP."""
    uplinks: dict[str, str] = field(default_factory=dict)
    """Network device -> the module of the RDMA device above it."""


Reader = Callable[[Answer, BootFile, str, int, str], None]


def _line(answer: Answer, path: str, number: int, value: str) -> None:
    if len(value) > _LONGEST or not value.strip() or is_comment(value):
        return
    boot = boot_of(answer)
    if "o2ib" in value:
        storageclients.hear_lustre(answer, number, value)
    if _is_configuration(path):
        boot.configurations.setdefault(path, []).append((answer, number, value))
        return
    file = boot.files.setdefault(path, BootFile())
    read = reader(path)
    if read is not None:
        read(answer, file, path, number, value)
    else:
        script_line(answer, boot.scripts, path, number, value)


_is_configuration = lru_cache(maxsize=4_096)(bootconf.is_configuration)


@lru_cache(maxsize=4_096)
def reader(path: str) -> Reader | None:
    """Who reads the lines of a file; None for scripts."""
    return next((read for pattern, read in _READERS if re.search(pattern, path)), None)


def boot_of(answer: Answer) -> Boot:
    """The boot files of the host; what they set is said at the end."""
    collector = answer.collector
    if collector.boot is None:
        boot = collector.boot = Boot()
        collector.at_end.append(lambda: _say_all(boot, collector))
        collector.at_end.append(lambda: boot.scripts.say_all(collector))
        collector.at_end.append(lambda: bootconf.say_all(boot.configurations, collector))
    found: Boot = collector.boot
    return found


def _say_all(boot: Boot, collector: Collector) -> None:
    last: dict[tuple[str, str], tuple[Answer, int, str]] = {}
    """(NIC, key of netplan) -> what the last file sets."""
    first: dict[tuple[str, str], str] = {}
    """(NIC, kind of file) -> the file that is its own."""
    planned: dict[str, Stanza] = {}
    """What netplan is told of by one file alone: lists of several are joined, and single values are not."""
    several: set[str] = set()
    for path in sorted(boot.files, key=lambda path: path.rpartition("/")[2]):
        kind = next((kind for pattern, kind in _ORDERED if re.search(pattern, path)), path)
        for key, stanza in stanzas(boot.files[path]).items():
            if kind == _NETPLAN:
                several |= {key} & planned.keys()
                planned[key] = stanza
            for answer, number, statement in stanza.settings:
                for name in _named(stanza, answer, number):
                    sets = statement.partition(" ")[0]
                    if kind == _NETPLAN and sets != MISSPELT:
                        last[name, sets] = (answer, number, statement)
                    elif kind == _NETPLAN or first.setdefault((name, kind), path) == path:
                        answer.say(statement, number, ("net", name), BOOT.name)
    for (name, _), (answer, number, statement) in last.items():
        answer.say(statement, number, ("net", name), BOOT.name)
    if planned:
        plannednetwork.tell({key: its for key, its in planned.items() if key not in several}, collector)


def _named(stanza: Stanza, answer: Answer, number: int) -> Iterator[str]:
    """The NICs of the host that a stanza is about."""
    found = [
        name for name in answer.collector.nics if any(fnmatchcase(name, pattern) for pattern in stanza.names.split())
    ]
    if stanza.is_open and not found:
        answer.say("somewhere mtu", number, HOST, BOOT.name)
    yield from found


_NETPLAN = "netplan"
_ORDERED = ((r"^/(?:etc|run)/netplan/", _NETPLAN), (r"\.network$", "network"), (r"\.link$", "link"))
"""Files that are read in the order of their names: of netplan the last one counts for each setting (netplan-generate(8)), of
networkd and udev the first one that fits a NIC (systemd.network(5), systemd.link(5))."""


def is_comment(line: str) -> bool:
    """Whether a line of such a file says nothing."""
    return _COMMENT.match(line) is not None


def read_netplan(answer: Answer, file: BootFile, path: str, number: int, value: str) -> None:
    """A line of netplan: the file is read when all of its lines are there."""
    file.lines.append((answer, number, value))


def stanzas(file: BootFile) -> Mapping[str, Stanza]:
    """The stanzas of a file, when all of its lines were seen."""
    if file.lines:
        file.stanzas.update(netplan.read(file.lines))
        file.lines = []
    return file.stanzas


def read_sections(answer: Answer, file: BootFile, path: str, number: int, value: str) -> None:
    """Files of systemd-networkd and keyfiles of NetworkManager: one stanza a file."""
    value = value.strip()
    if value.startswith("["):
        file.section = value.strip("[]").lower()
        if meant(file.section, {section for section, _ in (*_NAMING, *_SETTINGS)}) is not None:
            nobody(answer, number, value)
        return
    key, sign, text = (piece.strip() for piece in value.partition("="))
    if file.section == "vlan":
        _read_vlan(answer, file, number, key, text)
    stanza = file.stanza("")
    if (file.section, key) == ("connection", "id"):
        stanza.label = text
    if (file.section, key) in _NAMING and NAMES.fullmatch(text):
        stanza.names = text.replace(";", " ")
    elif (file.section, key) in _SETTINGS and sign:
        said = _in_bytes(text) if key == "MTUBytes" else text
        stanza.settings.append((answer, number, f"{_SETTINGS[(file.section, key)]} {said}"))
    elif sign and (wanted := meant(key, [name for section, name in _SETTINGS if section == file.section])) is not None:
        stanza.settings.append((answer, number, misspelt([_SETTINGS[(file.section, wanted)]], value)))
    elif sign and meant(key, [name for section, name in _NAMING if section == file.section]) is not None:
        nobody(answer, number, value)


def _read_vlan(answer: Answer, file: BootFile, number: int, key: str, text: str) -> None:
    """Of a VLAN of NetworkManager or systemd-networkd: the tags of what leaves by the NIC below it. Without a map they have priority 0
    (nm-settings-keyfile(5), vlan.egress-priority-map; systemd.netdev(5), EgressQOSMaps=, whose pairs have a dash)."""
    stanza = file.stanza("vlan")
    if key == "parent" and NAMES.fullmatch(text):
        stanza.names = text
    elif key == "Id":  # a .netdev does not name the NIC; the names of most do
        stanza.names = file.stanza("").names.rpartition(".")[0]
    elif key == "EgressQOSMaps":
        stanza.settings = [(answer, number, f"tags {','.join(text.split()).replace('-', ':')}")]
    elif key == "egress-priority-map":
        stanza.settings = [(answer, number, f"tags {text}")]
    if key in ("parent", "Id") and stanza.names:
        stanza.settings = stanza.settings or [(answer, number, "tags 0:0")]


def _in_bytes(text: str) -> str:
    """`9K` of systemd, to the base of 1024 (systemd.link(5), MTUBytes=); as written where it is no such number."""
    found = re.fullmatch(r"([0-9]{1,3})K", text)
    return str(int(found.group(1)) * 1024) if found is not None else text


_NAMING = {
    ("match", "Name"),
    ("match", "OriginalName"),
    ("link", "Name"),
    ("netdev", "Name"),
    ("connection", "interface-name"),
}
_SETTINGS = {
    ("link", "MTUBytes"): "mtu",
    ("netdev", "MTUBytes"): "mtu",
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
    elif meant(words[0], ("mtu",)) and file.section:
        file.stanza(file.section, file.section).settings.append((answer, number, misspelt(["mtu"], value.strip())))
    elif meant(words[0], ("iface", "post-up", "pre-up")) is not None:
        nobody(answer, number, value)
    elif words[0] in ("up", "post-up", "pre-up") and file.section:
        command = re.sub(r"\$\{?IFACE\}?", file.section, " ".join(words[1:]))
        script_line(answer, boot_of(answer).scripts, path, number, command)


def read_ifcfg(answer: Answer, file: BootFile, path: str, number: int, value: str) -> None:
    """A line of `ifcfg-NAME`."""
    key, _, text = value.strip().partition("=")
    text = text.strip("\"'")
    stanza = file.stanza("", path.rpartition("/ifcfg-")[2])
    _ifcfg_vlan(answer, file, number, key, text)
    if key == "DEVICE":
        stanza.names = text
    elif key == "MTU" and text:
        stanza.settings.append((answer, number, f"mtu {text}"))
    elif key == "ETHTOOL_OPTS":  # ETHTOOL_OPTS="-A ${DEVICE} rx on tx on" (initscripts, sysconfig.txt)
        for command in re.sub(r"\$\{?DEVICE\}?", "ens0", text).split(";"):
            told = settings(f"ethtool {command.strip()}")
            stanza.settings.extend((answer, number, statement) for _, _, statement, _ in told)
    elif meant(key, ("MTU",)):
        stanza.settings.append((answer, number, misspelt(["mtu"], value.strip())))


def _ifcfg_vlan(answer: Answer, file: BootFile, number: int, key: str, text: str) -> None:
    """Of a VLAN: the tags of what leaves by the NIC below it; without a map they have priority 0 (nm-settings-ifcfg-rh(5))."""
    if key not in ("DEVICE", "PHYSDEV", "VLAN", "VLAN_EGRESS_PRIORITY_MAP"):
        return
    stanza = file.stanza("vlan")
    if key == "DEVICE":
        stanza.names = stanza.names or text.rpartition(".")[0]
    elif key == "PHYSDEV" and NAMES.fullmatch(text):
        stanza.names = text
    elif key == "VLAN_EGRESS_PRIORITY_MAP" and text:
        stanza.settings = [(answer, number, f"tags {text}")]
    elif key == "VLAN" and text.lower() in ("yes", "true", "1"):
        stanza.settings = stanza.settings or [(answer, number, "tags 0:0")]


_READERS: tuple[tuple[str, Reader], ...] = (
    (r"^/etc/netplan/|^/run/netplan/", read_netplan),
    (r"\.(?:network|netdev|link|nmconnection)$|/system-connections/|\.(?:network|link)\.d/", read_sections),
    (r"^/etc/network/interfaces", _interfaces),
    (r"/ifcfg-[^/]+$", read_ifcfg),
)


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


BOOT = replace(
    STATEMENTS,
    files=r"/(?:etc|run)/(?:netplan|systemd|udev|network|networkd-dispatcher|NetworkManager|sysconfig/network|cron\.[a-z]+|cloud)\S*"
    r"|/etc/(?:default|sysconfig)/\S+|/etc/\S*(?:roce|rdma|qos)\S*"
    r"|/etc/modprobe\.d/\S+|/usr/lib/modprobe\.d/\S+|/var/lib/lldpad/\S+"
    r"|/(?:usr/)?lib/(?:systemd|udev)/\S+|/etc/(?:rc\.d/)?rc\.local|/etc/crontab|/var/spool/cron/\S+"
    r"|/(?:usr|opt|root|home|srv)/\S+"
    + "".join(f"|{re.escape(path)}" for one in platforms.every() for path in one.nics.files),
    read_file=_line,
)
PLACES = Tool(name="boot places", split=_places, commands=r"boot-places")

TOOLS = (BOOT, PLACES)
