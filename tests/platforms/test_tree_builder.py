"""What the builder of trees makes of statements that were not understood."""

from __future__ import annotations

import pytest

from roce_audit.platforms.shared.path.builder import touched
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import leaf
from roce_audit.text.statements.table import StatementTable

TABLE = StatementTable(
    "t",
    {
        "block": Mode(
            (
                leaf("queue <queue:0..7> weight <value:0..100>", "queues.#.share"),
                leaf("dscp <dscp:0..63> class <value:0..7>", "dscp.#"),
                leaf("mode <value:a|b>", "mode"),
            ),
            strict=True,
        )
    },
    negations=(),
)


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("queue 3 weight 101", ["queues.3.share"]),
        ("queue 3 wieght 10", ["queues.3.share"]),
        ("queue 9 weight 10", [f"queues.{n}.share" for n in range(8)]),
        ("queue 3 weight", ["queues.3.share"]),
        ("dscp 26 class 8", ["dscp.26"]),
        ("dscp x class 3", ["dscp"]),
        ("mode c", ["mode"]),
    ],
)
def test_the_key_of_a_statement_says_which_element_is_unknown(text: str, paths: list[str]) -> None:
    parsed = TABLE.parse("block", text)
    assert parsed.unread
    assert touched(parsed) == paths


def test_the_head_of_a_block_says_nothing() -> None:
    assert TABLE.parse("block", "").paths is None
