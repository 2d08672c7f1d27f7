"""Files that hold no configuration, where each file beside them is the one of a device."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from roce_audit.audit import Checked, Request, check
from roce_audit.cli.check import INCOMPLETE, exit_code
from roce_audit.policy.values import Policy

SWITCH = """! device: {name} (DCS-7060X6-64PE, EOS-4.33.1F)
hostname {name}
qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
interface Ethernet1/1
   service-profile ROCE
"""
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
NOTHING = {
    "empty": "",
    "Git LFS": POINTER,
    "encrypted": "$ANSIBLE_VAULT;1.1;AES256\n6231\n",
    "failed": "ssh: connect to host leaf2 port 22: Connection timed out\n",
    "failed ": "Permission denied, please try again.\n",
    "HTML": "<!DOCTYPE html>\n<html><body>Log in</body></html>\n",
}


def judged(folder: Path, files: dict[str, str]) -> Checked:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return check(Request(paths=[str(folder)], policy=Policy.empty()))


def told(found: Checked) -> list[tuple[str, str, str]]:
    return [
        (finding.severity, finding.message, finding.members[0].path.rpartition("/")[2])
        for finding in found.report.findings
        if finding.rule == "input/unreadable"
    ]


@pytest.mark.parametrize("word", NOTHING)
def test_a_file_beside_configurations_that_holds_none_is_told(tmp_path: Path, word: str) -> None:
    found = judged(tmp_path, {"leaf1.cfg": SWITCH.format(name="leaf1"), "leaf2.cfg": NOTHING[word]})
    ((severity, message, path),) = told(found)
    assert (severity, path) == ("warning", "leaf2.cfg")
    assert word.strip() in message
    assert exit_code(found.report, "error", False) == INCOMPLETE


@pytest.mark.parametrize("text", ["", "{}"])
def test_so_is_one_in_a_folder_like_those_of_other_devices(tmp_path: Path, text: str) -> None:
    one = '{"DEVICE_METADATA": {"localhost": {"hostname": "NAME"}}, "PORT": {"Ethernet0": {"lanes": "1"}}}'
    files = {f"rack{n}/config_db.json": one.replace("NAME", f"t0-{n}") for n in (1, 2)}
    found = judged(tmp_path, files | {"rack3/config_db.json": text})
    assert [path for _, _, path in told(found)] == ["config_db.json"]
    assert exit_code(found.report, "error", False) == INCOMPLETE


@pytest.mark.parametrize(
    "name", ["notes.md", "vars.yml", "leaf2.json", "readme.txt", "leaf1.cfg.gz", "leaf1.running.cfg", "old/leaf2.cfg"]
)
def test_what_is_of_no_device_or_of_one_that_was_read_is_not_told(tmp_path: Path, name: str) -> None:
    assert not told(judged(tmp_path, {"leaf1.cfg": SWITCH.format(name="leaf1"), name: ""}))


@pytest.mark.parametrize("piped", ["", "Traceback (most recent call last):\n"])
def test_nothing_on_standard_input_is_told_beside_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piped: str
) -> None:
    (tmp_path / "leaf1.cfg").write_text(SWITCH.format(name="leaf1"))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(piped.encode())))
    found = check(Request(paths=["-", str(tmp_path)], policy=Policy.empty()))
    assert [path for _, _, path in told(found)] == ["-"]
    assert exit_code(found.report, "error", False) == INCOMPLETE


def test_nor_is_an_empty_answer_of_a_device(tmp_path: Path) -> None:
    files = {"leaf1/show_running-config.txt": SWITCH.format(name="leaf1"), "leaf1/show_notes.txt": ""}
    assert not told(judged(tmp_path, files))


def test_nor_is_an_empty_file_beside_a_script_that_sets_a_host_up(tmp_path: Path) -> None:
    script = "#!/bin/sh\nmlnx_qos -i eth0 --trust dscp --pfc 0,0,0,1,0,0,0,0\n"
    assert not told(judged(tmp_path, {"install": script, "cmdlist": ""}))


def test_nor_a_text_that_is_none_of_these(tmp_path: Path) -> None:
    found = judged(
        tmp_path, {"leaf1.cfg": SWITCH.format(name="leaf1"), "plan.cfg": "racks are numbered from the door\n"}
    )
    assert not told(found)


def test_nor_are_pages_among_texts_or_data_beside_one_device(tmp_path: Path) -> None:
    found = judged(tmp_path, {"a.txt": SWITCH.format(name="a"), "arp.txt": "<template>\n{{ ip }}\n</template>\n"})
    assert not told(found)
    one = '{"DEVICE_METADATA": {"localhost": {"hostname": "a"}}, "PORT": {"Ethernet0": {"lanes": "1"}}}'
    assert not told(judged(tmp_path, {"set/a.json": one, "unset/a.json": '{"constants": {}}'}))


def test_nothing_beside_what_a_job_runs_is_no_device(tmp_path: Path) -> None:
    job = "srun --nodes=2 --export=ALL,NCCL_IB_TC=106 python3 train.py\n"
    assert not told(judged(tmp_path, {"train.txt": f"export NCCL_IB_TC=106\n{job}", "prepare.txt": ""}))
