"""What both tree forms, REST and Ansible, say in the same way: maps, schedulers, numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from roce_audit.platforms.esonic.trees import Body, Node, Script

KILO = 1000


class MapKind(NamedTuple):
    """One kind of map: its names in the trees, the leaf that is its key, the leaves that may hold the value."""

    kind: str
    rest: str
    ansible: str
    key: str
    values: tuple[str, ...]
    statement: str


MAP_KINDS = (
    MapKind("dscp-tc", "dscp-map", "dscp-maps", "dscp", ("fwd-group",), "dscp {} traffic-class {}"),
    MapKind("dot1p-tc", "dot1p-map", "dot1p-maps", "dot1p", ("fwd-group",), "dot1p {} traffic-class {}"),
    MapKind(
        "tc-queue",
        "forwarding-group-queue-map",
        "fwd-group-queue-maps",
        "fwd-group",
        ("output-queue-index", "queue-index"),
        "traffic-class {} queue {}",
    ),
    MapKind(
        "tc-pg",
        "forwarding-group-priority-group-map",
        "fwd-group-pg-maps",
        "fwd-group",
        ("priority-group-index", "pg-index"),
        "traffic-class {} priority-group {}",
    ),
    MapKind(
        "tc-dscp",
        "forwarding-group-dscp-map",
        "fwd-group-dscp-maps",
        "fwd-group",
        ("dscp",),
        "traffic-class {} dscp {}",
    ),
    MapKind(
        "tc-dot1p",
        "forwarding-group-dot1p-map",
        "fwd-group-dot1p-maps",
        "fwd-group",
        ("dot1p",),
        "traffic-class {} dot1p {}",
    ),
    MapKind(
        "pfc-priority-queue",
        "pfc-priority-queue-map",
        "pfc-priority-queue-maps",
        "dot1p",
        ("output-queue-index", "queue-index"),
        "pfc-priority {} queue {}",
    ),
    MapKind(
        "pfc-priority-pg",
        "pfc-priority-priority-group-map",
        "pfc-priority-pg-maps",
        "dot1p",
        ("priority-group-index", "pg-index"),
        "pfc-priority {} pg {}",
    ),
)


def entry(node: Node, kind: MapKind) -> Iterator[tuple[str, int]]:
    """The statement of one entry of a map, on the line of its value; what else it holds is told as it stands."""
    key = node.at(kind.key)
    value: Node | None = None
    for names, leaf in node.leaves():
        if names[-1] in kind.values:
            value = leaf
        elif names[-1] != kind.key:
            yield f"{'/'.join(names)} {leaf.text}", leaf.line
        elif key is None:
            key = leaf
        elif leaf.text != key.text:
            yield f"{'/'.join(names)} {leaf.text}", leaf.line
    if key is None:
        yield "an entry without its key", node.line
    else:
        given = "" if value is None else value.text
        yield kind.statement.format(key.text, given).strip(), key.line if value is None else value.line


def named(script: Script, node: Node, resource: str, mode: str, header: str, keys: tuple[str, ...]) -> Body | None:
    """The stanza of an object that has a name; None where it has none, which is told."""
    name = next((found for key in keys if (found := node.at(key)) is not None), None)
    if name is None or not name.text:
        script.say(f"qos {resource} without a name", node.line)
        return None
    body = script.stanza(resource, mode, f"{header} {name.text}", name.line)
    for key in keys:
        copy = node.at("config", key)
        if copy is not None and copy.text != name.text:
            body.say(f"{header} {copy.text}", copy.line)
    return body


def thousands(text: str) -> str:
    """A number of units as one of thousands of them; what is no number stays as it is."""
    if not text.isdecimal() or len(text) > 15:
        return text
    whole, rest = divmod(int(text), KILO)
    return f"{whole}.{rest:03}".rstrip("0") if rest else str(whole)


def queue_header(text: str) -> str:
    """How a scheduler policy names the queue of a sequence number; 255 is the port."""
    return "port" if text == "255" else f"queue {text}"


SPEEDS = {
    "SPEED_10MB": 10,
    "SPEED_100MB": 100,
    "SPEED_1GB": 1_000,
    "SPEED_2500MB": 2_500,
    "SPEED_5GB": 5_000,
    "SPEED_10GB": 10_000,
    "SPEED_20GB": 20_000,
    "SPEED_25GB": 25_000,
    "SPEED_40GB": 40_000,
    "SPEED_50GB": 50_000,
    "SPEED_100GB": 100_000,
    "SPEED_200GB": 200_000,
    "SPEED_400GB": 400_000,
    "SPEED_800GB": 800_000,
}
"""In Mbit/s."""


SPEED_WORDS = {word: f"speed {speed}" for word, speed in SPEEDS.items()} | {"": "speed {}"}


FEC_WORDS = {
    "FEC_RS": "fec rs",
    "FEC_FC": "fec fc",
    "FEC_DISABLED": "fec none",
    "FEC_AUTO": "fec auto",
    "FEC_DEFAULT": "fec default",
    "": "fec {}",
}


ON_OFF_WORDS = {"TRUE": "autoneg on", "FALSE": "autoneg off", "": "autoneg {}"}


UP_WORDS = {"TRUE": "no shutdown", "FALSE": "shutdown", "": "shutdown {}"}


_TYPES = {"STRICT": "type strict", "DWRR": "type dwrr", "WRR": "type wrr", "": "type {}"}


_METERS = {"PACKETS": "meter-type packets", "BYTES": "meter-type bytes", "": "meter-type {}"}


SCHEDULER_VALUES = {"type": _TYPES, "meter-type": _METERS}


PROFILE = {
    "pool": "pool {}",
    "size": "size {}",
    "static-threshold": "static-threshold {}",
    "dynamic-threshold": "dynamic-threshold {}",
    "pause-threshold": "pause-threshold {}",
    "resume-threshold": "resume-threshold {}",
    "resume-offset-threshold": "resume-offset-threshold {}",
}


WATCHDOG_POLL = "priority-flow-control watchdog polling-interval {}"


COUNTERS = "priority-flow-control watchdog counter-poll"


def priority(body: Body, node: Node, default: str = "") -> None:
    """One priority of PFC; `default` is what holds where nothing says whether it is on."""
    key, on = node.at("dot1p"), node.at("config", "enable") or node.at("enable")
    if key is None:
        body.say("priority-flow-control priority", node.line)
        return
    word = default if on is None else on.text
    begins = {"true": "", "false": "no "}.get(word.lower())
    text = f"{begins or ''}priority-flow-control priority {key.text}"
    if begins is None and word:
        text = f"{text} {word}"
    if begins is not None or word:
        body.say(text, key.line if on is None else on.line)
    copy = node.at("config", "dot1p")
    if copy is not None and copy.text != key.text:
        body.say(f"priority-flow-control priority {key.text} {copy.text}", copy.line)


def edge(colour: str, name: str, leaf: Node) -> str:
    """One value of a colour's curve, where the command line has all of them on one line."""
    match name:
        case "enable":
            return {"true": f"{colour} enable", "false": f"no {colour}"}.get(leaf.text, f"{colour} enable {leaf.text}")
        case "min-threshold":
            return f"{colour} minimum-threshold {thousands(leaf.text)}"
        case "max-threshold":
            return f"{colour} maximum-threshold {thousands(leaf.text)}"
        case "drop-probability":
            return f"{colour} drop-probability {leaf.text}"
    return f"{colour} {name} {leaf.text}"


def buffer_init(script: Script, mode: Node) -> None:
    """Whether the device made its lossless buffers."""
    words = {"true": "buffer init lossless", "false": "no buffer init lossless"}
    script.say(words.get(mode.text.lower(), f"buffer init {mode.text}"), mode.line)


def roce(script: Script, enable: Node | None, priorities: Node | None) -> None:
    """`roce enable`, and the priorities that it is for."""
    if enable is not None:
        words = {"true": "roce enable", "false": "no roce enable"}
        script.say(words.get(enable.text.lower(), f"roce enable {enable.text}"), enable.line)
    if priorities is not None and priorities.text and (enable is None or enable.text.lower() == "true"):
        script.say(f"roce enable pfc-priority {priorities.text}", priorities.line)
