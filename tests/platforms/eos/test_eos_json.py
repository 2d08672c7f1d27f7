"""A running-config as JSON: the same facts as its text, on the lines of the JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from roce_audit.audit import Request, check
from roce_audit.platforms.eos import PLATFORM, cmdtree
from roce_audit.platforms.eos.parts import PARTS
from roce_audit.policy import Policy
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.structured.jsontext import JsonError

TEXT = (Path(__file__).parents[3] / "fixtures" / "eos" / "plain" / "leaf.cfg").read_text(encoding="utf-8")


def tree(text: str) -> dict[str, Any]:
    """The lines of a configuration as the device nests them."""
    root: dict[str, Any] = {"comments": [], "cmds": {}, "header": []}
    stack = [(-1, root)]
    for raw in text.splitlines():
        line, depth = raw.strip(), len(raw) - len(raw.lstrip())
        if line.startswith("! device"):
            root["header"].append(f"{line}\n!\n")
        if not line or line.startswith("!") or line == "end":
            continue
        while stack[-1][0] >= depth:
            stack.pop()
        above = stack[-1][1]
        inner: dict[str, Any] = {"comments": [], "cmds": {}}
        above["cmds"][line] = inner
        stack.append((depth, inner))
    return root


def leaves_as_null(value: dict[str, Any]) -> dict[str, Any]:
    cmds = {k: leaves_as_null(v) if v["cmds"] else None for k, v in value["cmds"].items()}
    return {**value, "cmds": cmds}


AS_JSON = leaves_as_null(tree(TEXT))


def read(text: str, command: str | None = "show running-config | json") -> Any:
    document = Document("leaf.json", text, command)
    assert PLATFORM.recognise(document) >= 60
    return PARTS.read(DeviceInput("leaf", "eos", (document,)))


@pytest.mark.parametrize("indent", [4, 2, None])
@pytest.mark.parametrize("wrap", [lambda v: v, lambda v: [v], lambda v: {"jsonrpc": "2.0", "id": "1", "result": [v]}])
def test_it_says_the_same_as_the_text(indent: int | None, wrap: Any) -> None:
    reading = read(json.dumps(wrap(AS_JSON), indent=indent))
    plain = PARTS.read(DeviceInput("leaf", "eos", (Document("leaf.cfg", TEXT, "show running-config"),)))
    assert {port.name: port.facts for port in reading.ports} == {port.name: port.facts for port in plain.ports}
    assert reading.device.model_name.value == "DCS-7060CX-32S"
    assert PARTS.hostname(Document("x.json", json.dumps(wrap(AS_JSON), indent=indent))) == "rack4-leaf"
    assert set(reading.complete_because.values()) == {"the whole answer"}


def test_a_part_is_no_whole_configuration() -> None:
    part = {"cmds": {"interface Ethernet1": {"cmds": {"mtu 9214": None}, "comments": []}}}
    reading = read(json.dumps(part), "show running-config interfaces Ethernet1 | json")
    assert not reading.complete_because


def test_each_value_has_its_line() -> None:
    text = json.dumps(AS_JSON, indent=4)
    lines = cmdtree.rendered(text, 1)
    assert not isinstance(lines, JsonError)
    wrong = [said for line, said in lines if said.strip() not in text.split("\n")[line - 1]]
    assert not wrong


def test_what_is_not_one() -> None:
    for text in (
        '{"cmds": {"a": null}}',
        '{"interfaces": {"Ethernet1": {}}}',
        "x",
        '{"cmds": 5, "interface Ethernet1": 1}',
    ):
        assert PLATFORM.recognise(Document("x.json", text)) < 20


@pytest.mark.parametrize("junk", [5, [], {}, "x", None, {"cmds": 5}, {"cmds": []}, [[1]]])
def test_nothing_that_stands_anywhere_crashes(junk: Any) -> None:
    for value in ({"cmds": {"interface Ethernet1": junk}}, {"cmds": {"interface Ethernet1": {"cmds": {"x": junk}}}}):
        assert cmdtree.rendered(json.dumps(value), 1)
    assert cmdtree.rendered(json.dumps({"header": junk, "cmds": {}}), 1) == ()


def test_a_file_that_is_cut_off_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = json.dumps(AS_JSON, indent=4)
    (tmp_path / "leaf.json").write_text(text[: len(text) * 3 // 4])
    monkeypatch.chdir(tmp_path)
    report = check(Request((".",), Policy.empty())).report
    assert {f.rule for f in report.findings if f.verdict == "fails"} & {"input/unread-line", "input/truncated"}
