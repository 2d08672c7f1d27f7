"""Inventories of nornir's SimpleInventory: hosts.yaml, groups.yaml, defaults.yaml."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from roce_audit.sources.inventory.files import yaml_of
from roce_audit.sources.inventory.foreign import Gathering
from roce_audit.sources.live.targets import Inventory, InventoryError, Target
from roce_audit.values import Place

_DEEPEST = 20


def load(path: str) -> Inventory:
    """The hosts of a folder, or of a hosts file with the other two beside it. Raises InventoryError."""
    hosts_file = os.path.join(path, "hosts.yaml") if os.path.isdir(path) else path
    beside = os.path.dirname(hosts_file)
    document = yaml_of(hosts_file)
    groups = _mapping(os.path.join(beside, "groups.yaml"))
    defaults = _mapping(os.path.join(beside, "defaults.yaml"))
    hosts = document.value or {}
    if not isinstance(hosts, dict):
        raise InventoryError((f"{hosts_file}:1: holds no hosts",))
    found = Gathering(hosts_file)
    wrong: list[str] = []
    for name, host in hosts.items():
        place = Place(hosts_file, document.nearest_line_of((name,)))
        layers = [layer for _, layer in _layers(str(name), host, groups, 0)]
        layers = [*layers, defaults]
        platform = found.platform(str(name), str(_first(layers, "platform") or ""))
        if platform is None:
            continue
        try:
            found.targets.append(
                Target(
                    str(name),
                    platform,
                    place,
                    str(_first(layers, "hostname") or ""),
                    found.port(_first(layers, "port"), place),
                    str(_first(layers, "username") or ""),
                    found.secret(_first(layers, "password")),
                    key=str(_extra(layers, "key_file") or ""),
                    groups=tuple(dict.fromkeys(g for g, _ in _layers(str(name), host, groups, 0) if g)),
                )
            )
        except ValueError as error:
            wrong.append(str(error))
    if wrong:
        raise InventoryError(tuple(wrong))
    return found.done()


def _layers(name: str, entry: Any, groups: Mapping[str, Any], depth: int) -> Iterator[tuple[str, Any]]:
    """The entry, then its groups with theirs, the nearest first; the name of the group with each ("" for the host)."""
    if not isinstance(entry, dict) or depth > _DEEPEST:
        return
    yield (name if depth else ""), entry
    listed = entry.get("groups") or []
    for group in listed if isinstance(listed, list) else []:
        yield from _layers(str(group), groups.get(group, {}), groups, depth + 1)


def _first(layers: list[Any], key: str) -> Any:
    return next((layer[key] for layer in layers if layer.get(key) is not None), None)


def _extra(layers: list[Any], key: str) -> Any:
    """A value of `connection_options: {netmiko: {extras: ...}}`."""
    for layer in layers:
        options = layer.get("connection_options")
        netmiko = options.get("netmiko") if isinstance(options, dict) else None
        extras = netmiko.get("extras") if isinstance(netmiko, dict) else None
        if isinstance(extras, dict) and extras.get(key) is not None:
            return extras[key]
    return None


def _mapping(path: str) -> dict[str, Any]:
    if not os.path.isfile(path):
        return {}
    value = yaml_of(path).value or {}
    if not isinstance(value, dict):
        raise InventoryError((f"{path}:1: must be a mapping",))
    return value
