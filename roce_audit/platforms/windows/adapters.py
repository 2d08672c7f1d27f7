"""`Get-NetAdapter`, `Get-NetAdapterRdma`, `Get-NetAdapterAdvancedProperty`, `Get-NetAdapterQos`: what each adapter is and does."""

from __future__ import annotations

import contextlib
import re
from typing import NamedTuple

from roce_audit.platforms.base import Neighbour
from roce_audit.platforms.shared.host.answers import Answer, Line, Tool, sets
from roce_audit.platforms.shared.host.collector import noticed
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import Note
from roce_audit.platforms.shared.host.words import BIT, choice, matched, not_understood, one_of, shape, whole
from roce_audit.platforms.windows import displayed
from roce_audit.platforms.windows.objects import Row, command, rows, word
from roce_audit.values import At, Place, known


class Classes(NamedTuple):
    """Traffic classes as one source shows them."""

    selection: Note[str]
    share: Note[int]
    of_priority: Note[int]


def _classes_of(source: str) -> Classes:
    return Classes(
        Note(f"the scheduling of {source} traffic class"),
        Note(f"the share of {source} traffic class"),
        Note(f"the {source} traffic class of priority"),
    )


RUNNING, TOLD = _classes_of("running"), _classes_of("configured")
TOLD_ALONE = _classes_of("adapter's own")
"""What one adapter was told by its name (PolicySet AdapterSpecific): for it, that wins over what holds for all."""
TABLE = Note[str]("the scheduling in the table of traffic class")
TABLE_SHARE = Note[int]("the share in the table of traffic class")
RUNNING_PFC = Note[frozenset[int]]("the priorities with running PFC")
FLOW_OF = Note[bool]("flow control of priority")
FLOW_ALONE = Note[bool]("the adapter's own flow control of priority")
QOS_ENABLED = Note[bool]("whether the adapter's QoS is enabled")
RDMA_RUNS = Note[bool]("whether RDMA runs on the adapter")
ANY_PFC = Note[bool]("whether PFC runs for any priority of the adapter")
_QOS_ON = Note[bool]("the adapter's property of QoS")
_BOOLEAN = {"true": True, "false": False}
_RATES = {"bps": 1, "Kbps": 10**3, "Mbps": 10**6, "Gbps": 10**9, "Tbps": 10**12}


def _speed(text: str) -> int:
    """`25 Gbps`, or the bits per second of the property Speed."""
    found = matched(r"([0-9]{1,15})(?:\.([0-9]))?(?: ([KMGT]?bps))?", text)
    unit = _RATES[found.group(3) or "bps"]
    return int(found.group(1)) * unit + int(found.group(2) or 0) * unit // 10


def _driver(text: str) -> str:
    return matched(r"([A-Za-z0-9_-]{1,40})(?:\.sys)?", text).group(1).lower()


_STATUS = {"Up": True, "Disabled": False, "Disconnected": True, "Not Present": True}
"""Only Disabled is the administrator's doing; Disconnected has no link, and that is another thing."""
_DESCRIPTION = sets(
    "InterfaceDescription",
    "nic.model_name",
    shape(r"(\w[\w ()/.,:+&®™-]{0,160}?)(?: #[0-9]{1,3})?"),
    fallback=True,
)


def _adapters(answer: Answer) -> None:
    for row in rows(answer):
        about = row.adapter("Name")
        for key in ("LinkSpeed", "Status", "InterfaceDescription", "DriverFileName", "DriverVersion"):
            if row.values.get(key) is not None:
                answer.say(f"{key} {row.text(key)}".rstrip(), row.line(key), about)
        if row.text("Status") == "Disconnected" and about[0] == "net":
            answer.collector.has_no_link(about, answer.document, row.line("Status"))


def _status(nic: NicSettings, text: str, at: At) -> None:
    nic.set("admin_up", one_of(text, _STATUS), at)
    if text == "Up":
        nic.set("link_up", True, at)


ADAPTER = Tool(
    name="Get-NetAdapter",
    shell="powershell",
    split=_adapters,
    commands=command("Get-NetAdapter"),
    signature=r'"LinkSpeed": *"',
    lines=(
        sets("LinkSpeed", "speed_bps", _speed),
        Line("Status", ("admin_up", "link_up"), _status),
        _DESCRIPTION,
        sets("DriverFileName", "nic.driver", _driver),
        sets("DriverVersion", "nic.driver_version", shape(r"[0-9]{1,5}(?:\.[0-9]{1,6}){1,4}")),
    ),
    covers=("speed_bps", "admin_up", "link_up"),
)


def _rdma(answer: Answer) -> None:
    for row in rows(answer):
        about, description = row.adapter("Name"), row.text("InterfaceDescription")
        answer.say(f"Enabled {row.text('Enabled')} {about[1]}", row.line("Enabled"), about)
        for key in ("OperationalState", "PFC"):
            if row.text(key) in _BOOLEAN:
                answer.say(f"{key} {row.text(key)}", row.line(key), about)
        if description:
            answer.say(f"InterfaceDescription {description}", row.line("InterfaceDescription"), about)


def _rdma_on(nic: NicSettings, text: str, at: At) -> None:
    """Windows has no names of RDMA devices: the adapter's own name stands for it."""
    on, _, name = text.partition(" ")
    nic.set("nic.roce", one_of(on, _BOOLEAN), at)
    nic.set("nic.rdma_device", name, at)


RDMA = Tool(
    name="Get-NetAdapterRdma",
    shell="powershell",
    split=_rdma,
    commands=command("Get-NetAdapterRdma"),
    signature=r'"MaxQueuePairCount":|"RdmaAdapterInfo":|"OperationalState": *(?:true|false)',
    lines=(
        Line("Enabled", ("nic.rdma_device", "nic.roce"), _rdma_on),
        sets("OperationalState", RDMA_RUNS, choice(_BOOLEAN)),
        sets("PFC", ANY_PFC, choice(_BOOLEAN)),
        _DESCRIPTION,
    ),
    covers=("nic.rdma_device",),
)

_KEYWORDS = frozenset(
    {
        *("*JumboPacket", "*FlowControl", "*NetworkDirectTechnology", "*NetworkDirect", "*QOS"),
        *("*PriorityVLANTag", "*EEE"),
    }
)


def _properties(answer: Answer) -> None:
    for row in rows(answer):
        if "RegistryKeyword" not in row.properties:
            _as_displayed(answer, row)
            continue
        keyword, cut = row.text("RegistryKeyword"), row.cut("RegistryKeyword")
        shown = row.text("DisplayName").replace(" ", "").lower()
        if cut:
            names = sorted(name for name in _KEYWORDS if name.startswith(cut))
            # a table too wide for its window cuts the keyword, and the adapter's own name of the property may be the whole of it
            keyword = next((name for name in names if name[1:].lower() == shown), "")
        if cut and not keyword:
            for name in names:
                answer.say(f"{name} cut", row.line("RegistryKeyword"), row.adapter("Name"))
        elif not re.fullmatch(r"\*?\w{1,80}", keyword):
            answer.say("keyword", row.line("RegistryKeyword"), row.adapter("Name"))
        elif keyword in _KEYWORDS:
            answer.say(f"{keyword} {row.text('RegistryValue')}", row.line("RegistryValue"), row.adapter("Name"))


def _as_displayed(answer: Answer, row: Row) -> None:
    """A table without keywords: the properties by the names that their driver shows."""
    name = row.text("DisplayName")
    keyword = displayed.keyword_of(name)
    if keyword and "DisplayValue" in row.values:
        value = displayed.value_of(name, row.text("DisplayValue"))
        answer.say(f"{keyword} {value}", row.line("DisplayValue"), row.adapter("Name"))
    elif row.cut("DisplayName"):
        answer.say("keyword", row.line("DisplayName"), row.adapter("Name"))


_ETHERNET_HEADER = 14
"""*JumboPacket is the largest frame with it, without tag and checksum: 9014 carries IP packets of 9000 bytes."""


def _flow_control(nic: NicSettings, text: str, at: At) -> None:
    """0 off, 1 sends pause, 2 obeys it, 3 both; 4 is left to negotiation."""
    number = whole(text, 0, 4)
    if number < 4:
        nic.set("link_pause_tx", number in (1, 3), at)
        nic.set("link_pause_rx", number in (2, 3), at)


_KINDS = {1: "iwarp", 2: "infiniband", 3: "ethernet", 4: "ethernet"}
_VERSIONS = {3: "roce-v1", 4: "roce-v2"}


def _technology(nic: NicSettings, text: str, at: At) -> None:
    """0 as the device likes it, 1 iWARP, 2 InfiniBand, 3 RoCE, 4 RoCEv2 (Windows driver kit, *NetworkDirectTechnology)."""
    number = whole(text, 0, 4)
    if number in _KINDS:
        nic.conclude("kind", known(_KINDS[number], at))
    if number in _VERSIONS:
        nic.set("nic.cma_mode", _VERSIONS[number], at)


PROPERTIES = Tool(
    name="Get-NetAdapterAdvancedProperty",
    shell="powershell",
    split=_properties,
    commands=command("Get-NetAdapterAdvancedProperty"),
    signature=r'"RegistryKeyword":',
    lines=(
        sets("*JumboPacket", "ip_mtu_bytes", lambda text: whole(text, 500, 65_536) - _ETHERNET_HEADER),
        Line("*FlowControl", ("link_pause_rx", "link_pause_tx"), _flow_control),
        Line("*NetworkDirectTechnology", ("kind", "nic.cma_mode"), _technology),
        Line(
            "keyword",
            (
                "ip_mtu_bytes",
                "link_pause_rx",
                "link_pause_tx",
                "kind",
                "nic.roce",
                "nic.sends_priority_tag",
                "eee",
                "nic.cma_mode",
            ),
            not_understood,
        ),
        sets("*PriorityVLANTag", "nic.sends_priority_tag", choice({"0": False, "1": True, "2": False, "3": True})),
        sets("*EEE", "eee", BIT),
        sets("*NetworkDirect", "nic.roce", BIT),
        sets("*QOS", _QOS_ON, BIT),
    ),
)


_TABLES = (
    "PriorityFlowControlEnableArray",
    "TsaAssignmentTable",
    "BandwidthAssignmentTable",
    "PriorityAssignmentTable",
)


def _settings(answer: Answer, row: Row) -> None:
    """`OperationalSettings`: the object behind what the cmdlet prints, with a table of eight for each thing."""
    inner = row.values.get("OperationalSettings")
    if not isinstance(inner, dict):
        return
    for key in _TABLES:
        listed = inner.get(key)
        if isinstance(listed, list) and listed:
            line = row.line_in("OperationalSettings", key)
            answer.say(f"{key} {','.join(word(one) for one in listed)}", line, row.adapter("Name"))


def _eight(text: str, low: int, high: int) -> list[int]:
    numbers = [whole(piece, low, high) for piece in text.split(",")]
    if len(numbers) != 8:
        raise ValueError(text)
    return numbers


def _array(nic: NicSettings, text: str, at: At) -> None:
    on = [one_of(piece.lower(), _BOOLEAN) for piece in text.split(",")]
    if len(on) != 8:
        raise ValueError(text)
    nic.set(RUNNING_PFC, frozenset(number for number, bit in enumerate(on) if bit), at)


_SELECTED = {0: "strict", 2: "ets"}


def _selections(nic: NicSettings, text: str, at: At) -> None:
    for number, code in enumerate(_eight(text, 0, 255)):
        nic.set(TABLE[number], one_of(str(code), {str(k): v for k, v in _SELECTED.items()}), at)


def _shares(nic: NicSettings, text: str, at: At) -> None:
    for number, share in enumerate(_eight(text, 0, 100)):
        nic.set(TABLE_SHARE[number], share, at)


def _assigned(nic: NicSettings, text: str, at: At) -> None:
    """Priority -> traffic class; only classes that serve a priority are there."""
    for priority, number in enumerate(_eight(text, 0, 7)):
        nic.set(RUNNING.of_priority[priority], number, at)


def _qos(answer: Answer) -> None:
    for row in rows(answer):
        about = row.adapter("Name")
        _settings(answer, row)
        for key in ("Enabled", "OperationalFlowControl"):
            if row.text(key):
                answer.say(f"{key} {row.text(key)}", row.line(key), about)
        _heard(answer, row)
        _unprotected(answer, row)
        listed = row.values.get("OperationalTrafficClasses")
        for index, one in enumerate(listed if isinstance(listed, list) else [listed]):
            for text in str(one or "").split("\n"):
                cleaned = " ".join(text.split())
                if not cleaned or re.fullmatch(r"TC TSA Bandwidth Priorities|[- ]+", cleaned):
                    continue
                path = ("OperationalTrafficClasses", *((index,) if isinstance(listed, list) else ()))
                answer.say(f"class {cleaned}", row.line_in(*path), about)


_DEFAULT = re.compile(r"Default +([0-7])")
_SMB_DIRECT = re.compile(r"NetDirect +445 +([0-7])")


def _unprotected(answer: Answer, row: Row) -> None:
    """Say where an adapter gives SMB Direct the priority of all other traffic, for which its PFC does not run; of another one the
    policies of the host tell."""
    listed, flow = row.values.get("OperationalClassifications"), _FLOW.fullmatch(row.text("OperationalFlowControl"))
    lines = listed if isinstance(listed, list) else str(listed or "").split("\n")
    others = {found[1] for text in lines if (found := _DEFAULT.fullmatch(str(text).strip())) is not None}
    for index, text in enumerate(lines) if flow is not None and row.text("Enabled").lower() == "true" else ():
        found = _SMB_DIRECT.fullmatch(str(text).strip())
        with contextlib.suppress(ValueError):
            if (
                found is not None
                and flow is not None
                and found[1] in others
                and int(found[1]) not in priorities(flow[1])
            ):
                place = Place(answer.document.path, row.line_in("OperationalClassifications", index))
                meaning = (
                    f"SMB Direct leaves with priority {found[1]} here, and PFC runs for {flow[1]}: it is not protected"
                )
                answer.collector.seen.append(noticed("unprotected", place, str(text).strip(), meaning))


def _heard(answer: Answer, row: Row) -> None:
    """What the far end sent by DCBX: the priorities of its PFC, and not who it is."""
    name, said = row.values.get("Name"), _FLOW.fullmatch(row.text("RemoteFlowControl"))
    if isinstance(name, str) and said is not None:
        with contextlib.suppress(ValueError):
            place = Place(answer.document.path, row.line("RemoteFlowControl"))
            offers = known(priorities(said.group(1)), place)
            answer.collector.neighbours.append(Neighbour(name, place, offers_pfc=offers))


def priorities(text: str) -> frozenset[int]:
    """`0-2,4,6-7`; raises ValueError."""
    found: set[int] = set()
    for piece in text.replace(" ", "").split(","):
        first, dash, last = piece.partition("-")
        low = whole(first, 0, 7)
        found.update(range(low, whole(last, low, 7) + 1 if dash else low + 1))
    return frozenset(found)


_FLOW = re.compile(r"(?:Priority|Priorities) ([0-7, -]{1,40}) Enabled")


def _flow(nic: NicSettings, text: str, at: At) -> None:
    if text in ("All Priorities Disabled", "All Priorities Enabled"):
        on = frozenset(range(8)) if text.endswith("Enabled") else frozenset()
    else:
        found = _FLOW.fullmatch(text)
        if found is None:
            raise ValueError(text)
        on = priorities(found.group(1))
    nic.set(RUNNING_PFC, on, at)


def _class(nic: NicSettings, text: str, at: At) -> None:
    """`1 ETS 50% 3`: number, selection, share, priorities; a strict class has no share."""
    found = matched(r"([0-7]) (ETS|Strict)(?: ([0-9]{1,3})%?)? ([0-7,-]{1,20})", text)
    number, selection, share, served = found.groups()
    nic.set(RUNNING.selection[number], selection.lower(), at)
    if selection == "ETS":
        nic.set(RUNNING.share[number], whole(share or "", 0, 100), at)
    for priority in priorities(served):
        nic.set(RUNNING.of_priority[priority], int(number), at)


QOS = Tool(
    name="Get-NetAdapterQos",
    shell="powershell",
    split=_qos,
    commands=command("Get-NetAdapterQos"),
    signature=r'"OperationalFlowControl":|^\s{0,4}OperationalFlowControl\s*:',
    lines=(
        sets("Enabled", QOS_ENABLED, choice(_BOOLEAN), "pfc"),
        Line("OperationalFlowControl", (RUNNING_PFC, "pfc"), _flow),
        Line(_TABLES[0], (RUNNING_PFC, "pfc"), _array),
        Line(_TABLES[1], (TABLE, RUNNING.selection, "queues"), _selections),
        Line(_TABLES[2], (TABLE_SHARE, RUNNING.share, "queues"), _shares),
        Line(_TABLES[3], (RUNNING.of_priority, "classes", "priorities", "queues"), _assigned),
        Line(
            "class", (RUNNING.selection, RUNNING.share, RUNNING.of_priority, "queues", "classes", "priorities"), _class
        ),
    ),
    covers=(
        *(QOS_ENABLED, RUNNING_PFC, "pfc"),
        *("queues.*.scheduling", "queues.*.share", "classes.*.queue", "priorities.*.queue"),
    ),
)

TOOLS = (RDMA, PROPERTIES, QOS, ADAPTER)
