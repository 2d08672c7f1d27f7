"""The platforms, discovered by folder: a package below this one with an object PLATFORM is a platform."""

from __future__ import annotations

import importlib
import pkgutil
import re
from functools import cache

from roce_audit.platforms.base import Platform
from roce_audit.platforms.repair import Repairs


@cache
def names() -> tuple[str, ...]:
    """Names of all platforms, in alphabetical order."""
    return tuple(sorted(m.name for m in pkgutil.iter_modules(__path__) if m.ispkg and m.name != "shared"))


@cache
def sibling_files() -> tuple[re.Pattern[str], ...]:
    """Names of files that describe one device together where several stand in one folder; a platform may have `siblings`."""
    return _declared("siblings")


@cache
def inner_folders() -> tuple[re.Pattern[str], ...]:
    """Folders of a device's own file system that may be kept below its folder; a platform may have `inside`."""
    return _declared("inside")


def _declared(attribute: str) -> tuple[re.Pattern[str], ...]:
    """The patterns of the platforms that have this attribute."""
    found = (getattr(platform(name), attribute, None) for name in names())
    return tuple(pattern for pattern in found if pattern is not None)


@cache
def platform(name: str) -> Platform:
    """The platform of that name; raises KeyError for a name that is none."""
    if name not in names():
        raise KeyError(name)
    module = importlib.import_module(f"{__name__}.{name}")
    found: Platform = module.PLATFORM
    return found


@cache
def repairs(name: str) -> Repairs | None:
    """How the platform of that name writes changes; None where it does not say."""
    try:
        module = importlib.import_module(f"{__name__}.{name}.repair")
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}.{name}.repair":
            raise
        return None
    found: Repairs | None = getattr(module, "REPAIRS", None)  # a NIC family only adds to those of its host
    return found
