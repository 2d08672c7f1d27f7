"""How far a collection is, on a terminal and elsewhere."""

from __future__ import annotations

import argparse
import io
import sys

import pytest

from roce_audit.cli.progress import collection
from roce_audit.sources.live.targets import Target
from roce_audit.sources.manifest import DeviceRecord
from roce_audit.values import Place

DONE = DeviceRecord("eos", "a", "collected")
FAILED = DeviceRecord("eos", "a", "unreachable", "Connection refused")


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [Terminal, io.StringIO])
def test_failures_and_rate(stream: type[io.StringIO], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", stream())
    monkeypatch.setenv("TERM", "xterm")
    target = Target("leaf1", "eos", Place("i", 1))
    with collection(argparse.Namespace(quiet=0, verbose=0), 3) as advance:
        advance(target, FAILED, True)
        advance(target, FAILED, False)
        advance(target, DONE, False)
    text = sys.stderr.getvalue()  # type: ignore[attr-defined]
    assert "leaf1: unreachable: Connection refused" in text
    if stream is Terminal:
        assert "2/3" in text
        assert "/s" in text
        assert "1 failed" in text
    else:
        assert "\x1b" not in text


def test_quiet_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    with collection(argparse.Namespace(quiet=1, verbose=0), 1) as advance:
        advance(Target("leaf1", "eos", Place("i", 1)), FAILED, False)
    assert capsys.readouterr() == ("", "")
