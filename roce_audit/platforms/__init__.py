"""The platforms, discovered by folder: a package below this one with an object PLATFORM is a platform."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from roce_audit.patterns import lazy
from roce_audit.platforms.record import Platform
from roce_audit.platforms.repair import Repairs
from roce_audit.platforms.signature import compiled

_AS_WHAT = lazy(r" [|-]")
"""What follows a command that shows the configuration: how it is to be printed."""


def names() -> tuple[str, ...]:
    """Names of all platforms, in alphabetical order."""
    return _names(tuple(__path__))


@cache
def _names(folders: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(m.name for m in pkgutil.iter_modules(folders) if m.ispkg and m.name != "shared"))


@cache
def platform(name: str) -> Platform:
    """The platform of that name; raises KeyError for a name that is none."""
    if name not in names():
        raise KeyError(name)
    found: Platform = importlib.import_module(f"{__name__}.{name}").PLATFORM
    return found


def every() -> tuple[Platform, ...]:
    """All platforms, in the order of their names."""
    return _every(names())


@cache
def _every(names: tuple[str, ...]) -> tuple[Platform, ...]:
    return tuple(map(platform, names))


def folder(name: str) -> Path:
    """The folder of a platform."""
    return _folder(name, tuple(__path__))


@cache
def _folder(name: str, folders: tuple[str, ...]) -> Path:
    return next(Path(path) / name for path in folders if (Path(path) / name).is_dir())


def sibling_files() -> tuple[re.Pattern[str], ...]:
    """Names of files that describe one device together where several stand in one folder."""
    return tuple(compiled(one.siblings) for one in every() if one.siblings)


def kept_answer(name: str, file_name: str) -> str | None:
    """The command whose answer a system keeps for support under such a name; None for any other file."""
    kept = platform(name).kept
    return next((command for pattern, command in kept.items() if compiled(pattern).fullmatch(file_name)), None)


def inner_folders() -> tuple[re.Pattern[str], ...]:
    """Folders of a device's own file system that may be kept below its folder."""
    return tuple(compiled(one.inside) for one in every() if one.inside)


def merged_folders() -> tuple[re.Pattern[str], ...]:
    """Folders of a device's own file system whose files are one to it."""
    return tuple(compiled(one.merged) for one in every() if one.merged)


def needs(name: str) -> Mapping[str, str]:
    """Model path pattern -> what would show it. A family of NICs leaves the rest to the system of their hosts; where that does
    not say and nobody knows the family, each family says it.
    """
    own = platform(name)
    if own.is_nic_family:
        return {path: how for one in every() if _is_probed(one) for path, how in one.needs.items()} | dict(own.needs)
    if not _is_probed(own):
        return own.needs
    families = [one for one in every() if one.is_nic_family]
    paths = dict.fromkeys(path for one in families for path in one.needs if path not in own.needs)
    said = {path: (f"{one.needs[path]} ({one.name})" for one in families if path in one.needs) for path in paths}
    return {**own.needs, **{path: "; ".join(those) for path, those in said.items()}}


def _is_probed(one: Platform) -> bool:
    """Whether it is a system of hosts that one script reads as a whole."""
    return not one.is_nic_family and one.live is not None and one.live.access == "probe"


def configurations() -> Mapping[str, str]:
    """Platform -> how the command begins that shows its configuration."""
    return {
        one.name: _AS_WHAT.split(one.live.configuration)[0]
        for one in every()
        if one.live is not None and one.live.configuration
    }


def repairs(name: str) -> Repairs | None:
    """How the platform of that name writes changes; None where it does not say."""
    found = platform(name).load().repairs
    return found() if found is not None else None
