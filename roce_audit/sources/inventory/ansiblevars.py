"""`group_vars` and `host_vars` beside an Ansible inventory: a file for each name, or a folder with several."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from roce_audit.sources.inventory.ansiblegroups import Groups
from roce_audit.sources.inventory.files import text_of, yaml_of
from roce_audit.sources.live.targets import InventoryError

_ENDINGS = ("", ".yml", ".yaml", ".json")


def read(folder: str, groups: Groups) -> None:
    """Add the variables that lie beside an inventory. Raises InventoryError."""
    for group in ("all", *groups.names()):
        for said in _of(os.path.join(folder, "group_vars"), group):
            groups.say(group, said, filed=True)
    for host in groups.hosts:
        for said in _of(os.path.join(folder, "host_vars"), host):
            groups.say_of_host(host, said)


def _of(folder: str, name: str) -> Iterator[dict[Any, Any]]:
    if os.sep in name or not os.path.isdir(folder):
        return
    inside = os.path.join(folder, name)
    files = [f"{inside}{ending}" for ending in _ENDINGS]
    if os.path.isdir(inside):
        files += [os.path.join(inside, file) for file in sorted(os.listdir(inside)) if file.endswith(_ENDINGS[1:])]
    for file in files:
        if os.path.isfile(file) and not text_of(file).startswith("$ANSIBLE_VAULT"):
            value = yaml_of(file, tags=True).value or {}
            if not isinstance(value, dict):
                raise InventoryError((f"{file}:1: must be a mapping",))
            yield value
