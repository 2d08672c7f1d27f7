"""Statements in a block inside a port's: about the class, queue or group that the block's header names."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from roce_audit.platforms.shared.cli.builder import PortBuilder
from roce_audit.platforms.shared.cli.syntax import PortContext
from roce_audit.text.block import CONTEXT, Part, block
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import Block, row, sets
from roce_audit.text.statements.table import StatementTable
from roce_audit.values import Why

TABLE = StatementTable(
    name="toy",
    modes={
        "port": Mode(
            (row("queue <number:queue>", Block, "queues", no=None), row("mtu <64..65535>", sets("ip_mtu_bytes"))),
            opens={"queue": "queue"},
        ),
        "queue": Mode((row("rate <1..1000>", sets("queues.#.max_rate_bps")),)),
    },
    types={"queue": lambda text: None if text == "multicast" else int(text)},
)


class _Builder(PortBuilder):
    table = TABLE
    order = ("port",)
    handlers: ClassVar[dict[type, Any]] = {}


def built(*statements: str) -> Any:
    lines = tuple(statement.replace(" > ", CONTEXT) for statement in statements)
    builder = _Builder(
        (Part("own", block("x", 1, lines, tuple(range(len(lines)))), "port"),), PortContext("ethernet", None, True)
    )
    builder.take_in()
    return builder.filled()


def test_the_number_of_the_block_stands_in_the_path() -> None:
    queues = built("queue 3", "queue 3 > rate 8", "mtu 9000").queues.get()
    assert [queue.max_rate_bps.or_else(None) for queue in queues] == [None, None, None, 8, None, None, None, None]


def test_a_line_that_is_not_understood_makes_unknown_what_it_sets_in_its_block() -> None:
    queues = built("queue 3", "queue 3 > rate many").queues.get()
    assert [queue.max_rate_bps.why for queue in queues[2:4]] == [Why.NO_DEFAULT, Why.NOT_PARSED]


@pytest.mark.parametrize(("header", "why"), [("queue multicast", None), ("queue nine", Why.NOT_PARSED)])
def test_a_block_about_nothing_sets_nothing_and_one_about_nobody_knows_what_may_set_all(header: str, why: Why) -> None:
    port = built(header, f"{header} > rate 8", "mtu 9000")
    assert port.queues.why is why
    assert port.ip_mtu_bytes.get() == 9000
