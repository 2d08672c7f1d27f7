"""What boot files say of a NIC, as statements (`mtu 9000`, `pfc-bit 3 on`), and what each claims of the port as it is set up."""

from __future__ import annotations

from roce_audit.platforms.shared.host import boot as hostboot
from roce_audit.platforms.shared.host.answers import Line, Tool
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.words import not_understood, one_of, whole
from roce_audit.values import At, Why


def _mtu(nic: NicSettings, text: str, at: At) -> None:
    nic.set("nic.persisted.ip_mtu_bytes", whole(text.strip("\"'"), 68, 65536), at)


def _rdma(nic: NicSettings, text: str, at: At) -> None:
    nic.set(hostboot.RDMA, True, at)


_BOOLEAN = {"yes": True, "true": True, "1": True, "on": True, "no": False, "false": False, "0": False, "off": False}


def _pause_rx(nic: NicSettings, text: str, at: At) -> None:
    nic.set("nic.persisted.link_pause_rx", one_of(text.lower(), _BOOLEAN), at)


def _pause_tx(nic: NicSettings, text: str, at: At) -> None:
    nic.set("nic.persisted.link_pause_tx", one_of(text.lower(), _BOOLEAN), at)


def _pfc(nic: NicSettings, text: str, at: At) -> None:
    bits = [one_of(bit.strip(), {"0": False, "1": True}) for bit in text.split(",")]
    if len(bits) != 8:
        raise ValueError(text)
    nic.set("nic.persisted.pfc.priorities", frozenset(i for i, bit in enumerate(bits) if bit), at)


def _pfc_mask(nic: NicSettings, text: str, at: At) -> None:
    """A bit for each priority."""
    mask = whole(text.strip(), 0, 255)
    nic.set(hostboot.PFC, frozenset(n for n in range(8) if mask >> n & 1), at)


def _roce(nic: NicSettings, text: str, at: At) -> None:
    nic.set("nic.persisted.nic.roce", one_of(text, _SWITCH), at)


def _pfc_list(nic: NicSettings, text: str, at: At) -> None:
    """`3,4` or `none`; a list that names one twice was meant otherwise (`0,0,0,1,0,0,0,0`)."""
    named = [] if text == "none" else [whole(word, 0, 7) for word in text.split(",")]
    if len(named) != len(set(named)):
        raise ValueError(text)
    nic.set(hostboot.PFC, frozenset(named), at)


_SWITCH = {"on": True, "enable": True, "off": False, "disable": False}


def _pfc_bit(nic: NicSettings, text: str, at: At) -> None:
    priority, _, switch = text.partition(" ")
    nic.set(hostboot.SINGLE[whole(priority, 0, 7)], one_of(switch, _SWITCH), at)


def _trust(nic: NicSettings, text: str, at: At) -> None:
    nic.set("nic.persisted.trust", one_of(text, {"dscp": "dscp", "pcp": "pcp"}), at)


def _dscp(nic: NicSettings, text: str, at: At) -> None:
    code, _, priority = text.partition(" ")
    nic.set(f"nic.persisted.dscp.{whole(code, 0, 63)}", whole(priority, 0, 7), at)


def _mapped(nic: NicSettings, text: str, at: At) -> None:
    """An entry of the application table: with one of them the driver goes by DSCP."""
    _dscp(nic, text, at)
    nic.set("nic.persisted.trust", "dscp", at)


def _cable(nic: NicSettings, text: str, at: At) -> None:
    nic.set("nic.persisted.cable_m", whole(text, 0, 65535), at)


def _cma_tos(nic: NicSettings, text: str, at: At) -> None:
    nic.set("nic.persisted.nic.cma_tos", whole(text, 0, 255), at)


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
    elif text.startswith(("dscp ", "mapped ")):
        nic.set_unknown(f"nic.persisted.dscp.{whole(text.split()[1], 0, 63)}", Why.NOT_VISIBLE, at)
    else:
        for path in line.paths if line is not None else ():
            nic.set_unknown(path, Why.NOT_VISIBLE, at)


def _elsewhere(nic: NicSettings, text: str, at: At) -> None:
    """The value stands in another file."""
    nic.set_unknown({"pfc": hostboot.PFC}[text], Why.NOT_VISIBLE, at)


def _forced(nic: NicSettings, text: str, at: At) -> None:
    nic.set("nic.persisted.nic.forced_traffic_class", whole(text, 0, 255), at)


def _somewhere(nic: NicSettings, text: str, at: At) -> None:
    """A call that names its NIC by something that cannot be resolved: what it sets may be set for this NIC as well."""
    line = STATEMENTS.by_lead.get(text)
    paths = line.paths if line is not None and line.paths != ("nic.persisted",) else (*hostboot.BY_TOOLS, hostboot.MTU)
    for path in paths:
        nic.set(hostboot.SOMEWHERE[str(path)], True, at)


def _all_places(nic: NicSettings, text: str, at: At) -> None:
    nic.set(hostboot.PLACES, True, at)


STATEMENTS = Tool(
    name="boot files",
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
