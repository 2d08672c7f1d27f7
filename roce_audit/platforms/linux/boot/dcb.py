"""Programs that set any NIC up: iproute2's dcb and ip link, ifconfig, ethtool, and lldptool of lldpad; hinicadm3 and hccn_tool of Huawei's.

Sources: man dcb-pfc, dcb-app, lldptool, lldptool-pfc, lldptool-app, ip-link, ethtool.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.platforms.linux.commands.dcb import DSCP_NAMES
from roce_audit.platforms.shared.host.boot import FLUSHED, MISREAD, UDP_PORT, UDP_SELECTORS, Program

_LISTS = {
    "prio-tc": "tc-of",
    "tc-tsa": "tsa",
    "tc-bw": "share",
    "prio-buffer": "buffer-of",
    "buffer-size": "bytes",
}
"""Lists of eight, `all:0 3:1`, and the statement that each makes."""
_SIZE = re.compile(r"([0-9]{1,9})(|b|k|kb|m|mb)", re.IGNORECASE)
_UNITS = {"k": 1024, "m": 1024**2}
_COMMANDS = (["dcbx", "set"], ["pfc", "set"], ["app", "add"], ["app", "replace"], ["ets", "set"], ["buffer", "set"])
# fmt: off
_KEYS = frozenset({
    "prio-pfc", "delay", "macsec-bypass", "dscp-prio", "ethtype-prio", "default-prio", "pcp-prio", "willing", "pg-bw",
    "reco-tc-bw", "reco-tc-tsa", "reco-prio-tc",
})
# fmt: on
_UDP_KEYS = ("dgram-port-prio", "port-prio")
_OTHERS = re.compile(r"(?:stream|dgram)-port-prio|port-prio")


def _dcb(options: str) -> Iterator[str]:
    """`pfc set prio-pfc all:off 3:on delay 7`, `app add dscp-prio AF31:3`."""
    words = [word for word in options.split() if not re.fullmatch(r"-[A-Za-z]|--\w+", word)]
    if words[:2] == ["app", "flush"] and words[2:] in ([], ["dscp-prio"]):
        yield FLUSHED
    if words[:2] not in _COMMANDS:
        return
    if words[0] == "dcbx":
        owners = {"lld-managed": "on", "host": "off"}
        yield from (f"firmware-dcbx {owners[word]}" for word in words[2:] if word in owners)
        return
    yield from _taken_back(words[2:])
    key = ""
    for word in words[2:]:
        head, computed, _ = word.partition("$")
        if head in _KEYS or head in _LISTS or _OTHERS.fullmatch(word):
            key = head  # `prio-tc$list`: the list begins with a blank
        if key in _LISTS and (computed or word != key):
            name, _, value = word.partition(":")
            if "$" in name:  # which of them it names is not to be seen
                name, value = "all", "$"
            for number in range(8) if name == "all" else (name,):
                yield f"{_LISTS[key]} {number} {_bytes(value) if key == 'buffer-size' else value}"
        elif word == key:
            continue
        elif key == "prio-pfc":
            name, _, value = word.partition(":")
            for priority in range(8) if name == "all" else (name,):
                yield f"pfc-bit {priority} {value}"
        elif key == "dscp-prio":
            name, _, value = word.partition(":")
            yield f"mapped {DSCP_NAMES.get(name.upper(), name)} {value}"
        elif key in _UDP_KEYS and word.startswith(f"{UDP_PORT}:"):
            yield f"roce-port {word.partition(':')[2]}"
        elif key == "delay":
            yield f"cable {word}"


def _taken_back(words: list[str]) -> Iterator[str]:
    """`prio-pfc 3:on all:off`: a list is gone through from left to right, and `all` sets what stood before it again (man dcb)."""
    key = ""
    single: dict[str, str] = {}
    for word in words:
        name, sign, value = word.partition(":")
        if not sign:
            key, single = name, {}
        elif name != "all":
            single[name] = value
        elif lost := [f"{one}:{given}" for one, given in single.items() if given != value and one.isdigit()]:
            yield (
                f"{MISREAD} {key} {' '.join(lost)} {word}: dcb takes the values from left to right, so {word} takes back "
                f"{' and '.join(lost)}; write it first"
            )


def _bytes(text: str) -> str:
    """A size as iproute2 takes it, in bytes; as written where it is none."""
    found = _SIZE.fullmatch(text)
    return str(int(found.group(1)) * _UNITS.get(found.group(2).lower()[:1], 1)) if found is not None else text


_TLV = re.compile(r"(?:^|\s)-V\s*(PFC|APP|ETS-CFG)\s(.*)")
_EITHER = {"0", "1"}
_ETS = {"up2tc": "tc-of", "tsa": "tsa"}


def _lldptool(options: str) -> Iterator[str]:
    """`-T -V PFC enabled=3,4`, `-T -V APP app=3,5,26` (priority, selector, of which 5 is a code point, protocol), `-V ETS-CFG tcbw=...`."""
    tlv = _TLV.search(options) if re.search(r"(?:^|\s)(?:-[A-Za-z]*T|set-tlv)", options) else None
    if tlv is None or re.search(r"(?:^|\s)-d(?:\s|$)", options):
        return
    for word in tlv.group(2).split():
        name, _, value = word.partition("=")
        if (tlv.group(1), name) == ("PFC", "enabled"):
            yield from _enabled(value)
        elif (tlv.group(1), name) == ("PFC", "willing"):
            yield f"willing {value}"
        elif (tlv.group(1), name) == ("APP", "app"):
            priority, _, rest = value.partition(",")
            selector, _, protocol = rest.partition(",")
            if selector == "5":
                yield f"mapped {protocol} {priority}"
            elif selector in UDP_SELECTORS and protocol == UDP_PORT:
                yield f"roce-port {priority}"
        elif tlv.group(1) == "ETS-CFG" and name in _ETS:
            for pair in value.split(","):
                number, _, given = pair.partition(":")
                yield f"{_ETS[name]} {number} {given}"
        elif (tlv.group(1), name) == ("ETS-CFG", "tcbw"):
            yield from (f"share {number} {share}" for number, share in enumerate(value.split(",")))


def _enabled(value: str) -> Iterator[str]:
    """The priorities with PFC by their numbers, also where a bit for each of the eight was meant: lldpad takes each for a number and
    one that comes again for the same (intel/openlldp, lldp_8021qaz_cmds.c, _set_arg_enabled)."""
    words = value.split(",")
    if len(words) > len(_EITHER) and set(words) <= _EITHER:
        meant = ",".join(str(number) for number, bit in enumerate(words) if bit == "1") or "none"
        taken = sorted(set(words))
        yield (
            f"{MISREAD} enabled={value}: lldptool takes numbers of priorities here, not a bit for each, so this turns PFC on for "
            f"{'priorities' if len(taken) > 1 else 'priority'} {' and '.join(taken)}, and off for all others; write enabled={meant}"
        )
        value = ",".join(taken)
    yield f"pfc-list {value}"


def _mtu(options: str) -> Iterator[str]:
    """`mtu 9000`, among other options of ip link and ifconfig."""
    found = re.search(r"(?:^|\s)mtu\s+(\S{1,40})", options)
    if found is not None:
        yield f"mtu {found.group(1)}"


_HINIC_TABLE = re.compile(r"(?:^|\s)-t\s*(\S+)")
_HINIC_ON = re.compile(r"(?:^|\s)-e\s*(\S+)")
_HINIC_BITS = re.compile(r"(?:^|\s)-f\s*(\S+)")
_HINIC_TRUST = re.compile(r"(?:^|\s)--(?:dev|port)_trust[= ]\s*(\S+)")


def _hinicadm(options: str) -> Iterator[str]:
    """`qos -t pfc -e 1 -f 0,0,0,1,0,0,0,0`, `qos --port_trust dscp` of Huawei's SP600 (openEuler documentation, NVMe over RoCE on
    Kunpeng)."""
    verb, _, rest = options.partition(" ")
    if verb != "qos":
        return
    table, switch, bits = (pattern.search(rest) for pattern in (_HINIC_TABLE, _HINIC_ON, _HINIC_BITS))
    if table is not None and table[1] == "pfc" and switch is not None:
        if switch[1] == "0":
            yield "pfc-list none"
        elif bits is not None:
            yield f"pfc {bits[1]}"
    elif table is not None and table[1] == "dcb" and switch is not None and switch[1] == "0":
        yield "pfc-list none"
    yield from (f"trust {found[1]}" for found in _HINIC_TRUST.finditer(rest))


_HCCN_PFC = re.compile(r"(?:^|\s)-pfc\s+-s\s+bitmap\s+(\S+)")
_HCCN_MAP = re.compile(r"(?:^|\s)-(?:dscp_to_tc|prio_tc)\s+-s\s")


def _hccn(options: str) -> Iterator[str]:
    """`-pfc -s bitmap 0,0,0,0,1,0,0,0` of the NICs of Ascend NPUs (Huawei, hccn_tool). They go by the DSCP; which priority a traffic
    class of theirs is, is not read."""
    bits = _HCCN_PFC.search(options)
    if bits is not None:
        yield f"pfc {bits[1]}"
    if _HCCN_MAP.search(options) is not None:
        yield from ("trust dscp", "elsewhere dscp")


_AGENTS = {"fw-lldp-agent": {"on": "on", "off": "off"}, "disable-fw-lldp": {"on": "off", "off": "on"}}
"""Private flag of Intel's drivers ice and i40e -> its value, whether the firmware's agent of LLDP and DCBX is on (ice, i40e README)."""


def _ethtool(options: str) -> Iterator[str]:
    """`-A rx off tx off`, `--set-priv-flags fw-lldp-agent off`, without the name of the NIC."""
    verb, *rest = options.split()
    for name, word in zip(rest[::2], rest[1::2], strict=False):
        if verb == "--set-priv-flags" and name in _AGENTS:
            yield f"firmware-dcbx {_AGENTS[name].get(word, word)}"
        elif verb != "--set-priv-flags" and name in ("rx", "tx"):
            yield f"{name.capitalize()}FlowControl {word}"


# fmt: off
_DCB_WORDS = (
    "pfc", "app", "ets", "buffer", "maxrate", "dcbx", "rewr", "apptrust", "set", "add", "del", "show", "flush", "replace",
    *sorted(_LISTS),
    "stream-port-prio", "dgram-port-prio", "port-prio", *sorted(_KEYS),
)
_LLDPTOOL_WORDS = (
    "PFC", "APP", "ETS-CFG", "ETS-REC", "app", "enabled", "enableTx", "willing", "delay", "set-tlv", "get-tlv", "tsa",
    "up2tc", "tcbw", "adminStatus",
)
# fmt: on
_HINIC_WORDS = ("qos", "pfc", "dcb", "--dev_trust", "--port_trust", "--dev_defcos", "--port_defcos")
_HCCN_WORDS = ("-pfc", "-dscp_to_tc", "-prio_tc", "-s", "-g", "bitmap", "dscp", "tc", "map")
PROGRAMS = (
    Program("dcb", _dcb, nic=r"(?:^|\s)dev (?P<net>\S+)", of_ports=True, words=_DCB_WORDS),
    Program("lldptool", _lldptool, nic=r"(?:^|\s)(?P<keep>-[A-Za-z]*)i\s*(?P<net>\S+)", words=_LLDPTOOL_WORDS),
    Program(
        "ip",
        _mtu,
        nic=r"(?:^|\s)link\s+set\s+(?:(?P<keep>mtu\s+\S+)\s+)?(?:dev\s+)?(?P<net>\S+)",
        words=("link", "set", "dev", "mtu"),
    ),
    *(
        Program(name, _hinicadm, nic=r"(?:^|\s)-i\s*(?P<net>\S+)", words=_HINIC_WORDS)
        for name in ("hinicadm3", "hinicadm")
    ),
    Program("hccn_tool", _hccn, nic=r"(?:^|\s)-i\s+(?P<card>\S+)", words=_HCCN_WORDS),
    Program("ifconfig", _mtu, nic=r"^(?P<net>[^\s-]\S*)", words=("mtu",)),
    Program("ethtool", _ethtool, nic=r"(?:^|\s)(?P<keep>-A|--pause|--set-priv-flags)\s+(?P<net>\S+)"),
)
