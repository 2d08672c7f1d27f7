"""The builder of ports: what statements of a nested block set lies below that block's place in the model."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from roce_audit.platforms.shared.cli.builder import PortBuilder
from roce_audit.platforms.shared.cli.syntax import PortContext
from roce_audit.text.block import CONTEXT, Part, block
from roce_audit.text.settings import Settings
from roce_audit.text.statements.mode import Mode
from roce_audit.text.statements.rows import Block, row, sets
from roce_audit.text.statements.table import StatementTable
from roce_audit.values import Why


class _Trust(NamedTuple):
    mode: str


class _Builder(PortBuilder):
    table = StatementTable(
        "toy",
        {
            "port": Mode(
                (row("queue <number:0..7>", Block, "queues"), row("trust <mode>", _Trust, "trust")),
                opens={"queue": "queue"},
            ),
            "queue": Mode((row("share <value:0..100>", sets("queues.#.share")),)),
        },
    )
    order = ("port",)
    handlers: ClassVar = {}


def _settings(*statements: str) -> Settings:
    part = Part("own", block("x.cfg", 1, statements, tuple(range(1, len(statements) + 1))), "port")
    builder = _Builder((part,), PortContext("ethernet", None, False))
    builder.take_in()
    return builder.settings


def test_a_value_is_set_below_its_block() -> None:
    settings = _settings("queue 3", f"queue 3{CONTEXT}share 40", f"queue 4{CONTEXT}share 400")
    share, doubt = settings.get("queues.3.share"), settings.unknown_at("queues.4.share")
    assert share is not None
    assert share.get() == 40
    assert doubt is not None
    assert doubt.why is Why.NOT_PARSED


def test_nothing_in_a_block_whose_header_is_not_understood_is_taken_in() -> None:
    settings = _settings("queue 9", f"queue 9{CONTEXT}share 40")
    assert not list(settings.children("queues"))
    assert settings.unknown_at("queues.1.share") is not None


def test_what_no_handler_takes_in_is_in_doubt() -> None:
    doubt = _settings("trust dscp").unknown_at("trust")
    assert doubt is not None
    assert doubt.why is Why.NOT_PARSED
