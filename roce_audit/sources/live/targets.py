"""What is to be read live: one target a device, with how to reach it and how to log in; never a credential itself."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.platforms.record import Access, Live
from roce_audit.records import dataclass
from roce_audit.values import Place

Become = Literal["none", "sudo -n"]
_NAME = lazy(r"(?!.*\.(?:json|ya?ml)\Z)[A-Za-z0-9_][A-Za-z0-9._-]{0,199}")
"""Of a folder beside `snapshot.json` and `topology.yaml`."""
_REFERENCE = lazy(r"env:(?P<env>[A-Za-z_][A-Za-z0-9_]{0,99})|keyring:(?P<service>[^/\s]+)/(?P<user>\S+)|prompt|agent")

_PLAIN = lazy(r"[^a-z0-9]")


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
    def live(self) -> Live:
        """What its platform says of reading it. Raises ValueError where it cannot be read over SSH."""
        found = platforms.platform(self.platform).live
        if found is None:
            raise ValueError(readable(self.platform))
        return found

    @property
    def access(self) -> Access:
        """How the device is read."""
        return self.live.access

    @property
    def commands(self) -> tuple[str, ...]:
        """What is asked; a host gets the script of `host-probe` instead."""
        return () if self.access == "probe" else platforms.platform(self.platform).commands


@dataclass(frozen=True, slots=True)
class Inventory:
    """All targets of the inventories, and what was left out of them and why."""

    targets: tuple[Target, ...] = ()
    notes: tuple[str, ...] = field(default=())


def platform_named(text: str) -> str | None:
    """Our platform for a name that an inventory uses: its own, or one of its aliases; None where there is none."""
    plain = _plain(text)
    known = platforms.every()
    return next((one.name for one in known if _plain(one.name) == plain), None) or next(
        (one.name for one in known if plain in map(_plain, one.aliases)), None
    )


def _plain(text: str) -> str:
    return _PLAIN.sub("", text.lower())


def readable(platform: str) -> str:
    """Why devices of this platform cannot be read over SSH; "" where they can."""
    if platforms.platform(platform).live is None:
        return f"{platform} devices cannot be read over SSH: give the answers of their commands as files"
    return ""


def usual_host() -> str:
    """The platform of a host of which an inventory says nothing but that it has a shell."""
    return next(
        one.name for one in platforms.every() if one.live and one.live.access == "probe" and not one.is_nic_family
    )


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
