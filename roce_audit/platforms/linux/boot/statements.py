"""What boot files say of a NIC, as statements (`mtu 9000`, `pfc-bit 3 on`), and what each claims of the port as it is set up."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from roce_audit.platforms.shared.host import boot as hostboot
from roce_audit.platforms.shared.host.answers import Line, Narrow, Tool, sets
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.words import (
    CMA_MODE,
    CMA_TOS,
    PLAIN,
    choice,
    integer,
    matched,
    not_understood,
    one_of,
    whole,
)
from roce_audit.values import At, Why

_BOOLEAN = {
    "enable": True,
    "disable": False,
    "yes": True,
    "true": True,
    "1": True,
    "on": True,
    "no": False,
    "false": False,
    "0": False,
    "off": False,
}


def _pause(text: str) -> bool:
    return bool(one_of(text.lower(), _BOOLEAN))


def _pfc(text: str) -> frozenset[int]:
    bits = [one_of(bit.strip(), {"0": False, "1": True}) for bit in text.split(",")]
    if len(bits) != 8:
        raise ValueError(text)
    return frozenset(i for i, bit in enumerate(bits) if bit)


def _pfc_mask(text: str) -> frozenset[int]:
    """A bit for each priority."""
    mask = whole(text.strip(), 0, 255)
    return frozenset(n for n in range(8) if mask >> n & 1)


def _pfc_list(text: str) -> frozenset[int]:
    """`3,4` or `none`; a list that names one twice was meant otherwise (`0,0,0,1,0,0,0,0`)."""
    named = [] if text == "none" else [whole(word, 0, 7) for word in text.split(",")]
    if len(named) != len(set(named)):
        raise ValueError(text)
    return frozenset(named)


def _tags(text: str) -> frozenset[int]:
    """The priorities that a map gives tags: `0:4,1:4`."""
    pairs = [one.strip() for one in text.split(",")]
    return frozenset(int(matched(r"[0-9]{1,10}:([0-7])", pair)[1]) for pair in pairs if pair)


_SWITCH = {"on": True, "enable": True, "off": False, "disable": False}


def _pfc_bit(nic: NicSettings, text: str, at: At) -> None:
    priority, _, switch = text.partition(" ")
    nic.set(hostboot.SINGLE[whole(priority, 0, 7)], one_of(switch, _SWITCH), at)


def _dcqcn(role: str) -> Line:
    """`np 3 0`: this role of the NIC is switched off for a priority."""

    def read(nic: NicSettings, text: str, at: At) -> None:
        priority, _, switch = text.partition(" ")
        nic.set(hostboot.DCQCN[role][whole(priority, 0, 7)], one_of(switch, {"0": False, "1": True}), at)

    return Line(role, tuple(hostboot.DCQCN[role][priority] for priority in range(8)), read)


_LARGEST_BUFFER = 2**31
_QUEUE_VALUES: Mapping[str, Callable[[str], object]] = {
    "tc-of": integer(0, 7),
    "tsa": choice({"ets": "ets", "strict": "strict", "vendor": "vendor", "cbs": "cbs"}),
    "share": integer(0, 100),
    "buffer-of": integer(0, 7),
    "bytes": integer(0, _LARGEST_BUFFER),
}


def _queue(key: str) -> Line:
    """`tsa 3 ets`: what is set up for one priority, traffic class or receive buffer."""
    value_of = _QUEUE_VALUES[key]

    def read(nic: NicSettings, text: str, at: At) -> None:
        number, _, value = text.partition(" ")
        note = hostboot.QUEUES[key][whole(number, 0, 7)]
        if value.startswith("$"):  # a variable that stands elsewhere
            nic.set_unknown(note, Why.NOT_VISIBLE, at)
        else:
            nic.set(note, value_of(value), at)

    return Line(key, tuple(hostboot.QUEUES[key][number] for number in range(8)), read)


def _dscp(nic: NicSettings, text: str, at: At) -> None:
    code, _, priority = text.partition(" ")
    nic.set(f"nic.persisted.dscp.{whole(code, 0, 63)}", whole(priority, 0, 7), at)


def _mapped(nic: NicSettings, text: str, at: At) -> None:
    """An entry of the application table: with one of them the driver goes by DSCP."""
    _dscp(nic, text, at)
    nic.set("nic.persisted.trust", "dscp", at)


def _of_family(nic: NicSettings, text: str, at: At) -> None:
    """A statement about every NIC of one family."""
    family, _, statement = text.partition(" ")
    if not STATEMENTS.apply(nic.of_family(family), statement, at):
        raise ValueError(text)


def _maybe(nic: NicSettings, text: str, at: At) -> None:
    """A call that may be made or not: nobody knows what it sets."""
    line = STATEMENTS.by_lead.get(text.partition(" ")[0])
    if text.startswith("pfc-bit "):
        nic.set_unknown(hostboot.PFC, Why.NOT_VISIBLE, at)
    elif text.startswith(tuple(f"{role} " for role in hostboot.DCQCN)):
        role, priority, _ = text.split()
        nic.set_unknown(hostboot.DCQCN[role][whole(priority, 0, 7)], Why.NOT_VISIBLE, at)
    elif text.startswith(("dscp ", "mapped ")):
        nic.set_unknown(f"nic.persisted.dscp.{whole(text.split()[1], 0, 63)}", Why.NOT_VISIBLE, at)
    else:
        for path in line.paths if line is not None else ():
            nic.set_unknown(path, Why.NOT_VISIBLE, at)


def _misspelt(nic: NicSettings, text: str, at: At) -> None:
    """`pfc,trust TEXT`: what these statements would set is unknown."""
    leads, _, written = text.partition(" ")
    lines = [STATEMENTS.by_lead.get(lead) for lead in leads.split(",")]
    raise Narrow(written, *(path for line in lines if line is not None for path in line.paths))


def _rejected(nic: NicSettings, text: str, at: At) -> None:
    """The tool sets nothing, and what was set before is not known here."""
    line = STATEMENTS.by_lead.get(text.partition(" ")[0])
    raise Narrow(text, *(line.paths if line is not None else ()))


_STORED = "nic.next_boot.nic"
"""What the firmware keeps for the next reset of the NIC."""
_CONTROLLED = tuple(f"{_STORED}.dcqcn.{role}_priorities" for role in hostboot.DCQCN)


def _number(text: str) -> int:
    """`48` or `0x30`."""
    return int(matched("0x([0-9a-fA-F]{1,8})", text)[1], 16) if text[:2] == "0x" else whole(text, 0, 2**32 - 1)


def _stored_dcqcn(nic: NicSettings, text: str, at: At) -> None:
    for path in _CONTROLLED:
        nic.set(path, _pfc_mask(str(_number(text))), at)


def _stored_roce(lead: str, words: Mapping[str, bool | None]) -> Line:
    """RoCE as the firmware has it; a word that leaves it as it is says nothing."""

    def read(nic: NicSettings, text: str, at: At) -> None:
        meant = one_of(text.partition("(")[0].upper(), words)
        if meant is not None:
            nic.set(f"{_STORED}.roce", meant, at)

    return Line(lead, (f"{_STORED}.roce",), read)


_LINK = {"1": False, "IB": False, "2": None, "ETH": None}
_ROCE = {"0": None, "DEVICE_DEFAULT": None, "1": False, "ROCE_DISABLE": False, "2": True, "ROCE_ENABLE": True}


def _elsewhere(nic: NicSettings, text: str, at: At) -> None:
    """The value stands in another file, or is for no source says what."""
    for path in STATEMENTS.by_lead[text].paths:
        nic.set_unknown(path, Why.NOT_VISIBLE, at)


def _somewhere(nic: NicSettings, text: str, at: At) -> None:
    """A call that names its NIC by something that cannot be resolved: what it sets may be set for this NIC as well."""
    line = STATEMENTS.by_lead.get(text)
    paths = line.paths if line is not None and line.paths != ("nic.persisted",) else (*hostboot.BY_TOOLS, hostboot.MTU)
    for path in paths:
        nic.set(hostboot.SOMEWHERE[str(path)], True, at)


STATEMENTS = Tool(
    name="boot files",
    lines=(
        sets("mtu", hostboot.MTU, lambda text: whole(text.strip("\"'"), 68, 65536)),
        sets("RxFlowControl", "nic.persisted.link_pause_rx", _pause),
        sets("TxFlowControl", "nic.persisted.link_pause_tx", _pause),
        sets("pfc", hostboot.PFC, _pfc),
        sets("pfc-list", hostboot.PFC, _pfc_list),
        sets("pfc-mask", hostboot.PFC, _pfc_mask),
        sets("pfc-sent", hostboot.PFC_SENT, choice(_SWITCH)),
        sets("pfc-obeyed", hostboot.PFC_OBEYED, choice(_SWITCH)),
        sets("roce", hostboot.ROCE, choice(_SWITCH)),
        Line("pfc-bit", (hostboot.PFC,), _pfc_bit),
        sets("trust", "nic.persisted.trust", choice({"dscp": "dscp", "pcp": "pcp"})),
        Line("dscp", ("nic.persisted.dscp",), _dscp),
        sets("eighths", hostboot.EIGHTHS, PLAIN),
        Line("mapped", ("nic.persisted.dscp", "nic.persisted.trust"), _mapped),
        Line(hostboot.FLUSHED, (), lambda nic, text, at: None),
        sets("cable", "nic.persisted.cable_m", integer(0, 65535)),
        *(_dcqcn(role) for role in hostboot.DCQCN),
        *(_queue(key) for key in hostboot.QUEUES),
        sets("cnp-dscp", hostboot.CNP, integer(0, 63)),
        sets("cnp-priority", hostboot.CNP_PRIORITY, integer(0, 7)),
        sets("cma_tos", f"{hostboot.CMA}tos", CMA_TOS),
        sets("cma_mode", f"{hostboot.CMA}mode", CMA_MODE),
        Line(hostboot.MISSPELT, ("nic.persisted",), _misspelt),
        Line(hostboot.REJECTED, ("nic.persisted",), _rejected),
        sets("firmware-cnp", f"{_STORED}.cnp_dscp", lambda text: whole(str(_number(text)), 0, 63)),
        Line("firmware-dcqcn", _CONTROLLED, _stored_dcqcn),
        _stored_roce("firmware-roce", _ROCE),
        _stored_roce("firmware-link", _LINK),
        Line(hostboot.MISREAD, (), not_understood),
        Line(hostboot.CONTRADICTS, (), not_understood),
        Line("elsewhere", (), _elsewhere),
        Line("maybe", ("nic.persisted",), _maybe),
        Line("of", (), _of_family),
        sets("rdma", hostboot.RDMA, PLAIN),
        sets("willing", hostboot.WILLING, choice(_BOOLEAN)),
        sets("firmware-dcbx", hostboot.FIRMWARE_DCBX, choice(_SWITCH)),
        sets("roce-priority", hostboot.ROCE_PRIORITY, integer(0, 7)),
        sets("roce-dscp", hostboot.ROCE_DSCP, integer(0, 63)),
        sets("roce-port", hostboot.ROCE_PORT, integer(0, 7)),
        sets("tags", hostboot.TAGS, _tags),
        Line("unclear", ("nic.persisted", hostboot.ROCE_DSCP), not_understood),
        sets("traffic_class", "nic.persisted.nic.forced_traffic_class", integer(0, 255)),
        Line("somewhere", (), _somewhere),
        sets("all places", hostboot.PLACES, PLAIN),
        Line("unclear places", (hostboot.PLACES,), not_understood),
    ),
)
