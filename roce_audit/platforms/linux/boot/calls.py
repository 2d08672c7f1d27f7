"""Calls of NIC tools in boot files: whom they are for, what they set, and which of them counts in the end."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from itertools import islice
from typing import Literal

from roce_audit.platforms.shared.host.answers import Answer
from roce_audit.platforms.shared.host.boot import FLUSHED, MISSPELT, REJECTED, SLIPS, KernelFile, Program, misspelt
from roce_audit.platforms.shared.host.collector import Collector, Subject, full_address
from roce_audit.platforms.shared.host.tools import family_files, kernel_files, programs
from roce_audit.platforms.shared.shell.blocks import Way
from roce_audit.platforms.shared.shell.commands import calls
from roce_audit.text.statements.misspelling import meant

_WRITTEN = r"(?P<value>[^\s\"'>|]{1,40})[\"']?\s*(?:>|\|\s*(?:sudo\s+)?tee(?:\s+-a)?)\s*[\"']?"
"""A value that goes into the file whose path follows."""
_FILE = re.compile(
    rf"(?P<word>[a-z]{{3,6}})\s+(?:-n\s+)?[\"']?(?:Global\s+tclass=)?{_WRITTEN}"
    r"/sys/(?:class/infiniband|kernel/config/rdma_cm)/(?P<rdma>[^/\s]{1,80})/(?P<folder>tc|ports)/\d+/(?P<file>\w{1,40})"
    r"(?P<tail>[^\s\"';&|)]{0,40})"
)
_NOWHERE = re.compile(
    rf"echo\s+(?:-n\s+)?[\"']?{_WRITTEN}/sys/class/infiniband/(?P<rdma>[^/\s]{{1,80}})/(?:(?:cma_)?roce_tos|default_roce_tos|traffic_class|tos)"
    r"(?=[\s\"';&|)]|$)"
)
"""The ToS byte written to a file that no RDMA device has: it is `tc/1/traffic_class`, or below configfs."""
_ONLY_SAID = re.compile(
    r"\becho\s+(?P<quote>[\"'])(?P<value>\d{1,3})\s*>\s*(?P<path>/sys/(?:class/(?:infiniband|net)|kernel/config/rdma_cm)/[^\s\"']{1,200})(?P=quote)"
    r"\s*(?=$|[;&|])"
)
"""The arrow within the quotes: the line is printed, and nothing is written."""
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]{1,8}")
_MODE = re.compile(
    r"\becho\s+(?:-n\s+)?[\"']?(?P<value>[A-Za-z/]{2,10}(?: [A-Za-z0-9.]{1,6})?)[\"']?\s*(?:>|\|\s*(?:sudo\s+)?tee(?:\s+-a)?)\s*[\"']?"
    r"/sys/kernel/config/rdma_cm/(?P<rdma>[^/\s]{1,80})/(?:ports/\d+/)?default_roce_mode(?!\w)"
)
"""The version that rdma_cm takes, which the kernel calls by two words."""
_ADDED = re.compile(
    r"\becho\s+(?:-[neE]{1,3}\s+)?(?P<quote>[\"'])(?P<text>[^\"'\n]{1,300})(?P=quote)\s*(?:>{1,2}|\|\s*(?:sudo\s+)?tee(?:\s+-a)?\s)\s*[\"']?"
    r"(?P<path>/etc/[\w./@-]{1,200})"
)
"""A line that goes into a file of the system's own settings."""
_PATH = re.compile(r"(?<![A-Za-z0-9_.$}/-])/([a-z]{2,20}(?:/[a-z]{2,20}){0,4})/([A-Za-z][\w.-]{0,40})")
_FOLDERS = ("usr", "bin", "sbin", "local", "opt")
_FILES = {"tc": ("traffic_class", "traffic_class"), "ports": ("default_roce_tos", "cma_tos")}
"""Folder of an RDMA device -> file in it that sets something, statement of boot files."""
Kind = Literal["net", "rdma", "card", "slot", "type", "family"]
"""What a call names: network devices, RDMA devices, cards as their tool calls them, PCI slots, PCI device ids, a family."""


@dataclass(frozen=True)
class Call:
    """A call in a script: for which NIC, and a statement of boot files about it."""

    number: int
    """Its line: in the script, from 0; where it goes over several, the one that says it."""
    kind: Kind
    device: str
    """A name, a pattern, several of them, or a text that cannot be resolved."""
    statement: str
    label: str = ""
    """How people call these NICs."""
    way: Way = ()
    """The conditions it stands under that may go either way."""
    is_maybe: bool = False
    """Nobody knows whether it is made."""
    family: str = ""
    """The tool sets up NICs of this family alone."""

    @property
    def sets(self) -> tuple[str, str, str]:
        """What it sets, and of whom."""
        setting = self.statement if self.statement.startswith("elsewhere ") else self.statement.rpartition(" ")[0]
        return self.kind, self.device, setting


@dataclass(frozen=True)
class PlacedCall(Call):
    """The same call where it stands: its line is that of the answer."""

    answer: Answer = field(kw_only=True)


def placed(call: Call, answer: Answer, number: int) -> PlacedCall:
    """The call of a script as it stands in this line of an answer."""
    return PlacedCall(
        number, call.kind, call.device, call.statement, call.label, call.way, call.is_maybe, call.family, answer=answer
    )


_RESET = re.compile(r"pfc 0(?:,0){0,99}|pfc-mask 0|pfc-list none|pfc-bit . (?:off|disable)|trust pcp")
"""A script that begins with these clears what was there before."""
_CONTRADICTING = ("pfc", "pfc-mask", "pfc-list", "pfc-bit", "dscp", "mapped", "trust", "traffic_class")


def overruled(calls: Iterable[Call]) -> Iterator[tuple[Call, Call]]:
    """Calls of one script that set one thing to two values, the later of which surely replaces the earlier.

    To clear first what was there before is no contradiction, nor is a setting that others pass through (an MTU), nor a map
    that is filled in one call and then refined.
    """
    kept: dict[tuple[str, str, str], Call] = {}
    said = list(calls)
    mapped = Counter(call.number for call in said if call.statement.startswith(("dscp ", "mapped ")))
    yield from _flushed(said)
    for call in said:
        if mapped[call.number] > 1:
            continue
        kind, devices, setting = call.sets
        earlier = [kept[one] for name in devices.split() if (one := (kind, name, setting)) in kept]
        yield from ((before, call) for before in earlier[:1] if _contradicts(before, call))
        if call.statement.partition(" ")[0] in _CONTRADICTING:
            kept |= dict.fromkeys(((kind, name, setting) for name in devices.split()), call)


def _flushed(calls: Iterable[Call]) -> Iterator[tuple[Call, Call]]:
    """An entry of the application table, and the call behind it that takes all of them out for good."""
    entries: dict[tuple[str, str], Call] = {}
    lost: dict[tuple[str, str], tuple[Call, Call]] = {}
    for call in calls:
        nics = (call.kind, call.device)
        if call.statement.startswith("mapped "):
            entries.setdefault(nics, call)
            lost.pop(nics, None)
        elif call.statement == FLUSHED and nics in entries and not call.way and not entries[nics].way:
            lost[nics] = entries.pop(nics), call
    yield from lost.values()


def _contradicts(before: Call, call: Call) -> bool:
    """Whether a later call of the same way takes back what an earlier one set on purpose."""
    is_other = before.number != call.number and before.statement != call.statement
    return is_other and before.way == call.way and _RESET.fullmatch(before.statement) is None


def settled(calls: Iterable[Call], arms: Mapping[int, int]) -> list[Call]:
    """What the calls of one script, in their order, leave behind.

    A call that is surely made replaces what was set before. One that may be made stays beside it, marked so, unless it says
    the same; where each way of a condition says the same it is sure. `arms`: condition -> number of its ways.
    """
    kept: dict[tuple[str, str, str], list[Call]] = defaultdict(list)
    for call in calls:
        if call.statement == FLUSHED:
            gone = [one for one in kept if one[:2] == call.sets[:2] and one[2].startswith("mapped ") and not call.way]
            for one in gone:
                del kept[one]
            continue
        earlier = kept[call.sets]
        kept[call.sets] = [c for c in earlier if call.way and c.way[: len(call.way)] != call.way] + [call]
    found = []
    for those in kept.values():
        sure = () in _reduced({call.way for call in those}, arms)
        if len({call.statement for call in those}) == 1:
            found.append(replace(those[-1], is_maybe=not sure))
        else:
            found += [replace(call, is_maybe=bool(call.way)) for call in those]
    return found


def _reduced(ways: set[Way], arms: Mapping[int, int]) -> set[Way]:
    """Where all ways of a condition are there, the way that leads to the condition."""
    while True:
        taken: dict[tuple[Way, int], set[int]] = defaultdict(set)
        for way in ways:
            if way:
                taken[(way[:-1], way[-1][0])].add(way[-1][1])
        more = {before for (before, number), those in taken.items() if len(those) == arms.get(number)} - ways
        if not more:
            return ways
        ways = ways | more


def subjects(call: Call, collector: Collector) -> Iterator[Subject]:
    """Whom a call is for, among the NICs that were seen."""
    patterns = re.split(r"[ |]", call.device)
    if call.kind in ("net", "rdma"):
        yield from _by_other_name(call.kind, [p[1:] for p in patterns if p.startswith("@")], collector)
    if call.kind == "net":
        yield from (("net", n) for n in collector.nics if any(fnmatchcase(n, p) for p in patterns))
    elif call.kind == "rdma":
        listed = {*collector.rdma_netdev, *collector.identified}
        yield from (("rdma", n) for n in sorted(listed) if any(fnmatchcase(n, p) for p in patterns))
    elif call.kind == "slot":
        yield from (("net", n) for n, nic in collector.nics.items() if nic.pci.rpartition(".")[0] in patterns)
    elif call.kind == "type":
        yield from (("net", n) for n, nic in collector.nics.items() if nic.device_id in patterns)
    elif call.kind == "card":
        for name in patterns:
            if name in collector.cards:
                yield ("card", name)
            elif ":" in name:
                yield ("pci", full_address(name))


def _by_other_name(kind: Kind, names: Iterable[str], collector: Collector) -> Iterator[Subject]:
    """NICs that a script names by what it asked for: the RDMA devices of network devices, and the other way round."""
    for pattern in names:
        listed = {*collector.rdma_netdev, *collector.identified} if kind == "net" else set(collector.nics)
        for name in sorted(listed):
            if fnmatchcase(name, pattern):
                yield ("rdma", name) if kind == "net" else ("net", name)


@lru_cache(maxsize=16_384)
def settings(line: str) -> tuple[tuple[Kind, str, str, str], ...]:
    """(kind, device as written, statement, family of NICs that the tool is for) of everything that a line sets up."""
    return tuple(_settings(line))


def _settings(line: str) -> Iterator[tuple[Kind, str, str, str]]:
    for word, options in calls(line):
        program = programs().get(word) or programs().get(_meant(word) or "")
        if program is not None:
            lost = any(word == name and _leads_nowhere(path) for path, name in _PATH.findall(line))
            for kind, device, statement, family in _of_program(program, word, options):
                if device == _NOBODY and _KEPT.match(line) is not None:
                    continue
                is_slip = lost and not statement.startswith(MISSPELT)
                yield kind, device, misspelt([statement], line.strip()) if is_slip else statement, family
    yield from _of_kernel_files(line)
    yield from _of_family_files(line)
    yield from (("rdma", found["rdma"], f"cma_mode {found['value']}", "") for found in _MODE.finditer(line))
    for found in _NOWHERE.finditer(line):
        yield "rdma", found["rdma"], misspelt([f"traffic_class {found['value']}"], found.group()), ""
    printed = _ONLY_SAID.search(line) if "/sys/" in line else None
    if printed is not None:
        for kind, device, meant_so, family in _settings(f"echo {printed['value']} > {printed['path']}"):
            yield kind, device, misspelt([meant_so], printed.group()), family
        return
    for found in _FILE.finditer(line):
        file, statement = _FILES[found["folder"]]
        said = f"{statement} {found['value']}{found['tail']}"
        if found["file"] == file and found["word"] == "echo":
            yield "rdma", found["rdma"], said, ""
        elif meant(found["file"], (file, "default_roce_mode")) == file or (
            found["file"] == file and meant(found["word"], ("echo",)) is not None
        ):
            yield "rdma", found["rdma"], misspelt([said], found.group()), ""


def _of_kernel_files(line: str) -> Iterator[tuple[Kind, str, str, str]]:
    for file, pattern in _kernel_files() if "/sys/" in line else ():
        for found in pattern.finditer(line):
            groups = found.groupdict()
            kind: Kind = "net" if "net" in groups else "rdma" if "rdma" in groups else "card"
            value = str(int(groups["value"], 16)) if _HEXADECIMAL.fullmatch(groups["value"]) else groups["value"]
            for statement in file.statement.format_map(groups).split(";"):
                yield kind, groups[kind], f"{statement} {value}", file.only_for


def _of_family_files(line: str) -> Iterator[tuple[Kind, str, str, str]]:
    """What `echo 'options irdma roce_ena=1' >> /etc/modprobe.d/irdma.conf` adds to a file that sets a family of NICs up."""
    for found in _ADDED.finditer(line) if "/etc/" in line else ():
        for file in family_files():
            if re.fullmatch(file.path, found["path"]) is None:
                continue
            try:
                yield from (("family", file.family, statement, "") for _, statement in file.settings([found["text"]]))
            except ValueError:
                yield "family", file.family, misspelt([], found.group()), ""


@cache
def _kernel_files() -> tuple[tuple[KernelFile, re.Pattern[str]], ...]:
    return tuple((file, re.compile(rf"echo\s+(?:-n\s+)?[\"']?{_WRITTEN}{file.path}")) for file in kernel_files())


def _leads_nowhere(path: str) -> bool:
    """Whether a folder on the way to a program is misspelt."""
    return any(meant(folder, _FOLDERS) is not None for folder in path.split("/"))


@lru_cache(maxsize=65_536)
def _meant(word: str) -> str | None:
    """The program that a word is a misspelling of; `mlnx_qos.sh` and `mlnx_qos2` are someone's own."""
    own = any(re.match(rf"{re.escape(name)}[\W\d_]", word) for name in programs())
    return None if own else meant(word, programs())


_COMPUTED = re.compile(r"\$\((?:[^()]|\([^()]{0,200}\)){0,300}\)")
"""What another command prints: one word, or part of one, to this one."""
_DASHES = re.compile(r"(?<!\S)(?:(?P<two>[\u2013\u2014]{2}|\u2014)|\u2013)(?=[A-Za-z])")
"""What word processors make of the hyphens of options: no program takes them."""


_MADE_ABOVE = re.compile(r"[a-z][\w-]{0,40}\.[0-9]{1,4}|vlan[-_]?[0-9]{1,4}|bond(?:[0-9]{1,3}|[-_][a-z][\w-]{0,20})")
"""Names of VLAN interfaces and bonds: neither driver has operations of DCB, and the kernel refuses (Linux, net/dcb/dcbnl.c,
dcb_doit; net/8021q/vlan_dev.c; drivers/net/bonding)."""


_NO_DCB = "what it names is a bond or a VLAN interface, which has no DCB; the NICs below it have"


_NO_PORT = "it names no network device"
_NOBODY = "no network device"
_MAY_NAME = re.compile(r"[$%{`<@*]|(?:^|[\s\"'])(?:-i|--i[a-z]*|dev)\b")
_KEPT = re.compile(r"\s*(?:(?:alias|export|local|readonly)\s+)?[\w-]{1,60}=[\"'(]")
"""Words that are called later, with others behind them: `alias qos="mlnx_qos --trust dscp"`."""


def _as_one_word(found: re.Match[str]) -> str:
    return "".join(found[0].split())


def _of_program(program: Program, word: str, options: str) -> Iterator[tuple[Kind, str, str, str]]:
    typed = _DASHES.sub(lambda found: "--" if found["two"] else "-", options)
    if typed != options:
        for of, name, statement, family in _of_program(program, word, typed):
            is_slip = statement.startswith(SLIPS)
            yield of, name, statement if is_slip else misspelt([statement], f"{word} {options}"), family
        return
    named, whole = re.search(program.nic, options), " ".join(options.split())
    before: dict[str, str] = {}
    is_word = named is not None and meant(named.groupdict().get("net") or "", program.words) is not None
    if (named is None or is_word) and (
        before := _slips(program, options)
    ):  # a slip may stand before the name of the NIC
        options = _corrected(options, before)
        named = re.search(program.nic, options)
    kind: Kind = "family"
    device = program.family
    rest = options
    if named is not None:
        groups = named.groupdict()
        rest = f"{options[: named.start()]} {groups.get('keep') or ''} {options[named.end() :]}"
        names = ((k, groups.get(g)) for k, g in (("net", "net"), ("rdma", "rdma"), ("card", "card"), ("card", "pci")))
        kind, device = next((k, name) for k, name in names if name)  # type: ignore[assignment]
    elif not program.family:
        yield from _of_nobody(program, options)
        return
    text = re.sub(r"[\"']", "", " ".join(_COMPUTED.sub(_as_one_word, rest).split()))
    slips = before or _slips(program, text)
    statements = []
    try:
        for statement in program.settings(_corrected(text, slips)):
            statements.append(statement)
    except ValueError as error:
        if str(error).startswith("--") and not any(mark in str(error) for mark in ("$", "{{")):
            slips = slips or {str(error): ""}  # the tool ends there and sets nothing, whatever its other values come to
        else:
            statements += [f"unclear {word} {text}"] if text else []
    if program.of_ports and kind == "net" and _MADE_ABOVE.fullmatch(device.strip("\"'")) is not None:
        statements = [f"{REJECTED} {one}: {_NO_DCB}" for one in statements[:1]]
    if slips or (statements and word != program.name):
        statements = [misspelt(statements, f"{word} {whole}")]
    yield from ((kind, device, statement, program.only_for) for statement in statements)


def _of_nobody(program: Program, options: str) -> Iterator[tuple[Kind, str, str, str]]:
    """A call that sets up ports and names none, nor anything that may stand for one: its tool refuses it."""
    if program.of_ports and program.only_for and _MAY_NAME.search(options) is None:  # `dcb` is a word of switches, too
        with suppress(ValueError):
            for statement in islice(program.settings(options), 1):
                said = statement if statement.startswith(REJECTED) else f"{REJECTED} {statement}"
                yield "net", _NOBODY, f"{said.partition(': ')[0]}: {_NO_PORT}", program.only_for


def _slips(program: Program, options: str) -> dict[str, str]:
    """Misspelt word of a call -> what was meant; one that the shell completes (`prio-tc$list`) may be any."""
    words = [one for one in re.split(r"[ =]", options) if "$" not in one]
    return {one: wanted for one in words if (wanted := meant(one, program.words)) is not None}


def _corrected(options: str, slips: Mapping[str, str]) -> str:
    return "".join(slips.get(one, one) for one in re.split(r"([ =])", options))
