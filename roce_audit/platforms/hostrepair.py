"""Repairs of hosts: a tool's command, and the line in which the answers show what it does.

What a host bundle holds are answers, so nothing in it is a place to make a change: the edited answer only serves the proof.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from roce_audit.platforms.base import PortReading
from roce_audit.platforms.repair import Change, Edit, Texts, line_at
from roce_audit.values import Place


def _nothing(value: str) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True)
class HostLine:
    """One form in which an answer shows a setting.

    `pattern` has a group `value`, and may name the port as DEV and its RDMA device as RDMA. `command` may name {dev},
    {rdma}, {value} and other groups of the pattern; "" where another form of the same setting has the command.
    `adds` gives lines that the tool prints below this one once the value is set.
    """

    setting: str
    pattern: str
    command: str = ""
    adds: Callable[[str], Sequence[str]] = _nothing
    write: Callable[[object], str] = str
    """A value of the model -> what stands in the group `value`."""


@dataclass(frozen=True, slots=True)
class HostRepairs:
    """What can be set on a host; `paths`: model path -> the setting behind it."""

    lines: Sequence[HostLine]
    paths: Mapping[str, str]
    before: Sequence[str] = ()
    after: Sequence[str] = ("# until the next boot only: say it where the host sets itself up as well",)

    def say(self, path: str, value: object, places: Sequence[Place], port: PortReading, texts: Texts) -> list[Change]:
        """The command of the setting behind the path."""
        setting = self.paths.get(path)
        if setting is None:
            return []
        words = {form.setting: form.write(value) for form in self.lines if form.setting == setting}
        return self._written(port, places, words, texts)

    def like(
        self, port: PortReading, twin: PortReading, places: Sequence[Place], wanted: Sequence[Place], texts: Texts
    ) -> list[Change]:
        """The twin's values of all settings that these lines show."""
        words = {form.setting: found["value"] for form, _, found in self._shown(twin, wanted, texts)}
        return self._written(port, places, words, texts)

    def bind(self, port: PortReading, header: str, texts: Texts) -> list[Change]:
        """Hosts define nothing by name."""
        return []

    def drop(self, port: PortReading, place: Place, texts: Texts) -> list[Change]:
        """A setting of a host is changed, never taken away."""
        return []

    def _written(
        self, port: PortReading, places: Sequence[Place], words: Mapping[str, str], texts: Texts
    ) -> list[Change]:
        edits: list[Edit] = []
        do: dict[str, None] = {}
        undo: dict[str, None] = {}
        for form, place, found in self._shown(port, places, texts):
            value = words.get(form.setting)
            if value is None:
                return []
            if value == found["value"]:
                continue
            old = line_at(place, texts)
            edits.append(
                Edit(place.path, place.line, old, old[: found.start("value")] + value + old[found.end("value") :])
            )
            edits += [Edit(place.path, place.line, None, text) for text in form.adds(value)]
            if form.command:
                do[_command(form, found, port, value)] = None
                undo[_command(form, found, port, found["value"])] = None
        return [Change(tuple(edits), tuple(do), tuple(undo), patches=False)] if do else []

    def _shown(
        self, port: PortReading, places: Sequence[Place], texts: Texts
    ) -> Iterator[tuple[HostLine, Place, re.Match[str]]]:
        """The settings that these lines show of the port."""
        for place in places:
            line = line_at(place, texts)
            for form in self.lines:
                found = _pattern(form.pattern, port.name, _rdma(port)).search(line)
                if found is not None:
                    yield form, place, found
                    break


@lru_cache(4096)
def _pattern(pattern: str, dev: str, rdma: str) -> re.Pattern[str]:
    return re.compile(pattern.replace("DEV", re.escape(dev)).replace("RDMA", re.escape(rdma) or "(?!)"))


def _rdma(port: PortReading) -> str:
    nic = port.facts.nic.or_else(None)  # type: ignore[arg-type]
    return nic.rdma_device.or_else("") if nic is not None else ""


def _command(form: HostLine, found: re.Match[str], port: PortReading, value: str) -> str:
    words = {
        **found.groupdict(),
        "dev": port.name,
        "rdma": _rdma(port),
        "value": value,
        "list": ",".join(value.split()),
    }
    return form.command.format(**words)
