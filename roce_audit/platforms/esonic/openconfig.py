"""The REST and RESTCONF form: openconfig-qos with its extensions, openconfig-interfaces, sonic-switch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from roce_audit.platforms.esonic.kinds import MAPS, MapKind
from roce_audit.platforms.esonic.trees import PROFILE_OF_TREES, Body, Node, Script

_QOS = "openconfig-qos"
_INTERFACES = "openconfig-interfaces"
_QUEUES = "openconfig-qos-queues"
_DESCENDED = frozenset(
    {"data", "qos", "interfaces", "queues", "scheduler-policies", "wred-profiles", "sonic-switch", "SWITCH", "buffer"}
    | {"buffer-pools", "buffer-profiles"}
    | {f"{its.rest}s" for its in MAPS.values()}
)
_SILENT = frozenset({"state", "config", "@odata.id"})
Handler = Callable[[Script, Node], object]


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
            yield _INTERFACES
    elif name in ("qos", "sonic-switch"):
        yield name


def _object(script: Script, node: Node, mode: str, header: str, origin: str = _QOS, key: str = "name") -> Body | None:
    """All that an object of a list says."""
    body = script.named(node, origin, mode, header, (key,))
    name = node.at(key)
    if body is not None and name is not None:
        body.take(node.others(key, name.text))
    return body


def _map(its: MapKind, kind: str, script: Script, node: Node) -> None:
    _object(script, node, its.mode, f"qos map {kind}")


def _interface(script: Script, node: Node) -> None:
    """An element of the list of interfaces of either module: they differ in what they call the name."""
    if node.at("interface-id") is not None:
        _object(script, node, "port", "interface", key="interface-id")
        return
    body = _object(script, node, "port", "interface", _INTERFACES)
    if body is not None:
        body.labels.extend(_labels(node))


def _labels(node: Node) -> Iterator[str]:
    described = node.at("config", "description")
    if described is not None and described.text:
        yield f"description {described.text}"
    vlans = node.at("ethernet", "switched-vlan", "config") or node.at("aggregation", "switched-vlan", "config")
    for name, member in vlans.members() if vlans is not None else ():
        if name in ("access-vlan", "native-vlan"):
            yield f"switchport access Vlan {member.text}"
        elif name == "trunk-vlans":
            numbers = ",".join(e.text.replace("..", "-") for e in member.elements())
            yield f"switchport trunk allowed Vlan {numbers}"
    for below in node.list_at("subinterfaces", "subinterface"):
        for family, word in (("ipv4", "ip"), ("ipv6", "ipv6")):
            for each in below.list_at(family, "addresses", "address"):
                address, length = each.at("config", "ip") or each.at("ip"), each.at("config", "prefix-length")
                if address is not None and length is not None:
                    yield f"{word} address {address.text}/{length.text}"


def _queue(script: Script, node: Node) -> None:
    """`Eth1/1:3`: what is bound to queue 3 of Eth1/1."""
    name = node.at("name")
    if name is None:
        script.say("qos queue", node.line)
        return
    port, _, number = name.text.rpartition(":")
    body = script.body(_QUEUES, "port", f"interface {port}", name.line)
    body.take((f"{number} {text}", line) for text, line in node.others("name", name.text))


def _device(origin: str, script: Script, node: Node) -> None:
    for text, line in node.statements():
        script.say(text, line, origin)


def _pool(script: Script, node: Node) -> None:
    name = node.at("name")
    for text, line in node.statements():
        script.say(f"{'' if name is None else name.text} {text}".strip(), line, "buffer-pool")


def _switch(script: Script, node: Node) -> None:
    script.containers.add("sonic-switch")
    _device("sonic-switch", script, node)


def _buffer_mode(script: Script, node: Node) -> None:
    script.containers.add("sonic-switch")
    script.say(f"buffer-mode-lossless {node.text}".strip(), node.line, "sonic-switch")


_HANDLERS: dict[str, Handler] = {its.rest: partial(_map, its, kind) for kind, its in MAPS.items()} | {
    "interface": _interface,
    "queue": _queue,
    "scheduler-policy": partial(_object, mode="scheduler", header="qos scheduler-policy"),
    "wred-profile": partial(_object, mode="wred", header="qos wred-policy"),
    "buffer-pool": _pool,
    "buffer-profile": partial(_object, mode="bufprofile", header=PROFILE_OF_TREES),
    "pfc-watchdog": partial(_device, "pfc-watchdog"),
    "SWITCH-LIST": _switch,
    "buffer-mode-lossless": _buffer_mode,
}
