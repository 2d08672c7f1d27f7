"""Trees that people keep (bodies of REST, variables and tasks of playbooks) are changed in the leaf; nothing of it is typed at a prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.fixing import rendering
from roce_audit.fixing.planning import plan
from roce_audit.platforms.repair import Texts
from roce_audit.platforms.shared.leafvalues import copied, written
from roce_audit.proof.examples import case_tree
from roce_audit.values import Place
from tests.fixing.test_plan import EXAMPLES, lay_out, site


@pytest.mark.parametrize(
    ("rule", "title", "line"),
    [
        ("mtu/below-roce", "REST", '"mtu": 9100,   # leaf3/openconfig-interfaces.json:'),
        ("mtu/below-roce", "Ansible", "mtu: 9100   # leaf4.yml:"),
        ("marking/class-broken-in-box", "REST, the DSCP leads to another traffic class", '"fwd-group": "3"   # leaf3/'),
        ("marking/class-broken-in-box", "Ansible, the DSCP leads to another traffic class", "{dscp: 26, fwd_group: 3}"),
        ("fleet/odd-port-out", "REST", '"mtu": 9100,'),
        ("pfc/priority-off", "REST, the priority is turned off", '"enable": true'),
    ],
)
def test_the_leaf_is_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rule: str, title: str, line: str) -> None:
    monkeypatch.chdir(tmp_path)
    (found,) = [s for s in EXAMPLES if (s.rule, s.platform) == (rule, "esonic")]
    (example,) = [one for one in found.bad if one.title == title]
    lay_out(tmp_path, dict(case_tree(found, example).tree))
    fixes = plan(site(tmp_path, select=(rule,)))
    assert fixes.left == ()
    text = "\n".join(rendering.text(fixes))
    assert line in text
    assert "configure terminal" not in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("mtu: 1500", "mtu: 9032"),
        ('      "mtu": 1500,', '      "mtu": 9032,'),
        ("  - {name: Ethernet1/1, mtu: 1500}", "  - {name: Ethernet1/1, mtu: 9032}"),
        ("# mtu 1500", None),
        ("mtu: {{ jumbo }}", None),
        ("ip_mtu: 1500", None),
    ],
)
def test_a_leaf_is_called_as_the_statement(old: str, new: str | None) -> None:
    """The value is that of the platform's own statement, which counts what its MTU counts."""
    texts: Texts = {"vars.yml": [old]}
    changes = list(written({}, lambda value: f"mtu {int(str(value)) + 32}", 9000, [Place("vars.yml", 1)], texts))
    assert [edit.new for change in changes for edit in change.edits] == ([new] if new else [])


def test_only_leaves_of_one_name_are_copied() -> None:
    texts: Texts = {"a.yml": ["mtu: 1500", "speed: 100"], "b.yml": ["mtu: 9214", "fec: rs"]}
    here, there = ([Place(path, 1), Place(path, 2)] for path in ("a.yml", "b.yml"))
    assert [edit.new for change in copied(here, there, texts) for edit in change.edits] == ["mtu: 9214"]
