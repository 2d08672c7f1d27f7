"""Reading OS10 text in tests."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document

WHOLE = "! Version 10.5.4.5\n"
Read = Callable[..., DeviceReading]


@pytest.fixture
def read() -> Read:
    """Reads a text as one switch; `whole` puts the header of a complete capture before it."""

    def reader(text: str, *, whole: bool = True) -> DeviceReading:
        document = Document("x.cfg", (WHOLE if whole else "") + text)
        return platform("os10").read(DeviceInput("x", "os10", (document,)))

    return reader
