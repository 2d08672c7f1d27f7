"""One fault in a fabric without faults is one cause: what follows from it is folded under it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.findings import Finding
from roce_audit.policy import load

FIXTURES = Path(__file__).parents[1] / "fixtures"
SYSFS = "gpu1/sysfs.txt"
STORED = "gpu1/mlxconfig_-d_0000-18-00.0_-e_q.txt"


def causes(fabric: str, file: str, old: str, new: str, folder: Path) -> list[Finding]:
    """What is said of a copy of a fabric with one text replaced, without remarks and consequences."""
    shutil.copytree(FIXTURES / fabric, folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    report = check(Request((str(folder),), load(folder / "roce-audit.yaml"))).report
    return [f for f in report.findings if f.verdict == "fails" and f.severity != "info" and f.because_of is None]


@pytest.mark.parametrize(
    ("file", "old", "new", "rule"),
    [
        (
            SYSFS,
            "mlx5_0/tc/1/traffic_class:Global tclass=106",
            "mlx5_0/tc/1/traffic_class:Global tclass=96",
            "app/traffic-outside-class",
        ),
        (
            SYSFS,
            "ens11np0/ecn/roce_np/cnp_802p_prio:6",
            "ens11np0/ecn/roce_np/cnp_802p_prio:3",
            "dcqcn/parameters-differ",
        ),
    ],
    ids=["traffic class", "priority of CNPs"],
)
def test_a_fault_of_a_nic_is_one_finding(file: str, old: str, new: str, rule: str, tmp_path: Path) -> None:
    assert [finding.rule for finding in causes("mixed", file, old, new, tmp_path / "site")] == [rule]


def test_what_a_wrong_line_contradicts_is_told_with_it(tmp_path: Path) -> None:
    """The MTU of the interface is wrong, and that of the protocol, which does not fit into it, stands on a line of its own."""
    (found,) = causes("mixed-vendors", "leaf1.conf", "        mtu 9216;\n", "        mtu 4000;\n", tmp_path / "site")
    assert found.rule == "mtu/below-roce"
    assert [at.note for at in found.locations if at.text.strip() == "mtu 9100;"] == [
        "family mtu 9100 does not fit into the interface"
    ]


def test_what_differs_at_the_next_boot_is_listed(tmp_path: Path) -> None:
    mask = "ROCE_CC_PRIO_MASK_P1                        255                 8                   8"
    (found,) = causes("mixed", STORED, mask, mask.replace("8   ", "16  ").removesuffix("8") + "16", tmp_path / "site")
    assert found.rule == "fleet/next-boot-differs"
    assert found.message.startswith(
        "what is stored for the next boot differs in where marks are answered, in where CNPs slow the sender down; as NP"
    )
    assert "CNP DSCP" not in found.message  # the same now and then


def test_a_priority_that_a_port_takes_back_from_its_profile_is_shown_at_its_line(tmp_path: Path) -> None:
    described = "   description gpu2 ens11np0 rail1\n"
    drop = "   priority-flow-control priority 3 drop\n"
    (found,) = causes("fabric", "backend/leaf1.cfg", described, described + drop, tmp_path / "site")
    assert found.rule == "pfc/priority-off"
    assert found.locations[0].text.strip() == drop.strip()


@pytest.mark.parametrize("described", ["   description gpu2 ens11np0 rail1\n", "   description spine1 Ethernet1/1\n"])
def test_a_priority_too_many_on_one_port_is_one_finding(described: str, tmp_path: Path) -> None:
    extra = "   priority-flow-control priority 4 no-drop\n"
    (found,) = causes("fabric", "backend/leaf1.cfg", described, described + extra, tmp_path / "site")
    assert (found.rule, found.severity) == ("pfc/extra-priority", "warning")
    assert found.locations[0].text.strip() == extra.strip()
