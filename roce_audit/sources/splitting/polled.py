"""The state of ports as programs keep it that poll switches: JSON of NAPALM, pyATS Genie, SuzieQ, gNMI clients and OpenConfig, facts of
Ansible, tables that TextFSM made; and what exporters of SNMP and of the kernel hand to Prometheus.

All of them tell the same few things under other names. A record counts only where it says beside the MTU or speed whether the port is up:
what is meant to be (NetBox, variables) says no such thing. Made of it is an answer with a row a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from roce_audit.patterns import lazy
from roce_audit.text.document import POLLED, Document
from roce_audit.text.memo import of_text
from roce_audit.text.structured.jsontext import JsonError, JsonText, parse
from roce_audit.text.structured.positions import Path

_PORT = lazy(r"[A-Za-z][A-Za-z-]{1,20}\d{1,4}(?:[/:]\d{1,4}){0,3}")
_NAMES = ("ifname", "interface", "port", "name", "intf", "link_name", "interface_name")
_HOSTS = ("hostname", "host", "device", "switch", "ansible_net_hostname", "source", "instance")
_HOST = lazy(r"([A-Za-z][A-Za-z0-9_.-]{0,62})(?::\d{1,5})?")
_IN_PATH = lazy(r"\binterface\[name=([^\]]{2,40})\]")
_UP = frozenset({"up", "connected", "true", "1"})
_DOWN = frozenset(
    {"down", "notconnect", "errdisabled", "err-disabled", "false", "2", "lowerlayerdown", "lower_layer_down"}
)
_OPERATES = (
    "oper-status",
    "oper_status",
    "operstatus",
    "operStatus",
    "is_up",
    "link_state",
    "linkStatus",
    "state",
    "status",
)
_ENABLED = ("admin-status", "admin_state", "adminState", "adminstatus", "is_enabled", "enabled", "admin_status")
_SPEED = lazy(r"(?:a-)?(\d{1,4}) ?([GM])(?:b/s|bps)?")
_MEGABITS = {"G": 1_000, "M": 1}
_DEEPEST = 9
_NO_HOSTS = frozenset(
    [
        "data",
        "result",
        "results",
        "interfaces",
        "interface",
        "get_interfaces",
        "ansible_facts",
        "updates",
        "values",
        "info",
        "ops",
    ]
)
_METRIC = lazy(r"^([a-zA-Z_:]{4,60})\{([^\n{}]{3,2000})\} ([0-9.]{1,24}(?:e\+?\d{1,2})?)(?: \d{10,13})?$", re.M)
_LABEL = lazy(r'(\w{1,30})="([^"\n]{0,200})"')
_METRICS = {
    "ifMtu": ("mtu", 1.0),
    "node_network_mtu_bytes": ("mtu", 1.0),
    "ifHighSpeed": ("speed", 1.0),
    "node_network_speed_bytes": ("speed", 8e-6),
}
"""Metric -> what it tells, and what makes Mbit/s of it (IF-MIB; node_exporter, network collector)."""


class _Row(NamedTuple):
    host: str
    text: str
    line: int


@of_text
def split(text: str) -> Mapping[str, Document]:
    """Name of a device, or "" where the file says none -> its rows, without the path of the file; empty for any other text."""
    head = text.lstrip()[:1]
    if head in ("{", "["):
        rows = _of_json(text) if 'mtu"' in text or '"speed"' in text else []
    else:
        rows = list(_of_metrics(text)) if has_metrics(text) else []
    by_host: dict[str, list[_Row]] = {}
    for row in rows:
        by_host.setdefault(row.host, []).append(row)
    return {
        host: Document(
            "", "\n".join(one.text for one in own), POLLED, own[0].line, lines=tuple(one.line for one in own)
        )
        for host, own in by_host.items()
    }


def has_metrics(text: str) -> bool:
    """Whether metrics of ports stand in a text."""
    return any(f"{name}{{" in text for name in _METRICS)


def _of_metrics(text: str) -> Iterator[_Row]:
    line, counted = 1, 0
    for found in _METRIC.finditer(text):
        line, counted = line + text.count("\n", counted, found.start()), found.start()
        told = _METRICS.get(found[1])
        labels = dict(_LABEL.findall(found[2])) if told is not None else {}
        port = next((labels[name] for name in ("ifName", "ifDescr", "device") if labels.get(name)), "")
        if told is not None and _PORT.fullmatch(port):
            host = next((labels[name] for name in ("hostname", "instance") if labels.get(name)), "")
            value = round(float(found[3]) * told[1])
            yield _Row(_host(host), f"{port} {told[0]} {value}", line)


def _host(said: str) -> str:
    found = _HOST.fullmatch(said)
    return found[1] if found is not None else ""


def _of_json(text: str) -> list[_Row]:
    try:
        json = parse(text)
    except JsonError:
        return []
    return list(_records(json, json.value, "", "", (), 0))


def _records(json: JsonText, value: Any, host: str, port: str, path: Path, depth: int) -> Iterator[_Row]:
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _records(json, inner, host, "", (*path, number), depth + 1)
        return
    if not isinstance(value, dict):
        return
    host = next((name for key in _HOSTS if isinstance(value.get(key), str) and (name := _host(value[key]))), host)
    named = next((value[key] for key in _NAMES if isinstance(value.get(key), str) and _PORT.fullmatch(value[key])), "")
    of_path = next((found[1] for key in ("Path", "path") if (found := _IN_PATH.search(str(value.get(key, ""))))), "")
    port = named or of_path or port
    state = value.get("state")
    where, fields = ((*path, "state"), state) if isinstance(state, dict) else (path, value)
    if port:
        yield from _of_port(json, fields, host, port, where)
    for key, inner in value.items():
        if isinstance(inner, dict | list) and (key != "state" or not port) and key != "config":
            is_port = (
                _PORT.fullmatch(key) is not None and isinstance(inner, dict) and ("mtu" in inner or "speed" in inner)
            )
            is_host = not is_port and isinstance(inner, dict) and key not in _NO_HOSTS and path == () and _host(key)
            below = key if is_port else port
            yield from _records(json, inner, _host(key) if is_host else host, below, (*path, key), depth + 1)


def _of_port(json: JsonText, fields: Mapping[str, Any], host: str, port: str, path: Path) -> Iterator[_Row]:
    plain = {key.rpartition(":")[2]: key for key in fields}
    operates = next((str(fields[plain[key]]).lower() for key in _OPERATES if key in plain), "")
    if operates not in _UP | _DOWN:
        return
    if operates in _DOWN:
        enabled = next((str(fields[plain[key]]).lower() for key in _ENABLED if key in plain), "")
        if enabled in _UP or operates.startswith(("err", "notc")):
            key = next(plain[key] for key in _OPERATES if key in plain)
            yield _Row(host, f"{port} link down", json.line_of((*path, key)))
        return
    mtu, speed = fields.get(plain.get("mtu", "")), fields.get(plain.get("speed", ""))
    if isinstance(mtu, int) and not isinstance(mtu, bool):
        yield _Row(host, f"{port} mtu {mtu}", json.line_of((*path, plain["mtu"])))
    written = _SPEED.fullmatch(speed) if isinstance(speed, str) else None
    if written is not None:
        megabits = int(written[1]) * _MEGABITS[written[2]]
        yield _Row(host, f"{port} speed {megabits}", json.line_of((*path, plain["speed"])))
