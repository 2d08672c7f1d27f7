"""Commands that switches refused, in logs and folders of answers: said, lest they be taken for judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.cli.main import main
from roce_audit.sources.devices import load

CONFIGURATION = "hostname {}\ninterface Ethernet1/1\n  priority-flow-control mode on\n"
REFUSED = "                ^\n% Invalid command at '^' marker.\n"
PFC = "show interface priority-flow-control"


def notes(folder: Path, *logs: tuple[str, str]) -> list[str]:
    for number, (name, answers) in enumerate(logs):
        text = f"{name}# show running-config\n{CONFIGURATION.format(name)}\n{answers}{name}# exit\n"
        (folder / f"{number}.log").write_text(text)
    return [note for note in load([str(folder)]).notes if "refused" in note]


def test_switches_that_refuse_the_same_are_told_together(tmp_path: Path) -> None:
    logs = [(f"leaf{number}", f"leaf{number}# {PFC}\n{REFUSED}") for number in range(1, 7)]
    (note,) = notes(tmp_path, *logs)
    assert note == (
        f"{tmp_path}/0.log:7: `{PFC}` was refused by leaf1, leaf2, leaf3, leaf4 and 2 more (% Invalid command at '^' marker.): what it"
        " shows was not judged"
    )


@pytest.mark.parametrize(
    "answers",
    [
        f"leaf1# show interface priority-flow-contro\n{REFUSED}",
        f"leaf1# {PFC}\n{REFUSED}leaf1# {PFC}\nPort Mode Oper RxPPP TxPPP\nEthernet1/1 On On (8) 0 0\n",
        f"leaf1# {PFC}\nPort Mode Oper RxPPP TxPPP\nEthernet1/1 On On (8) 0 0\n",
    ],
    ids=["a slip of the pen", "asked again", "answered"],
)
def test_nothing_is_told_of_what_was_answered_or_never_asked(tmp_path: Path, answers: str) -> None:
    assert notes(tmp_path, ("leaf1", answers)) == []


def test_a_tool_that_broke_off_has_answered_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "leaf1"
    folder.mkdir()
    (folder / "config_db.json").write_text(
        '{"DEVICE_METADATA": {"localhost": {"hostname": "leaf1"}}, "PORT": {"Ethernet0": {}}}'
    )
    lines = '  File "/usr/local/bin/pfcstat", line 1, in <module>\n' * 20
    (folder / "show_pfc_counters.txt").write_text(f"Traceback (most recent call last):\n{lines}KeyError: 'oid'\n")
    (note,) = [note for note in load([str(tmp_path)]).notes if "refused" in note]
    assert "`show pfc counters` was refused by leaf1" in note
    assert "KeyError: 'oid'" in note


def test_a_command_whose_last_word_is_config_may_be_refused(tmp_path: Path) -> None:
    folder = tmp_path / "leaf1"
    folder.mkdir()
    (folder / "config_db.json").write_text(
        '{"DEVICE_METADATA": {"localhost": {"hostname": "leaf1"}}, "PORT": {"Ethernet0": {}}}'
    )
    (folder / "show_pfcwd_config.txt").write_text("Root privileges are required for this operation\n")
    (note,) = [note for note in load([str(tmp_path)]).notes if "refused" in note]
    assert "`show pfcwd config` was refused by leaf1" in note


def test_it_is_told_where_others_read_the_texts_as_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes(tmp_path, *((name, f"{name}# {PFC}\n{REFUSED}") for name in ("leaf1", "leaf2")))
    told = []
    for jobs in ("1", "2"):
        main(["check", str(tmp_path), "--no-cache", "-j", jobs])
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert "was refused by leaf1, leaf2" in " ".join(told[1].split())


@pytest.mark.parametrize(("command", "told"), [(PFC, True), ("show port-channel summary", False)])
def test_an_empty_file_is_no_answer_of_a_command_that_tells_of_each_port(
    tmp_path: Path, command: str, told: bool
) -> None:
    folder = tmp_path / "leaf1"
    folder.mkdir()
    (folder / "show_running-config.txt").write_text(CONFIGURATION.format("leaf1"))
    (folder / f"{command.replace(' ', '_')}.txt").write_text("")
    found = [note for note in load([str(tmp_path)]).notes if "it is empty" in note]
    assert len(found) == told


def test_a_file_of_a_command_with_more_words_is_told_and_a_slip_at_the_prompt_is_not(tmp_path: Path) -> None:
    folder = tmp_path / "leaf1"
    folder.mkdir()
    configuration = "! device: leaf1 (DCS-7060DX5-64S, EOS-4.31.2F)\nhostname leaf1\n"
    (folder / "show_running-config.txt").write_text(configuration)
    (folder / "show_qos_interfaces_trust.txt").write_text("% Authorization denied for command\n")
    (tmp_path / "leaf2.log").write_text(
        f"leaf2#show running-config\n{configuration.replace('leaf1', 'leaf2')}leaf2#show qos interfaces trsut\n% Invalid input\nleaf2#\n"
    )
    (note,) = [note for note in load([str(tmp_path)]).notes if "refused" in note]
    assert "`show qos interfaces trust` was refused by leaf1" in note
