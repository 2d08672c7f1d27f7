"""`Get-NetQosFlowControl`, `Get-NetQosTrafficClass`, `Get-NetQosPolicy`, `Get-NetQosDcbxSetting`: what the host was told.

They hold for all adapters, or for the one that an object names.
"""

from __future__ import annotations

import re
from collections import Counter

from roce_audit.platforms.shared.host.answers import Answer, Line, Tool, sets
from roce_audit.platforms.shared.host.collector import HOST, Subject, noticed
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import Note
from roce_audit.platforms.shared.host.words import choice, integer, matched, one_of, whole
from roce_audit.platforms.windows.adapters import FLOW_ALONE, FLOW_OF, TOLD, TOLD_ALONE, priorities
from roce_audit.platforms.windows.objects import Row, command, each, rows
from roce_audit.values import At, Place, Why, known, unknown

_ADAPTER = ("IfAlias", "InterfaceAlias")


def _flows(answer: Answer) -> None:
    for row in rows(answer):
        whose = row.adapter(*_ADAPTER)
        answer.say(f"{row.text('Priority')} {row.text('Enabled')}{_alone(whose)}", row.line("Enabled"), whose)


def _alone(whose: Subject) -> str:
    """A word behind what one adapter was told by its name."""
    return "" if whose == HOST else " alone"


def _flow(nic: NicSettings, text: str, at: At) -> None:
    found = matched(r"([0-7]) (true|false)( alone)?", text)
    nic.set((FLOW_ALONE if found.group(3) else FLOW_OF)[found.group(1)], found.group(2) == "true", at)


FLOW = Tool(
    name="Get-NetQosFlowControl",
    shell="powershell",
    split=_flows,
    commands=command("Get-NetQosFlowControl"),
    signature=r'\A\s*+\[?\s*+\{\s*"Priority": *[0-7],\s*"Enabled":',
    lines=(Line("", (FLOW_OF, FLOW_ALONE, "pfc"), _flow),),
    covers=(FLOW_OF,),
)

_OF_CLASSES = [note for told in (TOLD, TOLD_ALONE) for note in (told.selection, told.share, told.of_priority)]
_SELECTION = {"0": "strict", "2": "ets", "strict": "strict", "ets": "ets"}
"""As a word, or as the number of IEEE 802.1Qaz that ConvertTo-Json makes of it."""


def _classes(answer: Answer) -> None:
    """The default class first, the others in their order: so they are numbered, those of one adapter by themselves."""
    listed = list(rows(answer))
    listed.sort(key=lambda row: row.text("Name") != "[Default]")
    numbers: Counter[Subject] = Counter()
    for row in listed:
        whose = row.adapter(*_ADAPTER)
        number = numbers[whose]
        numbers[whose] += 1
        share = row.text("BandwidthPercentage") or row.text("Bandwidth") or "-"
        text = f"{number} {row.text('Algorithm').lower() or '-'} {share} {row.text('Priority') or '-'}{_alone(whose)}"
        answer.say(text, row.line("Algorithm"), whose)


def _class(nic: NicSettings, text: str, at: At) -> None:
    said = matched(r"([0-7]) (\w{1,8}) ([0-9]{1,3}|-) ([0-7,-]{1,20})( alone)?", text)
    number, selection, share, served, alone = said.groups()
    told = TOLD_ALONE if alone else TOLD
    meant = one_of(selection, _SELECTION)
    nic.set(told.selection[number], meant, at)
    if meant == "ets":
        nic.set(told.share[number], whole(share, 0, 100), at)
    for priority in priorities(served) if served != "-" else ():
        nic.set(told.of_priority[priority], int(number), at)


CLASSES = Tool(
    name="Get-NetQosTrafficClass",
    shell="powershell",
    split=_classes,
    commands=command("Get-NetQosTrafficClass"),
    signature=r'"Algorithm": *(?:[02]|"[A-Za-z]+"),\s*"Bandwidth',
    lines=(Line("", (*_OF_CLASSES, "queues", "classes", "priorities"), _class),),
)

SMB_DIRECT = "445"
_PORTS = (SMB_DIRECT, "5445")
"""Ports that servers of SMB Direct listen on: over RoCE and InfiniBand, over iWARP."""
SMB_DIRECT_PRIORITY = Note[int]("the priority of SMB Direct by policy")
_RDMA = ("NetDirectPort", "NetDirectPortMatchCondition")
_PRIORITY = ("PriorityValue", "PriorityValue8021Action")
_OF_NO_PORT = ("", "0")
_NO_PRIORITY = "-1"
"""A policy that leaves the tag alone."""
_PORT = re.compile(r"[1-9][0-9]{0,4}")
_READABLE = re.compile(r"[\w .()+-]{1,120}")


def _policies(answer: Answer) -> None:
    """Policies for SMB Direct, and the one for everything else."""
    listed = list(rows(answer))
    for row in listed:
        _policy(answer, row)
    values, path = answer.collector.host.values, answer.document.path
    for_rdma = [row for row in listed if any(row.text(key) not in _OF_NO_PORT for key in _RDMA)]
    tell = [(row.text(key), row.line(key)) for row in for_rdma for key in _PRIORITY if key in row.values]
    if listed and not for_rdma:
        values.setdefault("smb_direct_untagged", known(True, Place(path, answer.document.first_line)))
    elif for_rdma and not tell:
        values["smb_direct_untagged"] = values["smb_direct_priority"] = unknown(Why.NOT_VISIBLE)
    elif tell and all(text in ("", _NO_PRIORITY) for text, _ in tell):
        values.setdefault("smb_direct_untagged", known(True, Place(path, tell[0][1])))


def other_port(name: str, port: str) -> str:
    """What is to be said of a policy that is named for SMB Direct and matches another port; "" for all others."""
    if "smb" not in name.lower() or port in _PORTS or not _PORT.fullmatch(port):
        return ""
    return f"this policy is named {name[:60]} and matches RDMA to port {port}; SMB Direct is port {SMB_DIRECT}, so it stays untagged"


def _policy(answer: Answer, row: Row) -> None:
    values, path = answer.collector.host.values, answer.document.path
    for key in _RDMA:
        if said := other_port(row.text("Name"), row.text(key)):
            place = Place(path, row.line(key))
            answer.collector.seen.append(noticed("conflict", place, f"{key} {row.text(key)}", said))
    for doubtful, key in (
        ("smb_direct_priority", "NetDirectPort"),
        ("default_priority", "Name"),
        ("default_priority", "Template"),
    ):
        if row.text(key) and not _READABLE.fullmatch(row.text(key)):
            values[doubtful] = unknown(Why.NOT_PARSED, Place(path, row.line(key)))
            answer.unread(row.line(key), f"{key} {row.text(key)}")
    field = ""
    if SMB_DIRECT in (row.text(key) for key in _RDMA):
        field = "smb_direct_priority"
    elif row.text("Template") in ("Cluster", "4") or row.text("Name").lower() == "cluster":
        field = "cluster_priority"
    elif row.text("Template") in ("Default", "1") and row.text("Name").lower() == "default":
        field = "default_priority"
    key = next((k for k in _PRIORITY if row.text(k)), "")
    if not field or not key or row.text(key) == _NO_PRIORITY:
        return
    place = Place(path, row.line(key))
    if re.fullmatch(r"[0-7]", row.text(key)):
        if field == "smb_direct_priority" and field not in values:
            answer.say(f"SMB Direct {row.text(key)}", place.line, HOST)
        values.setdefault(field, known(int(row.text(key)), place))
    else:
        values.setdefault(field, unknown(Why.NOT_PARSED, place))
        answer.unread(place.line, f"{key} {row.text(key)}")


POLICIES = Tool(
    name="Get-NetQosPolicy",
    shell="powershell",
    split=_policies,
    commands=command("Get-NetQosPolicy"),
    signature=r'"(?:NetDirectPort|NetDirectPortMatchCondition|PriorityValue8021Action)":',
    lines=(sets("SMB Direct", SMB_DIRECT_PRIORITY, integer(0, 7)),),
)


DCBX = Tool(
    name="Get-NetQosDcbxSetting",
    shell="powershell",
    split=each("Willing", by=_ADAPTER),
    commands=command("Get-NetQosDcbxSetting"),
    signature=r'"Willing": *(?:true|false)',
    lines=(sets("Willing", "dcbx.willing", choice({"true": True, "false": False})),),
    covers=("dcbx.willing",),
)

TOOLS = (FLOW, CLASSES, POLICIES, DCBX)
