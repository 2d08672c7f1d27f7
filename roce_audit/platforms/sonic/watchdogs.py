"""The PFC watchdog as `show pfcwd config` tells it: for ports of which no row is at hand, and against the rows of PFC_WD.

The command lists the rows of the datastore that runs, so a row that is not listed is in a file alone, and no watchdog acts on
that port. sonic-utilities, pfcwd/main.py: the columns, and that a port without a row is left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.sonic.database import Row
from roce_audit.text.document import Document
from roce_audit.text.sentences import listed
from roce_audit.values import Place

STATISTICS = re.compile(r"show pfcwd stats?\b|pfcwd show stats\b")
_STATE = re.compile(r"\s{0,20}(Eth[\w./-]{1,60}):([0-7]) +(stormed|N/A)(?: .*)?\Z")
COMMAND = re.compile(r"show pfcwd config\Z|pfcwd show config\Z")
_HEAD = re.compile(r"\s*PORT +ACTION +DETECTION TIME +RESTORATION TIME(?: +HISTORY)?\s*\Z")
_ROW = re.compile(
    r"\s*(Eth\S{1,60})(?: +(drop|forward|alert) +([0-9]{1,6}|infinite) +([0-9]{1,6}|infinite)(?: +\w{1,20})?\s*\Z)?"
)
_ALL_AT_ONCE = "BIG_RED_SWITCH"
_THROWN = re.compile(rf"{_ALL_AT_ONCE} status is enable\b.{{0,40}}")
_MOST = 3
"""Names that a sentence holds."""
FIELDS = ("action", "detection_time", "restoration_time")


@dataclass
class Watchdogs:
    """The rows that were shown, and where the table begins; None where it was not."""

    head: Place | None = None
    rows: dict[str, tuple[tuple[str, ...], Place]] = field(default_factory=dict)
    """Port -> the fields of its row, none where the row was not understood."""
    all_at_once: Place | None = None
    """The line that says that the watchdog acts on all queues."""
    stuck: dict[str, tuple[list[str], Place]] = field(default_factory=dict)
    """Port -> queues that the statistics call stormed, and the first line that does."""
    stopped: dict[str, Place] = field(default_factory=dict)
    """Ports whose queues were watched and have no state any more, each with its last line."""

    def take(self, document: Document) -> None:
        """Take in an answer; one without its head says nothing."""
        for line, text in document.numbered():
            row = _ROW.match(text) if self.head is not None else None
            if _THROWN.fullmatch(text.strip()):
                self.all_at_once = Place(document.path, line)
            if _HEAD.match(text):
                self.head = Place(document.path, line)
            elif row is not None:
                self.rows[row[1]] = row.groups()[1:] if row[2] else (), Place(document.path, line)

    def take_statistics(self, document: Document) -> None:
        """Take in `show pfcwd stats`: `stormed` is a storm at this moment, N/A a watchdog that was stopped (sonic-utilities,
        pfcwd/main.py, STATUS).
        """
        self.stopped.clear()  # of several answers the last one counts
        for line, text in document.numbered():
            row = _STATE.match(text)
            if row is not None and row[3] == "N/A":
                self.stopped[row[1]] = Place(document.path, line)
            elif row is not None:
                self.stuck.setdefault(row[1], ([], Place(document.path, line)))[0].append(row[2])

    def storms(self, ports: Collection[str]) -> Iterator[Seen]:
        """Queues that are stuck at the time of the answer; `ports` are those of the configuration, none where there is none."""
        for port, (queues, place) in self.stuck.items():
            if port in ports or not ports:
                text = f"the watchdog holds queue {' and '.join(queues)} of {port} for stuck at this moment"
                yield seen("stuck", port, text, place, port, (port,))

    def ended(self) -> Iterator[Seen]:
        """Watchdogs that were stopped."""
        names = tuple(self.stopped)
        if names:
            text = f"show pfcwd stats has no state of the queues of {listed(names, _MOST)} any more: the PFC watchdog was stopped there"
            yield seen("conflict", names[0], text, self.stopped[names[0]], names[0], names)

    def thrown(self, rows: Iterable[Row], ports: Iterable[str]) -> Iterator[Seen]:
        """The switch by which the watchdog acts as in a storm on all queues that it watches (sonic-utilities, doc/Command-Reference.md)."""
        written = [row for row in rows if row.key == "GLOBAL" and row.fields.get(_ALL_AT_ONCE) == "enable"]
        place = written[-1].place(_ALL_AT_ONCE) if written else self.all_at_once
        if place is not None:
            text = f"{_ALL_AT_ONCE} is on: the watchdog treats all queues that it watches as stuck, whether or not there is a storm"
            yield seen("stuck", _ALL_AT_ONCE, text, place, _ALL_AT_ONCE, tuple(ports))

    def differing(self, given: Iterable[Row]) -> Iterator[Seen]:
        """Where what runs is not what rows say, at the line of the answer; ports of which the same is to be said are told together."""
        if self.head is None:
            return
        unlisted: list[Row] = []
        unlike: dict[tuple[str, str, str], list[tuple[Row, Place]]] = {}
        for row in given:
            written = tuple(str(row.fields.get(name, "")) for name in FIELDS)
            if row.key == "GLOBAL" or row.written or not written[1]:
                continue
            if row.key not in self.rows:
                unlisted.append(row)
                continue
            shown, place = self.rows[row.key]
            for name, has, runs in zip(FIELDS, written, shown, strict=False):
                if has and runs != has:
                    unlike.setdefault((name, has, runs), []).append((row, place))
        if unlisted:
            names = tuple(row.key for row in unlisted)
            rest = "a row for {}, and show pfcwd config does not list it: no watchdog runs on that port"
            if len(names) > 1:
                rest = "rows for {}, and show pfcwd config does not list them: no watchdog runs on these ports"
            text = "PFC_WD has " + rest.format(listed(names, _MOST))
            yield seen("conflict", names[0], text, self.head, "PFC_WD", names, unlisted[0].place())
        for (name, has, runs), its in unlike.items():
            names, (row, place) = tuple(row.key for row, _ in its), its[0]
            text = f"{name} of the PFC watchdog of {listed(names, _MOST)} is {has} in PFC_WD, and {runs} in show pfcwd config"
            yield seen("conflict", names[0], text, place, name, names, row.place(name))


def blind(counters: Iterable[Row], watched: Iterable[Row]) -> Iterator[Seen]:
    """Watchdogs whose counters are not polled, so that they see no storm (sonic-utilities, pfcwd/main.py, counter_poll)."""
    ports = tuple(row.key for row in watched if row.key != "GLOBAL" and row.fields.get("detection_time"))
    for row in counters if ports else ():
        if row.key == "PFCWD" and row.fields.get("FLEX_COUNTER_STATUS") == "disable":
            text = "polling of the watchdog's counters (PFCWD) is off: no watchdog of PFC_WD notices a storm"
            yield seen("conflict", "PFCWD", text, row.place("FLEX_COUNTER_STATUS"), "FLEX_COUNTER_STATUS", ports)
