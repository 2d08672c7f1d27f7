"""`niccli` and its forerunner `bnxtqos`: QoS settings and the list of devices, in the words of both generations.

Up to release 233 the options have one dash (`niccli -dev 1 getqos`), since then two (`niccli --dev 1 qos --ets --show`); the
answers are the same. A device is named by its number in the list, by its PCI address or by its interface (bnxtqos).
"""

from __future__ import annotations

import re

from roce_audit.platforms.shared.host import tlv as hosttlv
from roce_audit.platforms.shared.host.answers import REFUSED, Answer, Line, Tool, sets
from roce_audit.platforms.shared.host.collector import Subject, full_address
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import HAS_DSCP_ENTRIES, PRIORITY_OF_DSCP, Note
from roce_audit.platforms.shared.host.words import matched, not_understood, shape, whole
from roce_audit.values import At

LIMIT = Note[int]("the limit in percent of traffic class")
"""Of the speed of the port."""
_PCI = r"(?:[0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]"
_WHO = rf"niccli (?:--?dev(?:ice)?|-i|-d)[ =](?:(?P<pci>{_PCI})|(?P<card>[0-9]{{1,3}})|(?P<net>[A-Za-z]\S{{0,15}}))"


def _of_device(words: str) -> str:
    return f"{_WHO} {words}"


def _of_bnxtqos(words: str) -> str:
    return rf"bnxtqos -dev[= ](?P<net>\S+) {words}"


def _limits(nic: NicSettings, text: str, at: At) -> None:
    """`100% 100% 0% ...`: percent of the port's speed, 0 for classes that are not there."""
    percents = [whole(word.removesuffix("%"), 0, 100) if word.endswith("%") else -1 for word in text.split()]
    if not 1 <= len(percents) <= 8 or -1 in percents:
        raise ValueError(text)
    for number, percent in enumerate(percents):
        nic.set(LIMIT[number], percent, at)


_COVERS = (*hosttlv.COVERS, "queues.*.max_rate_bps")
_QOS_LINES = (*hosttlv.LINES, Line("limit TC Rate Limit:", (LIMIT, "queues.*.max_rate_bps"), _limits))
_IGNORED = r"limit (?!TC Rate).*"
_QOS_WORDS = r"(?:get[_ ]?qos|qos (?:--ets )?--show|qos --show|qos --ets|qos --ets --show)"

QOS = Tool(
    name="niccli qos",
    split=hosttlv.split,
    commands=_of_device(_QOS_WORDS),
    signature=rf"^[ \t]*{hosttlv.HEADER}:[ \t]*$",
    lines=_QOS_LINES,
    covers=_COVERS,
    ignored=_IGNORED,
    ethernet=True,
)
BNXTQOS = Tool(
    name="bnxtqos",
    split=hosttlv.split,
    commands=_of_bnxtqos(r"get[_ ]qos"),
    lines=_QOS_LINES,
    covers=_COVERS,
    ignored=_IGNORED,
    ethernet=True,
)


def _split_pfc(answer: Answer) -> None:
    """The one TLV that `qos --pfc --show` prints; the tool may leave its header out."""
    told = False
    for section, number, text in hosttlv.sections(answer):
        if (section == "pfc" and text) or text.startswith("PFC enabled:"):
            told = True
            answer.say(f"pfc {text}", number)
    if not told:
        number, text = next(answer.lines(), (answer.document.first_line, "no answer"))
        answer.say(REFUSED + text.strip()[:120], number)


PFC = Tool(
    name="niccli pfc",
    split=_split_pfc,
    commands=_of_device(r"(?:get[_ ]?pfc|qos --pfc(?: --show)?|pfc(?: --show)?)"),
    lines=hosttlv.LINES,
    covers=("pfc.priorities",),
    ethernet=True,
)

_CODES = re.compile(r"priority ?: ?([0-9]{1,3}) +dscp ?: ?([0-9 ,]{1,300})", re.I)
_CODES_SWAPPED = re.compile(r"dscp ?: ?([0-9 ,]{1,300}?) +priority ?: ?([0-9]{1,3})", re.I)


def _split_map(answer: Answer) -> None:
    """`priority:7  dscp: 48`, a line for each priority that has code points."""
    lines = [(number, " ".join(text.split())) for number, text in answer.lines()]
    if not any(re.search(r"dscp", text, re.I) for _, text in lines):
        answer.say(REFUSED + (lines[0][1] if lines else "no answer")[:120], answer.document.first_line)
        return
    entries = False
    for number, text in lines:
        if text.lower() == "dscp2prio mapping:":
            continue
        entries = True
        swapped = _CODES_SWAPPED.fullmatch(text)
        text = f"priority:{swapped.group(2)} dscp: {swapped.group(1)}" if swapped is not None else text
        answer.say(f"map {text}", number)
    answer.say(f"app table {'on' if entries else 'off'}", lines[0][0])


def _map(nic: NicSettings, text: str, at: At) -> None:
    found = _CODES.fullmatch(text)
    if found is None:
        raise ValueError(text)
    for code in found.group(2).replace(",", " ").split():
        nic.set(PRIORITY_OF_DSCP[whole(code, 0, 63)], whole(found.group(1), 0, 7), at)


_APP = (PRIORITY_OF_DSCP, HAS_DSCP_ENTRIES, "dscp", "pcp", "trust")
_MAP_LINES = (*(line for line in hosttlv.LINES if line.lead == "app table"), Line("map", _APP, _map))
_MAP_WORDS = r"(?:get[_ ]dscp2prio|qos --dscp2prio(?: --show)?|dscp2prio(?: --show)?|listmap -{1,2}dscp2prio|qos --listmap --dscp2prio)"

MAP = Tool(
    name="niccli dscp2prio",
    split=_split_map,
    commands=_of_device(_MAP_WORDS),
    signature=r"^[ \t]*dscp2prio mapping:\s*^[ \t]*priority ?: ?\d",
    lines=_MAP_LINES,
    covers=("dscp", "pcp", "trust"),
    ethernet=True,
)
BNXTQOS_MAP = Tool(
    name="bnxtqos dscp2prio",
    split=_split_map,
    commands=_of_bnxtqos(r"get[_ ]dscp2prio"),
    lines=_MAP_LINES,
    covers=("dscp", "pcp", "trust"),
    ethernet=True,
)


def _split_queues(answer: Answer) -> None:
    """A table of `Priority TC Queue-ID`."""
    told = False
    for number, raw in answer.lines():
        text = " ".join(raw.split())
        if re.match(r"Base Queue is |-{4,}$|Priority +TC", text):
            told = True
        else:
            answer.say(f"row {text}", number)
    if not told:
        number, text = next(answer.lines(), (answer.document.first_line, "no answer"))
        answer.say(REFUSED + text.strip()[:120], number)


def _row(nic: NicSettings, text: str, at: At) -> None:
    found = matched(r"([0-7]) ([0-7]) [0-9]{1,2}", text)
    for what in ("classes", "priorities"):
        nic.set(f"{what}.{found.group(1)}.queue", int(found.group(2)), at)


QUEUES = Tool(
    name="niccli pri2cos",
    split=_split_queues,
    commands=_of_device(r"(?:dump pri2cos|listmap -{1,2}pri2cos|qos --listmap --pri2cos|qos --pri2cos(?: --show)?)"),
    signature=r"^[ \t]*Priority +TC +Queue ID[ \t]*$",
    lines=(Line("row", ("classes.*.queue", "priorities.*.queue"), _row),),
    covers=("classes.*.queue", "priorities.*.queue"),
    ethernet=True,
)

_HEAD = re.compile(r"\[? ?([0-9]{1,3}) ?[\])] ?(.{1,160})")


def _devices(answer: Answer) -> None:
    """`1) Broadcom BCM57608 ...` and below it the interface and the PCI address."""
    card, model, line = "", "", 0
    for number, raw in answer.lines():
        text = " ".join(raw.split())
        head = _HEAD.fullmatch(text)
        key, _, value = (part.strip() for part in text.partition(":"))
        about: Subject | None = None
        if head is not None:
            card, model, line = head.group(1), head.group(2), number
        elif (
            card and key.startswith(("Device Interface", "Interface")) and re.fullmatch(r"[A-Za-z][\w.-]{0,14}", value)
        ):
            about = ("net", value)
        elif card and key.startswith("PCI Address") and re.fullmatch(_PCI, value):
            about = ("pci", full_address(value))
        if about is not None:
            if card not in answer.collector.cards:
                answer.say(f"model {model}", line, about)
            answer.collector.is_card(card, about)


DEVICES = Tool(
    name="niccli list",
    split=_devices,
    commands=r"niccli (?:--?list[_ ]?dev(?:ices)?|-l)",
    signature=r"^[ \t]*(?:\[ ?1 ?\]|1\)) ?.*\bBCM[0-9]{3,6}",
    lines=(
        sets("model", "nic.model_name", shape(r".{0,60}\b(BCM[0-9]{3,6}[A-Z]?)\b.{0,160}"), fallback=True),
        Line("not understood", (), not_understood),
    ),
    complete=False,
)

TOOLS = (QOS, BNXTQOS, PFC, MAP, BNXTQOS_MAP, QUEUES, DEVICES)
