"""The own topology file: which port is cabled to which, how long the cable is, and what role a device has."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.text.decode import printable
from roce_audit.text.structured import yamltext
from roce_audit.values import Place

MAX_CHARACTERS = 16 * 2**20
"""A fleet has tens of thousands of cables."""
LONGEST_CABLE_M = 120_000
_LAB_PORT = lazy(r":(eth|e)([0-9]{1,3}[-_][0-9]{1,3}(?:[-_][0-9]{1,3})?)\Z")
_LAB_KINDS = {"e": "ethernet-", "eth": "Ethernet"}
"""What containerlab calls ports (`e1-3`, `eth3_1`), and what the systems that it runs call them."""
_KEYS = ("links", "roles", "a", "b", "length_m", "roce")


@dataclass(frozen=True, slots=True)
class End:
    """One end of a cable."""

    device: str
    port: str


@dataclass(frozen=True, slots=True)
class TopologyLink:
    """A cable; `length_m` in metres and `roce` where the file says them. `place` is its line."""

    a: End
    b: End
    place: Place
    length_m: float | None = None
    roce: bool | None = None


@dataclass(frozen=True, slots=True)
class TopologyRole:
    """The role of a device, with its line."""

    role: str
    place: Place


@dataclass(frozen=True, slots=True)
class Topology:
    """A whole topology file. `roles` is keyed by device name."""

    links: tuple[TopologyLink, ...] = ()
    roles: Mapping[str, TopologyRole] = field(default_factory=dict)


class TopologyError(ValueError):
    """The file is no topology that is understood; `errors` holds every place with its clause."""

    def __init__(self, errors: tuple[tuple[Place, str], ...]) -> None:
        super().__init__("; ".join(f"{place.path}:{place.line}: {text}" for place, text in errors))
        self.errors = errors


@lru_cache(maxsize=1)
def _parsed(text: str) -> yamltext.YamlText:
    """The text as YAML: asked whose form it is, and then what it says. Raises YamlError."""
    return yamltext.parse(text, max_characters=MAX_CHARACTERS)


def parse(text: str, path: str) -> Topology:
    """The topology in a file's text. Raises TopologyError with all errors and their lines."""
    from pydantic import ValidationError

    from roce_audit.sources.topology.form import TopologyForm, split_end

    try:
        source = _parsed(text)
    except yamltext.YamlError as error:
        raise TopologyError(((Place(path, error.line), error.message),)) from None
    try:
        form = TopologyForm.model_validate({} if source.value is None else source.value)
    except ValidationError as error:
        details = error.errors(include_url=False)
        raise TopologyError(tuple((_place(source, path, e["loc"]), _message(e)) for e in details)) from None

    def link_place(index: int) -> Place:
        return Place(path, source.line_of(("links", index)))

    links = tuple(
        TopologyLink(End(*split_end(link.a)), End(*split_end(link.b)), link_place(i), link.length_m, link.roce)
        for i, link in enumerate(form.links)
    )
    roles = {n: TopologyRole(r, Place(path, source.line_of(("roles", n)))) for n, r in form.roles.items()}
    return Topology(links, roles)


def is_own_form(text: str) -> bool:
    """Whether a file is meant for us: netlab, containerlab, inventories and manifests have files of that name, too.

    It is where it has links or roles in our words, or cannot be read and begins a list of links.
    """
    try:
        value = _parsed(text).value
    except yamltext.YamlError:
        lines = text.split("\n")
        is_page = any(line.startswith("```") for line in lines)
        return not is_page and any(line.startswith(("links:", "roles:")) for line in lines)
    if value is None:
        return True
    if not isinstance(value, dict) or any(isinstance(key, str) and key.isupper() for key in value):
        return False  # docker-topo has its settings (CEOS_IMAGE, PREFIX) beside links like ours
    if isinstance(value.get("roles"), dict) and all(isinstance(role, str) for role in value["roles"].values()):
        return True
    lists = [entries for entries in value.values() if isinstance(entries, list)]
    return any(_is_own_link(entry) for entries in lists for entry in entries) or set(value) in (
        {"links"},
        {"links", "roles"},
    )


def _is_own_link(entry: object) -> bool:
    if isinstance(entry, dict):
        return "a" in entry or "b" in entry
    return isinstance(entry, list) and bool(entry) and all(isinstance(end, str) and ":" in end for end in entry)


_LAB = lazy(r"^topology:[ \t]*\n(?:[ \t#][^\n]*\n|\n)*?[ \t]+- (?:\{ ?)?endpoints:", re.M)
_OWN = lazy(r"^links:[ \t]*\n(?:[ \t]*(?:#[^\n]*)?\n){0,50}[ \t]*- (?:\[ ?[^\[\],:\n]+:[^\[\],\n]+,|\{ ?a: )", re.M)


def is_plan(text: str) -> bool:
    """Whether a file of any name says what is cabled: in our own form, as a lab of containerlab, a table or a graph."""
    from roce_audit.sources.topology.cableplans import reader_of

    head = text[:200_000]
    # a look for its first word costs a tenth of a look for the form, and one for a character a tenth of that
    is_own = ("[" in head or "{" in head) and "links:" in head and _OWN.search(head) is not None
    is_lab = "topology:" in head and _LAB.search(head) is not None
    return is_own or is_lab or reader_of(text) is not None


def of_containerlab(text: str, path: str) -> Topology | None:
    """The links of a containerlab topology (`topology: links: - endpoints: [a:eth1, b:eth1]`); None for any other file."""
    try:
        source = _parsed(text)
    except yamltext.YamlError:
        return None
    inner = source.value.get("topology") if isinstance(source.value, dict) else None
    if not isinstance(inner, dict) or not isinstance(inner.get("nodes"), dict):
        return None
    links: list[TopologyLink] = []
    entries = inner.get("links")
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        ends = entry.get("endpoints") if isinstance(entry, dict) else None
        if isinstance(ends, list) and len(ends) == 2 and all(isinstance(end, str) and ":" in end for end in ends):
            (a, _, a_port), (b, _, b_port) = (_own_names(end).partition(":") for end in ends)
            links.append(
                TopologyLink(End(a, a_port), End(b, b_port), Place(path, source.line_of(("topology", "links", index))))
            )
    return Topology(tuple(links))


def _own_names(end: str) -> str:
    """An end with the name of the port as the device has it: containerlab writes `e1-3`, `e1-3-1` and `eth3_1` for ports with a slot."""
    return _LAB_PORT.sub(lambda found: f":{_LAB_KINDS[found[1]]}{'/'.join(re.findall('[0-9]+', found[2]))}", end)


def _place(source: yamltext.YamlText, path: str, loc: tuple[str | int, ...]) -> Place:
    """The line of an error; in the short form of a link its ends stand at 0 and 1."""
    if len(loc) == 3 and isinstance(source.value["links"][loc[1]], list):
        loc = (*loc[:2], {"a": 0, "b": 1}.get(str(loc[2]), loc[2]))
    return Place(path, source.nearest_line_of(loc))


def _message(error: Any) -> str:
    name = next((step for step in reversed(error["loc"]) if isinstance(step, str)), "")
    if error["type"] == "extra_forbidden":
        close = difflib.get_close_matches(name, _KEYS, 1)
        return printable(f"{name!r} is not known here" + (f": did you mean {close[0]!r}?" if close else ""))
    text = str(error["msg"]).removeprefix("Value error, ")
    return printable(f"{name}: {text}" if name else text)
