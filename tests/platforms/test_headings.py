"""Lines of answers that stand below a heading."""

from __future__ import annotations

import re

from roce_audit.platforms.shared.shown import below
from roce_audit.text.document import Document

PORT = re.compile(r"Interface (\S+)")


def read(text: str, first_line: int = 1) -> list[tuple[str, str, int]]:
    document = Document("answer.txt", text, first_line=first_line)
    return [(port[1], line, number) for port, line, number in below(document, PORT)]


def test_each_line_belongs_to_the_last_heading_above_it() -> None:
    text = "Interface Te1/1\n  MTU 9216\nInterface Te1/2\n  MTU 1500"
    assert read(text) == [("Te1/1", "MTU 9216", 2), ("Te1/2", "MTU 1500", 4)]


def test_what_stands_above_the_first_heading_belongs_to_no_port() -> None:
    assert read("MTU 9216\nPort Te1/1\nMTU 1500") == []


def test_lines_are_counted_from_where_the_answer_begins_in_its_file() -> None:
    assert read("Interface Te1/1\nMTU 9216", first_line=41) == [("Te1/1", "MTU 9216", 42)]
