"""Programs that set ConnectX and BlueField NICs up: until the next boot mlnx_qos and the cma_roce scripts (mlnx-tools), from the
next reset of the NIC on mlxconfig and mstconfig.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from roce_audit.platforms.shared.host.boot import CONTRADICTS, REJECTED, FamilyFile, KernelFile, Program, misspelt
from roce_audit.text.statements.misspelling import meant

_SETTING = {
    "-f": "pfc",
    "--pfc": "pfc",
    "-F": "pfc-bit",
    "--specific_pfc": "pfc-bit",
    "--trust": "trust",
    "--dscp2prio": "dscp",
    "--cable_len": "cable",
}
# fmt: off
_LISTS = {
    "-p": "tc-of", "--prio_tc": "tc-of", "-s": "tsa", "--tsa": "tsa", "-t": "share", "--tcbw": "share",
    "--prio2buffer": "buffer-of", "--buffer_size": "bytes",
}
_OTHERS = frozenset({"-r", "--ratelimit", "-d", "--dcbx", "--defltprio", "-P", "--get_pfc", "--interface"})
# fmt: on
_WORDS = tuple(sorted(word for word in {*_SETTING, *_LISTS, *_OTHERS} if word.startswith("--")))
_MAPPED = re.compile(r"set,([0-9]{1,2}),([0-9])")
_BITS = re.compile(r"[01](?:,[01]){0,99}")
_SOME_BITS = re.compile(r"[01x](?:,[01x]){7}")
_EIGHT = 8
_WHOLE = 100
_LITERAL = re.compile(r"[0-9]{1,7}|ets|strict|vendor")
_HEXADECIMAL = re.compile(r"0[xX][0-9A-Fa-f]{1,2}")
_LETTERS = re.compile(r"[a-z]{1,12}")
_TRUSTED = ("dscp", "pcp")
_OWNERS = {"fw": "on", "os": "off"}
"""Who runs DCBX, as mlnx_qos calls them; `get` only asks."""
_NOT_TRUSTED = "it trusts dscp or pcp"
_MAPS_AND_TRUSTS = "it does not take --trust and --dscp2prio in one call"
_SHORTER = ("buffer-of", "bytes")
"""Lists that may name the first ones alone."""
_NOT_EIGHT = "it takes eight values, one for each {}"
_OF = {"tc-of": "priority", "tsa": "traffic class", "share": "traffic class"}


def _qos(options: str) -> Iterator[str]:
    """The options of `mlnx_qos`; raises ValueError for one that the tool does not have."""
    given = [_in_full(word) for word in options.replace("=", " ").split()]
    words = iter(given)
    lists: dict[str, list[str]] = {}
    ends = _MAPS_AND_TRUSTS if {"--trust", "--dscp2prio"} <= set(given) else ""
    for option in words:
        if option in _SETTING:
            value = next(words, "")
            if _SETTING[option] == "pfc-bit":
                yield from _some_priorities(value)
                continue
            mapped = _MAPPED.fullmatch(value)
            is_refused = option == "--trust" and (ends or (_LETTERS.fullmatch(value) and value not in _TRUSTED))
            if is_refused:
                yield f"{REJECTED} trust {value}: {ends or _NOT_TRUSTED}"
            elif ends and option == "--dscp2prio":
                continue
            elif option == "--dscp2prio" and value == "flush":
                yield "trust pcp"  # so the tool itself says: without a mapping the driver trusts the tag
            elif mapped is not None:
                yield f"dscp {mapped.group(1)} {mapped.group(2)}"
            elif _SETTING[option] == "pfc" and _BITS.fullmatch(value) and value.count(",") != _EIGHT - 1:
                yield f"{REJECTED} pfc {value}: {_NOT_EIGHT.format('priority')}"
            else:
                yield f"{_SETTING[option]} {value}"
                if (option, value) == ("--trust", "dscp"):
                    yield "eighths"  # of mlx5: a DSCP without an entry has the priority DSCP / 8
        elif option in _LISTS:
            lists[_LISTS[option]] = next(words, "").split(",")
        elif option in ("-d", "--dcbx"):
            owner = next(words, "")
            if owner in _OWNERS:
                yield f"firmware-dcbx {_OWNERS[owner]}"
        elif option in _OTHERS:
            next(words, "")
        elif option != "-a":
            raise ValueError(option)
    if not ends:  # the tool ends there: PFC is set by then, and nothing else
        yield from _eight(lists)


def _eight(lists: Mapping[str, list[str]]) -> Iterator[str]:
    """What is set for each priority, traffic class or receive buffer, unless the tool or the driver refuses it."""
    refused: set[str] = set()
    for key, values in lists.items():
        if len(values) > _EIGHT or (len(values) < _EIGHT and key not in _SHORTER and _LITERAL.fullmatch(values[0])):
            yield f"{REJECTED} {key} {','.join(values)}: {_NOT_EIGHT.format(_OF.get(key, 'receive buffer'))}"
            refused.add(key)
    scheduling, shares = lists.get("tsa", []), lists.get("share", [])
    weighted = [int(share) for tsa, share in zip(scheduling, shares, strict=False) if tsa == "ets" and share.isdigit()]
    if not refused and len(weighted) == scheduling.count("ets") and weighted and sum(weighted) != _WHOLE:
        yield f"{REJECTED} share {','.join(shares)}: the shares of its ETS classes are {sum(weighted)} % together, not 100 %"
        refused |= {"tsa", "share", "tc-of"}  # they go to the driver together
    for key, values in lists.items():
        if key not in refused:
            yield from (f"{key} {n} {value}" for n, value in enumerate(values))


def _in_full(option: str) -> str:
    """A long option as the tool takes it: any beginning will do that no other option has (optparse)."""
    begun = [word for word in _WORDS if word.startswith(option)] if option.startswith("--") and len(option) > 2 else []
    return begun[0] if len(begun) == 1 else option


def _some_priorities(value: str) -> Iterator[str]:
    """`x,x,x,1,x,x,x,x`: what is marked with x stays as it is."""
    if _SOME_BITS.fullmatch(value) is None:
        yield f"pfc-bit {value}"
        return
    yield from (f"pfc-bit {n} {'on' if bit == '1' else 'off'}" for n, bit in enumerate(value.split(",")) if bit != "x")


def _tos(options: str) -> Iterator[str]:
    found = re.search(r"(?:^|\s)-t\s*(\S+)", options)
    if found is not None:
        written = found.group(1)
        yield f"cma_tos {int(written, 16) if _HEXADECIMAL.fullmatch(written) else written}"


_MODES = {"1": "IB/RoCE v1", "2": "RoCE v2"}
"""As the kernel calls what the script is told by number."""


def _mode(options: str) -> Iterator[str]:
    found = re.search(r"(?:^|\s)-m\s*(\S+)", options)
    if found is not None:
        yield f"cma_mode {_MODES.get(found.group(1), found.group(1))}"


_STORED = {"CNP_DSCP": "cnp", "ROCE_CC_PRIO_MASK": "dcqcn", "ROCE_CONTROL": "roce", "LINK_TYPE": "link"}
"""Firmware settings, and the statements about the firmware that they make. All others say nothing that is judged."""
_TRUST = "QOS_TRUST_STATE"
_TRUSTS_STORED = {"1": "pcp", "pcp": "pcp", "2": "dscp", "dscp": "dscp"}
"""Its values (mstflint, mlxconfig_host.db); by the port, or by both, is for no statement to say."""
_LARGEST = {"CNP_DSCP": 63, "CNP_802P_PRIO": 7}
"""Firmware parameter -> its largest value (mstflint, mlxconfig_host.db)."""
_OF_THE_FABRIC = ("CNP_DSCP", "CNP_802P_PRIO", "ROCE_CC_PRIO_MASK")
"""Firmware settings that are the fabric's: two ports of a card that both run RoCE have one value."""
_NUMBER = re.compile(r"[0-9]{1,6}|0x[0-9a-fA-F]{1,4}")
_OF_PORT = re.compile(r"([A-Z0-9_]+?)(?:_P([1-8]))?")
_CONFIG_WORDS = (
    "set",
    *(f"{name}{port}" for name in (*_STORED, _TRUST) for port in ("", *(f"_P{n}" for n in range(1, 9)))),
)


def _config(options: str) -> Iterator[str]:
    """`-y set CNP_DSCP_P1=48 LINK_TYPE_P1=2`: of the device that is named, port 1; of other ports only what differs there."""
    words = options.split()
    verb = next((index for index, word in enumerate(words) if word in ("set", "s")), len(words))
    of_ports: dict[str, dict[str, str]] = defaultdict(dict)
    first: dict[str, tuple[int, str]] = {}
    for word in words[verb + 1 :]:
        name, _, value = word.partition("=")
        found = _OF_PORT.fullmatch(name)
        largest = _LARGEST.get(found.group(1)) if found is not None else None
        if largest is not None and _NUMBER.fullmatch(value) and int(value, 0) > largest:
            yield f"{REJECTED} firmware-cnp {word}: its values go from 0 to {largest}"
            continue
        if found is not None and found.group(1) in _OF_THE_FABRIC and _NUMBER.fullmatch(value) and int(value, 0):
            number, before = first.setdefault(found.group(1), (int(value, 0), word))
            if number != int(value, 0):
                yield f"{CONTRADICTS} {word}: the same call sets {before} for another port of the card"
        if found is not None and found.group(1) == _TRUST:
            trusted = _TRUSTS_STORED.get(value.lower())
            yield from (
                ("elsewhere trust",) if trusted is None else (f"trust {trusted}", *(("eighths",) * (trusted == "dscp")))
            )
        if found is not None and found.group(1) in _STORED:
            of_ports[found.group(1)][found.group(2) or "1"] = value
    for name, values in of_ports.items():
        statement = f"firmware-{_STORED[name]} {next(iter(values.values()))}"
        is_one = len(set(values.values())) == 1 and "1" in values
        yield statement if is_one else f"maybe {statement}"


_ESXI = re.compile(r"\bset\s[^|;&]{0,60}?(?:-m|--module)[ =]{0,2}nmlx5_(?:core|rdma)\b")
_MODULES = ("nmlx5_core", "nmlx5_rdma")
_MODULE = re.compile(r"\bset\s[^|;&]{0,60}?(?:-m|--module)[ =]{0,2}([\w-]{1,40})")
_ADDS = re.compile(r"\s(?:-a|--append)(?:\s|$)")
_TRUSTS = {"1": "pcp", "2": "dscp"}
_SWITCHED = {"true": "on", "1": "on", "false": "off", "0": "off"}


_ESXI_PAUSE = re.compile(r"\bnetwork nic pauseParams set\b(?P<rest>[^|;&]{0,200})")
_ESXI_PAUSES = {"-r": "Rx", "--rx": "Rx", "-t": "Tx", "--tx": "Tx"}


def _esxcli(options: str) -> Iterator[str]:
    """`system module parameters set -m nmlx5_core -p "pfctx=0x08 pfcrx=0x08 trust_state=2"`: a bit for each priority, and in
    nmlx5_rdma the DSCP of all RoCE packets (NVIDIA, native driver for VMware ESXi, module parameters)."""
    pause = _ESXI_PAUSE.search(options)
    if pause is not None:  # esxcli network nic pauseParams set -n vmnic4 -r true -t true (VMware, esxcli reference)
        words = re.split(r"[\s=]+", pause["rest"].strip())
        for name, value in pairwise(words):
            if name in _ESXI_PAUSES:
                yield f"{_ESXI_PAUSES[name]}FlowControl {_SWITCHED.get(value.lower(), value)}"
        return
    module = _MODULE.search(options)
    if module is not None and meant(module[1], _MODULES) is not None:
        yield misspelt(["pfc", "trust", "traffic_class"], f"esxcli {options}")
        return
    if _ESXI.search(options) is None:
        return
    said = dict(re.findall(r"\b(pfctx|pfcrx|trust_state|dscp_force)=(\S+)", options))
    for name, largest in (("pfctx", 255), ("pfcrx", 255), ("dscp_force", 63)):
        if name in said and _NUMBER.fullmatch(said[name]) and int(said[name], 0) > largest:
            yield f"{REJECTED} {name}={said.pop(name)}: its values go from 0 to {largest}"
    if "nmlx5_core" in options:
        yield from _directions(said, adds=_ADDS.search(options) is not None)
    if "trust_state" in said:
        yield f"trust {_TRUSTS.get(said['trust_state'], said['trust_state'])}"
        if said["trust_state"] == "2":
            yield "eighths"
    if "dscp_force" in said:
        code = _plain(said["dscp_force"])
        yield f"traffic_class {int(code) * 4 if code.isdigit() else code}"


def _directions(said: Mapping[str, str], *, adds: bool) -> Iterator[str]:
    """PFC of the two parameters; a call sets all of a module, so that the one it does not name is 0, unless it adds to them."""
    masks = [said[name] for name in ("pfctx", "pfcrx") if name in said]
    if not all(_NUMBER.fullmatch(mask) for mask in masks) or (len(masks) == 1 and adds):
        yield from (f"elsewhere {lead}" for lead in ("pfc", "pfc-sent", "pfc-obeyed"))
        return
    sent, obeyed = (int(said.get(name, "0"), 0) for name in ("pfctx", "pfcrx"))
    if masks or not adds:  # what a call does not name is as it comes
        yield f"pfc-mask {sent | obeyed}"
    for name, mask in (("pfc-sent", sent), ("pfc-obeyed", obeyed)):
        if (sent | obeyed) & ~mask:
            yield f"{name} off"


def _plain(number: str) -> str:
    return str(int(number, 0)) if _NUMBER.fullmatch(number) else number


_RDMA = r"(?:^|\s)-d\s*(?P<rdma>\S+)"

_CARD = r"(?:^|\s)(?:-d|--dev)[\s=]*(?:(?P<rdma>mlx[45]_\w+)|(?P<card>\S+))"

PROGRAMS = (
    Program(
        "mlnx_qos",
        _qos,
        nic=r"(?:^|\s)(?:-i\s*|--interface[\s=]\s*)(?P<net>[^\s=]\S*)",
        only_for="mlnx",
        of_ports=True,
        words=_WORDS,
    ),
    Program("cma_roce_tos", _tos, nic=_RDMA),
    Program("cma_roce_mode", _mode, nic=_RDMA),
    Program("esxcli", _esxcli, nic=r"(?:^|\s)(?:-n|--nic-name)[ =]\s*(?P<net>\S+)", family="mlnx", only_for="mlnx"),
    *(Program(name, _config, nic=_CARD, only_for="mlnx", words=_CONFIG_WORDS) for name in ("mlxconfig", "mstconfig")),
)

_PARAMETERS = "/sys/kernel/debug/mlx5/(?P<card>[^/\\s]{1,80})/cc_params/"
_ECN = "/sys/class/net/(?P<net>[^/\\s]{1,80})/ecn/"

_OPTIONS = re.compile(r"\s*options\s+mlx4_en\s+(.*)")
_OPTION = re.compile(r"(pfc[rt]x)=(\S*)")


def _module_options(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """`options mlx4_en pfctx=0x08 pfcrx=0x08`: a bit for each priority, on all ports of ConnectX-3 (Linux, mlx4/en_main.c)."""
    said: dict[str, str] = {}
    last = 0
    for index, line in enumerate(lines):
        found = _OPTIONS.fullmatch(line)
        named = dict(_OPTION.findall(found[1])) if found is not None else {}
        if any(not _NUMBER.fullmatch(mask) or int(mask, 0) > _ALL_PRIORITIES for mask in named.values()):
            raise ValueError(line)
        if named:
            said, last = said | named, index
    if said:
        yield from ((last, statement) for statement in _directions(said, adds=False))


_ALL_PRIORITIES = 255
FILES = (FamilyFile(r"/(?:etc|usr/lib)/modprobe\.d/\S+\.conf", "mlx4", _module_options, of_platform="mlnx"),)

KERNEL_FILES = (
    KernelFile(rf"{_ECN}roce_(?P<role>np|rp)/enable/(?P<priority>[^/\s\"';&|)]{{1,40}})", "{role} {priority}", "mlnx"),
    KernelFile(rf"{_ECN}roce_np/cnp_dscp(?!\w)", "cnp-dscp", "mlnx"),
    KernelFile(rf"{_ECN}roce_np/cnp_802p_prio(?!\w)", "cnp-priority", "mlnx"),
    KernelFile(rf"{_PARAMETERS}np_cnp_dscp(?!\w)", "cnp-dscp", "mlnx"),
    KernelFile(rf"{_PARAMETERS}np_cnp_prio(?!\w)", "cnp-priority", "mlnx"),
    KernelFile(r"/sys/class/net/(?P<net>[^/\s]{1,80})/qos/trust(?!\w)", "trust", "mlnx"),
)
