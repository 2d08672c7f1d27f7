"""What scripts give RoCEv2 by its UDP port, and what `nicctl update port` sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import Policy


def findings(script: str, folder: Path) -> list[tuple[str, str]]:
    (folder / "roce.sh").write_text(f"#!/bin/sh\n{script}\n")
    report = check(Request((str(folder),), policy=Policy.empty())).report
    return [(finding.rule, str(finding.severity)) for finding in report.findings if finding.verdict == "fails"]


@pytest.mark.parametrize(
    "script",
    [
        "lldptool -T -i ens1 -V APP app={},3,4791\nlldptool -T -i ens1 -V PFC enabled=5",
        "dcb app add dev ens1 port-prio 4791:{}\ndcb pfc set dev ens1 prio-pfc all:off 5:on",
        "bnxtqos -dev=ens1 set_apptlv app={},3,4791\nbnxtqos -dev=ens1 set_pfc enabled=5",
        "niccli -i 1 qos --apptlv --add --app {},3,4791\nniccli -i 1 qos --pfc --enable 5",
        "niccli.x86_64 -i 5 set_apptlv app={},3,4791\nniccli.x86_64 -i 5 set_pfc enabled=5",
    ],
)
@pytest.mark.parametrize(("priority", "told"), [(5, []), (3, [("marking/setup-misses-own-pfc", "error")])])
def test_the_entry_for_port_4791_is_a_priority_that_is_paused(
    script: str, priority: int, told: list[tuple[str, str]], tmp_path: Path
) -> None:
    assert findings(script.format(priority), tmp_path) == told


@pytest.mark.parametrize("entry", ["app=3,3,3260", "app=3,2,4791", "-d app=3,3,4791"])
def test_entries_of_others_and_those_that_are_taken_away_say_nothing(entry: str, tmp_path: Path) -> None:
    assert findings(f"lldptool -T -i ens1 -V APP {entry}\nlldptool -T -i ens1 -V PFC enabled=5", tmp_path) == []


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--pause-type pfc --rx-pause enable --tx-pause enable", []),
        ("--pause-type link --rx-pause disable --tx-pause disable", []),
        ("--pause-type link --rx-pause enable --tx-pause enable", [("pfc/setup-link-pause", "error")]),
        ("--mtu 9000", []),
        ("--mtu 900", [("mtu/setup-below-any", "warning")]),
    ],
)
def test_ports_of_nicctl(options: str, told: list[tuple[str, str]], tmp_path: Path) -> None:
    script = (
        "for p in $(nicctl show port | grep Port | awk '{print $3}'); do nicctl update port -p $p " + options + "; done"
    )
    assert findings(f"{script}\nnicctl update qos pfc --priority 3 --no-drop enable", tmp_path) == told
