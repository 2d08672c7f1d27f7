"""What show commands tell of ports.

`show controllers INTERFACE [priority-flow-control]`: on which priorities PFC runs (as genieparser's captures of a Cisco 8000 have
it), and its speed where it is up. `show interfaces`: the speed of ports that are up, the MTU that runs, and which ports have no link (as
ntc-templates' captures). `show interfaces description`: which ports the router has shut (Cisco, Resolve the Port from the Err-Disable
State on a Cisco 8000). `show bundle`: members that their bundle does not use.
"""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.cli.running import OUT_OF_CHANNEL, without_link
from roce_audit.platforms.shared.shown import ODD, Shown, below, doubt, rows
from roce_audit.text.document import Document

_CONTROLLER = lazy(r"sh(?:ow)? contr(?:oller(?:s)?)? (?!npu\b|optics\b|fabric\b|fia\b).{3,80}", 2)
OF_PORT = lazy(r"Priority flow control information for interface (\S{3,40}?):.{0,20}")
"""Above what `show controllers` says of PFC on a port."""
OF_DATA = lazy(r"Operational data for interface (\S{3,40}?):")
"""Above what `show controllers` says of a port beside that."""
_STATE = lazy(r"Operational state: (\S.{0,60})")
_BPS = lazy(r"Speed: ([0-9]{1,6}) ?([GM])bps")
ROW = lazy(r"([0-7])\s+(on|off)\s+([0-9]{1,20})(?:\s+([0-9]{1,20}))?")
_HEADING = lazy(r"CoS\s+Status\s+Rx .{3,40}")
_UNWATCHED = lazy(r"PFC watchdog state\s*:\s*\S{1,20}\s+\S{1,20}\s+Disabled(?:\(D\))?", 2)
"""By the column of what is effective."""
_BUNDLE = lazy(r"sh(?:ow)? bundle(?: .{1,40})?", 2)
_BUNDLE_NAME = lazy(r"Bundle-Ether ?(\d{1,5})")
_MEMBER = lazy(
    r"((?!B)[A-Z][A-Za-z]{1,20}\d{1,3}(?:/[\w]{1,6}){3,4}) +Local +(Configured|Negotiating|Attached|Standby|Bfd Running) +.{0,60}"
)
_SPARE = "Standby"
_BEHIND = ("Priority flow control watchdog", "Operational values")
"""How the parts begin that stand behind the table of a port, or before it."""
_INTERFACES = lazy(
    r"sh(?:ow)? int(?:erface)?s?(?: (?!.*(?:brief|description|summary|counters|accounting))[^|]{1,60})?", 2
)
_HEAD = lazy(
    r"([A-Z][A-Za-z-]{1,20}\d[\w/.]{0,20}) is (up|down|administratively down|err(?:or)?[ -]disabled?), line protocol is .{2,40}"
)
_SHORT = lazy(r"sh(?:ow)? int(?:erface)?s?(?: [^|]{1,60})? desc(?:ription)?(?: [^|]{1,60})?", 2)
_SHORT_ROW = lazy(r"([A-Z][A-Za-z]{1,20}\d[\w/.]{0,20}) +(err-disable) .{0,80}")
_MTU = lazy(r"MTU (\S{1,12}) bytes, BW .{0,80}")
_PAUSED = lazy(r"output flow control is (on|off), input flow control is (on|off)")
_RUNS = lazy(r"Full-duplex, ([0-9]{1,9})Mb/s,.{0,80}")


def answers(document: Document) -> Iterator[Shown]:
    """(port as written, line, statement) of what an answer tells of ports; nothing for the answers of other commands."""
    command = document.command or ""
    if _CONTROLLER.fullmatch(command):
        yield from _pfc(document)
        yield from _controllers(document)
    elif _INTERFACES.fullmatch(command):
        yield from _interfaces(document)
    elif _BUNDLE.fullmatch(command):
        for bundle, line, number in below(document, _BUNDLE_NAME):
            member = _MEMBER.fullmatch(line)
            if member is not None and member[2] != _SPARE and not doubt(line):
                yield member[1], number, f"{OUT_OF_CHANNEL}is not used by Bundle-Ether{bundle[1]} ({member[2]})"
    elif _SHORT.fullmatch(command):
        for row, number, odd in rows(document, _SHORT_ROW):
            yield row[1], number, f"{without_link(row[2])}{odd}"


def _pfc(document: Document) -> Iterator[Shown]:
    """One statement for the table of a port; a row that cannot be read makes all of it unknown."""
    rows: dict[str, tuple[int, list[str], str]] = {}
    over = ""
    for head, line, number in below(document, OF_PORT):
        port = head[1]
        if line.startswith(_BEHIND):
            over = port
        elif _HEADING.fullmatch(line):
            over = ""
        if _UNWATCHED.fullmatch(line):
            yield port, number, f"watchdog off{doubt(line)}"
        if port == over or not line[:1].isdecimal():
            continue
        row = ROW.fullmatch(line)
        at, running, odd = rows.get(port, (number, [], ""))
        if row is None or doubt(line):
            rows[port] = (at if odd else number), running, ODD
            continue
        is_first = row[2] == "on" and not running and not odd
        rows[port] = (number if is_first else at), running + ([row[1]] if row[2] == "on" else []), odd
    for port, (at, running, odd) in rows.items():
        yield port, at, f"pfc {'on ' + ','.join(running) if running else 'off'}{odd}"


def _controllers(document: Document) -> Iterator[Shown]:
    """The speed of a port that is up; the state stands before it."""
    down = ""
    for head, line, number in below(document, OF_DATA):
        state, speed = _STATE.fullmatch(line), _BPS.fullmatch(line)
        if state is not None:
            down = "" if state[1].startswith("Up") else head[1]
            if down:
                yield down, number, without_link(state[1])
        elif speed is not None and down != head[1]:
            yield head[1], number, f"connected {int(speed[1]) * (1_000 if speed[2] == 'G' else 1)}{doubt(line)}"


def _interfaces(document: Document) -> Iterator[Shown]:
    port, is_up = "", False
    for number, raw in document.numbered():
        line = raw.strip()
        head, mtu, runs = (pattern.fullmatch(line) for pattern in (_HEAD, _MTU, _RUNS))
        if head is not None:
            port, is_up = head[1], head[2] == "up"
            if not is_up:
                yield port, number, without_link(head[2])
        elif port and mtu is not None:
            yield port, number, f"mtu {mtu[1]}{doubt(line)}"
        elif port and is_up and (paused := _PAUSED.fullmatch(line)) is not None:
            ways = zip(("transmit", "receive"), paused.groups(), strict=True)
            yield from ((port, number, f"flowcontrol {way} on{doubt(raw)}") for way, state in ways if state == "on")
        elif port and is_up and runs is not None:
            yield port, number, f"connected {runs[1]}{doubt(line)}"
