"""`mlxconfig -d PCI [-e] query` and mstconfig: firmware settings, as they are in force and as the next boot makes them.

With `-e` three columns stand after each name: default, current, next boot; without, only the next boot, which says nothing of the
running state. What a driver or a tool changed at run time is not seen here, so current values count only where no tool shows
the running ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from roce_audit.platforms.hosttools import Answer, Facts, Line, Subject, Tool, one_of, whole
from roce_audit.values import At, Why

_ROW = re.compile(r"\*?\s+([A-Z][A-Z0-9_]{2,60})\s+(\S.*)")
_PORT = re.compile(r"(.+)_P([1-8])")
_PCI = re.compile(r"[0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]")


def _split(answer: Answer) -> None:
    """Rows as `CNP_DSCP 48 48 4` (default, current, next) or `CNP_DSCP 4` (next), each for the function of its port."""
    device = answer.subject
    columns = 0
    kind: tuple[int, str] | None = None
    for number, text in answer.lines():
        key, colon, value = text.partition(":")
        if text.startswith("Configurations:"):
            columns = 3 if "Current" in text else 1
        elif colon and key.strip() in ("Device type", "Device") and columns == 0:
            value = value.strip()
            if key.strip() == "Device" and device is None and _PCI.fullmatch(value):
                device = ("pci", value.lower())
            elif key.strip() == "Device type":
                kind = (number, value)
        elif columns:
            found = _ROW.fullmatch(text)
            if found is not None:
                _row(answer, device, number, found.group(1), found.group(2), columns)
    if columns and device is not None and kind is not None:
        answer.say(f"Device type: {kind[1]}", kind[0], device)


def _row(answer: Answer, device: Subject | None, number: int, name: str, values: str, columns: int) -> None:
    port = _PORT.fullmatch(name)
    plain = port.group(1) if port else name
    if plain not in _FIELDS:
        return
    text = f"{plain} {columns} {' '.join(values.split())}"
    for about in _functions(device, int(port.group(2)) if port else None):
        answer.say(text, number, about)


def _functions(device: Subject | None, port: int | None) -> list[Subject]:
    """Whom a row is about: port N of a card is its PCI function N-1 (source: unverified for cards with several hosts)."""
    if device is None or device[0] != "pci" or port is None:
        return [device or ("net", "unnamed")]
    base, _, _function = device[1].rpartition(".")
    return [("pci", f"{base}.{port - 1}")]


def _values(text: str) -> tuple[str | None, str]:
    """(current, next) of a statement's rest; raises ValueError when the columns are not as announced."""
    count, *values = text.split(" ")
    if len(values) != int(count):
        raise ValueError(text)
    return (values[1], values[2]) if len(values) == 3 else (None, values[0])


_WORD = re.compile(r"[A-Za-z0-9_]+\(([0-9]{1,6})\)")


def _number(text: str) -> int:
    """The number of `48`, `True(1)`, `OFF(0)`."""
    found = _WORD.fullmatch(text)
    return whole(found.group(1) if found else text, 0, 2**32 - 1)


def _bits(text: str) -> frozenset[int]:
    mask = whole(text, 0, 255)
    return frozenset(i for i in range(8) if mask & 1 << i)


def _flag(text: str) -> bool:
    return bool(one_of(str(_number(text)), {"0": False, "1": True}))


def _bounded(high: int) -> Callable[[str], int]:
    return lambda text: whole(text, 0, high)


def _field(name: str, paths: tuple[str, ...], value: Callable[[str], object], running: bool) -> Line:
    """A setting that exists as such in the model. `running`: its current value holds until a tool changes it."""

    def read(facts: Facts, text: str, at: At) -> None:
        current, following = _values(text)
        meant = value(following)
        now = value(current) if current is not None and running else None
        for path in paths:
            facts.claim(f"nic.next_boot.{path}", meant, at)
            if current is not None and running:
                facts.suggest(path, now, at)

    return Line(name, tuple(f"nic.next_boot.{p}" for p in paths) + (paths if running else ()), read)


_TRUST = {"1": "pcp", "2": "dscp", "3": "both", "0": "none"}
_LINK = {"1": "infiniband", "2": "ethernet"}


def _dcbx(facts: Facts, text: str, at: At) -> None:
    """LLDP_NB_DCBX: the firmware speaks DCBX. Off does not keep the operating system from speaking it."""
    current, following = _values(text)
    _flag(following)
    if current is not None:
        facts.claim("_firmware_dcbx", _flag(current), at)


def _willing(facts: Facts, text: str, at: At) -> None:
    current, following = _values(text)
    facts.claim("nic.next_boot.dcbx.willing", _flag(following), at)
    if current is not None:
        facts.claim("_firmware_willing", _flag(current), at)


def _lldp_mode(facts: Facts, text: str, at: At) -> None:
    """OFF, MANDATORY or ALL."""
    for value in _values(text):
        if value is not None:
            one_of(str(_number(value)), {"0": 0, "1": 1, "2": 2})


def _programmable(facts: Facts, text: str, at: At) -> None:
    """With programmable congestion control the DCQCN parameters are not the active algorithm's."""
    current, following = _values(text)
    for value, path in ((current, "nic.dcqcn.algorithm"), (following, "nic.next_boot.nic.dcqcn.algorithm")):
        if value is not None and _flag(value):
            facts.claim(path, "programmable", at)


def _algorithm(facts: Facts, text: str, at: At) -> None:
    words = {"0": "dcqcn", "1": "qcn"}
    current, following = _values(text)
    facts.claim("nic.next_boot.nic.dcqcn.algorithm", one_of(str(_number(following)), words), at)
    if current is not None:
        facts.suggest("nic.dcqcn.algorithm", one_of(str(_number(current)), words), at)


_RATE = 2**32 - 1
_LINES = (
    _field("ROCE_CC_PRIO_MASK", ("nic.dcqcn.np_priorities", "nic.dcqcn.rp_priorities"), _bits, True),
    _field("CNP_DSCP", ("nic.cnp_dscp",), _bounded(63), True),
    _field("CNP_802P_PRIO", ("nic.cnp_priority",), _bounded(7), True),
    _field("MIN_TIME_BETWEEN_CNPS", ("nic.dcqcn.min_time_between_cnps_us",), _bounded(131_071), True),
    _field("RPG_AI_RATE", ("nic.dcqcn.ai_rate_mbps",), _bounded(_RATE), True),
    _field("RPG_HAI_RATE", ("nic.dcqcn.hai_rate_mbps",), _bounded(_RATE), True),
    _field("RPG_MIN_RATE", ("nic.dcqcn.min_rate_mbps",), _bounded(_RATE), True),
    _field("RPG_MAX_RATE", ("nic.dcqcn.max_rate_mbps",), _bounded(_RATE), True),
    _field("RPG_TIME_RESET", ("nic.dcqcn.time_reset_us",), _bounded(131_071), True),
    _field("RPG_BYTE_RESET", ("nic.dcqcn.byte_reset_bytes",), _bounded(_RATE), True),
    _field("DCE_TCP_G", ("nic.dcqcn.g_over_1024",), _bounded(1023), True),
    _field("RATE_REDUCE_MONITOR_PERIOD", ("nic.dcqcn.rate_reduce_period_us",), _bounded(131_071), True),
    _field("LINK_TYPE", ("nic.link_layer",), lambda text: one_of(str(_number(text)), _LINK), True),
    _field("QOS_TRUST_STATE", ("trust",), lambda text: one_of(str(_number(text)), _TRUST), False),
    Line("ROCE_CC_ALGORITHM", ("nic.dcqcn.algorithm", "nic.next_boot.nic.dcqcn.algorithm"), _algorithm),
    Line("USER_PROGRAMMABLE_CC", ("nic.dcqcn.algorithm", "nic.next_boot.nic.dcqcn.algorithm"), _programmable),
    Line("LLDP_NB_DCBX", ("_firmware_dcbx", "dcbx.mode", "dcbx.willing"), _dcbx),
    Line("DCBX_WILLING", ("_firmware_willing", "dcbx.willing", "nic.next_boot.dcbx"), _willing),
    Line("LLDP_NB_RX_MODE", (), _lldp_mode),
    Line("LLDP_NB_TX_MODE", (), _lldp_mode),
)
_FIELDS: Mapping[str, Line] = {line.lead: line for line in _LINES}


def _device_type(facts: Facts, text: str, at: At) -> None:
    if re.fullmatch(r"[A-Za-z0-9_ -]{1,40}", text):
        facts.suggest("nic.model_name", text, at)
    else:
        facts.doubt("nic.model_name", Why.NOT_PARSED, at)


CONFIG = Tool(
    name="mlxconfig",
    split=_split,
    commands=r"m(?:lx|st)config (?:-e )?-d (?:(?P<pci>[0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7])|(?P<rdma>mlx[45]_\w+)|\S+)"
    r" (?:-e )?q(?:uery)?",
    signature=r"^Configurations: +(?:Default +Current +)?Next Boot$",
    lines=(*_LINES, Line("Device type:", ("nic.model_name",), _device_type)),
    covers=("nic.next_boot",),
    complete=False,
)

TOOLS = (CONFIG,)
