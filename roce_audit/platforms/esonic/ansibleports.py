"""Modules of the Ansible collection that set things of ports: sonic_qos_interfaces, sonic_interfaces, sonic_lag_interfaces."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.platforms.esonic.table import UNKNOWN_KEY
from roce_audit.platforms.esonic.trees import Body, Names, Node, Script, Words
from roce_audit.platforms.esonic.treewords import FEC_WORDS, ON_OFF_WORDS, SPEED_WORDS, UP_WORDS, named, priority

_BINDS = {
    "dscp-fwd-group": "dscp-tc",
    "dot1p-fwd-group": "dot1p-tc",
    "fwd-group-queue": "tc-queue",
    "fwd-group-pg": "tc-pg",
    "fwd-group-dscp": "tc-dscp",
    "fwd-group-dot1p": "tc-dot1p",
    "pfc-priority-queue": "pfc-priority-queue",
    "pfc-priority-pg": "pfc-priority-pg",
}


_LISTS: frozenset[Names] = frozenset({("queues",), ("pfc", "priorities")})


_QOS_PORT = Words(
    says={("qos-maps", leaf): f"qos-map {kind} {{}}" for leaf, kind in _BINDS.items()}
    | {
        ("name",): "",
        ("scheduler-policy",): "scheduler-policy {}",
        ("cable-length",): "cable-length {}",
        ("pfc", "watchdog-action"): "priority-flow-control watchdog action {}",
        ("pfc", "watchdog-detect-time"): "priority-flow-control watchdog detect-time {}",
        ("pfc", "watchdog-restore-time"): "priority-flow-control watchdog restore-time {}",
    },
    values={
        ("pfc", "asymmetric"): {
            "TRUE": "priority-flow-control asymmetric",
            "FALSE": "no priority-flow-control asymmetric",
            "": "priority-flow-control asymmetric {}",
        }
    },
    doubt={"pfc": "priority-flow-control", "qos-maps": "qos-map", "": UNKNOWN_KEY},
)


_SILENT = ("name", "advertised-speed", "description", "unreliable-los", "autoneg-mode")
_SAYS: dict[Names, str] = {(name,): "" for name in _SILENT}
_PORT = Words(
    says=_SAYS | {("mtu",): "mtu {}"},
    values={
        ("enabled",): UP_WORDS,
        ("speed",): SPEED_WORDS,
        ("fec",): FEC_WORDS,
        ("auto-negotiate",): ON_OFF_WORDS,
    },
    doubt={"": UNKNOWN_KEY},
)


def qos_ports(script: Script, config: Node | None, state: str) -> None:
    if state == "deleted" and not list(each_of(config)):
        script.forget("qos interfaces")
    for node in each_of(config):
        body = named(script, node, "qos interfaces", "port", "interface", ("name",))
        if body is None:
            continue
        if state == "deleted" and bare(node):
            script.forget("qos interfaces", body.header)
            continue
        for text, at in _QOS_PORT.statements(node, _LISTS):
            if text:
                body.say(_taken_back(text) if state == "deleted" else text, at)
        for each in node.list_at("pfc", "priorities"):
            if state == "deleted":
                key = each.at("dot1p")
                body.say(f"no priority-flow-control priority {'' if key is None else key.text}", each.line)
            else:
                priority(body, each, "false")
        for each in node.list_at("queues"):
            _queue(body, each, state)


def _taken_back(statement: str) -> str:
    return statement.removeprefix("no ") if statement.startswith("no ") else f"no {statement}"


def _queue(body: Body, node: Node, state: str) -> None:
    number, profile = node.at("id"), node.at("wred-profile")
    text = f"queue {'' if number is None else number.text} wred-policy"
    if state == "deleted":
        body.say(f"no {text}", node.line)
    elif profile is not None:
        body.say(f"{text} {profile.text}", profile.line)
    for name, leaf in node.members():
        if name not in ("id", "wred-profile"):
            body.say(f"queue {name} {leaf.text}", leaf.line)


def ports(script: Script, config: Node | None, state: str) -> None:
    if state == "overridden" or (state == "deleted" and not list(each_of(config))):
        script.forget("interfaces")
    for node in each_of(config):
        body = named(script, node, "interfaces", "port", "interface", ("name",))
        if body is None:
            continue
        if state == "replaced" or (state == "deleted" and bare(node)):
            script.forget("interfaces", body.header)
        if state == "replaced":
            script.bodies.append(body)
        described = node.at("description")
        if state == "deleted":
            for name in ("mtu", "speed", "fec"):
                given = node.at(name)
                if given is not None:
                    body.say(f"no {name}", given.line)
            continue
        if described is not None and described.text:
            body.labels.append(f"description {described.text}")
        for text, at in _PORT.statements(node):
            if text:
                body.say(text, at)


def lags(script: Script, config: Node | None, state: str) -> None:
    """Members are told by the channel that they belong to."""
    for node in each_of(config):
        name = node.at("name")
        for each in node.list_at("members", "interfaces"):
            member = each.at("member")
            if name is None or member is None:
                continue
            body = script.stanza("lag", "port", f"interface {member.text}", member.line)
            number = name.text.removeprefix("PortChannel")
            body.say("no channel-group" if state == "deleted" else f"channel-group {number}", member.line)


def each_of(config: Node | None) -> Iterator[Node]:
    if config is not None:
        yield from config.elements()


def bare(node: Node) -> bool:
    """Whether an element holds nothing but its name."""
    return all(name == "name" for name, _ in node.members())
