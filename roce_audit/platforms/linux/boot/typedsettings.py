"""What somebody typed in a session that sets a NIC up and prints nothing: what answers above it showed no longer holds."""

from __future__ import annotations

from roce_audit.platforms.linux.boot.arms import paused_by
from roce_audit.platforms.linux.boot.calls import settings
from roce_audit.platforms.linux.setups.files import CALLS
from roce_audit.platforms.shared.host.answers import Answer, Line, Tool, sets
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import PRIORITY_OF_DSCP, SWITCHED
from roce_audit.platforms.shared.host.words import ON_OFF, choice, integer, whole
from roce_audit.values import At

_PFC = "pfc.priorities"
_LISTS = ("pfc", "pfc-list", "pfc-mask")
_SAID = (
    *("priorities", "pfc-bit", "trust", "dscp", "mapped", "RxFlowControl", "TxFlowControl", "traffic_class"),
    *("np", "rp", "cnp-dscp", "cnp-priority"),
)


def _split(answer: Answer) -> None:
    for kind, device, statement, _ in settings(answer.document.command or ""):
        lead, _, rest = statement.partition(" ")
        if lead in _LISTS:
            rest = "".join(map(str, sorted(paused_by(statement)))) if "$" not in rest else rest
            statement = f"priorities {rest or 'none'}"
        if statement.partition(" ")[0] in _SAID and kind in ("net", "rdma") and not {"$", "*"} & {*device}:
            answer.say(statement, answer.document.first_line - 1, (kind, device))


def _priorities(nic: NicSettings, text: str, at: At) -> None:
    nic.set(_PFC, frozenset(whole(one, 0, 7) for one in ("" if text == "none" else text)), at)


def _bit(nic: NicSettings, text: str, at: At) -> None:
    """`3 off` changes what was shown before."""
    shown = nic.cell(_PFC)
    if shown is not None and shown.is_known:
        one = {whole(text.partition(" ")[0], 0, 7)}
        nic.set(_PFC, shown.get() | one if any(paused_by(f"pfc-bit {text}")) else shown.get() - one, at)


def _code(nic: NicSettings, text: str, at: At) -> None:
    code, _, priority = text.partition(" ")
    nic.set(PRIORITY_OF_DSCP[whole(code, 0, 63)], whole(priority, 0, 7), at)


def _switch(side: str) -> Line:
    """`3 0`: congestion control of one priority."""

    def put(nic: NicSettings, text: str, at: At) -> None:
        priority, _, value = text.partition(" ")
        nic.set(SWITCHED[side][whole(priority, 0, 7)], bool(whole(value, 0, 1)), at)

    return Line(side, (f"nic.dcqcn.{side}_priorities",), put)


TYPED = Tool(
    name="typed setting",
    split=_split,
    commands=rf"(?=.{{0,300}}?(?:{CALLS}|ethtool -A )).{{1,2000}}",
    prints_nothing=True,
    complete=False,
    lines=(
        Line("priorities", (_PFC,), _priorities),
        Line("pfc-bit", (_PFC,), _bit),
        sets("trust", "trust", choice({"dscp": "dscp", "pcp": "pcp"})),
        Line("dscp", ("dscp",), _code),
        Line("mapped", ("dscp",), _code),
        sets("RxFlowControl", "link_pause_rx", ON_OFF),
        sets("TxFlowControl", "link_pause_tx", ON_OFF),
        sets("traffic_class", "nic.forced_traffic_class", integer(0, 255)),
        _switch("np"),
        _switch("rp"),
        sets("cnp-dscp", "nic.cnp_dscp", integer(0, 63)),
        sets("cnp-priority", "nic.cnp_priority", integer(0, 7)),
    ),
)
