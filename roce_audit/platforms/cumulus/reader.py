"""One switch: its documents become lines, its lines ports and blocks, and these are read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from roce_audit.platforms.base import DeviceReading, Seen, seen
from roce_audit.platforms.cumulus import nvue, oldforms, state
from roce_audit.platforms.cumulus.comments import addressed
from roce_audit.platforms.cumulus.conffiles import Settings
from roce_audit.platforms.cumulus.datastore import Datastore
from roce_audit.platforms.cumulus.defaults import ALWAYS, LINK_FAMILIES, QOS_FAMILIES
from roce_audit.platforms.cumulus.device import device_facts
from roce_audit.platforms.cumulus.filters import NAMED, REMARKS
from roce_audit.platforms.cumulus.forms import Form, form_of
from roce_audit.platforms.cumulus.links import links_of
from roce_audit.platforms.cumulus.nvue import Tree
from roce_audit.platforms.cumulus.statements import Line
from roce_audit.platforms.cumulus.unpaused import never_applied, taken_back, unpaused, unwatched
from roce_audit.text.comments import Comment
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.fill import EVERYTHING
from roce_audit.text.structured.positions import PlacedError
from roce_audit.text.whole import Extent, kinds_of_paths, why_whole
from roce_audit.values import Place

_KEPT_WHOLE = re.compile(r"(?:\A|/)etc/cumulus/datapath/(?:traffic|qos/qos_features)\.conf\Z")
_OWN_HEADER = re.compile(
    r"\A(?:[ \t]{0,20}#?[ \t]{0,20}\n){0,3}[ \t]{0,20}#[ \t]{0,20}/etc/cumulus/datapath/"
    r"(?:traffic|qos/qos_features)\.conf(?:[ \t(].{0,200})?$",
    re.M,
)
"""The first words of the file that the vendor installs: what was edited in it is the whole of it."""
_OWN_NAMES = ("qos_features.conf", "traffic.conf")
"""Such a file is put in the place of the one that the vendor installs: no part of it is kept under its name."""
_NO_SWITCH = "bluefield"
"""The model of a DPU, which has NVUE but not the defaults of a switch."""
_NVUE = (Form.TREE, Form.COMMANDS)
_OLDER = frozenset({Form.SETTINGS, Form.INTERFACES})
_FAMILIES = {Form.SETTINGS: QOS_FAMILIES, Form.INTERFACES: LINK_FAMILIES, Form.NET: LINK_FAMILIES}
"""What a whole file of an older form tells; the NVUE tree tells everything."""


def read(device: DeviceInput) -> DeviceReading:
    """Read all documents of one switch."""
    return _Reader(device).read()


class _Reader:
    """The documents of one switch."""

    def __init__(self, device: DeviceInput) -> None:
        self.device = device
        self.store = Datastore()
        self.complete: dict[str, str] = {}
        self.sets_up = False
        """Settings of an older form were given that set the class up: every name that they use is theirs."""
        self.families: set[str] = set()
        """Model families of which the documents hold all there is."""
        self.seen: list[Seen] = []
        self.comments: list[Comment] = []
        self.headers: list[tuple[str, Tree]] = []
        self.lines = 0

    def read(self) -> DeviceReading:
        """Everything of this switch."""
        forms = [(document, form_of(document)) for document in self.device.documents]
        in_force = [(document, form, self._lines(document, form)) for document, form in self._in_force(forms)]
        for document, form, found in in_force:
            self.lines += document.text.count("\n") + 1
            self.store.take(found)
            self.comments.extend(addressed(document))
            self.seen.extend(taken_back(found) if form is Form.COMMANDS else ())
        together = {form for _, form, _ in in_force} >= _OLDER
        for document, form, found in in_force:
            self._completeness(document, form, found, together)
        for document, form in forms:
            if form is Form.ANSWER:
                self.store.take(list(state.lines(document)))
                if device_facts(self.headers, self.store).roce_mode.value == "lossless":
                    self.store.take(list(state.mode_lines(document)))
                    self.store.take(list(state.of_every_port(document, list(self.store.ports))))
        held = list(links_of(self.device).held_against(self.store.read(ALWAYS | self.families)))
        ports = tuple([port for port, _ in held])
        self.seen.extend(one for _, told in held for one in told)
        every = tuple([port.name for port in ports])
        self.seen.extend(
            one for document, form in forms if form is Form.ANSWER for one in state.contradictions(document, every)
        )
        is_taken_back = any(one.observation.kind == "pfc-taken-back" for one in self.seen)
        without_pause = [] if is_taken_back else list(unpaused(self.store, ports))
        typed = [(document, found) for document, form, found in in_force if form is Form.COMMANDS]
        self.seen.extend(never_applied(typed, every))
        first = self.device.documents[0]
        return DeviceReading(
            name=self.device.name,
            platform="cumulus",
            kind="switch",
            device=device_facts(self.headers, self.store),
            device_parts=(),
            ports=ports,
            first=Place(first.path, first.first_line),
            seen=(*self.seen, *self._odd(without_pause), *without_pause, *unwatched(self.store, ports)),
            complete_because=self.complete,
            lines=self.lines,
            lines_relevant=self.store.relevant,
            inline_suppressions=tuple(self.comments),
        )

    def _odd(self, without_pause: Sequence[Seen]) -> Iterator[Seen]:
        """What is odd in the settings, but for a profile of which it is told already that for want of it no port pauses."""
        told = {found.observation.name for found in without_pause}
        for found in self.store.observations(bool(self.complete) or self.sets_up):
            if found.observation.kind != "unapplied" or found.observation.name not in told:
                yield found

    def _in_force(self, forms: list[tuple[Document, Form]]) -> list[tuple[Document, Form]]:
        """The documents that say how the switch is configured: NVUE writes the older files itself, and what runs is asked
        before what is saved."""
        given = [pair for pair in forms if pair[1] not in (Form.ANSWER, Form.OTHER)]
        trees = [pair for pair in given if pair[1] in _NVUE]
        if any(document.state in (None, "running") for document, _ in trees):
            trees = [pair for pair in trees if pair[0].state in (None, "running")]
        return trees or given

    def _lines(self, document: Document, form: Form) -> list[Line]:
        if form is Form.COMMANDS:
            return list(nvue.command_lines(document))
        if form is Form.SETTINGS:
            settings = Settings(document)
            self.store.groups.extend(settings.in_force())
            self.store.left_out.extend(settings.left_out())
            return list(settings.lines())
        if form is Form.INTERFACES:
            return list(oldforms.ifupdown_lines(document))
        if form is Form.NET:
            return list(oldforms.net_lines(document))
        try:
            tree = nvue.tree_of(document)
        except PlacedError as error:
            place = Place(document.path, error.line)
            self.seen.append(seen("unreadable", document.path, f"this text cannot be read: {error}", place, "", ()))
            return []
        self.headers.append((document.path, tree))
        in_full = NAMED in document.text or ("acl" in document.text and REMARKS.search(document.text) is not None)
        return list(nvue.tree_lines(document, tree, lists_in_full=in_full))

    def _completeness(self, document: Document, form: Form, found: list[Line], together: bool) -> None:
        if self._is_cut_off(document, form) or not found:
            return
        self.sets_up |= form is Form.SETTINGS and _is_setup(found)
        because = why_whole(
            document, self._proof(document, form, found), lambda: self._extent(document, form, found, together)
        )
        if because:
            self.complete[document.path] = because
            self.families |= _FAMILIES.get(form, {EVERYTHING})

    def _proof(self, document: Document, form: Form, found: list[Line]) -> str:
        command = document.command or ""
        if command.startswith("nv config show"):
            return "the whole answer of nv config show"
        if form in _FAMILIES and command.startswith("cat /"):
            return "the whole file"
        if form is Form.SETTINGS and _KEPT_WHOLE.search(document.path) and _is_setup(found):
            return "the whole file, kept at its own path"
        header = next((nvue.header_of(tree)[0] for path, tree in self.headers if path == document.path), {})
        if form is Form.TREE and header and header.get("model") != _NO_SWITCH:
            return "a whole datastore: header and set"
        return ""

    def _is_cut_off(self, document: Document, form: Form) -> bool:
        """A tree in YAML has no end mark, but none ends with a key that holds nothing."""
        lines = document.text.rstrip().rsplit("\n", 1)
        if form is not Form.TREE or not lines[-1].endswith(":"):
            return False
        place = Place(document.path, document.first_line + document.text.rstrip().count("\n"))
        text = "the text ends with a key that holds nothing: it is cut off, and what is not in it may have been there"
        self.seen.append(seen("truncated", document.path, text, place, lines[-1].strip(), ()))
        return True

    def _extent(self, document: Document, form: Form, found: list[Line], together: bool) -> Extent | None:
        """The older files never name their host: their own name or header, or that settings and ports of one switch stand `together`."""
        if form in _NVUE:
            named = any(line.words[:2] == ("system", "hostname") for line in found)
        else:
            sets_up = form is Form.SETTINGS and _is_setup(found)
            named = (together and form is Form.INTERFACES) or (
                sets_up
                and (together or document.path.endswith(_OWN_NAMES) or _OWN_HEADER.match(document.text) is not None)
            )
        if not named:
            return None
        front = sum(port.name.startswith("swp") for port in self.store.ports.values())
        return Extent(front, lambda: kinds_of_paths(self._paths(document, form)))

    def _paths(self, document: Document, form: Form) -> Iterator[Sequence[str]]:
        """The first words of all that NVUE is told, also of what is not read."""
        if form is Form.COMMANDS:
            yield from nvue.paths_set(document.text)
        for path, tree in self.headers if form is Form.TREE else ():
            if path == document.path:
                yield from nvue.paths_of(tree)


def _is_setup(found: list[Line]) -> bool:
    """Settings that say what ports trust, or where packets go by their marks, and where PFC runs."""
    return all(any(line.words[:2] == ("qos", family) for line in found) for family in ("mapping", "pfc"))
