"""Answers as YAML, each below its command, as programs keep them; and answers behind commands, whose configuration has `ip address`."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.sources.devices import load
from roce_audit.sources.splitting import commandecho

CONFIGURATION = """! device: leaf1 (DCS-7060DX5-64S, EOS-4.31.2F)
hostname leaf1
interface Ethernet1/1
   ip address 10.0.0.1/31
   priority-flow-control on
end
"""
TABLE = "Port    Status Priorities Action\nEt1/1   D\n"


def indented(text: str) -> str:
    return "".join(f"  {line}\n" if line else "\n" for line in text.split("\n"))


@pytest.mark.parametrize("quote", ["", "'", '"'])
@pytest.mark.parametrize("begin", ["", "---\n"])
def test_each_answer_is_one_of_its_command(tmp_path: Path, quote: str, begin: str) -> None:
    answers = {"show running-config": CONFIGURATION, "show priority-flow-control": TABLE}
    text = begin + "".join(f"{quote}{command}{quote}: |\n{indented(answer)}" for command, answer in answers.items())
    (tmp_path / "leaf1.yml").write_text(text)
    (device,) = load([str(tmp_path)]).devices
    assert [(one.command, one.text.split("\n")[0]) for one in device.documents] == [
        ("show running-config", CONFIGURATION.split("\n")[0]),
        ("show priority-flow-control", TABLE.split("\n")[0]),
    ]
    lines = text.split("\n")
    assert all(lines[one.first_line - 1].strip() == one.text.split("\n")[0] for one in device.documents)


def test_other_yaml_is_none() -> None:
    for text in ("leaf1: |\n  hostname leaf1\n", "show: |\n  x\n", "ip: 10.0.0.1\n", "show version: yes\n"):
        assert not commandecho.is_keyed(text)


def test_statements_that_begin_like_calls_make_no_script_of_answers(tmp_path: Path) -> None:
    text = f"### show running-config\n{CONFIGURATION}### show priority-flow-control\n{TABLE}"
    (tmp_path / "leaf1.log").write_text(text)
    (device,) = load([str(tmp_path)]).devices
    assert [one.command for one in device.documents] == ["show running-config", "show priority-flow-control"]
