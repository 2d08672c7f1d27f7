"""Inventories: which devices there are and how to reach them, in the forms that people already have."""

from __future__ import annotations

import os
from collections.abc import Sequence

from roce_audit.records import dataclass
from roce_audit.sources.live.targets import Inventory, InventoryError, Reference, Target

FORMS = ("own", "csv", "nornir", "ansible", "netbox")


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line adds: a token for NetBox, and names to take (globs; none: all)."""

    netbox_token: Reference | None = None
    only: tuple[str, ...] = ()


def load(sources: Sequence[str], options: Options = Options()) -> Inventory:  # noqa: B008
    """All targets of these inventories: `PATH`, or `FORM:PATH` where the form is not to be guessed. Raises InventoryError."""
    from roce_audit.text.globs import matches

    targets: list[Target] = []
    notes: list[str] = []
    for source in sources:
        found = _load(source, options)
        targets += found.targets
        notes += found.notes
    _unique(targets)
    if options.only:
        targets = [t for t in targets if any(matches(glob, n) for glob in options.only for n in (t.name, *t.groups))]
    return Inventory(tuple(sorted(targets, key=lambda t: t.name)), tuple(notes))


def form_of(source: str) -> tuple[str, str]:
    """(form, path or address) of what was given. Raises InventoryError where nothing tells the form."""
    form, colon, rest = source.partition(":")
    if colon and form in FORMS and not os.path.lexists(source):
        return form, rest
    if source.startswith(("https://", "http://")):
        return "netbox", source
    if os.path.isdir(source):
        names = set(os.listdir(source))
        if names & {"hosts.yaml"} and names & {"groups.yaml", "defaults.yaml"}:
            return "nornir", source
        return "ansible", source
    if not os.path.isfile(source):
        raise InventoryError((f"{source}: no such inventory",))
    if source.endswith(".csv"):
        return "csv", source
    if source.endswith((".yaml", ".yml")):
        return _yaml_form(source), source
    return "ansible", source


def _yaml_form(path: str) -> str:
    from roce_audit.sources.inventory.files import yaml_of

    value = yaml_of(path).value
    if not isinstance(value, dict):
        raise InventoryError((f"{path}: holds no inventory",))
    if set(map(str, value)) & {"devices", "defaults"}:
        return "own"
    entries = [entry for entry in value.values() if isinstance(entry, dict)]
    if "all" in value or any({"hosts", "children"} & set(map(str, entry)) for entry in entries):
        return "ansible"
    if any({"hostname", "platform", "groups"} & set(map(str, entry)) for entry in entries):
        return "nornir"
    return "own"


def _load(source: str, options: Options) -> Inventory:
    form, where = form_of(source)
    if form == "netbox":
        from roce_audit.sources.inventory import netbox

        return netbox.load(where, options.netbox_token)
    if form == "nornir":
        from roce_audit.sources.inventory import nornir

        return nornir.load(where)
    if form == "ansible":
        from roce_audit.sources.inventory import ansible

        return ansible.load(where)
    from roce_audit.sources.inventory import own

    return own.load_csv(where) if form == "csv" else own.load_yaml(where)


def _unique(targets: Sequence[Target]) -> None:
    seen: dict[str, Target] = {}
    problems = []
    for target in targets:
        first = seen.setdefault(target.name.lower(), target)
        if first is not target:
            place, before = target.place, first.place
            problems.append(
                f"{place.path}:{place.line}: {target.name} stands here again (first {before.path}:{before.line})"
            )
    if problems:
        raise InventoryError(tuple(problems))
