"""The text form of examples: what it says, and what it refuses, with file and line."""

from __future__ import annotations

import pytest

from roce_audit.proof.edits import apply
from roce_audit.proof.exampletext import Example, ExampleError, ExampleSet, parse

TREE = {
    "leaf1.cfg": "hostname leaf1\n!\ninterface Ethernet1\n   mtu 9214\n   speed 400g\n!\ninterface Ethernet2\n   mtu 9214\n",
    "a.json": '{\n  "PORT": {\n    "mtu": "9100"\n  }\n}\n',
}


def read(text: str) -> ExampleSet:
    return parse(text, "x.txt", "mtu/below-roce", "eos")


def only(text: str) -> Example:
    (case,) = read(text).cases
    return case


def use(text: str) -> None:
    for case in read(text).cases:
        apply(TREE, case)


def refused(text: str) -> str:
    with pytest.raises(ExampleError) as error:
        use(text)
    return str(error.value)


def test_sections_have_kinds_and_titles() -> None:
    found = read("# why\n\n== good\n@ a\n+ x\n== bad: one\n@ a\n+ y <-\n== unknown: two\n@ a\n+ z\n")
    assert found.good is not None
    assert [(case.kind, case.title, case.line) for case in found.cases] == [("bad", "one", 6), ("unknown", "two", 9)]
    assert [case.title for case in found.bad] == ["one"]


def test_a_line_is_replaced_below_its_anchor_and_keeps_the_indentation() -> None:
    case = apply(TREE, only("== bad: x\n@ leaf1.cfg\n= interface Ethernet2\n- mtu 9214\n+ mtu 1500  <-\n"))
    assert case.tree["leaf1.cfg"].splitlines()[6:] == ["interface Ethernet2", "   mtu 1500"]
    assert case.tree["leaf1.cfg"].splitlines()[3] == "   mtu 9214"
    assert case.marks == {("leaf1.cfg", 8)}


def test_a_line_is_added_with_the_indentation_of_the_block() -> None:
    case = apply(TREE, only("== bad: x\n@ leaf1.cfg\n= interface Ethernet1\n+ shutdown <-\n+   deeper\n"))
    assert case.tree["leaf1.cfg"].splitlines()[2:6] == [
        "interface Ethernet1",
        "   shutdown",
        "     deeper",
        "   mtu 9214",
    ]
    assert case.marks == {("leaf1.cfg", 4)}


def test_marks_move_with_their_lines() -> None:
    text = "== bad: x\n@ leaf1.cfg\n= interface Ethernet2  <-\n- mtu 9214\n= interface Ethernet1\n- mtu 9214\n- speed 400g\n"
    case = apply(TREE, only(text))
    assert case.marks == {("leaf1.cfg", 5)}
    assert case.tree["leaf1.cfg"].splitlines()[4] == "interface Ethernet2"


def test_anchors_that_follow_each_other_walk_down() -> None:
    text = "== bad: x\n@ leaf1.cfg\n= interface Ethernet2\n= mtu 9214\n+ shutdown <-\n"
    assert apply(TREE, only(text)).marks == {("leaf1.cfg", 9)}
    assert "no line 'interface Ethernet1' to go to" in refused(
        "== bad: x\n@ leaf1.cfg\n= interface Ethernet2\n= interface Ethernet1\n+ shutdown <-\n"
    )


def test_json_lines_are_marked_behind_their_comma() -> None:
    case = apply(TREE, only('== bad: x\n@ a.json\n- "mtu": "9100"\n+ "mtu": "1500", <-\n+ "fec": "rs"\n'))
    assert case.tree["a.json"].splitlines()[2:4] == ['    "mtu": "1500",', '    "fec": "rs"']
    assert case.marks == {("a.json", 3)}


def test_files_are_added_and_whole_files_stand_alone() -> None:
    added = apply(TREE, only("== bad: x\n@ new: host1/env.txt\n+ A=1\n+ B=2 <-\n"))
    assert added.tree["host1/env.txt"] == "A=1\nB=2\n"
    assert added.tree.keys() > TREE.keys()
    assert added.marks == {("host1/env.txt", 2)}
    whole = apply(TREE, only("== bad: x\n# all of it\n--- b.cfg\nhostname b\n   mtu 1  <-\n\n--- c.cfg\n!\n"))
    assert whole.tree == {"b.cfg": "hostname b\n   mtu 1\n", "c.cfg": "!\n"}
    assert whole.marks == {("b.cfg", 2)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("== bad: x\n@ leaf1.cfg\n= interface Ethernet1\n- mtu 9214\n", "x.txt:1: this bad example marks no line"),
        ("== good\n@ a\n+ x <-\n== bad: x\n@ a\n+ x <-\n", "x.txt:1: nothing is found in a good example"),
        ("== unknown: x\n@ a\n+ x\n", "x.txt:1: no bad example"),
        ("== bad\n@ a\n+ x <-\n", "x.txt:1: a bad example says what is bad in it"),
        ("== worse: x\n", "x.txt:1: a section begins with"),
        ("hello\n== bad: x\n@ a\n+ x <-\n", "x.txt:1: above the first section"),
        ("== bad: x\n+ x <-\n", "x.txt:2: say first which file"),
        ("== bad: x\n@ a\nmtu 9214\n", "x.txt:3: an edit's line begins with"),
        ("== bad: x\n@ leaf1.cfg\n- mtu 9214 <-\n", "x.txt:3: a line that is taken away"),
        ("== bad: x\n@ leaf2.cfg\n+ x <-\n", "x.txt:2: there is no file leaf2.cfg, did you mean 'leaf1.cfg'?"),
        ("== bad: x\n@ leaf1.cfg\n- mtu 1\n+ x <-\n", "x.txt:3: no line 'mtu 1' below this place"),
        ("== bad: x\n@ new: leaf1.cfg\n+ x <-\n", "x.txt:2: leaf1.cfg exists already"),
        ("== bad: x\n@ new: ../x\n+ x <-\n", "x.txt:2: '../x' is no name of a file inside"),
        ("== bad: x\n--- /etc/x\nx <-\n", "x.txt:2: '/etc/x' is no name of a file inside"),
        ("== bad: x\n", "x.txt:1: this bad example is empty"),
    ],
)
def test_what_is_refused_is_said_with_its_line(text: str, message: str) -> None:
    assert refused(text).startswith(message)
