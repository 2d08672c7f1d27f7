"""Files that set NICs up and are no host's own: scripts, units and cloud-init in a repository, manifests, playbooks.

Beside the answers of a host they count as its boot files. Alone, what they set is held against the class of the fabric.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from roce_audit import platforms
from roce_audit.model import NicSetup
from roce_audit.platforms.linux.boot import cloudinit
from roce_audit.platforms.linux.boot.calls import PlacedCall, settings
from roce_audit.platforms.linux.boot.files import BOOT, boot_of
from roce_audit.platforms.linux.boot.lookingscripts import tell_changing
from roce_audit.platforms.linux.boot.scripts import Scripts, script_line
from roce_audit.platforms.linux.boot.writtenfiles import InFile, never_enabled, written
from roce_audit.platforms.linux.env import HANDED, JOB, hear_slips, place
from roce_audit.platforms.linux.jobs import choices as jobchoices
from roce_audit.platforms.linux.jobs.variables import (
    KEEPS_OFF,
    assignments,
    exported_twice,
    is_handed,
    is_never_set,
    on_one_node,
)
from roce_audit.platforms.linux.setups import networkcalls, vswitches
from roce_audit.platforms.linux.setups import queues as setupqueues
from roce_audit.platforms.linux.setups.namedcalls import by_pattern, name_of
from roce_audit.platforms.linux.setups.slips import NAME, tell_fewer, tell_other_byte, tell_other_device
from roce_audit.platforms.shared.host import boot as hostboot
from roce_audit.platforms.shared.host.answers import Answer, Tool
from roce_audit.platforms.shared.host.collector import Collector, noticed
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import Path
from roce_audit.platforms.shared.shell.commands import shown
from roce_audit.platforms.shared.shell.values import constants
from roce_audit.values import Cell, Place, Why, absent, known, unknown

CALLS = f"(?:{'|'.join(one.nics.calls for one in platforms.every() if one.nics.calls)})"
"""Pattern of what sets a NIC up, wherever it stands."""
CALL_WORDS = tuple(word for one in platforms.every() for word in one.nics.call_words)
"""One of these stands in every such call."""
CALLED = rf"[\s\S]{{0,19000}}?^(?![ \t]{{0,40}};)[^#\n]{{0,300}}?{CALLS}"
"""Pattern of a text with such a call that is not commented out."""
FAMILY_FILES = f"(?:{'|'.join(one.nics.begins for one in platforms.every() if one.nics.begins)})"
"""Pattern of how a file begins that sets all NICs of a family up."""
_BETWEEN = (
    r"(?:sleep|sysctl|modprobe|mlnx_tune|ethtool|ip link set|ifconfig|systemctl|mst|mlxfwreset|mlxconfig|mstconfig|cma_roce_mode|set [-+]) "
    r"|(?:cat|echo|ls) [^\n]{0,200}/sys/"
)
"""What scripts do between calls, and prints little."""
_BEGINNING = (
    r"[A-Za-z_]\w{0,40}=|set [-+]"
    r"|(?:for|while|if|export|declare|readonly|source|\.|echo|sudo|cd|mkdir|modprobe|rmmod|systemctl) "
)
"""How a script begins whose first line names no shell."""
_SIGN = 2
_TYPED = re.compile(r"([#$]) (?:sudo )?(?:[a-z_][\w.-]{0,60}|\.?/[\w./-]{1,200})(?:[ =]|\Z)")
"""A command behind a prompt that is one sign and a blank; prose begins with a capital letter."""
_MOST = 64
_OPEN = ("{{", "$", "%{")
"""How a value that stands elsewhere begins; Warewulf fills `%{NETDEVS::IB0::MTU}` in."""


def begin(answer: Answer) -> Scripts:
    """The scripts of the host that an answer adds to; where no NIC is seen, they are setups of their own."""
    boot = boot_of(answer)
    if not boot.is_lone:
        boot.is_lone = True
        answer.collector.set_up = True
        answer.collector.at_end.append(lambda: _say(answer.collector, boot.scripts))
    return boot.scripts


def in_force(answer: Answer) -> Scripts:
    """What an answer shows that all NICs of a family are set to: no boot file, and so a setup where NICs are seen, too."""
    boot = boot_of(answer)
    if boot.in_force is None:
        boot.in_force = found = Scripts()
        answer.collector.set_up = True
        answer.collector.at_end.append(lambda: _say_all(answer.collector, found))
    return boot.in_force


def unclear(answer: Answer, line: int, text: str) -> None:
    """Something that decides what a file sets up, and for whom, was not understood: then nobody knows any of it."""
    answer.collector.set_up = True
    answer.unread(line, text)
    answer.collector.host.values["nic_setups"] = unknown(Why.NOT_PARSED, place(answer, line))


def _say(collector: Collector, scripts: Scripts) -> None:
    if not any(not nic.hidden for nic in collector.nics.values()):
        _say_all(collector, scripts)


def _say_all(collector: Collector, scripts: Scripts) -> None:
    if "nic_setups" in collector.host.values:
        return
    scripts.follow()
    started = {template for template, _ in scripts.started}
    unnamed = (those for template, those in scripts.templates.items() if template not in started)
    calls = [*scripts.all_calls(), *(call for those in unnamed for call in those)]
    tell_other_device(calls)
    tell_other_byte(calls)
    tell_fewer(calls)
    tell_changing(calls)
    groups: dict[tuple[str, str], list[PlacedCall]] = defaultdict(list)
    for call in calls:
        groups[(call.kind, call.label or name_of(call))].append(call)
    setups = tuple(
        _setup(number, name, [*those, *by_pattern(those, kind, calls)], scripts)
        for number, ((kind, name), those) in enumerate([*groups.items()][:_MOST])
    )
    if setups:
        collector.host.values["nic_setups"] = known(setups, _place(calls[0]))
    _tell_received(scripts, setups)


def _tell_received(scripts: Scripts, setups: Iterable[NicSetup]) -> None:
    """Say where NICs go by tags, and the only map of a VLAN interface is for those that come in."""
    tagged = [one for one in setups if one.trust.value == "pcp" and one.pfc_priorities.or_else(frozenset())]
    if scripts.received is None or scripts.tags is not None or not tagged:
        return
    answer, number, text = scripts.received
    meaning = (
        "it maps the tags of packets that come in, and none of those that go out (egress-qos-map): they leave with priority 0, and "
        f"{tagged[0].name} pauses by the tag"
    )
    if "_IB_SL" not in answer.document.text:  # the service level of an application is the tag of its packets
        answer.collector.seen.append(noticed("conflict", place(answer, number), text, meaning))


def _setup(number: int, name: str, calls: list[PlacedCall], scripts: Scripts) -> NicSetup:
    nic = NicSettings()
    for call in calls:
        _apply(nic, call)
    hostboot.conclude(nic)
    codes = [nic.or_unknown(f"{hostboot.DSCP}.{code}") for code in range(64)]
    said = any(not cell.why or cell.at for cell in codes)
    there = tuple(cell if cell.is_known or cell.at else absent() for cell in codes)
    usual, trust, tags = nic.cell(hostboot.EIGHTHS), _cell(nic, "nic.persisted.trust"), nic.cell(hostboot.TAGS)
    mapped: Cell[tuple[Cell[int], ...]] = absent()
    if usual is not None and usual.is_known:
        whole = (known(code // 8, *usual.at) if cell.is_absent else cell for code, cell in enumerate(there))
        mapped = known(tuple(whole))
    elif said:  # whether the driver's map holds for the rest hangs on what is trusted
        rest: Cell[int] = unknown(trust.why, *trust.at) if trust.why and trust.is_unknown else absent()
        mapped = known(tuple(rest if cell.is_absent else cell for cell in there))
    not_known = next((cell for cell in there if cell.is_unknown), None)
    paused = _cell(nic, hostboot.PFC).or_else(frozenset())
    told = sorted((cell for cell in there if cell.is_known), key=lambda cell: cell.get() not in paused)
    named = known(frozenset(cell.get() for cell in told), *(at for cell in told for at in cell.at[:1]))
    return NicSetup(
        number=number,
        name=name,
        nics=_nics(calls[0]),
        rdma_devices=_rdma_devices(calls),
        pfc_priorities=_cell(nic, hostboot.PFC),
        pfc_sent=_cell(nic, hostboot.PFC_SENT),
        pfc_obeyed=_cell(nic, hostboot.PFC_OBEYED),
        trust=trust,
        dscp=mapped,
        mapped_priorities=(named if not_known is None else not_known) if said else absent(),
        named_dscps=_named(codes) if said else absent(),
        driver_priority=_cell(nic, hostboot.ROCE_PRIORITY),
        driver_dscp=_cell(nic, hostboot.ROCE_DSCP),
        port_priority=_cell(nic, hostboot.ROCE_PORT),
        cnp_dscp=_cell(nic, hostboot.CNP, "nic.next_boot.nic.cnp_dscp"),
        cnp_priority=_cell(nic, hostboot.CNP_PRIORITY),
        cnps_off=_switched(nic, "np", on=False),
        cnps_ignored=_switched(nic, "rp", on=False),
        cnps_sent=_switched(nic, "np", on=True),
        cnps_obeyed=_switched(nic, "rp", on=True),
        tos=_cell(nic, "nic.persisted.nic.forced_traffic_class"),
        cma_tos=_cell(nic, f"{hostboot.CMA}tos"),
        cma_mode=_cell(nic, f"{hostboot.CMA}mode"),
        ip_mtu_bytes=_cell(nic, hostboot.MTU),
        link_pause_rx=_cell(nic, "nic.persisted.link_pause_rx"),
        link_pause_tx=_cell(nic, "nic.persisted.link_pause_tx"),
        rdma=_cell(nic, hostboot.RDMA),
        roce=_cell(nic, "nic.next_boot.nic.roce", hostboot.ROCE),
        willing=_cell(nic, hostboot.WILLING),
        firmware_dcbx=_cell(nic, hostboot.FIRMWARE_DCBX),
        maps_to_tag=known(True, scripts.tags) if scripts.tags is not None else absent(),
        tag_priorities=scripts.tagged() if tags is None or tags.is_absent else tags,
        shared_priorities=setupqueues.apart(nic),
        shares_percent=setupqueues.total_share(nic),
        strict_priorities=setupqueues.strict(nic),
        unserved_priorities=setupqueues.unserved(nic),
        outweighed_priorities=setupqueues.outweighed(nic),
        beside_unmarked=setupqueues.beside_unmarked(nic),
        lossless_buffer_bytes=setupqueues.lossless_bytes(nic),
        shared_buffer_priorities=setupqueues.sharing(nic),
        started_after=known(frozenset(scripts.after), *scripts.after.values()) if scripts.after else absent(),
    )


def _nics(call: PlacedCall) -> frozenset[str]:
    """The network devices that a call names one by one, be it to ask for their RDMA devices."""
    names = [name.removeprefix("@") if call.kind == "rdma" else name for name in call.device.split()]
    is_of_net = call.kind == "net" or (call.kind == "rdma" and call.device.startswith("@"))
    return frozenset(names) if is_of_net and all(map(NAME.fullmatch, names)) else frozenset()


def _rdma_devices(calls: list[PlacedCall]) -> Cell[frozenset[str]]:
    """What it names literally, with the line that does so first."""
    named = {name: _place(call) for call in reversed(calls) if call.kind == "rdma" for name in call.device.split()}
    if not named:
        return absent()
    if not all(NAME.fullmatch(name) for name in named):
        return unknown(Why.NOT_VISIBLE, *named.values())
    return known(frozenset(named), *named.values())


def _named(codes: list[Cell[int]]) -> Cell[frozenset[int]]:
    """The code points that lines name, with the places of the highest first: those of CNPs are mostly above those of data."""
    there = {code: codes[code] for code in reversed(range(64)) if codes[code].at}
    not_known = next((cell for cell in there.values() if cell.is_unknown), None)
    if not_known is not None:
        return unknown(not_known.why or Why.NOT_VISIBLE, *not_known.at)
    named = {code: cell for code, cell in there.items() if cell.is_known}
    return known(frozenset(named), *(at for cell in named.values() for at in cell.at[:1])) if named else absent()


def _switched(nic: NicSettings, role: str, *, on: bool) -> Cell[frozenset[int]]:
    """The priorities that a role of DCQCN is switched on or off for, with the places of the paused ones first."""
    cells = {
        int(priority): nic.or_unknown(hostboot.DCQCN[role][priority]) for priority in nic.keys(hostboot.DCQCN[role])
    }
    not_known = next((cell for cell in cells.values() if cell.is_unknown), None)
    if not_known is not None:
        return unknown(not_known.why or Why.NOT_VISIBLE, *not_known.at)
    stored = nic.cell(f"nic.next_boot.nic.dcqcn.{role}_priorities")
    if stored is not None and not cells and stored.is_unknown:
        return unknown(stored.why or Why.NOT_VISIBLE, *stored.at)
    if stored is not None and stored.is_known:
        cells = {n: known(n in stored.get(), *stored.at) for n in range(8)} | cells
    such = [priority for priority, cell in cells.items() if cell.get() == on]
    paused = _cell(nic, hostboot.PFC).or_else(frozenset())
    such.sort(key=lambda priority: priority not in paused)
    return known(frozenset(such), *(at for priority in such for at in cells[priority].at)) if such else absent()


def _cell(nic: NicSettings, *paths: Path) -> Cell[Any]:
    """What the first of these paths holds that something is said of."""
    return next((cell for path in paths if (cell := nic.cell(path)) is not None and not cell.is_absent), absent())


def _apply(nic: NicSettings, call: PlacedCall) -> None:
    at = _place(call)
    if any(mark in call.statement for mark in _OPEN) and not call.statement.startswith(hostboot.SLIPS):
        line = BOOT.by_lead.get(call.statement.partition(" ")[0])
        for path in line.paths if line is not None else ():
            nic.set_unknown(path, Why.NOT_VISIBLE, at)
    elif not BOOT.apply(nic, call.statement, at):  # type: ignore[arg-type]
        call.answer.unread(call.number, call.statement)


def _place(call: PlacedCall) -> Place:
    return place(call.answer, call.number)


def script_lines(answer: Answer) -> list[tuple[int, str]]:
    """(number, text) of the lines of a script, without the prompts where every line is a command behind the same one."""
    said = list(answer.lines())
    typed = [_TYPED.match(text) for _, text in said if text.strip()]
    if not typed or not all(typed) or len({found[1] for found in typed if found is not None}) > 1:
        return said
    return [(number, text[_SIGN:]) for number, text in said]


def hear_variables(answer: Answer) -> None:
    """The variables of libraries that a script sets."""
    said = script_lines(answer)
    values = constants(text for _, text in said)
    aside = shown(text for _, text in said)
    replaced = {earlier for earlier, _ in exported_twice([text for _, text in said])}
    hear_slips(answer, said)
    given = [
        (number, text, tuple(assignments(values.filled(_with_rest(said, index), {}))))
        for index, (number, text) in enumerate(said)
        if index not in replaced
        and (index not in aside or text.startswith("export "))  # what a prolog of Slurm prints like this is set
    ]
    chosen = jobchoices.chosen([(text, pairs) for _, text, pairs in given])
    if on_one_node(answer.document.text):
        chosen |= KEEPS_OFF
    for number, text, pairs in given:
        for name, told in pairs:
            value = f"${name}" if name in chosen else told
            if is_never_set(text):
                answer.collector.slip(name, place(answer, number), text.strip())
            else:
                rank = HANDED if is_handed(text, name) else JOB
                answer.collector.variable(name, value, place(answer, number), rank)


def _with_rest(said: Sequence[tuple[int, str]], index: int) -> str:
    """A line with those on which its list goes on (`mlx5_0,\\`): a word ends where the next line begins with a blank."""
    text = said[index][1]
    for _, rest in said[index + 1 : index + _MOST_RESTS] if text.endswith(",\\") else ():
        if not text.endswith(",\\") or rest[:1].isspace():
            break
        text = text[:-1] + rest
    return text


_MOST_RESTS = 20


def _sets_up(unit: str, lines: Collection[InFile]) -> bool:
    """Whether a unit that a script writes sets NICs up, by itself or by a script that is written beside it."""
    own = [line.text for line in lines if line.path == unit]
    tools = {line.path for line in lines if settings(line.text)}
    return unit in tools or any(path in text for path in tools for text in own)


_INTERFACE = re.compile(r"[ \t]{0,40}iface[ \t]{1,20}\S{1,40}[ \t]{1,20}inet6?[ \t]")
_GOES_DOWN = re.compile(r"[ \t]{0,40}(?:pre-|post-)?down[ \t]")
"""Of a table of interfaces(5): what runs when one goes down."""


def _of_networks(said: Sequence[tuple[int, str]], elsewhere: Mapping[int, InFile]) -> Iterator[tuple[str, int, str]]:
    """(path, number, text) of the lines that a script writes into files which set interfaces up."""
    for index, line in elsewhere.items():
        if networkcalls.reader(line.path) is not None:
            yield line.path, said[index][0], line.text


def read_script(answer: Answer) -> None:
    """What a script sets up, the variables that it hands to libraries, and the files that it writes."""
    scripts = begin(answer)
    hear_variables(answer)
    said = script_lines(answer)
    texts = [text for _, text in said]
    elsewhere = written(texts, constants(texts))
    by_user_data = list(cloudinit.written_lines(answer))
    scripts.calls += networkcalls.of_files(answer, (*_of_networks(said, elsewhere), *by_user_data))
    idle = dict(never_enabled(texts, elsewhere))
    own = {number for _, number, _ in by_user_data}
    cloudinit.tell(answer)
    if "vswitch" in answer.document.text:
        vswitches.tell(answer, said)
    for path, number, text in by_user_data:
        if networkcalls.reader(path) is None and not text.lstrip().startswith("#"):
            script_line(answer, scripts, path, number, text)
    is_table = any(_INTERFACE.match(text) for text in texts)
    for index, (number, text) in enumerate(said):
        if number in own:
            continue
        if index in idle and _sets_up(elsewhere[index].path, elsewhere.values()):
            meaning = (
                f"the script writes {idle[index]}, which sets NICs up, to be started with a target, and does not enable it: no boot "
                "starts it"
            )
            answer.collector.seen.append(noticed("conflict", place(answer, number), text.strip(), meaning))
        path, text = elsewhere.get(index, (f"/{answer.document.path}", text))
        if networkcalls.reader(path) is not None:
            continue
        if not text.lstrip().startswith("#") and not (is_table and _GOES_DOWN.match(text)):
            script_line(answer, scripts, path, number, text)


SCRIPT = Tool(
    name="nic script",
    split=read_script,
    signature=rf"\A(?:#!|\[(?:Unit|Service|Install)\]|#cloud-config|# )(?={CALLED})"
    rf"|\A(?!{FAMILY_FILES})(?=\s{{0,40}}(?:{_BEGINNING}|\$ (?:sudo )?[a-z]))(?={CALLED})"
    # the first line of a udev rule, or of a table of interfaces, may be the one that calls
    rf"|\A(?=(?:ACTION|SUBSYSTEM)==|(?:auto|allow-hotplug|iface) [\w.-]{{1,30}})(?={CALLED})"
    # the kickstart of a hypervisor, whose commands stand behind those of its installer
    rf"|\A(?=[\s\S]{{0,9000}}?^%firstboot\b)(?={CALLED})"
    # user data that writes a script in one quoted word
    rf"|\A#cloud-config(?=[\s\S]{{0,19000}}?^[ \t-]{{0,20}}content: \"[^\n]{{0,19000}}?(?:\\n|[^\w\n])"
    rf"(?:{'|'.join(map(re.escape, CALL_WORDS))}))"
    # a table of cron
    rf"|\A(?:(?:#[^\n]{{0,300}}|[A-Z_]{{1,40}}=[^\n]{{0,300}}|)\n){{0,40}}(?=(?:@[a-z]{{4,9}}|[0-9*][0-9*/,-]{{0,20}})[ \t])(?={CALLED})"
    # nothing but calls, as somebody notes them down, and what stands between them
    rf"|\A(?=[\s\S]{{0,4000}}?{CALLS})(?:[ \t]{{0,40}}(?:sudo )?(?:"
    rf"(?:{CALLS}|{_BETWEEN})(?:[^\n\\]|\\(?!\n)){{0,300}}(?:\\\n[^\n]{{0,300}}){{0,9}}"
    rf"|#[^\n]{{0,300}})?(?:\n|\Z))"
    r"{1,400}\Z",
    words=CALL_WORDS,
)

TOOLS = (SCRIPT,)
