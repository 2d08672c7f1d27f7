"""What show commands tell of ports.

`show interface priority-flow-control`: on which priorities PFC really runs; columns port, administrative mode, operational state
with the bitmap of the priorities (hexadecimal), counters; or as JSON. `show interface brief` and `show interface status`: the speed of
ports that are up, and which have no link and why. `show interface flowcontrol`: link pause, of the columns `oper`. `show interface`: the
same, and the MTU that runs. (The forms as ntc-templates' captures have them.) `show queuing
interface` and `show queuing summary`: how egress queues are scheduled, and the ingress buffers of no-drop groups, in bytes: all of it,
where XOFF and where XON is sent (Cisco, Understand Nexus 9000 Cloud Scale buffering). `show queuing pfc-queue detail`: ports that no
watchdog watches. `show policy-map interface`: queues whose curve drops, where a configured one marks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from roce_audit.patterns import lazy
from roce_audit.platforms.nxos.entries import INTERFACE, PFC_INTERFACE, entries, is_json
from roce_audit.platforms.shared.cli.channels import is_about_channels, unused_members
from roce_audit.platforms.shared.cli.gathering import SWITCHED
from roce_audit.platforms.shared.cli.running import ERROR_DISABLED, NO_LINK, without_link
from roce_audit.platforms.shared.shown import Shown, below, doubt, rows
from roce_audit.text.document import Document

_PFC = lazy(r"sh(?:ow)? int(?:erface)? (?:\S+ )?priority-flow-control(?: detail)?(?: ?\|? ?json\b.{0,40})?\Z")
_PFC_ROW = lazy(r"(\S{2,64})\s+(auto|on|off)\s+(on|off)\s*(?:\((\S{1,16})\))?(?=\s|\Z)", re.I)
PFC_PORT = lazy(r"((?:Eth|Po|port-)[\w/-]{2,30})\s{0,8}")
_PFC_MODE = lazy(r"\s{1,8}Admin Mode: (Auto|On|Off)\s{0,8}", re.I)
_PFC_RUNS = lazy(r"\s{1,8}Oper Mode: (On|Off)\s{0,8}", re.I)
_PFC_BITMAP = lazy(r"\s{1,8}VL bitmap: ?\((\S{1,16})\)\s{0,8}")
_BRIEF = lazy(r"sh(?:ow)? int(?:erface)?(?: [^|]{1,60})? brief\Z")
_BRIEF_ROW = lazy(r"(Eth\S{3,20}) .{0,80} up +none +([^\s(]{1,20})\([A-Z]\)(?: .{0,20})?")
_STATUS = lazy(r"sh(?:ow)? int(?:erface)?(?: [^|]{1,60})? status\Z")
_STATUS_ROW = lazy(r"((?:Eth|Po)\S{1,20}) .{0,60} connected +\S{1,10} +(?:a-)?full +(?:a-)?(\S{1,20})(?: .{0,60})?")
_BRIEF_DOWN = lazy(r"(Eth\S{3,20}) .{0,80} down +(\S{1,30}(?: \S{1,20})?).{0,80}")
_STATUS_DOWN = lazy(
    r"((?:Eth|Po)\S{1,20}) .{0,60} (notconnec|disabled|sfpAbsent|xcvrAbsen|linkFlapE|noOperMem|suspnd|down|err-?[dD]isab\S{0,4}) +.{0,80}"
)
_CUT_SHORT = {"linkFlapE": "linkFlapErrDisabled"}
"""States that the column of `show interface status` has no room for."""
_SHUT = lazy(r"sh(?:ow)? int(?:erface)?(?: [^|]{1,60})? status err-disabled\Z")
_SHUT_ROW = lazy(r"((?:Eth|Po)\S{1,20}) .{0,80} {2,40}(\S.{1,40})")
"""Its last column is the reason."""
_WHOLE = lazy(r"sh(?:ow)? int(?:erface)?(?: (?!.*(?:brief|status|priority|counters|transceiver))[^|]{1,60})?\Z")
_WHOLE_JSON = lazy(r"sh(?:ow)? int(?:erface)?(?: eth\S{0,10} ?\d{1,3}(?:/\d{1,3}){1,3})? ?\| ?json(?:-pretty)?\Z")
_HEAD = lazy(r"([A-Za-z][\w-]{1,20}[\d/.]{1,16}) is (up|down|administratively down)\b(.{0,80})")
_FIELDS = ("state_rsn_desc", "eth_mtu", "eth_speed", "eth_oper_fec_state", "eth_in_flowctrl", "eth_out_flowctrl")
_MTU = lazy(r"\s+MTU (\S{1,12}) bytes?, *BW .{0,80}")
_RUNS = lazy(r"\s+full-duplex, (\S{1,12} [GM])b/s(?:, .{0,60})?")
_CODE = lazy(r"\s+admin fec state is \S{1,20}, oper fec state is (\S{1,20})")
_PAUSED = lazy(r"\s+Input flow-control is (on|off), output flow-control is (on|off)")
_LINK_PAUSE = lazy(r"sh(?:ow)? int(?:erface)?(?: [^|]{1,40})? flow-?control\Z")
_LINK_PAUSE_ROW = lazy(r"((?:Eth|Po)\S{1,20})(?: +[\w.]{2,10} +(on|off))(?: +[\w.]{2,10} +(on|off))(?: +\d{1,20}){2}")
"""Sending and receiving, each as configured and as in force."""
_WATCHDOG = lazy(r"sh(?:ow)? queue?ing pfc-queue(?: (?!\|).{1,60})?\Z")
_WATCHED = lazy(r"(?:(\S{5,24}) Interface PFC watchdog|Global watch-dog interval) ?:? ?\[(Enabled|Disabled)\].{0,40}")
_QUEUING = lazy(r"sh(?:ow)? queue?ing (?:interface\b.{0,80}|summary)\Z")
OF_PORT = lazy(r"\s*(?:In|E)gress Queuing for (\S{2,64}?)(?: \[.{1,40}\])?\s*")
"""Above what `show queuing interface` says of a port."""
_SCHEDULED_HEAD = lazy(r"\s*QoS-Group#\s+Bandwidth%\s+PrioLevel\b.{0,80}")
_BUFFERED_HEAD = lazy(r"\s*QoS-Group#\s+Pause\b.{0,80}")
_BELOW_HEAD = lazy(r"\s*(?:-+|Min +Max +Units|Buff Size +Pause Th +Resume Th)\s*")
_ROW = lazy(r"\s*[0-7]\s.{0,120}")
_SCHEDULED = lazy(r"\s*([0-7])\s+(-|[0-9]{1,3})\s+(-|[0-9]{1,2})(?:\s+\S{1,20}){3,4}\s*")
_BUFFERED = lazy(r"\s*([0-7])\s+([0-9]{1,10})\s+([0-9]{1,10})\s+([0-9]{1,10})(?:\s+\S{1,20})?\s*")
_WITHOUT_BUFFER = lazy(r"\s*([0-7])(?:\s+-){3}(?:\s+\S{1,20})?\s*")
POLICY_COMMAND = lazy(r"sh(?:ow)? policy-map int(?:erface)?(?: (?!brief|control)[^|]{1,60})?")
_PORT_ALONE = lazy(r"((?:Ethernet|port-channel)\d[\d/]{0,12})")
_OF_QUEUE = lazy(r"Class-map \(queuing\): +c-out-(?:8q-)?q(-default|[1-7]) \(match-any\)")
_OF_OTHER = lazy(r"Class-map \(\S{1,20}\): .{1,80}|Service-policy .{1,80}")
_DROPS_EARLY = lazy(r"random-detect (?!.*\becn\b)[\w -]{1,160}")
_SPEED = lazy(r"(\d{1,5})(?: ?([GM]))?")
_MEGABITS = {"G": 1_000, "M": 1, None: 1}


def answers(document: Document) -> Iterator[Shown]:
    """(port as written, line, statement) of what an answer tells of ports; nothing for the answers of other commands."""
    command = document.command or ""
    if _PFC.match(command):
        yield from _pfc_entries(document) if is_json(document) else _pfc(document)
    elif _BRIEF.match(command):
        yield from _speeds(document, _BRIEF_ROW)
        yield from _without_link(document, _BRIEF_DOWN)
    elif _STATUS.match(command):
        yield from _speeds(document, _STATUS_ROW)
        yield from _without_link(document, _STATUS_DOWN)
    elif _SHUT.match(command):
        for row, number, odd in rows(document, _SHUT_ROW):
            yield row[1], number, f"{ERROR_DISABLED}{row[2]}{odd}"
    elif _LINK_PAUSE.match(command):
        for row, number, odd in rows(document, _LINK_PAUSE_ROW):
            ways = (("transmit", row[2]), ("receive", row[3]))
            yield from ((row[1], number, f"flowcontrol {way} on{odd}") for way, state in ways if state == "on")
    elif _WHOLE.match(command) or _WHOLE_JSON.match(command):
        yield from _interface_entries(document) if is_json(document) else _interfaces(document)
    elif _WATCHDOG.match(command):
        yield from _unwatched(document)
    elif _QUEUING.match(command):
        yield from _queuing(document)
    elif POLICY_COMMAND.fullmatch(command):
        yield from _policies(document)
    elif is_about_channels(command):
        yield from unused_members(document)


def _pfc(document: Document) -> Iterator[Shown]:
    """A row a port, or (`detail`) lines below it: the bitmap stands on a line of its own there."""
    port = ""
    for number, line in document.numbered():
        row = _PFC_ROW.match(line)
        if row is not None:
            port, mode, state, bitmap = row.groups()
            yield port, number, f"{SWITCHED}{mode.lower()}"
            yield port, number, _runs(state, bitmap)
            yield from _shown_off(port, number, mode)
            port = ""
            continue
        head, mode, runs, below = (one.fullmatch(line) for one in (PFC_PORT, _PFC_MODE, _PFC_RUNS, _PFC_BITMAP))
        if head is not None:
            port = head[1]
        elif port and mode is not None:
            yield port, number, f"{SWITCHED}{mode[1].lower()}"
            yield from _shown_off(port, number, mode[1])
        elif port and runs is not None and runs[1].lower() == "off":
            yield port, number, _runs(runs[1], "")
            port = ""
        elif port and below is not None:
            yield port, number, _runs("on", below[1])
            port = ""


def _pfc_entries(document: Document) -> Iterator[Shown]:
    """The same as JSON; the bitmap of the priorities has more than one name."""
    for entry, line in entries(document, PFC_INTERFACE):
        port, mode, state = (entry.get(name) for name in ("if_name_str", "admin", "oper"))
        bitmap = next((value for name, value in entry.items() if isinstance(name, str) and name.endswith("bmap")), "")
        row = _PFC_ROW.fullmatch(f"{port} {mode} {state} {bitmap}".strip())
        if row is not None:
            yield row[1], line(), f"{SWITCHED}{row[2].lower()}"
            yield from _shown_off(row[1], line(), row[2])
        if isinstance(port, str):
            runs = _runs(str(state), str(bitmap)) if row is None else _runs(row[3], row[4])
            yield port, line("oper") if "oper" in entry else line(), runs


def _shown_off(port: str, line: int, mode: str) -> Iterator[Shown]:
    if mode.lower() == "off":
        yield port, line, "pfc shown off"


def _runs(state: str, bitmap: str | None) -> str:
    """Off, or on with the priorities; where it is off, their bitmap says nothing."""
    return "pfc off" if state.lower() == "off" else f"pfc {state} {bitmap or ''}".strip().lower()


def _speeds(document: Document, pattern: re.Pattern[str]) -> Iterator[Shown]:
    for row, number, odd in rows(document, pattern):
        if row[2] != "auto":
            yield row[1], number, f"connected {_megabits(row[2])}{odd}"


def _without_link(document: Document, pattern: re.Pattern[str]) -> Iterator[Shown]:
    for row, number, odd in rows(document, pattern):
        if not odd:
            yield row[1], number, without_link(_CUT_SHORT.get(row[2], row[2]))


def _unwatched(document: Document) -> Iterator[Shown]:
    """Ports whose watchdog is off, by their own line or by that of the switch above them."""
    everywhere: int | None = None
    for row, number, odd in rows(document, _WATCHED):
        if row[1] is None:
            everywhere = number if row[2] == "Disabled" else None
        elif row[2] == "Disabled" or everywhere is not None:
            yield row[1], everywhere or number, f"watchdog off{odd}"


def _interfaces(document: Document) -> Iterator[Shown]:
    port, is_up = "", False
    for number, line in document.numbered():
        text = line.rstrip()
        head, mtu, runs = (pattern.fullmatch(text) for pattern in (_HEAD, _MTU, _RUNS))
        if head is not None:
            port, is_up = head[1], head[2] == "up"
            if not is_up:
                yield port, number, without_link(head[3].strip(" ()")) if head[2] == "down" else NO_LINK
        elif port and is_up and (code := _CODE.fullmatch(text)) is not None:
            yield port, number, f"fec {code[1].lower()}{doubt(line)}"
        elif port and is_up and (paused := _PAUSED.fullmatch(text)) is not None:
            ways = zip(("receive", "transmit"), paused.groups(), strict=True)
            yield from ((port, number, f"flowcontrol {way} on{doubt(line)}") for way, state in ways if state == "on")
        elif port and mtu is not None:
            yield port, number, f"mtu {mtu[1]}{doubt(line)}"
        elif port and is_up and runs is not None:
            yield port, number, f"connected {_megabits(runs[1])}{doubt(line)}"


def _interface_entries(document: Document) -> Iterator[Shown]:
    """The same as JSON."""
    for entry, line in entries(document, INTERFACE):
        port, state = entry.get("interface"), entry.get("state")
        said = {name: str(entry[name]) for name in _FIELDS if name in entry}
        if not isinstance(port, str):
            continue
        if state == "down":
            shut = entry.get("admin_state") == "down"
            yield port, line("state"), NO_LINK if shut else without_link(said.get("state_rsn_desc", ""))
        if "eth_mtu" in said:
            yield port, line("eth_mtu"), f"mtu {said['eth_mtu']}"
        if state != "up":
            continue
        if said.get("eth_speed", "").endswith("b/s"):
            yield port, line("eth_speed"), f"connected {_megabits(said['eth_speed'].removesuffix('b/s'))}"
        if "eth_oper_fec_state" in said:
            yield port, line("eth_oper_fec_state"), f"fec {said['eth_oper_fec_state'].lower()}"
        for way, name in (("receive", "eth_in_flowctrl"), ("transmit", "eth_out_flowctrl")):
            if said.get(name) == "on":
                yield port, line(name), f"flowcontrol {way} on"


def _queuing(document: Document) -> Iterator[Shown]:
    """How each QoS group is scheduled, and the buffer of those that pause; a row that cannot be read is told as it stands."""
    above: re.Match[str] | None = None
    table: Callable[[str], str | None] | None = None
    for port, line, number in below(document, OF_PORT):
        if port is not above:
            above, table = port, None
        if _SCHEDULED_HEAD.fullmatch(line):
            table = _scheduled
        elif _BUFFERED_HEAD.fullmatch(line):
            table = _buffered
        elif table is not None and _ROW.fullmatch(line):
            said = table(line)
            if said is not None:
                yield port[1], number, f"{said}{doubt(line)}"
        elif line and not _BELOW_HEAD.fullmatch(line):
            table = None


def _policies(document: Document) -> Iterator[Shown]:
    """Queues whose curve drops in the policy that runs, where its class has a name of the switch's own."""
    port, queue = None, ""
    for head, line, number in below(document, _PORT_ALONE):
        of_queue = _OF_QUEUE.fullmatch(line)
        if of_queue is not None:
            port, queue = head, of_queue[1].replace("-default", "0")
        elif port is not head or _OF_OTHER.fullmatch(line):
            queue = ""
        elif queue and _DROPS_EARLY.fullmatch(line):
            yield head[1], number, f"queue {queue} drops early{doubt(line)}"


def _scheduled(line: str) -> str | None:
    found = _SCHEDULED.fullmatch(line)
    if found is None:
        return f"queue {' '.join(line.split())}"
    group, percent, level = found.groups()
    if level != "-":
        return f"queue {group} priority"
    return None if percent == "-" else f"queue {group} bandwidth {percent}"


def _buffered(line: str) -> str | None:
    without = _WITHOUT_BUFFER.fullmatch(line)
    if without is not None:
        return f"buffer {without[1]} none"
    found = _BUFFERED.fullmatch(line)
    return f"buffer {' '.join(line.split() if found is None else found.groups())}"


def _megabits(speed: str) -> str:
    """Mbit/s; text of another form is handed on, for the grammar to refuse."""
    found = _SPEED.fullmatch(speed)
    return speed if found is None else str(int(found[1]) * _MEGABITS[found[2]])
