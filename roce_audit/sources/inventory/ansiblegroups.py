"""The groups of an Ansible inventory, and which variable of which of them counts for a host."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from roce_audit.values import Place


@dataclass
class Groups:
    """Hosts, groups and variables as they are read. Variables of files (`group_vars`) count above those of the inventory."""

    hosts: dict[str, Place] = field(default_factory=dict)
    _parents: dict[str, list[str]] = field(default_factory=dict)
    _members: dict[str, list[str]] = field(default_factory=dict)
    """Host -> the groups that list it."""
    _said: dict[str, dict[str, Any]] = field(default_factory=dict)
    _filed: dict[str, dict[str, Any]] = field(default_factory=dict)
    _host_said: dict[str, dict[str, Any]] = field(default_factory=dict)
    _host_filed: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add(self, group: str) -> None:
        """A group is named."""
        self._parents.setdefault(group, [])

    def child(self, group: str, child: str) -> None:
        """A group is within another."""
        self.add(group)
        self.add(child)
        self._parents[child].append(group)

    def host(self, name: str, group: str, said: Mapping[Any, Any], place: Place) -> None:
        """A host is listed in a group, with variables."""
        self.add(group)
        self.hosts.setdefault(name, place)
        self._members.setdefault(name, []).append(group)
        self._host_said.setdefault(name, {}).update({str(k): v for k, v in said.items()})

    def say(self, group: str, said: Mapping[Any, Any], *, filed: bool = False) -> None:
        """Variables of a group."""
        self.add(group)
        layer = self._filed if filed else self._said
        layer.setdefault(group, {}).update({str(k): v for k, v in said.items()})

    def say_of_host(self, name: str, said: Mapping[Any, Any]) -> None:
        """Variables of a host's own file."""
        self._host_filed.setdefault(name, {}).update({str(k): v for k, v in said.items()})

    def names(self) -> tuple[str, ...]:
        """All groups."""
        return tuple(self._parents)

    def of(self, name: str) -> tuple[str, ...]:
        """All groups of a host, the nearest first."""
        return tuple(group for group, _ in sorted(self._depths(name).items(), key=lambda item: (-item[1], item[0])))

    def variables(self, name: str) -> dict[str, Any]:
        """What counts for a host: parents below children, of equals the later name, the host above all."""
        ordered = [group for group, _ in sorted(self._depths(name).items(), key=lambda item: (item[1], item[0]))]
        found = dict(self._said.get("all", {}))
        found.update(self._filed.get("all", {}))
        for layer in (self._said, self._filed):
            for group in ordered:
                if group != "all":
                    found.update(layer.get(group, {}))
        found.update(self._host_said.get(name, {}))
        found.update(self._host_filed.get(name, {}))
        return found

    def _depths(self, name: str) -> dict[str, int]:
        """Each group of a host with how deep it lies below `all`."""
        wanted = list(self._members.get(name, ()))
        seen: set[str] = set()
        while wanted:
            group = wanted.pop()
            if group not in seen:
                seen.add(group)
                wanted += self._parents.get(group, [])
        return {group: self._depth(group, frozenset()) for group in seen}

    def _depth(self, group: str, below: frozenset[str]) -> int:
        if group == "all" or group in below:
            return 0
        return 1 + max((self._depth(parent, below | {group}) for parent in self._parents.get(group, [])), default=0)
