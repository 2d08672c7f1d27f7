"""Facts of the whole switch, from DEVICE_METADATA and the other tables that hold for all ports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from roce_audit.model import Device
from roce_audit.platforms.base import unseen_device
from roce_audit.platforms.sonic.answers import Answers
from roce_audit.platforms.sonic.database import Row
from roce_audit.platforms.sonic.defaults import ASIC_OF_HWSKU
from roce_audit.platforms.sonic.statements import field_of, header, parse, said_by, statement
from roce_audit.platforms.sonic.table import TABLES
from roce_audit.text.fill import Lack
from roce_audit.values import Cell, Cited, Why, absent, known, unknown

_VOQ = frozenset({"voq", "chassis-packet"})
_TABLES = frozenset({"DEVICE_METADATA", "PFC_WD", "LOSSLESS_TRAFFIC_PATTERN"})
"""What says something of the whole switch."""
_NO_STATEMENT = Cited("CONFIG_DB has no such field")


def device_facts(rows: Sequence[Row], lack: Lack, answers: Answers) -> Device:
    """Model, chip, buffer model, watchdog polling, MTU of the headroom calculation."""
    rows = [row for row in rows if row.table in _TABLES]
    values = unseen_device()
    values["pfc_disabled_globally"] = known(False, _NO_STATEMENT)
    values["watchdog_detect_ms"] = values["watchdog_restore_ms"] = absent(_NO_STATEMENT)
    values["model_name"] = cell(rows, "DEVICE_METADATA", "hwsku")
    if values["model_name"].why is Why.NOT_VISIBLE and answers.model is not None:
        values["model_name"] = known(*answers.model)
    if answers.version is not None:
        values["os_version"] = known(*answers.version)
    if values["model_name"].is_known:
        values |= _chip(values["model_name"])
    switch_type = cell(rows, "DEVICE_METADATA", "switch_type")
    if switch_type.value in _VOQ:
        values["buffer_architecture"] = known("voq", *switch_type.at)
    elif switch_type.why is Why.NOT_PARSED:
        values["buffer_architecture"] = switch_type
    values["buffer_model"] = buffer_model(rows, lack)
    watched = [row for row in rows if row.table == "PFC_WD" and row.key != "GLOBAL"]
    if watched:
        values["watchdog_ports"] = known(len(watched), watched[0].place())
    values["watchdog_poll_ms"] = cell(rows, "PFC_WD", "POLL_INTERVAL")
    values["calculation_mtu_bytes"] = cell(rows, "LOSSLESS_TRAFFIC_PATTERN", "mtu")
    return Device(**values)


def buffer_model(rows: Sequence[Row], lack: Lack) -> Cell[Any]:
    """`buffer_model` of DEVICE_METADATA; traditional where a whole datastore says nothing."""
    said = cell(rows, "DEVICE_METADATA", "buffer_model")
    return lack.otherwise("DEVICE_METADATA.buffer_model") if said.why is Why.NOT_VISIBLE else said


def cell(rows: Sequence[Row], table: str, field: str) -> Cell[Any]:
    """A field of a table with one row, as a cell; the last row that has it counts, be it misspelt."""
    paths = {path for row in TABLES[table].rows if row.leaf == field for path in row.paths}
    found: Cell[Any] = unknown(Why.NOT_VISIBLE)
    for row in (row for row in rows if row.table == table):
        for name, value in row.fields.items():
            text, place = statement(header(table), name, value), row.place(name)
            parsed = parse(text)
            if field_of(text) == field:
                found = unknown(Why.NOT_PARSED, place) if parsed.unread else known(said_by(text, table, field), place)
            elif parsed.unread and not paths.isdisjoint(parsed.paths or ()):
                found = unknown(Why.NOT_PARSED, place)
    return found


def _chip(sku: Cell[Any]) -> dict[str, Cell[Any]]:
    for part, chip, architecture in ASIC_OF_HWSKU:
        if part in sku.get():
            cited = Cited("hardware SKU (source: unverified)")
            return {"asic": known(chip, *sku.at, cited), "buffer_architecture": known(architecture, *sku.at, cited)}
    return {}
