"""What `show class-of-service forwarding-class`, `congestion-notification`, `classifier` and `shared-buffer` show in force.

Juniper CLI Reference, the pages of these commands; where the rows of a profile have six bits, they are DSCPs (source: unverified).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import field
from typing import NamedTuple

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.document import Document
from roce_audit.values import Place

_COMMAND = lazy(
    r"show class-of-service (forwarding-class|congestion-notification|classifier|shared-buffer)(?: [^|]{1,80}?)?(?: ?\| ?no-more)?"
)
_CLASSES = lazy(r"\s{0,8}Forwarding class\s{1,60}ID\s{1,20}Queue\s.{0,80}No-Loss\b.{0,40}", re.I)
_CLASS = lazy(
    r"\s{0,8}(\S{1,64})\s{1,60}\d{1,3}\s{1,40}(\d{1,2})\s{1,40}(?:(?:normal|premium|low|high|-)\s{1,40}){0,3}(Enabled|Disabled)"
    r"(?:\s{1,40}([0-7]|-))?\s{0,40}",
    re.I,
)
_HEAD = lazy(r"\s{0,8}(?:Name|Type): [^\n]{1,120}")
_NAME = lazy(r"\bName: ([^\s,]{1,64})")
_WAY = lazy(r"\bType: (Input|Output)\b")
_PAUSED = lazy(r"\s{0,16}([01]{6}|[01]{3})\s{1,40}(Enabled|Disabled)(?:\s{1,40}\d{2,5})?\s{0,40}")
_STOPPED = lazy(r"\s{0,16}([01]{3}(?!\S))?\s{0,40}(\d{1,2})?\s{0,40}")
_CLASSIFIER = lazy(r"\s{0,8}Classifier: ([^\s,]{1,64}), Code point type: (\S{1,20}?),.{0,60}")
_MARK = lazy(r"\s{0,8}([01]{6})\s{1,40}(\S{1,64})\s{1,60}(?:low|medium-low|medium-high|high)\s{0,40}")

_SIDE = lazy(r"\s{0,4}(Ingress|Egress): ?")
_HEADROOM = lazy(r"\s{1,12}Lossless Headroom\s{1,20}: {0,20}([0-9]{1,9}(?:\.[0-9]{1,4})?) KB\s{0,8}")
_USE = lazy(r"\s{0,8}(\S.{0,40}) Utilization:\s{0,8}")
_USED = lazy(r"\s{0,8}(\d{1,3})((?:\s{1,30}[0-9]{1,9}(?:\.[0-9]{1,4})? KB){3})\s{0,8}")


class ShownClass(NamedTuple):
    """A forwarding class in force; `priority` is that of its pause, "" where none is shown."""

    queue: str
    lossless: bool
    priority: str
    place: Place

    def __str__(self) -> str:
        pause = f", priority {self.priority}" if self.priority and self.lossless else ""
        return f"queue {self.queue}, {'no-loss' if self.lossless else 'lossy'}{pause}"


def _tables() -> defaultdict[str, dict]:  # type: ignore[type-arg]
    return defaultdict(dict)


@dataclass
class ShownObjects:
    """What answers showed, by the names of the objects."""

    classes: dict[str, ShownClass] = field(default_factory=dict)
    paused: dict[str, dict[str, tuple[bool, Place]]] = field(default_factory=_tables)
    """Profile -> code point -> whether its packets are paused."""
    stopped: dict[str, dict[tuple[int, int], Place]] = field(default_factory=_tables)
    """Profile -> (priority, queue) where the pause of the one stops the other."""
    led: dict[str, dict[int, tuple[str, Place]]] = field(default_factory=_tables)
    """Classifier -> DSCP -> class."""
    headroom: tuple[float, Place] | None = None
    """The lossless headroom of the switch, KB."""
    used_up: list[tuple[str, Place]] = field(default_factory=list)
    """Where all of it is in use, as a clause."""
    unread: list[str] = field(default_factory=list)
    """Paths of answers of these commands in which nothing was found."""

    def take(self, document: Document) -> None:
        """Take in the answer of one of the commands; nothing of another one."""
        command = _COMMAND.fullmatch(document.command or "")
        if command is None or not document.text.strip():
            return
        takes = {
            "forwarding-class": self._classes,
            "congestion-notification": self._profiles,
            "classifier": self._led,
            "shared-buffer": self._buffers,
        }
        if not takes[command[1]](document):
            self.unread.append(document.path)

    def _classes(self, document: Document) -> bool:
        found = below = False
        for place, text in _lines(document):
            row = _CLASS.fullmatch(text) if below else None
            below = below or _CLASSES.fullmatch(text) is not None
            if row is not None:
                found = True
                priority = row[4] if row[4] and row[4].isdecimal() else ""
                self.classes.setdefault(row[1], ShownClass(row[2], row[3].lower() == "enabled", priority, place))
        return found

    def _profiles(self, document: Document) -> bool:
        found, name, way, priority = False, "", "", ""
        for place, text in _lines(document):
            if _HEAD.fullmatch(text):
                called, goes = _NAME.search(text), _WAY.search(text)
                name, way = called[1] if called else name, goes[1] if goes else way
                priority = ""
                continue
            paused = _PAUSED.fullmatch(text) if name and way == "Input" else None
            stops = _STOPPED.fullmatch(text) if name and way == "Output" else None
            if paused is not None:
                found = True
                self.paused[name].setdefault(paused[1], (paused[2] == "Enabled", place))
            elif stops is not None:
                priority = stops[1] or priority
                if stops[2] and priority:
                    self.stopped[name].setdefault((int(priority, 2), int(stops[2])), place)
        return found

    def _led(self, document: Document) -> bool:
        found, name = False, ""
        for place, text in _lines(document):
            head, row = _CLASSIFIER.fullmatch(text), _MARK.fullmatch(text)
            if head is not None:
                found = True  # classifiers of tags are none of ours
                name = head[1] if head[2] == "dscp" else ""
            elif row is not None and name:
                self.led[name].setdefault(int(row[1], 2), (row[2], place))
        return found

    def _buffers(self, document: Document) -> bool:
        """The headroom is one of the ingress; of what is used, the rows below its own heading."""
        found, side, use = False, "", ""
        for place, text in _lines(document):
            of_side, headroom, heading, used = (one.fullmatch(text) for one in (_SIDE, _HEADROOM, _USE, _USED))
            if of_side is not None:
                side, use = of_side[1], ""
            elif headroom is not None and side == "Ingress":
                found = True
                self.headroom = self.headroom or (float(headroom[1]), place)
            elif heading is not None:
                use = heading[1]
            elif used is not None and side == "Ingress" and use == "Lossless Headroom":
                total, taken, _ = map(float, used[2].replace(" KB", "").split())
                if total > 0 and taken >= total:
                    self.used_up.append((f"of {total:g} KB of lossless headroom, all is in use", place))
        return found


def _lines(document: Document) -> Iterator[tuple[Place, str]]:
    for line, text in document.numbered():
        yield Place(document.path, line), text
