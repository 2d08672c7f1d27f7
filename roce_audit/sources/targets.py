"""What is to be read live: one target a device, with how to reach it and how to log in; never a credential itself."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from roce_audit import platforms
from roce_audit.values import Place

Become = Literal["none", "sudo -n"]
Access = Literal["cli", "shell", "probe"]
"""A switch's own command line (netmiko), single commands of a Linux shell, or one script for a whole host."""

_NAME = re.compile(r"(?!.*\.(?:json|ya?ml)\Z)[A-Za-z0-9_][A-Za-z0-9._-]{0,199}")
"""Of a folder beside `snapshot.json` and `topology.yaml`."""
_REFERENCE = re.compile(
    r"env:(?P<env>[A-Za-z_][A-Za-z0-9_]{0,99})|keyring:(?P<service>[^/\s]+)/(?P<user>\S+)|prompt|agent"
)

DEVICE_TYPES = {
    "aoscx": "aruba_aoscx",
    "comware": "hp_comware",
    "eos": "arista_eos",
    "esonic": "dell_sonic",
    "junos": "juniper_junos",
    "nxos": "cisco_nxos",
    "onyx": "mellanox_mlnxos",
    "os10": "dell_os10",
    "os9": "dell_os9",
    "srlinux": "nokia_srl",
    "vrp": "huawei_vrp",
}
"""Platform -> netmiko's device type. A platform that is not listed says it by an attribute `device_type` of its own."""
_SHELLS = frozenset({"cumulus", "sonic"})
"""Switches whose login is a Linux shell: there an exec channel gives every byte and the exit status."""
_NO_SHELL = frozenset({"windows"})

_ALIASES = {
    "aoscx": "aruba arubaaoscx aruba_cx arubanetworks.aoscx.aoscx aos-cx arubaos-cx",
    "comware": "h3c h3c_comware hp_comware hpe_comware",
    "cumulus": "cumulus-linux cumulus_nvue nvue nvidia.nvue.nvue",
    "eos": "arista arista_eos arista.eos.eos ceos",
    "esonic": "dell_sonic dellemc.enterprise_sonic.sonic enterprise-sonic enterprise_sonic",
    "junos": "juniper juniper_junos junipernetworks.junos.junos juniper-junos",
    "linux": "ubuntu debian rhel redhat rocky almalinux centos ubuntu-linux linux_ssh sles",
    "nxos": "nx-os nxos_ssh cisco_nxos cisco-nx-os cisco.nxos.nxos nexus",
    "onyx": "mlnxos mlnx-os mellanox mellanox_mlnxos mellanox.onyx.onyx nvidia-onyx",
    "os10": "dell_os10 dellos10 dellemc.os10.os10 dell-os10 smartfabric-os10",
    "os9": "dell_os9 dell_force10 dellos9 dellemc.os9.os9",
    "sonic": "edgecore_sonic community-sonic azure-sonic",
    "srlinux": "srl sr-linux nokia_srl nokia.srlinux.srlinux nokia_srlinux nokia-srlinux",
    "vrp": "huawei huawei_vrp huawei_vrpv8 ce community.network.ce cloudengine",
}
_PLAIN = re.compile(r"[^a-z0-9]")
_BY_ALIAS = {_PLAIN.sub("", alias): name for name, words in _ALIASES.items() for alias in words.split()}


class InventoryError(Exception):
    """The inventory cannot be used; one line for each thing that is wrong."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Reference:
    """Where a secret is to be had: `env:NAME`, `keyring:SERVICE/USER` or `prompt`."""

    text: str

    @property
    def env(self) -> str:
        """The environment variable; "" for other kinds."""
        return self.text.removeprefix("env:") if self.text.startswith("env:") else ""


@dataclass(frozen=True, slots=True)
class Target:
    """One device. `address` and `user` may be empty: then the name and OpenSSH's configuration decide."""

    name: str
    platform: str
    place: Place
    address: str = ""
    port: int | None = None
    user: str = ""
    password: Reference | None = None
    key: str = ""
    """Path of a private key; empty: the agent and the usual keys."""
    passphrase: Reference | None = None
    jump: str = ""
    """`[user@]host[:port]`, several with commas; empty: OpenSSH's configuration decides, `none`: straight."""
    become: Become = "none"
    enable: bool = False
    """Whether to type `enable` where the login is not privileged."""
    enable_password: Reference | None = None
    groups: tuple[str, ...] = ()

    @property
    def access(self) -> Access:
        """How the device is read."""
        if platforms.platform(self.platform).kind == "host":
            return "probe"
        return "shell" if self.platform in _SHELLS else "cli"

    @property
    def commands(self) -> tuple[str, ...]:
        """What is asked; a host gets the script of `host-probe` instead."""
        return () if self.access == "probe" else tuple(platforms.platform(self.platform).commands)


@dataclass(frozen=True, slots=True)
class Inventory:
    """All targets of the inventories, and what was left out of them and why."""

    targets: tuple[Target, ...] = ()
    notes: tuple[str, ...] = field(default=())


def device_type(platform: str) -> str:
    """netmiko's name for a platform. Raises ValueError where nobody says it."""
    found: str | None = getattr(platforms.platform(platform), "device_type", None) or DEVICE_TYPES.get(platform)
    if found is None:
        raise ValueError(f"no SSH driver is known for platform {platform}: collect its files another way")
    return found


def platform_named(text: str) -> str | None:
    """Our platform for a name that an inventory uses (`arista.eos.eos`, `cisco_nxos`, `eos`); None where there is none."""
    plain = _PLAIN.sub("", text.lower())
    found = next((name for name in platforms.names() if _PLAIN.sub("", name) == plain), None) or _BY_ALIAS.get(plain)
    return found if found in platforms.names() else None


def readable(platform: str) -> str:
    """Why devices of this platform cannot be read over SSH; "" where they can."""
    if platform in _NO_SHELL:
        return f"{platform} hosts have no POSIX shell: give the answers of their commands as files"
    if platforms.platform(platform).kind == "switch" and platform not in _SHELLS:
        try:
            device_type(platform)
        except ValueError as error:
            return str(error)
    return ""


def is_name(text: str) -> bool:
    """Whether a device may be called this: its name is the name of its folder."""
    return _NAME.fullmatch(text) is not None


def reference(text: str) -> Reference | None:
    """The reference a text writes; None for `agent`. Raises ValueError for a text that is a secret or nothing at all."""
    if _REFERENCE.fullmatch(text) is None:
        raise ValueError(
            "write where the secret is to be had: env:NAME, keyring:SERVICE/USER, prompt or agent; never itself"
        )
    return None if text == "agent" else Reference(text)
