"""The Ansible collection dellemc.enterprise_sonic: tasks and variables of its modules in the words of the command line.

Tasks are taken in their order. `merged` adds, `replaced` takes the place of what these tasks said of a thing before, `overridden`
of all things of its kind, `deleted` takes back. What the device held before is nowhere to be seen.
"""

from __future__ import annotations

from collections.abc import Callable

from roce_audit.platforms.esonic.ansiblelines import commands
from roce_audit.platforms.esonic.ansibleports import bare, each_of, lags, ports, qos_ports
from roce_audit.platforms.esonic.table import MAPS
from roce_audit.platforms.esonic.trees import Body, Node, Script
from roce_audit.platforms.esonic.treewords import (
    COUNTERS,
    MAP_KINDS,
    PROFILE,
    SCHEDULER_VALUES,
    WATCHDOG_POLL,
    MapKind,
    buffer_init,
    edge,
    entry,
    named,
    queue_header,
    roce,
    thousands,
)

_STATES = frozenset({"merged", "replaced", "overridden", "deleted"})
_TASKS = frozenset({"tasks", "pre-tasks", "post-tasks", "block", "always"})
_FACTS = frozenset({"ansible-facts", "ansible-network-resources", "vars"})
_Handler = Callable[[Script, "Node | None", str], None]
_MAYBE = ("when", "loop", "with-items", "with-dict")


def read(script: Script, node: Node) -> None:
    """All tasks and variables of a document."""
    hosts: set[str] = set()
    _below(script, node, hosts)


def _below(script: Script, node: Node, hosts: set[str]) -> None:
    for element in node.elements():
        play = element.at("hosts")
        if play is not None:
            hosts.add(play.text)
            if len(hosts) > 1:
                script.say(f"roce play for other hosts: {play.text}", play.line)
                continue
        _below(script, element, hosts)
        _conditions(script, element)
    for name, member in node.members():
        handler = MODULES.get(name.removeprefix("sonic-"))
        if handler is not None and _is_ours(member):
            _module(script, member, handler, name.removeprefix("sonic-"))
        elif name in _TASKS or name in _FACTS:
            _below(script, member, hosts)


def _is_ours(node: Node) -> bool:
    """By its name: `interfaces` is a word of many, `sonic_interfaces` of this collection alone."""
    key, above = str(node.path[-1]), node.path[-2:-1]
    return "sonic_" in key or above == ("ansible_network_resources",)


def _conditions(script: Script, task: Node) -> None:
    """A task that may not run, or runs many times, says nothing certain."""
    if not any(name.removeprefix("sonic-") in MODULES and _is_ours(node) for name, node in task.members()):
        return
    for word in _MAYBE:
        found = task.at(word)
        if found is not None:
            script.say(f"roce only under a condition: {word} {found.text}".strip(), found.line)


def _module(script: Script, node: Node, handler: _Handler, name: str) -> None:
    """The arguments of one module, or a variable with what would be its `config`."""
    config = node.at("config")
    state = node.at("state") if config is not None or name != "interfaces" else None
    is_arguments = config is not None or (isinstance(node.value, dict) and set(node.value) <= {"state", "config"})
    word = state.text if state is not None else "merged"
    if is_arguments and state is not None and word not in _STATES:
        script.say(f"roce state {word}", state.line)
        return
    if not is_arguments:
        config, word = node, "merged"
    handler(script, config, word)


def _objects(resource: str, mode: str, header: str, fill: Callable[[Body, Node], None]) -> _Handler:
    """What the four states do with a list of named things."""

    def handler(script: Script, config: Node | None, state: str) -> None:
        elements = list(each_of(config))
        if state == "overridden" or (state == "deleted" and not elements):
            script.forget(resource)
        for node in elements:
            body = named(script, node, resource, mode, header, ("name",))
            if body is None:
                continue
            if state == "replaced" or (state == "deleted" and bare(node)):
                script.forget(resource, body.header)
            if state == "replaced":
                script.bodies.append(body)
            if state != "deleted" or not bare(node):
                fill(body, node)
            if state == "deleted" and not bare(node):
                script.retract(body)

    return handler


def _fill_map(kind: MapKind) -> Callable[[Body, Node], None]:
    def fill(body: Body, node: Node) -> None:
        for names, leaf in node.leaves():
            if names == ("entries",):
                for each in leaf.elements():
                    for text, line in entry(each, kind):
                        body.say(text, line)
            elif names != ("name",):
                body.say(f"{'/'.join(names)} {leaf.text}", leaf.line)

    return fill


_MAP_HANDLERS = {
    kind.ansible: _objects(kind.ansible, MAPS[kind.kind].mode, f"qos map {kind.kind}", _fill_map(kind))
    for kind in MAP_KINDS
}


def _maps(script: Script, config: Node | None, state: str) -> None:
    given = dict(config.members()) if config is not None else {}
    if state == "overridden" or (state == "deleted" and not given):
        for resource in _MAP_HANDLERS:
            script.forget(resource)
    for name, node in given.items():
        handler = _MAP_HANDLERS.get(name)
        if handler is None:
            script.say(f"qos {name}", node.line)
        else:
            handler(script, node, state)


def _fill_scheduler(body: Body, node: Node) -> None:
    for names, leaf in node.leaves():
        if names not in (("name",), ("schedulers",)):
            body.say(f"{'/'.join(names)} {leaf.text}", leaf.line)
    schedulers = node.at("schedulers")
    for each in schedulers.elements() if schedulers is not None else ():
        number = each.at("sequence")
        queue = queue_header("" if number is None else number.text)
        body.say(queue, each.line if number is None else number.line)
        for name, leaf in each.members():
            if name != "sequence":
                body.say(_scheduled(name, leaf), leaf.line, queue)


def _scheduled(name: str, leaf: Node) -> str:
    words = SCHEDULER_VALUES.get(name.removeprefix("scheduler-"))
    if words is not None:
        return words.get(leaf.text.upper(), words[""].format(leaf.text))
    rate = name in ("cir", "pir", "cbs", "pbs")
    return f"{name} {thousands(leaf.text) if rate else leaf.text}".strip()


def _fill_wred(body: Body, node: Node) -> None:
    for names, leaf in node.leaves():
        if names == ("ecn",):
            body.say(f"ecn {leaf.text}", leaf.line)
        elif len(names) == 2:
            body.say(edge(names[0], names[1], leaf), leaf.line)
        elif names != ("name",):
            body.say(f"{'/'.join(names)} {leaf.text}", leaf.line)


def _fill_profile(body: Body, node: Node) -> None:
    for name, leaf in node.members():
        if name != "name":
            body.say(PROFILE.get(name, f"{name} {{}}").format(leaf.text), leaf.line)


_SCHEDULERS = _objects("scheduler", "scheduler", "qos scheduler-policy", _fill_scheduler)
_WRED = _objects("wred", "wred", "qos wred-policy", _fill_wred)
_PROFILES = _objects("profile", "bufprofile", "buffer profile", _fill_profile)


def _buffer(script: Script, config: Node | None, state: str) -> None:
    for name, node in config.members() if config is not None else ():
        if name == "buffer-profiles":
            _PROFILES(script, node, state)
        elif name == "buffer-init" and state != "deleted":
            buffer_init(script, node)
        elif name == "buffer-pools":
            for each in node.elements():
                _pool(script, each, state)
        else:
            script.say(f"buffer {name} {node.text}".strip(), node.line)


def _pool(script: Script, node: Node, state: str) -> None:
    name, size = node.at("name"), node.at("xoff")
    begins = "no buffer pool" if state == "deleted" else "buffer pool"
    if size is not None or state == "deleted":
        given = "" if size is None else f" shared-headroom-size {size.text}"
        line = node.line if size is None else size.line
        script.say(f"{begins} {'' if name is None else name.text}{given}", line)


def _watchdog(script: Script, config: Node | None, state: str) -> None:
    for name, node in config.members() if config is not None else ():
        if name == "poll-interval":
            text = WATCHDOG_POLL.format(node.text)
            script.say(f"no {text}" if state == "deleted" else text, node.line)
        elif name == "counter-poll":
            words = {"true": COUNTERS, "false": f"no {COUNTERS}"}
            text = words.get(node.text, f"{COUNTERS} {node.text}")
            script.say(COUNTERS if state == "deleted" else text, node.line)
        else:
            script.say(f"priority-flow-control watchdog {name} {node.text}", node.line)


def _roce(script: Script, config: Node | None, state: str) -> None:
    if config is not None:
        roce(script, config.at("roce-enable"), config.at("pfc-priority"))
        for name, node in config.members():
            if name not in ("roce-enable", "pfc-priority"):
                script.say(f"roce {name} {node.text}", node.line)


MODULES: dict[str, _Handler] = {
    "qos-maps": _maps,
    "qos-interfaces": qos_ports,
    "qos-scheduler": _SCHEDULERS,
    "qos-wred": _WRED,
    "qos-buffer": _buffer,
    "qos-pfc": _watchdog,
    "roce": _roce,
    "interfaces": ports,
    "lag-interfaces": lags,
    "config": commands,
}
