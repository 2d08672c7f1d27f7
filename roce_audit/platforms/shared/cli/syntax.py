"""What a command-line platform tells the common reader about itself: its names, its stanzas, its answers."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field

from roce_audit.model import Device, Port
from roce_audit.patterns import lazy
from roce_audit.platforms.portreading import Labels
from roce_audit.platforms.shared.cli.programmed import Programmed
from roce_audit.platforms.shared.ramps import Ramp
from roce_audit.platforms.shared.references import Name
from roce_audit.platforms.shared.shown import Shown
from roce_audit.records import dataclass
from roce_audit.text.block import Part
from roce_audit.text.cutoff import cut_in_a_line
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.leftout import left_out_at
from roce_audit.text.memo import Memory
from roce_audit.text.names import expand
from roce_audit.text.outline import Outliner, Stanza
from roce_audit.text.statements.table import StatementTable
from roce_audit.text.whole import FEWEST_PORTS, Extent, kinds_at_margin, why_whole

_INTERFACE = lazy(r"^[ \t]*int(?:erface)?[ \t]+(?:range[ \t]+)?(\S[^\n]{0,200}?)[ \t]*$", re.M)
_NO_FRONT_PANEL = lazy(r"(?:vlan|lo|mgmt|management|ma\d|nve|null|tunnel|breakout|po\d|port-channel|vxlan)", re.I)
UNCLEAR = "unclear"
"""Kind of a part whose header names the port, perhaps: what its statements might set of a port is unknown."""


@dataclass(frozen=True, slots=True)
class PortContext:
    """What the reading of a port depends on besides its statements."""

    kind: str
    routed: bool | None
    complete: bool
    elsewhere: tuple[str, ...] = ()
    """Model paths whose settings stand in texts that are not at hand: no default holds there."""
    written_out: bool = False
    """The text holds what a macro of the device makes, so that its statement is no shorthand for it."""
    unmentioned: frozenset[str] = frozenset()
    """Kinds of definitions that no line of the texts mentions, not even one that was not understood."""


@dataclass(frozen=True, slots=True)
class Interfaces:
    """How a platform names interfaces: canonical prefix -> kind of port, and lower-case short forms -> canonical prefix."""

    kinds: Mapping[str, str]
    long_forms: Mapping[str, str]
    set_aside: tuple[str, ...] = ()
    """Beginnings of interface types that never carry data of ours, in lower case: a name of theirs is never questioned."""
    _kinds: Memory[str, str] = field(default_factory=Memory, repr=False, compare=False)
    _names: Memory[str, tuple[str, ...]] = field(default_factory=Memory, repr=False, compare=False)

    def kind(self, name: str) -> str:
        """The port kind of a canonical name."""
        found = self._kinds.get(name)
        if found is None:
            prefix = "".join(c for c in name if not (c.isdigit() or c in "/.:"))
            kind = self.kinds[prefix]
            found = "subinterface" if "." in name and kind in ("ethernet", "lag") else kind
            self._kinds.keep(name, found)
        return found

    def expand(self, text: str) -> tuple[str, ...]:
        """All interfaces that a stanza's header names; raises ValueError for what names none."""
        found = self._names.get(text)
        if found is None:
            found = self._names.keep(text, expand(text, self.long_forms))
        return found


def ends_before_ports(text: str) -> bool:
    """Whether a text names no front-panel port at all, in any spelling: a switch that shows itself has some."""
    return all(_NO_FRONT_PANEL.match(header[1]) for header in _INTERFACE.finditer(text))


def _last_word(mode: str, header: str) -> Sequence[str]:
    return (header.rsplit(" ", 1)[-1],)


@dataclass(frozen=True, slots=True)
class Syntax:
    """One command-line platform."""

    name: str
    table: StatementTable
    outliner: Outliner
    interfaces: Interfaces
    words: Mapping[str, str]
    """Stanza modes that define a name -> what the vendor calls such a thing. The port's mode is always "port"."""
    builtin: frozenset[Name]
    device_modes: frozenset[str]
    """Modes of nameless stanzas that hold for all ports."""
    named_by: Callable[[object, str], Sequence[Name]]
    """(parsed statement, mode) -> the names it refers to."""
    labels: Callable[[Sequence[str], str], Labels]
    """(label lines of a port, its kind) -> its labels."""
    lag_of: Callable[[object], str]
    """A parsed statement -> the name of the LAG it puts the port in, or ""."""
    complete_because: Callable[[Document], str]
    """What proves that a document is a whole running-config; "" where nothing does."""
    extent: Callable[[Document], Extent | None]
    """How much of its device a document shows that nothing proves to be whole; None where it names no host, or is a change."""
    read_port: Callable[[tuple[Part, ...], PortContext], Port]
    device_facts: Callable[[DeviceInput], Device]
    cut_off: Callable[[Document], str] = lambda document: ""
    """What shows that the end of a document is missing, as one clause; "" where nothing does."""
    used_elsewhere: frozenset[str] = frozenset({"acl"})
    """Modes whose names have uses that are not read here: they are never called unapplied."""
    applied_once: Mapping[str, bool] = field(default_factory=dict)
    """Modes whose names one stanza applies for the whole device, and whether ports may apply one as well: a part that shows the stanza
    without any, and ports that apply other things, applies none.
    """
    classifying: frozenset[str] = frozenset()
    """Modes of policies and maps that lead packets into their class at ports."""
    matching: frozenset[str] = frozenset()
    """Modes of named stanzas that take nothing without a `match` line."""
    stanza_names: Callable[[str, str], Sequence[str]] = _last_word
    """(mode, header of a stanza) -> the names under which it is kept."""
    header_statement: Callable[[str, str], str] = lambda mode, header: ""
    """(mode, header of a named stanza) -> the statement that the header makes besides naming; "" for none."""
    applying_modes: frozenset[str] = frozenset()
    """Modes of named stanzas that apply what they name (to VLANs, say) whether or not a port leads there."""
    implied: Callable[[Sequence[str], Labels], Sequence[Name]] = lambda lines, labels: ()
    """(label lines of a port, its labels) -> names that bind themselves to it, by VLAN for instance."""
    handed_on: Callable[[Stanza], Sequence[str]] = lambda stanza: ()
    """A named stanza -> its label lines that hold for the ports that take its statements, as from a profile."""
    ramp_of: Callable[[object], Ramp | None] = lambda value: None
    """A parsed statement of a named stanza -> the two thresholds that it sets, None for any other."""
    answers: Callable[[Document], Iterable[Shown]] = lambda document: ()
    """The answer of another command -> (port as written, line, statement of mode "state") of what it tells of ports."""
    programmed: Callable[[Document, Sequence[Document]], Programmed | None] = lambda answer, documents: None
    """(the answer of a command, all documents) -> what it shows of device-wide settings that run; None where it is about none."""
    other_comment: Callable[[Document], str] = lambda document: ""
    """How a comment starts in a document that is written in another form than the platform's own; "" for its own."""
    breakout_parents: Callable[[str], Sequence[str]] = lambda header: ()
    """Header of a stanza of mode "breakout" -> the ports it splits."""

    def extent_of(self, text: str) -> Extent:
        """The front-panel ports that stanzas of a text name, one by one or as ranges, and what its margin holds besides."""
        found: set[str] = set()
        for header in _INTERFACE.finditer(text):
            with contextlib.suppress(ValueError):  # the name of something else
                found.update(n for n in self.interfaces.expand(header[1]) if self.interfaces.kind(n) == "ethernet")
            if len(found) >= FEWEST_PORTS:
                break
        return Extent(len(found), lambda: kinds_at_margin(text))

    def why_cut(self, document: Document) -> str:
        """What shows that a part of a document is missing, as one clause; "" where nothing does."""
        if left_out_at(document.text) >= 0:
            return "a part of this text is left out here"
        return self.cut_off(document) or cut_in_a_line(document)

    def why_whole(self, document: Document) -> str:
        """Why absence may be judged in a document; "" for a fragment, and for what is seen to be cut off."""
        if document.declared_complete is None and self.why_cut(document):
            return ""
        return why_whole(document, self.complete_because(document), lambda: self.extent(document))
