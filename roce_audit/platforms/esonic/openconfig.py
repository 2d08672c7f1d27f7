"""The REST and RESTCONF form: openconfig-qos with its extensions, openconfig-interfaces, sonic-switch, in the words of the command line.

Names as the Ansible collection dellemc.enterprise_sonic asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from roce_audit.platforms.esonic.table import MAPS
from roce_audit.platforms.esonic.trees import Body, Names, Node, Script, Words
from roce_audit.platforms.esonic.treewords import (
    COUNTERS,
    FEC_WORDS,
    MAP_KINDS,
    ON_OFF_WORDS,
    PROFILE,
    SCHEDULER_VALUES,
    SPEED_WORDS,
    UP_WORDS,
    WATCHDOG_POLL,
    MapKind,
    buffer_init,
    edge,
    entry,
    named,
    priority,
    queue_header,
    roce,
    thousands,
)

_BINDS = {
    "dscp-to-forwarding-group": "dscp-tc",
    "dot1p-to-forwarding-group": "dot1p-tc",
    "forwarding-group-to-queue": "tc-queue",
    "forwarding-group-to-priority-group": "tc-pg",
    "forwarding-group-to-dscp": "tc-dscp",
    "forwarding-group-to-dot1p": "tc-dot1p",
    "pfc-priority-to-queue": "pfc-priority-queue",
    "pfc-priority-to-priority-group": "pfc-priority-pg",
}
_PRIORITIES: Names = ("pfc", "pfc-priorities", "pfc-priority")
_QOS_PORT = Words(
    says={("interface-maps", "config", leaf): f"qos-map {kind} {{}}" for leaf, kind in _BINDS.items()}
    | {
        ("interface-id",): "",
        ("config", "interface-id"): "",
        ("output", "scheduler-policy", "config", "name"): "scheduler-policy {}",
        ("cable-length", "config", "length"): "cable-length {}",
        ("pfc", "watchdog", "config", "detection-time"): "priority-flow-control watchdog detect-time {}",
        ("pfc", "watchdog", "config", "restoration-time"): "priority-flow-control watchdog restore-time {}",
    },
    values={
        ("pfc", "config", "asymmetric"): {
            "TRUE": "priority-flow-control asymmetric",
            "FALSE": "no priority-flow-control asymmetric",
            "": "priority-flow-control asymmetric {}",
        },
        ("pfc", "watchdog", "config", "action"): {
            word: f"priority-flow-control watchdog action {word.lower()}" for word in ("DROP", "FORWARD", "ALERT")
        }
        | {"": "priority-flow-control watchdog action {}"},
    },
    # interface-ref repeats which interface this is
    aside=frozenset({"interface-ref"}),
    doubt={
        "pfc": "priority-flow-control",
        "interface-maps": "qos-map",
        "output": "scheduler-policy",
        "cable-length": "cable-length",
        "input": "service-policy type qos",
        "buffer": "buffer",
        "": "buffer",
    },
)
_PORT = Words(
    says={("config", "mtu"): "mtu {}"},
    values={
        ("config", "enabled"): UP_WORDS,
        ("ethernet", "config", "port-speed"): SPEED_WORDS,
        ("ethernet", "config", "port-fec"): FEC_WORDS,
        ("ethernet", "config", "auto-negotiate"): ON_OFF_WORDS,
    },
)
_ECN = {
    "ECN_ALL": "ecn all",
    "ECN_NONE": "ecn none",
    "ECN_GREEN": "ecn green",
    "ECN_YELLOW": "ecn yellow",
    "ECN_RED": "ecn red",
    "ECN_GREEN_YELLOW": "ecn green_yellow",
    "ECN_GREEN_RED": "ecn green_red",
    "ECN_YELLOW_RED": "ecn yellow_red",
    "": "ecn {}",
}
_DESCENDED = frozenset(
    {"data", "qos", "interfaces", "queues", "scheduler-policies", "wred-profiles", "sonic-switch", "SWITCH", "buffer"}
    | {"buffer-pools", "buffer-profiles"}
    | {f"{kind.rest}s" for kind in MAP_KINDS}
)
_SILENT = frozenset({"state", "config", "@odata.id"})
Handler = Callable[[Script, Node], None]


def read(script: Script, node: Node, inside: str = "") -> None:
    """All resources of a tree, wherever in it their containers stand."""
    for name, member in node.members():
        handler = _HANDLERS.get(name)
        if handler is not None:
            its = member.elements() if isinstance(member.value, list) else (member,)
            for each in its:
                handler(script, each)
        elif name in _DESCENDED:
            script.containers.update(_container(name, member))
            read(script, member, name)
        elif inside == "qos" and name not in _SILENT:
            script.say(f"qos {name}", member.line)


def _container(name: str, node: Node) -> Iterator[str]:
    if name == "interfaces":
        first = next((e for _, held in node.members() for e in held.elements()), None)
        if first is not None and first.at("name") is not None:
            yield "openconfig-interfaces"
    elif name in ("qos", "sonic-switch"):
        yield name


def _interface(script: Script, node: Node) -> None:
    """An element of the list of interfaces of either module: they differ in what they call the name."""
    if node.at("interface-id") is None:
        _port(script, node)
        return
    body = named(script, node, "qos interface", "port", "interface", ("interface-id",))
    if body is None:
        return
    for text, line in _QOS_PORT.statements(node, frozenset({_PRIORITIES})):
        if text:
            body.say(text, line)
    for each in node.list_at(*_PRIORITIES):
        priority(body, each)


def _port(script: Script, node: Node) -> None:
    body = named(script, node, "interface", "port", "interface", ("name",))
    if body is None:
        return
    for text, line in _PORT.statements(node):
        body.say(text, line)
    _labels(body, node)
    lag = node.at("ethernet", "config", "aggregate-id")
    if lag is not None:
        body.say(f"channel-group {lag.text.removeprefix('PortChannel')}", lag.line)


def _labels(body: Body, node: Node) -> None:
    described = node.at("config", "description")
    if described is not None and described.text:
        body.labels.append(f"description {described.text}")
    vlans = node.at("ethernet", "switched-vlan", "config") or node.at("aggregation", "switched-vlan", "config")
    for name, member in vlans.members() if vlans is not None else ():
        if name in ("access-vlan", "native-vlan"):
            body.labels.append(f"switchport access Vlan {member.text}")
        elif name == "trunk-vlans":
            numbers = ",".join(e.text.replace("..", "-") for e in member.elements())
            body.labels.append(f"switchport trunk allowed Vlan {numbers}")
    for below in node.list_at("subinterfaces", "subinterface"):
        for family in ("ipv4", "ipv6"):
            for each in below.list_at(family, "addresses", "address"):
                address, length = each.at("config", "ip") or each.at("ip"), each.at("config", "prefix-length")
                if address is not None and length is not None:
                    word = "ip" if family == "ipv4" else "ipv6"
                    body.labels.append(f"{word} address {address.text}/{length.text}")


def _queue(script: Script, node: Node) -> None:
    """`Eth1/1:3`: what is bound to queue 3 of Eth1/1."""
    name, profile = node.at("name"), node.at("wred", "config", "wred-profile")
    if name is None:
        script.say("qos queue without a name", node.line)
        return
    port, _, number = name.text.rpartition(":")
    body = script.stanza("queue", "port", f"interface {port}", name.line)
    copy = node.at("config", "name")
    if copy is not None and copy.text != name.text:
        body.say(f"queue {number} {copy.text}", copy.line)
    if profile is not None:
        body.say(f"queue {number} wred-policy {profile.text}".strip(), profile.line)
    for names, leaf in node.leaves():
        if names[0] in ("wred", "buffer", "buffer-profile") and leaf.path != (profile.path if profile else ()):
            begins = "queue" if names[0] == "wred" else "buffer queue"
            body.say(f"{begins} {number} {'/'.join(names)} {leaf.text}", leaf.line)


def _map(kind: MapKind) -> Handler:
    def handler(script: Script, node: Node) -> None:
        body = named(script, node, kind.rest, MAPS[kind.kind].mode, f"qos map {kind.kind}", ("name",))
        if body is None:
            return
        for names, leaf in node.leaves():
            if names == (f"{kind.rest}-entries", f"{kind.rest}-entry"):
                for each in leaf.elements():
                    for text, line in entry(each, kind):
                        body.say(text, line)
            elif names[-1] not in ("name", "description"):
                body.say(f"{'/'.join(names)} {leaf.text}", leaf.line)

    return handler


def _scheduler_policy(script: Script, node: Node) -> None:
    body = named(script, node, "scheduler-policy", "scheduler", "qos scheduler-policy", ("name",))
    for each in node.list_at("schedulers", "scheduler") if body is not None else ():
        assert body is not None
        number = each.at("sequence") or each.at("config", "sequence")
        queue = queue_header("" if number is None else number.text)
        body.say(queue, each.line if number is None else number.line)
        for names, leaf in each.leaves():
            if names[-1] == "sequence" and number is not None and leaf.text == number.text:
                continue
            if names[0] not in ("inputs", "output"):  # which queues it serves follows from its number
                body.say(_scheduled(names, leaf), leaf.line, queue)


def _scheduled(names: Names, leaf: Node) -> str:
    match names:
        case ("config", "priority"):
            word = leaf.text.rpartition(":")[2]
            return SCHEDULER_VALUES["type"].get(word.upper(), f"type {word}")
        case ("config", "meter-type"):
            return SCHEDULER_VALUES["meter-type"].get(leaf.text.rpartition(":")[2].upper(), f"meter-type {leaf.text}")
        case ("config", "weight"):
            return f"weight {leaf.text}"
        case ("two-rate-three-color", "config", "cir" | "pir" as rate):
            return f"{rate} {thousands(leaf.text)}"
        case ("two-rate-three-color", "config", "bc" | "be" as burst):
            return f"{'cbs' if burst == 'bc' else 'pbs'} {thousands(leaf.text)}"
    return f"{'/'.join(names)} {leaf.text}"


def _wred(script: Script, node: Node) -> None:
    body = named(script, node, "wred-profile", "wred", "qos wred-policy", ("name",))
    for names, leaf in node.leaves() if body is not None else ():
        assert body is not None
        if names not in (("name",), ("config", "name")):
            body.say(_curve(names[-1], leaf), leaf.line)


def _curve(name: str, leaf: Node) -> str:
    match name.split("-"):
        case ["ecn"]:
            return _ECN.get(leaf.text.rpartition(":")[2].upper(), f"ecn {leaf.text}")
        case ["wred", colour, "enable"]:
            return edge(colour, "enable", leaf)
        case [colour, "min" | "max" as end, "threshold"]:
            return edge(colour, f"{end}-threshold", leaf)
        case [colour, "drop", "probability"]:
            return edge(colour, "drop-probability", leaf)
    return f"{name} {leaf.text}"


def _pool(script: Script, node: Node) -> None:
    name, size = node.at("name"), node.at("config", "xoff") or node.at("xoff")
    if size is not None:
        script.say(f"buffer pool {name.text if name is not None else ''} shared-headroom-size {size.text}", size.line)


def _profile(script: Script, node: Node) -> None:
    body = named(script, node, "buffer profile", "bufprofile", "buffer profile", ("name",))
    for names, leaf in node.leaves() if body is not None else ():
        assert body is not None
        if names[-1] != "name":
            body.say(PROFILE.get(names[-1], f"{'/'.join(names)} {{}}").format(leaf.text), leaf.line)


def _watchdog(script: Script, node: Node) -> None:
    for names, leaf in node.leaves():
        if names[-1] == "poll-interval":
            script.say(WATCHDOG_POLL.format(leaf.text), leaf.line)
        elif names[-1] == "counter-poll":
            words = {"ENABLE": COUNTERS, "DISABLE": f"no {COUNTERS}"}
            script.say(words.get(leaf.text.upper(), f"{COUNTERS} {leaf.text}"), leaf.line)
        else:
            script.say(f"priority-flow-control watchdog {'/'.join(names)} {leaf.text}", leaf.line)


def _switch(script: Script, node: Node) -> None:
    script.containers.add("sonic-switch")
    roce(script, node.at("roce-enable"), node.at("roce-pfc-priority"))
    mode = node.at("buffer-mode-lossless")
    if mode is not None:
        buffer_init(script, mode)


def _buffer_mode(script: Script, node: Node) -> None:
    script.containers.add("sonic-switch")
    buffer_init(script, node)


_HANDLERS: dict[str, Handler] = {kind.rest: _map(kind) for kind in MAP_KINDS} | {
    "interface": _interface,
    "queue": _queue,
    "scheduler-policy": _scheduler_policy,
    "wred-profile": _wred,
    "buffer-pool": _pool,
    "buffer-profile": _profile,
    "pfc-watchdog": _watchdog,
    "SWITCH-LIST": _switch,
    "buffer-mode-lossless": _buffer_mode,
}
