"""Our own inventories: YAML with defaults, groups and devices, and CSV with a line a device."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from roce_audit.sources.inventory.files import names_in, text_of, yaml_of
from roce_audit.sources.live.targets import Inventory, InventoryError, Target, is_name, reference
from roce_audit.values import Place

if TYPE_CHECKING:
    from roce_audit.sources.inventory.forms import DeviceForm, LoginForm


def load_yaml(path: str) -> Inventory:
    """The inventory in a YAML file. Raises InventoryError with every problem and its line."""
    from pydantic import ValidationError

    from roce_audit.sources.inventory.forms import InventoryForm
    from roce_audit.text.formerrors import problems

    document = yaml_of(path)
    try:
        form = InventoryForm.model_validate({} if document.value is None else document.value)
    except ValidationError as error:
        found = [(document.nearest_line_of(at), words) for at, words in problems(error, InventoryForm, "inventory")]
        raise InventoryError(tuple(f"{path}:{line}: {words}" for line, words in sorted(found))) from None
    wrong: list[str] = []
    targets: list[Target] = []
    for pattern, device in form.devices.items():
        place = Place(path, document.nearest_line_of(("devices", pattern)))
        unknown = [name for name in device.groups if name not in form.groups]
        if unknown:
            near = get_close_matches(unknown[0], form.groups, n=1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            wrong.append(f"{path}:{place.line}: {pattern}: there is no group '{unknown[0]}'{hint}")
            continue
        said = [device, *(form.groups[name] for name in device.groups), form.defaults]
        try:
            targets += _targets(pattern, device, said, place)
        except ValueError as error:
            wrong.append(f"{path}:{place.line}: {pattern}: {error}")
    if wrong:
        raise InventoryError(tuple(wrong))
    return Inventory(tuple(targets))


def load_csv(path: str) -> Inventory:
    """The inventory in a CSV file, whose first line names the columns. Raises InventoryError."""
    from pydantic import ValidationError

    from roce_audit.sources.inventory.forms import DeviceForm
    from roce_audit.text.formerrors import keys_of, problems

    reader = csv.DictReader(io.StringIO(text_of(path)), strict=True)
    columns = ("name", *keys_of(DeviceForm))
    strange = [name for name in reader.fieldnames or () if name not in columns]
    if strange or "name" not in (reader.fieldnames or ()):
        words = f"unknown column '{strange[0]}'" if strange else "there is no column 'name'"
        raise InventoryError((f"{path}:1: {words}; known are {', '.join(columns)}",))
    wrong: list[str] = []
    targets: list[Target] = []
    try:
        for row in reader:
            place = Place(path, reader.line_num)
            if None in row:
                wrong.append(f"{path}:{place.line}: more fields than columns")
                continue
            values = {key: _value(key, text.strip()) for key, text in row.items() if text and text.strip()}
            pattern = str(values.pop("name", ""))
            try:
                device = DeviceForm.model_validate(values)
                targets += _targets(pattern, device, [device], place)
            except ValidationError as error:
                wrong += [f"{path}:{place.line}: {words}" for _, words in problems(error, DeviceForm, "device")]
            except ValueError as error:
                wrong.append(f"{path}:{place.line}: {pattern}: {error}")
    except csv.Error as error:
        wrong.append(f"{path}:{reader.line_num}: {error}")
    if wrong:
        raise InventoryError(tuple(wrong))
    return Inventory(tuple(targets))


def _value(key: str, text: str) -> Any:
    if key == "port":
        return int(text) if text.isdecimal() else text
    if key == "groups":
        return text.split()
    if key == "enable" and text in ("true", "false"):
        return text == "true"
    return text


def _targets(pattern: str, device: DeviceForm, said: Iterable[LoginForm], place: Place) -> list[Target]:
    """The targets of one entry. Raises ValueError."""
    merged: Mapping[str, Any] = _merged(said)
    if not merged["platform"]:
        raise ValueError("nobody says its platform")
    names = names_in(pattern)
    addresses = names_in(device.address) if device.address else [""] * len(names)
    if len(addresses) != len(names):
        raise ValueError(f"{len(names)} names and {len(addresses)} addresses")
    enable = merged["enable"]
    found = []
    for name, address in zip(names, addresses, strict=True):
        if not is_name(name):
            raise ValueError(f"a device's name is the name of its folder: {name!r} cannot be one")
        found.append(
            Target(
                name,
                merged["platform"],
                place,
                address,
                merged["port"],
                merged["user"] or "",
                reference(merged["password"]) if merged["password"] else None,
                merged["key"] or "",
                reference(merged["passphrase"]) if merged["passphrase"] else None,
                merged["jump"] or "",
                merged["become"] or "none",
                enable is True or isinstance(enable, str),
                reference(enable) if isinstance(enable, str) else None,
                tuple(device.groups),
            )
        )
    return found


def _merged(said: Iterable[LoginForm]) -> dict[str, Any]:
    """Field by field what the nearest says."""
    from roce_audit.sources.inventory.forms import LoginForm

    layers = list(said)
    return {
        name: next((value for form in layers if (value := getattr(form, name)) is not None), None)
        for name in LoginForm.model_fields
    }
