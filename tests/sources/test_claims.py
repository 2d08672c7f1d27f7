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


_PAUSE = (
    "Interface  AdminMode  OperMode  Dot1pList  Prio  Recv  Send  Inpps  Outpps\n"
    "HGE1/0/1   Enabled    Disabled  3          3     0     0     0      0\n"
)
_DEVICE = (
    "#\n sysname leaf1\n#\ninterface HundredGigE1/0/1\n"
    " priority-flow-control enable\n priority-flow-control no-drop dot1p 3\n#\nreturn\n"
)


def _log(path: str, command: str) -> None:
    Path(path).write_text(f"<leaf1>{command}\n{_PAUSE}<leaf1>\n")


def test_a_log_of_answers_belongs_to_the_configuration_beside_it(capsys: pytest.CaptureFixture[str]) -> None:
    Path("leaf1.cfg").write_text(_DEVICE)
    _log("leaf1.log", "display priority-flow-control interface")
    assert _twice(capsys, ".") == []
    assert main(["check", "-f", "json", "."]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [f["rule"] for f in report["findings"] if f["severity"] == "warning"].count("pfc/operational-off") == 1


def test_two_logs_with_answers_to_one_command_are_not_mixed(capsys: pytest.CaptureFixture[str]) -> None:
    Path("leaf1.cfg").write_text(_DEVICE)
    for when in ("monday", "tuesday"):
        _log(f"{when}.log", "display priority-flow-control interface")
    assert len(_twice(capsys, ".")) == 1


def test_files_of_one_folder_that_hold_the_same_devices_are_one_cause(capsys: pytest.CaptureFixture[str]) -> None:
    for day in ("monday", "tuesday"):
        log = "".join(
            f"{name}#show running-config\n! device: {name} (DCS-7060X6-64PE, EOS-4.32.2F)\nhostname {name}\n"
            f"interface Ethernet1/1\n   mtu 9214\n   description {day}\nend\n"
            for name in ("leaf1", "leaf2")
        )
        Path(f"{day}.txt").write_text(log)
    (found,) = _twice(capsys, ".")
    assert str(found["message"]).startswith(
        "2 devices are described in more than one file of the folder ., such as leaf1 in monday.txt, tuesday.txt: "
    )
    assert "check one file at a time" in str(found["message"])


def test_copies_of_a_whole_folder_are_one_cause(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("leaf1", "leaf2", "leaf3"):
        _switch(Path("net") / f"{name}.cfg", name)
        _switch(Path("net") / f"{name}-old.cfg", name, "! old\n")
    (found,) = _twice(capsys, ".")
    assert str(found["message"]).startswith(
        "3 devices are described in more than one file of the folder net, such as leaf1 in "
    )


def test_a_template_is_no_copy_of_what_it_renders(capsys: pytest.CaptureFixture[str]) -> None:
    Path("hosts.ini").write_text("[leaves]\nleaf1 ansible_host=10.0.0.1\n")
    text = (
        "system {\n    host-name %s;\n    location %s;\n}\ninterfaces {\n    et-0/0/0 {\n        mtu 9216;\n    }\n}\n"
    )
    Path("config").mkdir()
    Path("config/leaf1.conf").write_text(text % ("leaf1", "berlin"))
    for role in ("common", "underlay"):
        template = Path(f"roles/{role}/templates/main.conf.j2")
        template.parent.mkdir(parents=True)
        template.write_text(text % ("{{ inventory_hostname }}", "{{ ansible_host }}") + f"# {role}\n")
    assert _twice(capsys, ".") == []


@pytest.mark.parametrize(
    ("more", "severity"),
    [("", "info"), ("   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n", "warning")],
)
def test_which_file_is_a_device_is_no_warning_where_nothing_speaks_of_roce(
    capsys: pytest.CaptureFixture[str], more: str, severity: str
) -> None:
    for folder in ("chapter1", "chapter2"):
        for name in ("leaf1", "leaf2"):
            _switch(Path(folder) / f"{name}.cfg", name, f"{more}! {folder}\n")
    (found,) = _twice(capsys, ".")
    assert found["severity"] == severity
