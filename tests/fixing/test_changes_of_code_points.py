"""A code point that leads elsewhere is led to the class that PFC protects, where it is said, and nothing falls back to a default."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.fixing.planning import plan
from roce_audit.proof.examples import case_tree
from tests.fixing.test_plan import EXAMPLES, lay_out, site

BROKEN = "marking/class-broken-in-box"
EOS_LINE = "qos map dscp 26 to traffic-class 3"


def typed(folder: Path, platform: str, title: str, *, instead: tuple[str, str] | None = None) -> tuple[str, ...]:
    (found,) = [s for s in EXAMPLES if (s.rule, s.platform) == (BROKEN, platform)]
    (example,) = [one for one in found.bad if one.title == title]
    tree = dict(case_tree(found, example).tree)
    if instead is not None:
        tree = {name: text.replace(*instead) for name, text in tree.items()}
    lay_out(folder, tree)
    (one,) = plan(site(folder, select=(BROKEN,))).fixed
    return tuple(line for _, change in one.proposal.changes for line in (*change.do, "way back:", *change.undo))


@pytest.mark.parametrize(
    ("platform", "title", "line", "was"),
    [
        ("eos", "the DSCP leads to another traffic class", EOS_LINE, "qos map dscp 26 to traffic-class 4"),
        ("nxos", "the policy puts the class into another qos-group", "set qos-group 3", "set qos-group 2"),
        ("vrp", "the domain sends the class elsewhere", "ip-dscp-inbound 26 phb af3 green", None),
        ("esonic", "the DSCP leads to another traffic class", "dscp 26 traffic-class 3", None),
        ("comware", "the DSCP of the class leads to another priority", "import 26 export 3", None),
        ("iosxr", "the policy puts the class into another traffic class", "set traffic-class 3", None),
        ("aoscx", "the map puts the class into another local priority", "local-priority 3", None),
        ("onyx", "the class's DSCP was mapped elsewhere", "qos map dscp 26 to switch-priority 3", None),
        ("sonic", "the DSCP leads to another traffic class", '/26", "value": "3"}]', None),
    ],
)
def test_the_class_is_written_in_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, title: str, line: str, was: str | None
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = typed(tmp_path, platform, title)
    do, undo = lines[: lines.index("way back:")], lines[lines.index("way back:") :]
    assert any(line in text for text in do)
    assert was is None or was in undo
    assert not any(text.startswith(("no ", "undo ", "delete ")) for text in do)


def test_a_line_about_several_stays_and_one_stands_behind_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others of the list keep their class; the way back gives this one theirs again, not the default."""
    monkeypatch.chdir(tmp_path)
    title = "the DSCP leads to another traffic class"
    several = ("qos map dscp 26 to traffic-class 4", "qos map dscp 18 26 34 to traffic-class 4")
    assert typed(tmp_path, "eos", title, instead=several) == (EOS_LINE, "way back:", several[0])
    (one,) = plan(site(tmp_path, select=(BROKEN,))).fixed
    (edit,) = one.proposal.edits
    assert (edit.old, edit.new) == (None, EOS_LINE)
    assert Path(edit.path).read_text().split("\n")[edit.line - 1] == several[1]
