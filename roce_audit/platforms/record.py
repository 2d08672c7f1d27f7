"""What the rest of the program may ask of a platform. Adding a platform edits no file outside its folder.

Each package `roce_audit.platforms.<name>` holds an object PLATFORM of this class. What stands in it costs nothing to import;
what a platform does is in its `Parts`, which are imported when the first of its texts is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Literal

from roce_audit.platforms.signature import CERTAIN, Signature, compiled, forms_of, score
from roce_audit.records import dataclass
from roce_audit.text.document import POLLED, DeviceInput, Document, State
from roce_audit.text.structured.positions import Path

if TYPE_CHECKING:
    from roce_audit.model.counts import Count, Gauge
    from roce_audit.platforms.base import DeviceReading, Neighbour, RouteEntry
    from roce_audit.platforms.common import Common
    from roce_audit.platforms.repair import Repairs
    from roce_audit.platforms.shared.host.parts import HostParts
    from roce_audit.platforms.statement_docs import Documentation
    from roce_audit.platforms.taskmodules import Arguments

Modelled = tuple[Path, int, str]
"""(variable and the way below it, lines below that, statement with its indentation): what somebody's data model says of a switch."""
Access = Literal["cli", "shell", "probe"]
"""A switch's own command line (netmiko), single commands of a Linux shell, or one script for a whole host."""
PROMPT = r"(?!.*\(config)[^\s#>$%\[\]].{0,120}[#>$%\]]"
"""Of most systems: `leaf1#`, `<leaf1>`, `leaf1 [standalone: master] #`. A bracket at the beginning is a configuration mode's."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Live:
    """How a device is read over SSH. Patterns are matched whole."""

    access: Access
    device_type: str = ""
    """netmiko's name, where that is the command line."""
    reads: str = "show"
    """Pattern of the first words of commands that only read: no other is ever sent."""
    configuration: str = ""
    """The command among the platform's that shows the configuration."""
    end: str = ""
    """The last line of a configuration, where each ends with the same."""
    prompt: str = PROMPT
    """Pattern of the prompts at which the device may be asked: those of a configuration mode are none."""
    above_prompt: str = ""
    """Pattern of a line that stands between an answer and the prompt."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NicSetups:
    """By what the NICs of a host are set up: where its tools, scripts and files are looked for. Extended regular expressions."""

    folders: tuple[str, ...] = ()
    """Folders of tools that may be in nobody's PATH."""
    slow_programs: str = ""
    """Programs that ask the firmware, or open every device: a host is asked them last."""
    scripts: tuple[str, ...] = ()
    """Names of tools that are scripts themselves, with `*` for the rest: they call nothing that a site wrote."""
    tools: str = ""
    """What a script that sets NICs up calls or writes to."""
    calls: str = ""
    """The same, as it stands in a file that may be anything: only what hardly ever means something else."""
    call_words: tuple[str, ...] = ()
    """One of these stands in every such call: looked for first, for most texts hold none and words are found quickly."""
    calls_beside: str = ""
    """Calls that are about the NICs of RoCE where such a one stands in the same file."""
    trees: tuple[str, ...] = ()
    """Folders below /sys that are its driver's own: a listing of one is recognised by it."""
    kernel_modules: tuple[str, ...] = ()
    """Kernel modules whose options matter."""
    rdma_modules: tuple[str, ...] = ()
    """Kernel modules without which its NICs carry no RDMA."""
    files: tuple[str, ...] = ()
    """Files by which NICs are set up at boot, beside those of the network itself."""
    begins: str = ""
    """Pattern of how such a file of a family begins, behind its comments, where it lies in a repository without its path."""


@dataclass(frozen=True, slots=True, eq=False)
class LabPorts:
    """What the ports `eth1`, `eth2` ... that containerlab gives a node are called on the device (docs/manual/kinds of containerlab)."""

    names: tuple[str, ...]
    """With `{}` for the number; the device has ports of one of these names."""
    first: int = 1
    """The number of `eth1`."""
    step: int = 1

    def of(self, number: int) -> Iterator[str]:
        """What `eth` and a number may be."""
        for name in self.names:
            yield name.format(self.first + (number - 1) * self.step)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FullPaths:
    """Lines of a configuration mode that say everything by themselves, where the prompt alone does not name the mode."""

    above: str = ""
    """Pattern of the line above the prompt in that mode; empty where `below` says enough."""
    commands: str
    """Pattern of how such a line begins."""
    below: str = ""
    """Pattern of a line that says below which path the lines behind it stand; its group is the path."""
    relative: str = ""
    """Pattern of what stands before the path in a line that is said below one."""
    shown: str = ""
    """What shows the configuration elsewhere as `show` and a path do it there."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Parts:
    """What a platform does."""

    read: Callable[[DeviceInput], DeviceReading]
    """Reads all documents of one device. Never raises on hostile text: what is not understood is in `seen`."""
    hostname: Callable[[Document], str | None]
    """The name that a document gives its device."""
    documentation: Callable[[], Documentation]
    """Its statements with the model paths that they touch, and its documented defaults."""
    repairs: Callable[[], Repairs] | None = None
    """How it writes changes; None where it does not say."""
    counters: Callable[[DeviceInput], Iterable[Count]] | None = None
    """The counters in the answers of a device."""
    gauges: Callable[[DeviceInput], Iterable[Gauge]] | None = None
    """Levels in the answers of a device that tell something by themselves."""
    neighbours: Callable[[Document], Iterable[Neighbour]] | None = None
    """The LLDP neighbours of a switch in the answer of a command; nothing for other documents."""
    common: tuple[Common, ...] = ()
    """How lines are written in which switches must agree with others."""
    routes: Callable[[Document], Iterable[RouteEntry]] | None = None
    """The routes in the answer of a command; nothing for other documents."""
    is_source_of_another: Callable[[Document], bool] | None = None
    """Whether another file of the device is rendered from this one: where both are given, the other counts."""
    is_of_no_device: Callable[[Document], bool] | None = None
    """Whether a document is the setup of any device, and no device's own."""
    is_answer: Callable[[Document], bool] | None = None
    """Whether a document that is called after no command is an answer all the same: a dump of what runs."""
    changes_another: Callable[[Document], bool] | None = None
    """Whether a document lists commands that change what the configuration of a device says: `read` takes it with that
    configuration, in force behind it."""
    host: HostParts | None = None
    """What it adds to the reading of hosts."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Platform:
    """One platform: a network operating system, an operating system of hosts, or a family of NICs."""

    name: str
    kind: Literal["switch", "host"]
    load: Callable[[], Parts]
    """Imports what the platform does."""
    signature: Signature
    is_nic_family: bool = False
    """Only the tools of one vendor's NICs: whole hosts are read by the platform of their system."""
    comment: str = ""
    """How a comment starts in this syntax; empty where the syntax has none."""
    commands: tuple[str, ...]
    """Read-only commands that `collect` runs, and the script of `host-probe` on hosts."""
    other_forms: str = ""
    """Pattern of commands that nobody runs for us, and whose answers are read: of another form (`| json`), or of a tool beneath."""
    tells_ports: str = ""
    """Pattern of commands whose answers tell something of the ports that they name; one of which nothing was read is in another form."""
    needs: Mapping[str, str]
    """Model path pattern (`queues.*.ecn`, longest wins) -> the command or input that would show it; with "not read" in it, or
    "nothing" at its beginning, where nobody who reads the report can supply it."""
    follows_scripts: bool = False
    """Its reader follows the loops, lists and functions of a script, and says what it cannot follow; of others only plain lists of
    commands are read."""
    live: Live | None = None
    """None where a device cannot be read over SSH."""
    aliases: tuple[str, ...] = ()
    """What inventories of other programs call it; punctuation and case do not count."""
    task_names: tuple[str, ...] = ()
    """How the modules of Ansible collections for it begin, before `_config` and the like; with dots the whole name of one."""
    modules: Callable[[], Mapping[str, Arguments]] | None = None
    """What its modules write; None where `*_config` is all that is known of them."""
    data_model: Callable[[str, Mapping[str, Any]], list[Modelled]] | None = None
    """What the variables of a host (its name, and they) come to, where a collection for it has a model of whole networks as its input."""
    takes_playbooks: bool = False
    """Its reader takes a playbook as it stands, and works out the runs of its modules itself."""
    port_name: str = ""
    """What a port is called, with `{}` for its number: in the place of those that the loop of a template goes through."""
    lab_ports: LabPorts | None = None
    """None where containerlab's names differ from the device's in no number."""
    factory_names: tuple[str, ...] = ()
    """Host names that say nothing about which device it is."""
    naming: tuple[str, ...] = ()
    """What stands before the name in a line by which a configuration names its device."""
    siblings: str = ""
    """Pattern of files that describe one device together where several stand in one folder."""
    looks: Mapping[str, str] = field(default_factory=dict)
    """Pattern of keys that an answer in JSON has -> its command, for answers of which nothing says what was asked."""
    kept: Mapping[str, str] = field(default_factory=dict)
    """Pattern of a file's name, of those in `siblings` -> the command whose answer the system itself keeps under that name, for support."""
    inside: str = ""
    """Pattern of folders of a device's own file system that may be kept below its folder."""
    merged: str = ""
    """Pattern of those of them whose files are one to the device: a later one replaces what an earlier one sets."""
    kinds_of_file: tuple[str, ...] = ()
    """File names, without extension, that name a kind of file and not a device."""
    programs: tuple[str, ...] = ()
    """First words of commands after which people name the files that hold the answers."""
    bare_programs: tuple[str, ...] = ()
    """Those of them that are such a name alone."""
    underscored: str = ""
    """Pattern of words in commands that have underscores of their own, where a file name has them for blanks."""
    full_paths: FullPaths | None = None
    states: Mapping[str, State] = field(default_factory=dict)
    """Pattern of a command, a path or the first lines of a text -> the state of the configuration in it."""
    unread_forms: Mapping[str, str] = field(default_factory=dict)
    """Pattern of a form of its configuration that is not read -> what to say to whoever gives it."""
    nics: NicSetups = field(default_factory=lambda: NicSetups())

    def recognise(self, document: Document) -> int:
        """How surely a document is this platform's: 0 no, 100 certain."""
        return score(forms_of(self.signature, document.command or ""), document)

    def recognise_command(self, command: str | None) -> int | None:
        """The same of any answer of a command, whatever its text; None where the text counts."""
        forms = forms_of(self.signature, command or "")
        return max((form.most_weight for form in forms), default=0) if all(form.is_any for form in forms) else None

    def is_certain(self, document: Document) -> bool:
        """Whether a document is certainly this platform's."""
        forms = forms_of(self.signature, document.command or "")
        return score([form for form in forms if form.may_be_certain], document) >= CERTAIN

    def may_be_certain(self, command: str | None) -> bool:
        """Whether some answer of this command, or file of none, is certainly this platform's."""
        return any(form.may_be_certain for form in forms_of(self.signature, command or ""))

    def reads_form(self, command: str) -> bool:
        """Whether the answer of a command that names its form (`| json`) is read."""
        return command in self.commands or (
            bool(self.other_forms) and compiled(self.other_forms).fullmatch(command) is not None
        )

    def must_tell(self, command: str | None) -> bool:
        """Whether an answer of this command tells something of each port."""
        return bool(self.tells_ports) and compiled(self.tells_ports).match(command or "") is not None

    def may_print(self, command: str | None) -> bool:
        """Whether an answer of this command, or a file of none, may be this platform's."""
        return bool(forms_of(self.signature, command or ""))

    def hostname(self, document: Document) -> str | None:
        """The name that a document gives its device."""
        return self.load().hostname(document)

    def read(self, device: DeviceInput) -> DeviceReading:
        """Read all documents of one device, what its ports hear, and its routes."""
        parts = self.load()
        reading = parts.read(device)
        if parts.neighbours is not None:
            heard = [one for document in device.documents for one in parts.neighbours(document)]
            reading = replace(reading, neighbours=(*heard, *reading.neighbours)) if heard else reading
        if parts.routes is not None:
            routes = tuple(one for document in device.documents for one in parts.routes(document))
            reading = replace(reading, routes=routes) if routes else reading
        if parts.common:
            from roce_audit.platforms.common import asked_of, common_values

            common = common_values(device.documents, asked_of(reading, parts.common))
            reading = replace(reading, common=common) if common else reading
        if parts.gauges is not None and (gauges := tuple(parts.gauges(device))):
            from roce_audit.platforms.gauges import out_of_bounds

            reading = replace(reading, seen=(*reading.seen, *out_of_bounds(gauges, reading)))
        else:
            gauges = ()
        if self.kind == "switch" and any(document.command == POLLED for document in device.documents):
            reading = _as_polled(device.documents, reading)
        files = {document.path for document in device.documents}
        whole = [
            document.path for document in device.documents if not document.lines
        ]  # the others are made by a playbook
        has_answers = len(set(whole)) < len(whole) or any(document.command for document in device.documents)
        if self.kind == "switch" and (has_answers or len(files) > 1):
            from roce_audit.platforms.countedonce import counted_once
            from roce_audit.platforms.counting import running_for
            from roce_audit.platforms.unreadanswers import unread_answers

            counts = tuple(parts.counters(device)) if parts.counters is not None else ()
            told = tuple(counted_once(counts, reading, running_for(device)))
            reading = replace(reading, seen=(*reading.seen, *told)) if told else reading
            read = {(place.path, place.line) for place in (*(c.place for c in counts), *(g.place for g in gauges))}
            aside = tuple(unread_answers(self, device, reading, read)) if has_answers else ()
            reading = replace(reading, unrecognised=(*reading.unrecognised, *aside)) if aside else reading
        elif self.kind == "host" and parts.counters is not None:
            from roce_audit.platforms.countedonce import counted_once, of_host
            from roce_audit.platforms.counting import running_for

            told = tuple(counted_once(of_host(device, reading, parts.counters), reading, running_for(device)))
            reading = replace(reading, seen=(*reading.seen, *told)) if told else reading
        return reading


def _as_polled(documents: Sequence[Document], reading: DeviceReading) -> DeviceReading:
    """A reading with what programs polled of the ports."""
    from roce_audit.platforms.shared.polled import NO_PORT, held_against, polled

    those = polled(documents)
    held, used = held_against(those, reading.ports)
    aside = tuple((path, NO_PORT) for path in sorted({one.path for one in those} - used))
    return replace(
        reading,
        ports=tuple(port for port, _ in held),
        seen=(*reading.seen, *(one for _, told in held for one in told)),
        unrecognised=(*reading.unrecognised, *aside),
    )
