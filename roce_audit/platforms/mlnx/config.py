"""`mlxconfig -d PCI [-e] query` and mstconfig: firmware settings, as they are in force and as the next boot makes them.

With `-e` three columns stand after each name: default, current, next boot; without, only the next boot, which says nothing of the
running state. What a driver or a tool changed at run time is not seen here, so current values count only where no tool shows
the running ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from roce_audit.platforms.mlnx.ecn import FLAGS, VENDOR
from roce_audit.platforms.shared.host.answers import Answer, Line, Tool, sets
from roce_audit.platforms.shared.host.collector import UNNAMED, Subject
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import Note
from roce_audit.platforms.shared.host.words import FILTERED, one_of, shape, whole
from roce_audit.values import At

FIRMWARE_DCBX = Note[bool]("whether the firmware speaks DCBX")
FIRMWARE_WILLING = Note[bool]("whether the firmware is willing")
FIRMWARE_LLDP = Note[bool]("whether the firmware's LLDP carries DCBX when it")
"""By the direction: it sends or hears all of LLDP, or the mandatory part alone, or nothing."""
PROGRAMMABLE = Note[bool]("whether the card takes a program for its congestion control,")
LEGACY = Note[bool]("whether the card runs DCQCN alone,")
"""ROCE_CC_LEGACY_DCQCN: with it USER_PROGRAMMABLE_CC is not valid (mstflint, mlxconfig_host.db)."""
EMBEDDED_CPU = Note[bool]("whether the card's own processor has the ports")
OFFLOAD_ENGINE = Note[bool]("whether the card's own processor is in the way of packets")
_ROW = re.compile(r"\*?\s+([A-Z][A-Z0-9_]{2,60})\s+(\S.*)")
_PORT = re.compile(r"(.+)_P([1-8])")
_PCI = re.compile(r"[0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]")


@dataclass
class _Query:
    """One answer on its way: whom it is about, and its rows as (line, name, port or 0, columns)."""

    device: Subject | None
    columns: int = 0
    kind: tuple[int, str] | None = None
    rows: list[tuple[int, str, int, str]] = field(default_factory=list)


def _split(answer: Answer) -> None:
    """Rows as `CNP_DSCP 3 48 48 4` (columns: default, current, next) or `CNP_DSCP 1 4` (next), each for its port's function."""
    query = _Query(answer.subject)
    is_part = "|" in (
        answer.document.command or ""
    )  # filtered, so that the head may be gone: a row has as many columns as it shows
    for number, text in answer.lines():
        if text.startswith("Configurations:"):
            query.columns = 3 if "Current" in text else 1
        elif not query.columns and not is_part:
            _head(query, number, text)
        else:
            found = _ROW.fullmatch(text)
            if found is not None:
                of_port = _PORT.fullmatch(found.group(1))
                name = of_port.group(1) if of_port else found.group(1)
                if name in _FIELDS:
                    query.rows.append((number, name, int(of_port.group(2)) if of_port else 0, found.group(2)))
    ports = sorted({port for _, _, port, _ in query.rows if port}) or [1]
    for number, name, port, values in query.rows:
        said = values.split()
        for one in [port] if port else ports:
            statement = f"{name} {query.columns or len(said)} {' '.join(said)}"
            answer.say(statement, number, _function(query.device, one, len(ports)))
    if query.kind is not None and query.rows:
        for port in ports:
            answer.say(f"Device type: {query.kind[1]}", query.kind[0], _function(query.device, port, len(ports)))


def _head(query: _Query, number: int, text: str) -> None:
    key, _, value = text.partition(":")
    value = value.strip()
    if key == "Device" and query.device is None and _PCI.fullmatch(value):
        query.device = ("pci", value.lower())
    elif key == "Device type":
        query.kind = (number, value)


def _function(device: Subject | None, port: int, ports: int) -> Subject:
    """Whom a row is about: port N of a card is its PCI function N-1 (source: unverified for cards with several hosts)."""
    about = device or UNNAMED
    if about[0] == "pci":
        return ("pci", f"{about[1].rpartition('.')[0]}.{port - 1}")
    return about if ports == 1 else ("pci", f"{about[1]} port {port}")


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


def _word_or_number(high: int) -> Callable[[str], int]:
    """`300`, or `True(1)` for what is a switch here and a number in sysfs."""
    return lambda text: whole(str(_number(text)), 0, high)


CONFIG_NAMES = {"gd": "RPG_GD", "clamp_tgt_rate_ati": "CLAMP_TGT_RATE_AFTER_TIME_INC"}
"""What mlxconfig calls the parameters that sysfs calls otherwise."""


def _field(name: str, paths: tuple[str, ...], value: Callable[[str], object], running: bool) -> Line:
    """A setting that exists as such in the model. `running`: its current value holds until a tool changes it."""

    def read(nic: NicSettings, text: str, at: At) -> None:
        current, following = _values(text)
        meant = value(following)
        now = value(current) if current is not None and running else None
        for path in paths:
            nic.set(f"nic.next_boot.{path}", meant, at)
            if current is not None and running:
                nic.set_fallback(path, now, at)

    return Line(name, tuple(f"nic.next_boot.{p}" for p in paths) + (paths if running else ()), read)


_TRUST = {"1": "pcp", "2": "dscp", "3": "both", "0": "none"}
_LINK = {"1": "infiniband", "2": "ethernet"}


def _dcbx(nic: NicSettings, text: str, at: At) -> None:
    """LLDP_NB_DCBX: the firmware speaks DCBX. Off does not keep the operating system from speaking it."""
    current, following = _values(text)
    _flag(following)
    if current is not None:
        nic.set(FIRMWARE_DCBX, _flag(current), at)


def _willing(nic: NicSettings, text: str, at: At) -> None:
    current, following = _values(text)
    nic.set("nic.next_boot.dcbx.willing", _flag(following), at)
    if current is not None:
        nic.set(FIRMWARE_WILLING, _flag(current), at)


def _lldp_mode(direction: str) -> Callable[[NicSettings, str, At], None]:
    """OFF, MANDATORY or ALL: DCBX is no mandatory part of LLDP."""

    def read(nic: NicSettings, text: str, at: At) -> None:
        current, following = (
            one_of(str(_number(value)), {"0": False, "1": False, "2": True}) if value is not None else None
            for value in _values(text)
        )
        if current is not None and following is not None:
            nic.set(FIRMWARE_LLDP[direction], current, at)

    return read


def _control(note: Note[bool]) -> Callable[[NicSettings, str, At], None]:
    """A switch of the card's congestion control, as it is now and from the next boot on."""

    def read(nic: NicSettings, text: str, at: At) -> None:
        current, following = _values(text)
        nic.set(note["next"], _flag(following), at)
        if current is not None:
            nic.set(note["now"], _flag(current), at)

    return read


def _cpu_model(nic: NicSettings, text: str, at: At) -> None:
    """EMBEDDED_CPU: the ports of a BlueField belong to its own processor. SEPARATED_HOST: to the host."""
    current, following = _values(text)
    now, _ = (one_of(str(_number(value)), {"0": False, "1": True}) for value in (current or following, following))
    if current is not None:
        nic.set(EMBEDDED_CPU, now, at)


def _offload(nic: NicSettings, text: str, at: At) -> None:
    """ENABLED(0) is DPU mode, DISABLED(1) is NIC mode: the processor stands aside."""
    current, following = _values(text)
    now, _ = (one_of(str(_number(value)), {"0": True, "1": False}) for value in (current or following, following))
    if current is not None:
        nic.set(OFFLOAD_ENGINE, now, at)


def _cnp_dscp_mode(nic: NicSettings, text: str, at: At) -> None:
    """DEVICE_DEFAULT, FIXED_VALUE (CNP_DSCP) or RX_PACKET: the DSCP of the packet that the CNP answers."""
    words = {"0": None, "1": False, "2": True}
    current, following = _values(text)
    now, then = (one_of(str(_number(value)), words) if value is not None else None for value in (current, following))
    if now is not None:
        nic.set("nic.cnp_takes_dscp", now, at)
    if then is not None:
        nic.set("nic.next_boot.nic.cnp_takes_dscp", then, at)


def _adaptive_routing(nic: NicSettings, text: str, at: At) -> None:
    current, _ = _values(text)
    if current is not None:
        nic.set("nic.takes_any_order", _flag(current), at)


def _ecn_copy(nic: NicSettings, text: str, at: At) -> None:
    """True turns the copy off."""
    current, _ = _values(text)
    if current is not None:
        nic.set("nic.tunnel_keeps_marks", not _flag(current), at)


def _roce_control(nic: NicSettings, text: str, at: At) -> None:
    """DEVICE_DEFAULT, ROCE_DISABLE or ROCE_ENABLE."""
    words = {"0": None, "1": False, "2": True}
    current, following = _values(text)
    now, then = (one_of(str(_number(value)), words) if value is not None else None for value in (current, following))
    if now is not None:
        nic.set_fallback("nic.roce", now, at)
    if then is not None:
        nic.set("nic.next_boot.nic.roce", then, at)


def _algorithm(nic: NicSettings, text: str, at: At) -> None:
    words = {"0": "dcqcn", "1": "qcn"}
    current, following = _values(text)
    nic.set("nic.next_boot.nic.dcqcn.algorithm", one_of(str(_number(following)), words), at)
    if current is not None:
        nic.set_fallback("nic.dcqcn.algorithm", one_of(str(_number(current)), words), at)


_RATE = 2**32 - 1
_ALGORITHMS = ("nic.dcqcn.algorithm", "nic.next_boot.nic.dcqcn.algorithm")
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
    _field("RPG_THRESHOLD", ("nic.dcqcn.fast_recovery_stages",), _bounded(31), True),
    _field("RPG_MIN_DEC_FAC", ("nic.dcqcn.min_decrease_percent",), _bounded(100), True),
    _field("DCE_TCP_RTT", ("nic.dcqcn.alpha_period_us",), _bounded(131_071), True),
    _field("INITIAL_ALPHA_VALUE", ("nic.dcqcn.initial_alpha_over_1024",), _bounded(1023), True),
    _field("RATE_TO_SET_ON_FIRST_CNP", ("nic.dcqcn.first_cnp_rate_mbps",), _bounded(_RATE), True),
    *(
        _field(CONFIG_NAMES.get(name, name.upper()), (f"nic.dcqcn.{field}",), _flag, True)
        for name, field in FLAGS.items()
    ),
    *(
        _field(CONFIG_NAMES.get(name, name.upper()), (f"nic.dcqcn.vendor.{name}.value",), _word_or_number(high), True)
        for name, high in VENDOR.items()
    ),
    _field("LINK_TYPE", ("nic.link_layer",), lambda text: one_of(str(_number(text)), _LINK), True),
    _field("QOS_TRUST_STATE", ("trust",), lambda text: one_of(str(_number(text)), _TRUST), False),
    Line("ROCE_CC_ALGORITHM", _ALGORITHMS, _algorithm),
    Line("USER_PROGRAMMABLE_CC", (PROGRAMMABLE, *_ALGORITHMS), _control(PROGRAMMABLE)),
    Line("ROCE_CC_LEGACY_DCQCN", (LEGACY, *_ALGORITHMS), _control(LEGACY)),
    Line("INTERNAL_CPU_MODEL", (EMBEDDED_CPU, "kind"), _cpu_model),
    Line("INTERNAL_CPU_OFFLOAD_ENGINE", (OFFLOAD_ENGINE, "kind"), _offload),
    Line("ROCE_CONTROL", ("nic.roce", "nic.next_boot.nic.roce"), _roce_control),
    Line("CNP_DSCP_MODE", ("nic.cnp_takes_dscp", "nic.cnp_dscp", "nic.next_boot.nic.cnp_dscp"), _cnp_dscp_mode),
    Line("ROCE_ADAPTIVE_ROUTING_EN", ("nic.takes_any_order",), _adaptive_routing),
    Line("TUNNEL_ECN_COPY_DISABLE", ("nic.tunnel_keeps_marks",), _ecn_copy),
    Line("LLDP_NB_DCBX", (FIRMWARE_DCBX, "dcbx.mode", "dcbx.willing"), _dcbx),
    Line("DCBX_WILLING", (FIRMWARE_WILLING, "dcbx.willing", "nic.next_boot.dcbx"), _willing),
    Line("LLDP_NB_RX_MODE", (FIRMWARE_LLDP["hears"], "dcbx.mode", "dcbx.willing"), _lldp_mode("hears")),
    Line("LLDP_NB_TX_MODE", (FIRMWARE_LLDP["sends"], "dcbx.mode", "dcbx.willing"), _lldp_mode("sends")),
)
_FIELDS: Mapping[str, Line] = {line.lead: line for line in _LINES}


CONFIG = Tool(
    name="mlxconfig",
    of_spare_ports=True,
    split=_split,
    commands=r"m(?:lx|st)config (?:-e )?-d (?:(?P<pci>[0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7])|(?P<rdma>mlx[45]_\w+)|\S+)"
    rf" (?:-e )?q(?:uery)?(?:{FILTERED})?",
    signature=r"^Configurations: +(?:Default +Current +)?Next Boot$",
    lines=(*_LINES, sets("Device type:", "nic.model_name", shape(r"[A-Za-z0-9_-]{1,40}"), fallback=True)),
    covers=("nic.next_boot",),
    complete=False,
)

TOOLS = (CONFIG,)
