"""Devices that several inputs describe: one cause is told once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roce_audit.cli.main import main


def _switch(path: Path, name: str, more: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f"! device: {name} (DCS-7060X6-64PE, EOS-4.32.2F)\nhostname {name}\ninterface Ethernet1/1\n   mtu 9214\n{more}end\n"
    )


def _twice(capsys: pytest.CaptureFixture[str], *args: str) -> list[dict[str, object]]:
    main(["check", "-f", "json", *args])
    report = json.loads(capsys.readouterr().out)
    return [f for f in report["findings"] if f["rule"] == "input/same-device-twice"]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_two_folders_that_hold_the_same_devices_are_one_cause(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("leaf1", "leaf2", "leaf3"):
        _switch(Path("before") / f"{name}.cfg", name)
        _switch(Path("after") / f"{name}.cfg", name, "! changed\n")
    (found,) = _twice(capsys, ".")
    message = str(found["message"])
    assert message.startswith(
        "3 devices are described in more than one of the folders after, before, such as leaf1 in "
    )
    assert "exclude" in message
    assert [member["id"] for member in found["members"]] == [":leaf1", ":leaf2", ":leaf3"]  # type: ignore[attr-defined]
    assert not _twice(capsys, "after")


def test_a_folder_for_each_device_is_no_cause_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    for site in ("site-a", "site-b"):
        for name in ("leaf1", "leaf2"):
            _switch(Path(site) / name / "running.cfg", name, f"! {site}\n")
    (found,) = _twice(capsys, ".")
    assert str(found["message"]).startswith("2 devices are described in more than one of the folders site-a, site-b")


def test_copies_in_one_folder_and_in_other_folders_are_causes_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("leaf1", "leaf2"):
        _switch(Path("net") / f"{name}.cfg", name)
        _switch(Path("net") / f"{name}-new.cfg", name, "! new\n")
    for folder in ("east", "west"):
        for name in ("spine1", "spine2"):
            _switch(Path(folder) / f"{name}.cfg", name, f"! {folder}\n")
    whole, first, second = sorted(str(found["message"]) for found in _twice(capsys, "."))
    assert first.startswith("2 files claim the device leaf1 ")
    assert second.startswith("2 files claim the device leaf2 ")
    assert whole.startswith("2 devices are described in more than one of the folders east, west")
