"""What the rows of a statement table make of statements, and what of those that are not understood."""

from __future__ import annotations

import pytest

from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import ABSENT, NOTHING, UNDOCUMENTED, Reset, Set, row, sets
from roce_audit.text.statements.table import StatementTable

TABLE = StatementTable(
    name="toy",
    modes={
        "top": Mode(
            (
                row("mtu <64..9216>", sets("mtu")),
                row("shutdown", sets("up", False), no=True),
                row("speed <10..1000>", sets("speed"), no=ABSENT),
                row("pause auto", sets("pause", UNDOCUMENTED), no=UNDOCUMENTED),
                row("version <1..9>", sets("version"), no=NOTHING),
                row("share mode <on|off>"),
            )
        )
    },
)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("mtu 1500", Set(("mtu",), 1500)),
        ("no mtu", Reset(("mtu",))),
        ("shutdown", Set(("up",), False)),
        ("no shutdown", Set(("up",), True)),
        ("no speed 100", Set(("speed",), ABSENT)),
        ("pause auto", Set(("pause",), UNDOCUMENTED)),
        ("no pause auto", Set(("pause",), UNDOCUMENTED)),
        ("no version 2", NOTHING),
        ("share mode on", NOTHING),
        ("mtu 9217", None),
    ],
)
def test_what_a_statement_sets(line: str, value: object) -> None:
    assert TABLE.parse("top", line).value == value


@pytest.mark.parametrize(
    ("line", "paths"),
    [
        ("mtuu 1500", ("mtu",)),
        ("share moed on", ()),
        ("share mode on~", ()),
        ("shaer mode on", None),
        ("logging on", None),
    ],
)
def test_a_slip_is_told_unless_it_begins_what_would_set_nothing(line: str, paths: tuple[str, ...] | None) -> None:
    parsed = TABLE.parse("top", line)
    assert (parsed.paths, parsed.value) == (paths, None)


def test_a_maker_that_does_not_take_what_its_row_captures_is_told_with_the_row() -> None:
    table = StatementTable("wrong", {"top": Mode((row("burst <size:1..9>", lambda length: length, "burst"),))})
    with pytest.raises(TypeError, match=r"top: 'burst <size:1..9>': .*size"):
        table.parse("top", "burst 5")
    assert table.parse("top", "burst x").unread
