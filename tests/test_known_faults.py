"""The thirty misconfigurations that people reported most: each is caught by the whole pack of rules, or named with the reason.

Each entry names rules and the platform whose first bad example of that rule is the fault as it was reported.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from roce_audit.engine.rules import rulepack
from roce_audit.proof import examples
from roce_audit.proof.trial import Workbench

RULES = {rule.id: rule for rule in rulepack.load()}
CAUGHT: dict[str, tuple[tuple[str, str], ...]] = {
    "1 no PFC on the switch or on the NIC": (("pfc/priority-off", "nxos"), ("pfc/priority-off", "linux")),
    "2 the host's lossless priority or DSCP is another than the switch's": (
        ("pfc/priority-mismatch", "linux"),
        ("app/nic-dscp-outside-class", "bnxt"),
    ),
    "3 the NIC trusts the tag, the fabric DSCP": (("marking/class-broken-in-box", "linux"),),
    "4 the application's packets carry no mark": (("app/traffic-outside-class", "linux"),),
    "5 the GID is RoCE v1 or link-local": (("app/gid-not-roce-v2", "linux"),),
    "6 PFC is left to DCBX and does not run": (("pfc/operational-off", "nxos"), ("dcbx/lldp-off", "nxos")),
    "7 two LLDP agents on one port": (("dcbx/two-agents", "linux"),),
    "8 the host is willing": (("dcbx/host-willing", "windows"),),
    "9 two tools own DCB on the host": (("dcbx/agent-overwrites", "linux"),),
    "10 link pause beside PFC": (("pfc/link-pause-on", "nxos"), ("pfc/link-pause-on", "linux")),
    "11 a lossless priority without headroom": (("pfc/priority-without-buffer", "sonic"),),
    "12 headroom too small for speed and cable": (("buffer/headroom-below-floor", "sonic"),),
    "13 settings are not on the ports that were broken out": (("pfc/left-on-breakout-parent", "nxos"),),
    "14 no-drop is left behind when PFC was removed": (("pfc/no-drop-without-pfc", "os10"),),
    "15 ECN is defined and bound nowhere": (("ecn/off-on-lossless-queue", "sonic"),),
    "16 settings of the host are lost at reboot": (("fleet/lost-at-reboot", "linux"),),
    "17 firmware settings differ between now and the next boot": (("fleet/next-boot-differs", "linux"),),
    "18 congestion control is half on": (("dcqcn/half-on", "linux"),),
    "19 CNPs are in the data's queue, or mapped nowhere": (("cnp/in-data-class", "sonic"), ("cnp/two-dscps", "linux")),
    "20 the class's DSCP is not the one that the switch calls lossless": (("marking/class-broken-in-box", "sonic"),),
    "21 MTU and RDMA path MTU disagree": (("mtu/below-roce", "eos"), ("mtu/uneven-rdma-mtu", "linux")),
    "22 the class's MTU is below the port's": (("mtu/class-below-roce", "nxos"),),
    "23 shares that do not add up, bulk data in strict priority": (
        ("ets/sum-not-100", "nxos"),
        ("ets/bulk-in-strict", "nxos"),
    ),
    "24 other traffic in the lossless queue": (("marking/default-in-lossless", "nxos"),),
    "25 PFC on too many priorities and ports": (("pfc/extra-priority", "sonic"), ("pfc/beyond-roce-domain", "cumulus")),
    "26 the watchdog is off, or its timers contradict each other": (
        ("pfc/watchdog-off", "eos"),
        ("pfc/watchdog-timer-order", "eos"),
    ),
    "27 ECN marks after PFC has started": (("ecn/marks-after-pfc", "sonic"),),
    "28 values made for another speed": (("buffer/stale-profile", "sonic"),),
    "29 a hop without ECN or PFC": (("ecn/off-on-lossless-queue", "eos"), ("link/channel-members-differ", "nxos")),
}
BEYOND_TEXT = {
    "28 (thresholds of ECN)": "no document says which threshold belongs to which speed; only odd ones among similar ports are told",
    "30 a container or virtual function without its NIC's settings": "what a container may set or inherits stands in no answer"
    " of the host; virtual functions are listed and left out",
}


@pytest.fixture(scope="module")
def bench() -> Iterator[Workbench]:
    with Workbench() as made:
        yield made


@pytest.mark.parametrize("fault", CAUGHT)
def test_a_reported_misconfiguration_is_caught(bench: Workbench, fault: str) -> None:
    for rule, platform in CAUGHT[fault]:
        found = next(one for one in examples.of_rule(RULES[rule]) if one.platform == platform)
        bad = next(case for case in found.cases if case.kind == "bad")
        report = bench.judge(examples.case_tree(found, bad).tree, tuple(RULES.values()))
        failing = {finding.rule for finding in report.findings if finding.verdict == "fails"}
        assert rule in failing, (bad.id, sorted(failing))
        good = bench.judge(examples.good_tree(found), (RULES[rule],))
        assert not [one for one in good.findings if one.rule == rule and one.verdict == "fails"], bad.id


def test_all_thirty_are_answered() -> None:
    told = {int(name.split()[0]) for name in (*CAUGHT, *BEYOND_TEXT)}
    assert told == set(range(1, 31))
