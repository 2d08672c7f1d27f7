"""Answers in JSON that a program wrote around them, and whose they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from roce_audit.sources.devices import load
from roce_audit.sources.splitting.enveloped import command_of, split
from roce_audit.text.structured.jsonspans import spans

_STATUS: dict[str, Any] = {"interfaceStatuses": {"Ethernet1/1": {"linkStatus": "connected", "bandwidth": 100}}}
_TABLE = "Port  Status\nEt1/1 connected\n"


@pytest.mark.parametrize(
    ("value", "host", "commands"),
    [
        ({"show version": {"a": 1}, "show interfaces status": _STATUS}, "", ["show version", "show interfaces status"]),
        ({"leaf1": {"show interfaces status": _TABLE}}, "leaf1", ["show interfaces status"]),
        ({"host": "leaf1", "results": [{"command": "sh int status", "output": _TABLE}]}, "leaf1", ["show interface status"]),
        ({"stdout": [_TABLE], "invocation": {"module_args": {"commands": ["show lldp neighbors"]}}}, "", ["show lldp neighbors"]),
        ({"plays": [{"tasks": [{"hosts": {"leaf1": {"cmd": "show pfc counters", "stdout": _TABLE}}}]}]}, "leaf1", ["show pfc counters"]),
        ({"jsonrpc": "2.0", "id": 1, "result": [{"version": "4"}, _STATUS]}, "", ["show interfaces status | json"]),
        (
            {"ins_api": {"outputs": {"output": [{"input": "show interface", "body": {"TABLE_interface": {}}}]}}},
            "",
            ["show interface"],
        ),
        ({"show interfaces status": {"output": _TABLE}}, "", ["show interfaces status"]),
    ],
)  # fmt: skip
def test_answers_stand_below_and_beside_their_commands(value: Any, host: str, commands: list[str]) -> None:
    found = split(json.dumps(value, indent=2))
    assert {name: [one.command for one in those] for name, those in found.items()} == {host: commands}


@pytest.mark.parametrize(
    "value",
    [
        {"scripts": {"build": "cat a b"}},
        {"name": "x", "command": "ethtool -a eth0"},
        {"result": [1, 2]},
        ["show version"],
        {},
    ],
)
def test_commands_without_answers_are_none(value: Any) -> None:
    assert not split(json.dumps(value))


def test_lines_are_those_of_the_file() -> None:
    text = json.dumps(
        {"show version": {"v": "1"}, "show interfaces status": _STATUS, "show clock now": "a\nb"}, indent=1
    )
    documents = split(text)[""]
    lines = text.split("\n")
    assert lines[documents[1].first_line - 1].startswith(' "show interfaces status"')
    assert json.loads(documents[1].text) == _STATUS
    assert [lines[number - 1].strip() for number, _ in documents[2].numbered()] == ['"show clock now": "a\\nb"'] * 2


def test_a_list_of_lines_has_a_line_each() -> None:
    text = json.dumps({"show clock now": ["a", "b"]}, indent=1)
    (document,) = split(text)[""]
    assert [(text.split("\n")[number - 1].strip(' ,"'), said) for number, said in document.numbered()] == [
        ("a", "a"),
        ("b", "b"),
    ]


def test_keys_tell_the_command() -> None:
    assert command_of(json.dumps(_STATUS)) == "show interfaces status | json"
    assert command_of('{"interfaces": {}}') is None


def test_a_member_that_stands_twice_is_the_last() -> None:
    text = '{"a": [1, {"b": 2}], "a": [3, {"b": [4]}]}'
    found = spans(text, [("a", 1, "b"), ("a", 2), ("a", 0)])
    assert {path: text[start:end] for path, (start, end) in found.items()} == {("a", 1, "b"): "[4]", ("a", 0): "3"}


def test_names_of_the_files_that_hold_answers_are_none() -> None:
    assert not split(json.dumps({"show interfaces status": "show_interfaces_status.txt", "ip link show": "a/b.json"}))
    assert split(json.dumps({"show interfaces status": "Et1 connected"}))


@pytest.mark.parametrize(
    "path",
    ["leaf1-facts.json", "nxapi_leaf1.json", "dumps/leaf1.state.json", "state/leaf1/ports.json", "leaf1/ports.json"],
)
def test_answers_are_of_the_switch_whose_name_their_file_or_folder_holds(path: str, tmp_path: Path) -> None:
    for name in ("leaf1", "leaf11"):
        (tmp_path / f"{name}.cfg").write_text(_CONFIGURATION.format(name=name))
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / path).write_text(json.dumps({"show interfaces status": _STATUS}))
    found = {device.name: len(device.documents) for device in load([str(tmp_path)]).devices}
    assert found == {"leaf1": 2, "leaf11": 1}


_CONFIGURATION = """! Command: show running-config
! device: {name} (DCS-7060DX5-64S, EOS-4.31.2F)
hostname {name}
interface Ethernet1/1
   priority-flow-control on
end
"""
