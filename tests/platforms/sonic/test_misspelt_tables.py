"""A table whose name is misspelt: one finding, and none for the names in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

TEXT = (Path(__file__).parents[3] / "fixtures" / "mixed" / "leaf4" / "config_db.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("table", "written"),
    [
        ("PORT_QOS_MAP", "PORT_QOS_MPA"),
        ("BUFFER_PROFILE", "BUFFER_PROFIEL"),
        ("WRED_PROFILE", "WERD_PROFILE"),
        ("BUFFER_PG", "BUFFER_GP"),
        ("QUEUE", "QUEUES"),
    ],
)
def test_a_misspelt_table_is_told_once(table: str, written: str) -> None:
    text = TEXT.replace(f'"{table}": {{', f'"{written}": {{', 1)
    line = text[: text.index(written)].count("\n") + 1
    reading = platform("sonic").read(DeviceInput("leaf4", "sonic", (Document("config_db.json", text),)))
    assert [(seen.observation.kind, seen.place.line) for seen in reading.seen] == [("unread-line", line)]
