"""`--since`: an earlier snapshot on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.cli.main import main

TABLE = """\
Ingress PG dropped packets:
     Port    PG0    PG1    PG2    PG3    PG4    PG5    PG6    PG7
---------  -----  -----  -----  -----  -----  -----  -----  -----
Ethernet0      0      0      0  {0:>5}      0      0      0      0
"""


@pytest.fixture
def snapshots(tmp_path: Path) -> tuple[str, str]:
    from roce_audit.proof.examples import base

    for name, drops in (("now", 44), ("before", 40)):
        for path, text in base("sonic").items():
            file = tmp_path / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        (tmp_path / name / "leaf1" / "show_priority-group_drop_counters.txt").write_text(TABLE.format(drops))
    return str(tmp_path / "now"), str(tmp_path / "before")


def test_check(snapshots: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    now, before = snapshots
    assert main(["check", now, "-f", "concise"]) == 0
    assert main(["check", now, "--since", before, "-f", "concise"]) == 1
    assert "buffer/drops-in-lossless" in capsys.readouterr().out


def test_explain(snapshots: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    now, before = snapshots
    main(["explain", "buffer/drops-in-lossless", "leaf1:Ethernet0", now, "--since", before])
    assert "counters.ingress_drops = 4" in capsys.readouterr().out


def test_a_snapshot_that_is_none(snapshots: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", snapshots[0], "--since", "HEAD~1"]) == 2
    assert "--changed-since" in capsys.readouterr().err
    assert main(["check", snapshots[0], "--since", snapshots[0]]) == 2
    assert "name an earlier snapshot" in capsys.readouterr().err
