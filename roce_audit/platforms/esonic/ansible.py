"""The Ansible collection dellemc.enterprise_sonic: tasks and variables of its modules.

Tasks are taken in their order. `merged` adds, `replaced` takes the place of what these tasks said of a thing before, `overridden`
of all things of its kind, `deleted` takes back. What the device held before is nowhere to be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from roce_audit.platforms.esonic.ansiblelines import commands
from roce_audit.platforms.esonic.kinds import MAPS, MapKind
from roce_audit.platforms.esonic.objects import LISTS
from roce_audit.platforms.esonic.trees import PROFILE_OF_TREES, Node, Script, plain
from roce_audit.text import plays
from roce_audit.text.jinja import values as jinjavalues
from roce_audit.text.jinja.conditions import decided

_STATES = frozenset({"merged", "replaced", "overridden", "deleted"})
_TASKS = frozenset({"tasks", "pre-tasks", "post-tasks", "block", "always"})
_FACTS = frozenset({"ansible-facts", "ansible-network-resources", "vars"})
_Handler = Callable[[Script, "Node | None", str], None]
_TASK = "task"
_CONDITION = ("when",)
_LOOPS = ("loop", "with-items", "with-dict")
"""What makes a task uncertain, where what it asks or goes through is not known."""
_API = "sonic-api"
_OF_OURS = ("qos", "pfc", "roce", "buffer", "mtu")
"""Words in the address of a request that sets what matters."""


def read(script: Script, node: Node) -> None:
    """All tasks and variables of a document."""
    hosts: set[str] = set()
    _below(script, node, hosts, {})


def _below(script: Script, node: Node, hosts: set[str], around: Mapping[str, Any]) -> None:
    for element in node.elements():
        play = element.at("hosts")
        if play is not None:
            hosts.add(play.text)
            if len(hosts) > 1:
                script.say(f"hosts {play.text}", play.line, _TASK)
                continue
        own = element.at("vars")
        variables = {**around, **(own.value if own is not None and isinstance(own.value, dict) else {})}
        holds = decided(element.value.get("when", True), variables) if isinstance(element.value, dict) else None
        if holds is False:
            continue
        times = plays.items(element.value, variables) if isinstance(element.value, dict) else None
        _members(script, element, hosts, variables, times if times is not None else [{}])
        is_told = times is not None or jinjavalues.is_open(element.value)
        unsettled = (*(() if holds else _CONDITION), *(() if is_told else _LOOPS))
        _conditions(script, element, unsettled)
    _members(script, node, hosts, around, [{}])


def _members(
    script: Script, node: Node, hosts: set[str], variables: Mapping[str, Any], times: list[dict[str, Any]]
) -> None:
    """What an object holds: the tasks below it, and the runs of modules of ours."""
    for name, member in node.members():
        handler = MODULES.get(name.removeprefix("sonic-"))
        if handler is not None and _is_ours(member):
            for item in times:
                known = replace(member, value=_known(jinjavalues.fill(member.value, {**variables, **item})))
                _module(script, known, handler, name.removeprefix("sonic-"))
        elif name in _TASKS or name in _FACTS:
            _below(script, member, hosts, variables)
        elif name == _API and any(word in str(member.value) for word in _OF_OURS):
            script.say(f"module {name}", member.line, _TASK)


def _known(value: Any) -> Any:
    """A value without what stands elsewhere: `input` of the repository says what that is."""
    if isinstance(value, dict):
        return {key: _known(one) for key, one in value.items() if not _is_elsewhere(one)}
    if not isinstance(value, list):
        return value
    named = (one for one in value if not (isinstance(one, dict) and _is_elsewhere(one.get("name"))))
    return [_known(one) for one in named if not _is_elsewhere(one)]


def _is_elsewhere(value: Any) -> bool:
    return isinstance(value, str) and jinjavalues.is_open(value)


def _is_ours(node: Node) -> bool:
    """By its name: `interfaces` is a word of many, `sonic_interfaces` of this collection alone."""
    key, above = str(node.path[-1]), node.path[-2:-1]
    return "sonic_" in key or above == ("ansible_network_resources",)


def _stands_elsewhere(node: Node) -> bool:
    """Whether a module adds what a variable holds (`config: "{{ sonic_interfaces }}"`), which is read where it is defined.

    What a template fills in was taken out of the text before.
    """
    config, state = node.at("config"), node.at("state")
    is_added = state is None or state.text == "merged"
    given = node.value if config is None else config.value
    return is_added and not isinstance(given, dict | list)


def _conditions(script: Script, task: Node, words: tuple[str, ...]) -> None:
    """A task that may not run, or runs many times, says nothing certain; one that says nothing here leaves no doubt."""
    if not any(
        name.removeprefix("sonic-") in MODULES and _is_ours(node) and not _stands_elsewhere(node)
        for name, node in task.members()
    ):
        return
    for word in words:
        found = task.at(word)
        if found is not None:
            script.say(f"{word} {found.text}".strip(), found.line, _TASK)


def _module(script: Script, node: Node, handler: _Handler, name: str) -> None:
    """The arguments of one module, or a variable with what would be its `config`."""
    config = node.at("config")
    state = node.at("state") if config is not None or name != "interfaces" else None
    is_arguments = config is not None or (isinstance(node.value, dict) and set(node.value) <= {"state", "config"})
    word = state.text if state is not None else "merged"
    if is_arguments and state is not None and word not in _STATES:
        script.say(f"state {word}", state.line, _TASK)
        return
    if not is_arguments:
        config, word = node, "merged"
    handler(script, config, word)


def _objects(origin: str, mode: str, header: str, keys: Mapping[str, str] = LISTS) -> _Handler:
    """What the four states do with a list of named things."""

    def handler(script: Script, config: Node | None, state: str) -> None:
        elements = _each_of(config)
        if state == "overridden" or (state == "deleted" and not elements):
            script.forget(origin, mode)
        for node in elements:
            body = script.named(node, origin, mode, header)
            if body is None:
                continue
            said = list(_others(node, keys))
            if state == "replaced" or (state == "deleted" and not said):
                script.forget(origin, mode, body.header)
            if state == "replaced":
                script.bodies.append(body)
            body.take(said)
            if state == "deleted" and said:
                script.retract(body)

    return handler


def _each_of(config: Node | None) -> list[Node]:
    return [] if config is None else list(config.elements())


def _others(node: Node, keys: Mapping[str, str] = LISTS) -> Iterator[tuple[str, int]]:
    """What an object says besides its name."""
    name = node.at("name")
    return node.others("name", "" if name is None else name.text, keys)


def _map(kind: str, its: MapKind) -> _Handler:
    return _objects("sonic_qos_maps", its.mode, f"qos map {kind}", {"entries": its.key})


_MAPS = {its.ansible: _map(kind, its) for kind, its in MAPS.items()}
_PROFILES = _objects("sonic_qos_buffer", "bufprofile", PROFILE_OF_TREES)


def _maps(script: Script, config: Node | None, state: str) -> None:
    given = dict(config.members()) if config is not None else {}
    if state == "overridden" or (state == "deleted" and not given):
        for its in MAPS.values():
            script.forget("sonic_qos_maps", its.mode)
    for name, node in given.items():
        handler = _MAPS.get(name)
        if handler is None:
            script.say(f"qos {name}", node.line)
        else:
            handler(script, node, state)


def _device(origin: str) -> _Handler:
    """Settings of the device."""

    def handler(script: Script, config: Node | None, state: str) -> None:
        for text, line in config.statements() if config is not None else ():
            script.say(f"no {text}" if state == "deleted" else text, line, origin)

    return handler


def _buffer(script: Script, config: Node | None, state: str) -> None:
    if config is not None and isinstance(config.value, dict):
        settings = {key: value for key, value in config.value.items() if plain(str(key)) != "buffer-profiles"}
        _device("sonic_qos_buffer")(script, replace(config, value=settings), state)
        profiles = config.at("buffer-profiles")
        if profiles is not None:
            _PROFILES(script, profiles, state)


def _ports(origin: str) -> _Handler:
    """Settings of interfaces, each taken back by itself."""

    def handler(script: Script, config: Node | None, state: str) -> None:
        elements = _each_of(config)
        if state == "overridden" or (state == "deleted" and not elements):
            script.forget(origin, "port")
        for node in elements:
            body = script.named(node, origin, "port", "interface")
            if body is None:
                continue
            said = list(_others(node))
            if state == "replaced" or (state == "deleted" and not said):
                script.forget(origin, "port", body.header)
            if state == "replaced":
                script.bodies.append(body)
            if state == "deleted":
                body.take((f"no {text}", line) for text, line in said)
            else:
                described = node.at("description")
                body.labels.extend(f"description {d.text}" for d in (described,) if d is not None and d.text)
                body.take(said)

    return handler


def _lags(script: Script, config: Node | None, state: str) -> None:
    """Members are told by the channel that they belong to."""
    for node in _each_of(config):
        name = node.at("name")
        for each in node.list_at("members", "interfaces"):
            member = each.at("member")
            if name is not None and member is not None:
                body = script.body("sonic_lag_interfaces", "port", f"interface {member.text}", member.line)
                body.say(f"no name {name.text}" if state == "deleted" else f"name {name.text}", member.line)


MODULES: dict[str, _Handler] = {
    "qos-maps": _maps,
    "qos-interfaces": _ports("sonic_qos_interfaces"),
    "qos-scheduler": _objects("sonic_qos_scheduler", "scheduler", "qos scheduler-policy"),
    "qos-wred": _objects("sonic_qos_wred", "wred", "qos wred-policy"),
    "qos-buffer": _buffer,
    "qos-pfc": _device("sonic_qos_pfc"),
    "roce": _device("sonic_roce"),
    "interfaces": _ports("sonic_interfaces"),
    "lag-interfaces": _lags,
    "config": commands,
}
