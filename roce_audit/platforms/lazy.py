"""What a platform tells of itself, imported when it is first asked for: most files are asked of all platforms, and read by one."""

from __future__ import annotations

import importlib
from typing import Any


class Later:
    """An attribute that stands in another module."""

    def __init__(self, module: str, name: str) -> None:
        self._module = module
        self._name = name

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """The value; the module is imported now."""
        return getattr(importlib.import_module(self._module), self._name)
