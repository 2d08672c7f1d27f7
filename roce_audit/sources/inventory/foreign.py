"""What all inventories of other programs share: their words for platforms and logins, and what is never taken from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from roce_audit.sources.live.targets import Inventory, Reference, Target, is_name, platform_named, readable, reference
from roce_audit.values import Place


@dataclass
class Gathering:
    """Targets of one foreign inventory, and counts of what was left out and why."""

    source: str
    targets: list[Target] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def platform(self, name: str, text: str) -> str | None:
        """Our platform of a device; None, and counted, where it is none that can be read."""
        found = platform_named(text) if text else None
        if not text:
            self.left_out["nobody says their platform"] += 1
        elif found is None:
            self.left_out[f"platform {text} is not one of ours"] += 1
        elif readable(found):
            self.left_out[readable(found)] += 1
            return None
        elif not is_name(name):
            self.left_out["their names cannot be names of folders"] += 1
            return None
        return found

    def secret(self, value: Any) -> Reference | None:
        """A password that is a reference. One that stands there itself is never used."""
        if value is None or value == "":
            return None
        try:
            return reference(str(value))
        except ValueError:
            self.left_out["passwords that stand in the file are not used: give --password env:NAME"] += 1
            return None

    def port(self, value: Any, place: Place) -> int | None:
        """A port number; None where none is given. Raises ValueError."""
        if value is None or value == "":
            return None
        if not str(value).isdecimal() or not 0 < int(value) < 65_536:
            raise ValueError(f"{place.path}:{place.line}: {str(value)[:40]!r} is no port")
        return int(value)

    def done(self) -> Inventory:
        """The inventory, with a note for each reason."""
        return Inventory(tuple(self.targets), tuple(self._notes()))

    def _notes(self) -> Iterator[str]:
        for why, count in self.left_out.items():
            yield f"{self.source}: {why} ({count})"
