"""Facts of the whole switch: model and release from NVUE's header, the chip by the model, the watchdog's timers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from roce_audit.model import Device
from roce_audit.platforms.base import unseen_device
from roce_audit.platforms.cumulus.datastore import Datastore
from roce_audit.platforms.cumulus.defaults import ASIC_OF_MODEL
from roce_audit.platforms.cumulus.nvue import Tree, header_of
from roce_audit.platforms.cumulus.table import TABLE
from roce_audit.platforms.shared.path.builder import touched
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import Cell, Cited, Place, Why, absent, known, unknown

_MODEL = re.compile(r"M?(SN\d{4}[A-Z0-9_]{0,8})\Z")
_NO_SUCH = Cited("Cumulus Linux has no such statement")


def _roce_mode(store: Datastore) -> Cell[object]:
    """The mode of `qos roce`: lossless where nothing is said of it. Off where it is switched off."""
    mode: Cell[object] = unknown(Why.NOT_VISIBLE)
    on = True
    for entry in store.entries("roce", ""):
        parsed = TABLE.parse("roce", entry.text)
        if parsed.unread:
            return unknown(Why.NOT_PARSED, entry.place)
        if isinstance(parsed.value, Leaf) and parsed.value.name == "mode":
            mode = known("lossy" if str(parsed.value.value).startswith("lossy") else "lossless", entry.place)
        elif isinstance(parsed.value, Leaf):
            on = bool(parsed.value.value)
        mode = mode if mode.is_known else known("lossless", entry.place)
    return mode if on else unknown(Why.NOT_VISIBLE)


def device_facts(headers: Sequence[tuple[str, Tree]], store: Datastore) -> Device:
    """Model, chip, release and watchdog polling."""
    values = unseen_device()
    values["pfc_disabled_globally"] = known(False, _NO_SUCH)
    for name in ("buffer_model", "calculation_mtu_bytes", "watchdog_detect_ms", "watchdog_restore_ms"):
        values[name] = absent(_NO_SUCH)
    for path, tree in headers:
        header, where = header_of(tree)
        if isinstance(header.get("model"), str):
            values["model_name"] = known(header["model"], Place(path, tree.line_of((*where, "model"))))
        if isinstance(header.get("version"), str):
            values["os_version"] = known(header["version"], Place(path, tree.line_of((*where, "version"))))
    model = values["model_name"]
    chip = _MODEL.match(model.get()) if model.is_known else None
    for series, name in ASIC_OF_MODEL if chip is not None else ():
        if chip is not None and chip.group(1).startswith(series):
            cited = Cited("model name (source: unverified)")
            values["asic"] = known(name, *model.at, cited)
            values["buffer_architecture"] = known("shared_on_chip", *model.at, cited)
            break
    values["roce_mode"] = _roce_mode(store)
    for entry in store.entries("pfc-watchdog", ""):
        parsed = TABLE.parse("pfc-watchdog", entry.text)
        if parsed.unread and "pfc.watchdog.poll_ms" in touched(parsed):
            values["watchdog_poll_ms"] = unknown(Why.NOT_PARSED, entry.place)
        elif isinstance(parsed.value, Leaf) and parsed.value.name == "polling-interval":
            values["watchdog_poll_ms"] = known(parsed.value.value, entry.place)
    return Device(**values)
