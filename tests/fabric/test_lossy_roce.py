"""RoCE that is meant to be lossy: every port carries it, no lossless class is asked for, and ECN is the only protection."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import PROFILE, Network, switch

from roce_audit.audit import Request, check
from roce_audit.engine.findings import Finding
from roce_audit.policy import load
from roce_audit.policy.values import Policy


def findings(folder: Path) -> list[Finding]:
    written = folder / "roce-audit.yaml"
    policy = load(written) if written.exists() else Policy.empty()
    found = check(Request((str(folder),), policy)).report.findings
    return [f for f in found if f.verdict == "fails" and f.because_of is None]


def cumulus(name: str, *statements: str) -> dict[str, str]:
    ports = [
        f"interface swp{n} {said}" for n in range(1, 5) for said in ("type swp", "description gpu", "link mtu 9216")
    ]
    return {f"{name}.nv": "".join(f"nv set {line}\n" for line in (f"system hostname {name}", *statements, *ports))}


def onyx(name: str, *statements: str) -> dict[str, str]:
    lines = ("## Running database", f"   hostname {name}", *(f"   {s}" for s in statements))
    ports = [f"   interface ethernet 1/{n} mtu 9216 force" for n in range(1, 5)]
    return {f"{name}.cfg": "".join(f"{line}\n" for line in (*lines, *ports))}


@pytest.mark.parametrize(
    ("leaf", "statement", "port"),
    [
        (cumulus, "qos roce mode lossy", "leaf1:swp1"),
        (onyx, "roce lossy", "leaf1:Eth1/1"),
        (onyx, "roce semi-lossless", "leaf1:Eth1/1"),
    ],
)
def test_a_mode_says_roce_on_every_port(tmp_path: Path, leaf: object, statement: str, port: str) -> None:
    assert callable(leaf)
    found = Network(tmp_path, leaf("leaf1", statement), leaf("leaf2", statement))
    assert found.answer(port) == (True, "device_wide")
    assert statement.split()[-1] in found.port(port).roce.because
    assert not [f for f in findings(tmp_path) if f.rule == "pfc/no-lossless-class-anywhere"]


def test_a_mode_that_is_switched_off_says_nothing(tmp_path: Path) -> None:
    found = Network(tmp_path, cumulus("leaf1", "qos roce mode lossy", "qos roce enable off"))
    assert found.answer("leaf1:swp1") == (None, "none")


def test_one_lossy_leaf_among_lossless_ones(tmp_path: Path) -> None:
    Network(tmp_path, *(cumulus(f"leaf{n:02}", "qos roce") for n in range(12)))
    assert {f.rule for f in findings(tmp_path) if f.severity != "info"} == {"pfc/watchdog-off"}
    Network(tmp_path, cumulus("leaf07", "qos roce mode lossy"))
    loud = {(f.rule, f.severity, f.device) for f in findings(tmp_path) if f.severity == "error"}
    assert loud == {("pfc/priority-off", "error", "leaf07")}


POLICY = "roce: {dscp: [26], priority: [3]}\nlossless: false\nports: [{match: 'leaf*:*', roce: true}]\n"


@pytest.mark.parametrize("marks", [True, False])
def test_without_pfc_the_absence_of_ecn_is_an_error(tmp_path: Path, marks: bool) -> None:
    ecn = next(line for line in PROFILE.splitlines() if "random-detect" in line)
    lossy = {
        "priority-flow-control on": "no priority-flow-control on",
        "   priority-flow-control priority 3 no-drop\n": "",
    }
    texts = switch("leaf1", {f"Ethernet{n}": ["service-profile ROCE"] for n in range(1, 5)})
    for was, now in (lossy | ({} if marks else {f"{ecn}\n": ""})).items():
        texts = {file: text.replace(was, now) for file, text in texts.items()}
    Network(tmp_path, texts, policy=POLICY)
    told = [(f.rule, f.severity) for f in findings(tmp_path) if f.severity == "error"]
    assert told == ([] if marks else [("ecn/off-on-lossless-queue", "error")])
