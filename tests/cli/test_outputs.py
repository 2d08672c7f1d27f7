"""Where verbs write to, and what they say where they cannot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roce_audit.cli import init, words
from roce_audit.cli.main import main

NXOS = Path(__file__).parents[2] / "fixtures" / "fabric" / "backend" / "spine1.cfg"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "spine1.cfg").write_text(NXOS.read_text())
    return tmp_path


def test_a_dash_is_standard_output(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "spine1.cfg", "-f", "json=-"]) == 0
    assert json.loads(capsys.readouterr().out)["schema"] == "roce-audit/report/1"
    assert not (site / "-").exists()


def test_only_one_format_goes_there(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "spine1.cfg", "-f", "json=-", "-f", "text"]) == 2
    assert "only one format can go to standard output" in capsys.readouterr().err


def test_init_in_a_folder_that_cannot_be_written_is_no_internal_error(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(init, "write_whole", refused)  # root, who may run this, can write everywhere
    assert main(["init", "."]) == 2
    assert "cannot write roce-audit.yaml: Permission denied" in capsys.readouterr().err


def test_a_topology_that_is_not_there_is_refused_by_verbs_that_read_no_device(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rules", "--topology", "nonexistent"]) == 2
    assert "nonexistent: no such topology file" in capsys.readouterr().err


def test_help_names_every_format_and_profile(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "concise, csv, github, gitlab, html, json, jsonl, junit, markdown, prometheus, sarif or text" in text
    names = words.profiles()
    assert len(names) > 10
    # lines may be broken behind a hyphen
    assert f"{', '.join(names[:-1])} or {names[-1]}".replace(" ", "") in text.replace(" ", "")
