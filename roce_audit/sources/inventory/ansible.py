"""Ansible's inventories: INI and YAML, groups with children, group_vars and host_vars. No template is run, no vault opened."""

from __future__ import annotations

import os
import re
from typing import Any

from roce_audit import platforms
from roce_audit.sources.inventory import ansibleini, ansiblevars
from roce_audit.sources.inventory.ansiblegroups import Groups
from roce_audit.sources.inventory.files import names_in, yaml_of
from roce_audit.sources.inventory.foreign import Gathering
from roce_audit.sources.live.targets import Inventory, InventoryError, Reference, Target, usual_host
from roce_audit.values import Place

_FILES = (
    "hosts",
    "hosts.ini",
    "hosts.yml",
    "hosts.yaml",
    "inventory",
    "inventory.ini",
    "inventory.yml",
    "inventory.yaml",
)
_JUMP = re.compile(r"(?:-J\s*|-o\s*ProxyJump=)[\"']?([^\s\"']+)")
_ENV = re.compile(
    r"\{\{ *(?:lookup|query)\( *['\"](?:ansible\.builtin\.)?env['\"] *, *['\"]([A-Za-z_]\w{0,99})['\"] *\) *\}\}"
)
_NAME_IN_TEMPLATE = re.compile(r"\{\{ *([A-Za-z_]\w{0,99}) *\}\}")
_SSH = frozenset(
    {"", "ssh", "smart", "paramiko", "paramiko_ssh", "network_cli", "ansible.netcommon.network_cli", "netconf"}
)
_DEEPEST = 5


def load(path: str) -> Inventory:
    """The hosts of an inventory file, or of the files of a folder. Raises InventoryError."""
    groups = Groups()
    files = _files(path)
    for file in files:
        if file.endswith((".yml", ".yaml")):
            _yaml(file, groups)
        else:
            ansibleini.read(file, groups)
    for folder in dict.fromkeys(os.path.dirname(file) or "." for file in files):
        ansiblevars.read(folder, groups)
    found = Gathering(path)
    wrong: list[str] = []
    for name, place in groups.hosts.items():
        try:
            target = _target(name, place, groups, found)
        except ValueError as error:
            wrong.append(str(error))
            continue
        if target is not None:
            found.targets.append(target)
    if wrong:
        raise InventoryError(tuple(wrong))
    return found.done()


def _files(path: str) -> list[str]:
    if not os.path.isdir(path):
        return [path]
    found = [os.path.join(path, name) for name in _FILES if os.path.isfile(os.path.join(path, name))]
    if not found:
        raise InventoryError((f"{path}: holds none of {', '.join(_FILES)}",))
    return found


def _yaml(path: str, groups: Groups) -> None:
    document = yaml_of(path, tags=True)
    value = document.value or {}
    if not isinstance(value, dict):
        raise InventoryError((f"{path}:1: must be a mapping of groups",))

    def group(name: str, entry: Any, at: tuple[str | int, ...]) -> None:
        groups.add(name)
        if entry is None:
            return
        if not isinstance(entry, dict) or not set(entry) <= {"hosts", "children", "vars"}:
            line = document.nearest_line_of(at)
            raise InventoryError((f"{path}:{line}: group {name}: known are hosts, children and vars",))
        groups.say(name, _mapping(entry.get("vars"), path, document.nearest_line_of((*at, "vars"))))
        hosts = _mapping(entry.get("hosts"), path, document.nearest_line_of((*at, "hosts")))
        for pattern, said in hosts.items():
            line = document.nearest_line_of((*at, "hosts", pattern))
            try:
                names = names_in(str(pattern))
            except ValueError as error:
                raise InventoryError((f"{path}:{line}: {error}",)) from None
            for host in names:
                groups.host(host, name, _mapping(said, path, line), Place(path, line))
        children = _mapping(entry.get("children"), path, document.nearest_line_of((*at, "children")))
        for child, inner in children.items():
            groups.child(name, str(child))
            group(str(child), inner, (*at, "children", child))

    for name, entry in value.items():
        group(str(name), entry, (name,))


def _mapping(value: Any, path: str, line: int) -> dict[Any, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InventoryError((f"{path}:{line}: must be a mapping",))
    return value


def _target(name: str, place: Place, groups: Groups, found: Gathering) -> Target | None:
    said = groups.variables(name)
    connection = str(said.get("ansible_connection", "")).rpartition(".")[2]
    if connection not in {kind.rpartition(".")[2] for kind in _SSH}:
        found.left_out[f"connection {connection} is not SSH"] += 1
        return None

    def value(*keys: str) -> str:
        raw = next((said[key] for key in keys if said.get(key) is not None), "")
        return _filled(str(raw), {**said, "inventory_hostname": name}, place, keys[0])

    # a host without a network system is one that Ansible reaches with a shell
    system = value("roce_audit_platform", "ansible_network_os", "network_os") or usual_host()
    platform = found.platform(name, system)
    if platform is None:
        return None
    jump = _JUMP.search(f"{said.get('ansible_ssh_common_args', '')} {said.get('ansible_ssh_extra_args', '')}")
    is_sudo = str(said.get("ansible_become", "")).lower() in ("true", "yes", "1")
    is_host = platforms.platform(platform).kind == "host"
    return Target(
        name,
        platform,
        place,
        value("ansible_host", "ansible_ssh_host"),
        found.port(said.get("ansible_port") or said.get("ansible_ssh_port"), place),
        value("ansible_user", "ansible_ssh_user"),
        _password(found, said, "ansible_password", "ansible_ssh_pass", "ansible_ssh_password"),
        key=value("ansible_ssh_private_key_file", "ansible_private_key_file"),
        jump=jump.group(1) if jump else "",
        become="sudo -n" if is_sudo and is_host else "none",
        enable=is_sudo and not is_host,
        enable_password=_password(found, said, "ansible_become_password", "ansible_become_pass")
        if not is_host
        else None,
        groups=groups.of(name),
    )


def _password(found: Gathering, said: dict[str, Any], *keys: str) -> Reference | None:
    raw = next((said[key] for key in keys if said.get(key) is not None), None)
    env = _ENV.fullmatch(str(raw).strip()) if raw is not None else None
    return Reference(f"env:{env.group(1)}") if env is not None else found.secret(raw)


def _filled(text: str, said: dict[str, Any], place: Place, key: str) -> str:
    """A value in which names of other variables are filled in. Raises ValueError for any other template."""
    env = _ENV.fullmatch(text.strip())
    if env is not None:
        return os.environ.get(env.group(1), "")
    for _ in range(_DEEPEST):
        if "{{" not in text:
            return text
        text = _NAME_IN_TEMPLATE.sub(lambda m: str(said.get(m.group(1), m.group())), text)
    if "{{" in text:
        raise ValueError(f"{place.path}:{place.line}: {key} is a template that is not run here: {text[:80]}")
    return text
