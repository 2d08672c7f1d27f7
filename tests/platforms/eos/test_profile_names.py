"""A part in which ports name a profile that it does not define, and the one that it defines is named by nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

PROFILE = "qos profile {name}\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n!\n"
PORT = "interface Ethernet{n}/1\n   mtu 9214\n   service-profile {name}\n!\n"


@pytest.mark.parametrize(
    ("defined", "used", "is_told"),
    [
        (("ROCE",), "ROCE-LEAF", True),
        (("ROCE-LEAF",), "roce", True),
        (("ROCE",), "ROCE", False),
        (("ROCE",), "ROCKETS", False),
        (("STORAGE",), "ROCE-LEAF", False),
        (("ROCE", "ROCE-SPINE"), "ROCE-LEAF", False),
    ],
)
def test_a_name_with_more_words(tmp_path: Path, defined: tuple[str, ...], used: str, is_told: bool) -> None:
    text = "".join(PROFILE.format(name=name) for name in defined) + "".join(PORT.format(n=n, name=used) for n in (1, 2))
    (tmp_path / "part.cfg").write_text(text)
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    rules = [f.rule for f in found if f.verdict == "fails" and f.rule == "input/undefined-or-unapplied"]
    assert bool(rules) == is_told
