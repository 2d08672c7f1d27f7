"""The structured configuration of Arista's AVD (input of its role eos_cli_config_gen): YAML, as the statements it stands for.

Each key becomes the line that AVD renders of it, on the line of the YAML that says it. A key that nothing here knows, inside a
part that is ours, stands as the YAML has it (`qos: foo:`): the table lists such keys, so it is told, and what it may set is
unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.platforms.eos.avdkeys import (
    CLASS,
    CLASS_MAP,
    DEFAULTS,
    GLOBAL_PFC,
    INTERFACE,
    INTERFACES,
    PROFILE,
    QUEUE,
    QUEUES,
    WATCHDOG,
    Keys,
    only,
    switch,
)
from roce_audit.platforms.record import Modelled
from roce_audit.text.statements.misspelling import meant
from roce_audit.text.structured.positions import Path
from roce_audit.text.structured.yamltext import YamlError, YamlText, parse

Line = tuple[int, str]
"""Line of the YAML, and the statement with its indentation."""
_STRUCTURED = lazy(
    r"^(?:ethernet|port_channel)_interfaces:[^\S\n]*(?:#[^\n]*)?\n(?: *#[^\n]*\n)*"
    r" *(?:- name: +)?[\"']?(?:Ethernet|Port-Channel)\d",
    re.M,
)
"""Its interfaces; what has profiles or maps alone is shared by many devices, and no configuration of one."""
_HOSTNAME = lazy(r"^hostname:[ \t]*[\"']?([\w.-]{1,253})[\"']?[ \t]*$", re.M)
_ETHERNET = lazy(r"^ *(?:- name: )?[\"']?Ethernet\d", re.M)
_KEY = lazy(r"^([a-z]\w{0,60}):", re.M)
_OF_QOS = ("map", "random_detect", "rewrite_dscp")
_OF_PORTS = frozenset({"ethernet_interfaces", "hostname", "port_channel_interfaces", "qos", "qos_profiles"})
_INDENT = "   "


def is_structured(text: str) -> bool:
    """Whether a text is such a file: it lists interfaces of EOS, at its margin."""
    return "_interfaces:" in text and _STRUCTURED.search(text) is not None


def hostname(text: str) -> str | None:
    """The host name; None where there is none, or a template's."""
    found = _HOSTNAME.search(text)
    return found.group(1) if found else None


def ethernet_ports(text: str) -> int:
    """How many Ethernet ports it lists."""
    return len(_ETHERNET.findall(text))


def other_keys(text: str) -> frozenset[str]:
    """Its keys that are not about ports, each of which is another kind of settings."""
    return frozenset(_KEY.findall(text)) - _OF_PORTS


@lru_cache(maxsize=64)
def _parsed(text: str, first_line: int) -> YamlText | YamlError:
    try:
        return parse(text, first_line=first_line)
    except YamlError as error:
        return error


def fault(text: str, first_line: int) -> YamlError | None:
    """Why a text is no YAML; None where it is."""
    found = _parsed(text, first_line)
    return found if isinstance(found, YamlError) else None


@lru_cache(maxsize=64)
def rendered(text: str, first_line: int) -> tuple[Line, ...]:
    """The statements, in an order that EOS takes; none of a text that is no YAML."""
    yaml = _parsed(text, first_line)
    if isinstance(yaml, YamlError):
        return ()
    said = statements(yaml.value if isinstance(yaml.value, dict) else {})
    return tuple([(yaml.nearest_line_of(path) + below, text) for path, below, text in said])


def statements(root: Mapping[str, Any]) -> list[Modelled]:
    """The statements of a structured configuration, in an order that EOS takes."""
    writer = _Writer()
    writer.write(root)
    return writer.said


def commands(at: Path, text: object, depth: int) -> list[Modelled]:
    """Commands that AVD writes as they are; each on its own line of a literal block."""
    rows = text.split("\n") if isinstance(text, str) else []
    return [
        (at, n if len(rows) > 1 else 0, _INDENT * depth + one.rstrip()) for n, one in enumerate(rows, 1) if one.strip()
    ]


class _Writer:
    """Statements of one structured configuration, each with the place of its key."""

    def __init__(self) -> None:
        self.said: list[Modelled] = []

    def write(self, root: Mapping[str, Any]) -> None:
        """The whole document."""
        for kind in ("dscp", "cos", "traffic_class"):
            maps = self._at(root, "qos", "map", kind)
            for n, text in enumerate(maps if isinstance(maps, list) else ()):
                self._say(("qos", "map", kind, n), f"qos map {kind.replace('_', '-')} {text}", 0)
        self._rewriting(self._at(root, "qos"))
        pfc = "priority_flow_control"
        self._keys((pfc,), root.get(pfc), GLOBAL_PFC, 0, f"{pfc}:")
        self._defaults(self._at(root, "interface_defaults"))
        for path, name, value in self._named(root, "access_lists"):
            self._say(path, f"ip access-list {name}", 0)
            for inner, _, entry in self._named(value, "sequence_numbers", base=path):
                self._say(inner, str(entry.get("action")), 1)
        for path, name, value in self._named(root, "class_maps", "qos"):
            self._say(path, f"class-map type qos match-any {name}", 0)
            self._keys(path, value, CLASS_MAP, 1)
        for path, name, value in self._named(root, "policy_maps", "qos"):
            self._say(path, f"policy-map type quality-of-service {name}", 0)
            for inner, class_name, actions in self._named(value, "classes", base=path):
                self._say(inner, f"class {class_name}", 1)
                self._keys(inner, actions, CLASS, 2)
        for path, name, value in self._named(root, "qos_profiles"):
            self._say(path, f"qos profile {name}", 0)
            self._keys(path, value, {**PROFILE, **dict.fromkeys((*QUEUES, "priority_flow_control"))}, 1)
            self._lossless(path, value)
        for kind in INTERFACES:
            for path, name, value in self._named(root, kind):
                self._interface(path, name, value)
        self._mlag(self._at(root, "mlag_configuration", "peer_link"))
        self._raw(("eos_cli",), root.get("eos_cli"), 0)

    def _rewriting(self, qos: object) -> None:
        """`qos: rewrite_dscp: true`. A value or a key that is none stands as it is, for the table to tell."""
        for key, value in qos.items() if isinstance(qos, dict) else ():
            if key == "rewrite_dscp" and value is not None and value is not False:
                self._say(("qos", key), "qos rewrite dscp" if value is True else f"qos rewrite dscp {value}", 0)
            elif key not in _OF_QOS and meant(str(key), _OF_QOS):
                self._say(("qos", key), f"qos rewrite {key}: {value}", 0)

    def _interface(self, path: Path, name: str, value: Mapping[str, Any]) -> None:
        self._say(path, f"interface {name}", 0)
        self._keys(path, {key: inner for key, inner in value.items() if key in INTERFACE}, INTERFACE, 1)
        switchport = value.get("switchport")
        if isinstance(switchport, dict) and isinstance(switchport.get("enabled"), bool):
            self._say((*path, "switchport", "enabled"), switch("switchport")(switchport["enabled"]), 1)
        channel = value.get("channel_group")
        if isinstance(channel, dict):
            self._say((*path, "channel_group"), f"channel-group {channel.get('id')} mode {channel.get('mode')}", 1)
        self._lossless(path, value)
        self._raw((*path, "eos_cli"), value.get("eos_cli"), 1)

    def _lossless(self, path: Path, value: Mapping[str, Any]) -> None:
        """Queues and PFC, of a profile or an interface."""
        for key, word in QUEUES.items():
            for inner, number, queue in self._named(value, key, base=path):
                self._say(inner, f"{word} {number}", 1)
                self._keys(inner, queue, {**QUEUE, "random_detect": None}, 2)
                self._random_detect((*inner, "random_detect"), queue.get("random_detect"))
        pfc, at = value.get("priority_flow_control"), (*path, "priority_flow_control")
        if isinstance(pfc, dict):
            keys: Keys = {"enabled": switch("priority-flow-control on"), "priorities": None, "watchdog": None}
            self._keys(at, pfc, keys, 1, "priority_flow_control:")
            for inner, _, entry in self._named(pfc, "priorities", base=at):
                no_drop = entry.get("no_drop")
                word = " no-drop" if no_drop is True else " drop" if no_drop is False else ""
                self._say(inner, f"priority-flow-control priority {entry.get('priority')}{word}", 1)
            self._watchdog((*at, "watchdog"), pfc.get("watchdog"))

    def _watchdog(self, at: Path, value: object) -> None:
        if not isinstance(value, dict):
            return
        keys: Keys = {"enabled": only(WATCHDOG), "action": f"{WATCHDOG} port action {{}}", "timer": None}
        said = value if value.get("enabled") is True else {"enabled": value.get("enabled")}
        self._keys(at, said, keys, 1, "priority_flow_control: watchdog:")
        timer = value.get("timer")
        if isinstance(timer, dict) and "timeout" in timer:
            words = [
                f"{name.replace('_', '-')} {timer.get(name)}"
                for name in ("timeout", "polling_interval", "recovery_time")
            ]
            forced = " forced" if timer.get("forced") is True else ""
            self._say((*at, "timer", "timeout"), f"{WATCHDOG} port timer {' '.join(words)}{forced}", 1)

    def _random_detect(self, at: Path, value: object) -> None:
        if not isinstance(value, dict):
            return
        if self._at(value, "ecn", "count") is True:
            self._say((*at, "ecn", "count"), "random-detect ecn count", 2)
        for kind, probability in (("ecn", "max-mark-probability"), ("drop", "drop-probability")):
            limits = self._at(value, kind, "threshold")
            if not isinstance(limits, dict):
                continue
            precedence = f" drop-precedence {limits['drop_precedence']}" if "drop_precedence" in limits else ""
            percent = limits.get("max_probability", limits.get("drop_probability"))
            words = f"random-detect {kind}{precedence}"
            for end in ("min", "max"):
                words += f" {end}imum-threshold {limits.get(end)} {limits.get('units')}"
            words += f" {probability} {percent}" if percent is not None else ""
            words += f" weight {limits['weight']}" if "weight" in limits else ""
            self._say((*at, kind, "threshold", "min"), words, 2)
        for key in value:
            if key not in ("ecn", "drop"):
                self._say((*at, key), f"random_detect: {key}:", 2)

    def _defaults(self, value: object) -> None:
        if isinstance(value, dict):
            self._say(("interface_defaults",), "interface defaults", 0)
            self._keys(("interface_defaults",), value, DEFAULTS, 1, "interface_defaults:")
            shutdown = self._at(value, "ethernet", "shutdown")
            if isinstance(shutdown, bool):
                self._say(("interface_defaults", "ethernet"), "ethernet", 1)
                self._say(("interface_defaults", "ethernet", "shutdown"), switch("shutdown")(shutdown), 2)

    def _mlag(self, port: object) -> None:
        if port is not None:
            self._say(("mlag_configuration",), "mlag configuration", 0)
            self._say(("mlag_configuration", "peer_link"), f"peer-link {port}", 1)

    def _raw(self, at: Path, text: object, depth: int) -> None:
        self.said += commands(at, text, depth)

    def _keys(self, at: Path, value: object, keys: Keys, depth: int, around: str = "") -> None:
        """What each key stands for; `around` are the keys between the block and these, as they stand before an unknown one."""
        if value is None:
            return
        if not isinstance(value, dict):
            self._say(at, f"{around} {value!r}", depth)
            return
        for key, inner in value.items():
            made = keys.get(key, f"{around} {key}:")
            if isinstance(made, Mapping):
                self._keys((*at, key), inner, made, depth, f"{around} {key}:")
            elif callable(made):
                self._say((*at, key), made(inner), depth)
            elif made is not None and inner is not None:
                self._say((*at, key), made.replace("{}", str(inner)), depth)

    def _named(
        self, root: Mapping[str, Any], *steps: str, base: Path = ()
    ) -> Iterator[tuple[Path, str, Mapping[str, Any]]]:
        """(path, name, value) of a list of things with a name or id; older releases have the name as key."""
        found = self._at(root, *steps)
        at = (*base, *steps)
        if isinstance(found, list):
            for n, value in enumerate(found):
                if isinstance(value, dict):
                    yield (*at, n), str(value.get("name", value.get("id"))), value
        elif isinstance(found, dict):
            for name, value in found.items():
                yield (*at, name), str(name), value if isinstance(value, dict) else {}

    @staticmethod
    def _at(root: Any, *steps: str) -> Any:
        for step in steps:
            root = root.get(step) if isinstance(root, dict) else None
        return root

    def _say(self, path: Path, text: str, depth: int) -> None:
        if text:
            self.said.append((path, 0, _INDENT * depth + " ".join(text.split())))
