"""Counters that an earlier snapshot cannot be held against say what they say by themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import load_text

LINKS = '[{"ifindex": 4, "ifname": "mlx5_0", "port": 1, "state": "ACTIVE", "netdev": "ens1"}]'
PFC = json.dumps({"pfc_cap": 8, "prio_pfc": [number == 3 for number in range(8)]})


def host(folder: Path, discards: int, uptime: float) -> None:
    folder.mkdir(parents=True)
    answers = {
        "rdma_-j_link_show.json": LINKS,
        "ethtool_-i_ens1.txt": "driver: mlx5_core\nbus-info: 0000:18:00.0\n",
        "dcb_-j_pfc_show_dev_ens1.json": PFC,
        "ethtool_-S_ens1.txt": f"NIC statistics:\n     rx_prio3_discards: {discards}\n",
        "sysfs.txt": f"/proc/uptime:{uptime} 1\n",
    }
    for name, text in answers.items():
        (folder / name).write_text(text)


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        ((700, 900_000.5), (700, 907_200.5), False),  # compared: nothing grew
        ((5_000, 900_000.5), (700, 1_200.5), True),  # the host was started anew
        ((5_000, 900_000.5), (700, 907_200.5), True),  # the driver was loaded anew
    ],
)
def test_what_cannot_be_compared_is_told(
    tmp_path: Path, before: tuple[int, float], now: tuple[int, float], told: bool
) -> None:
    host(tmp_path / "before" / "gpu1", *before)
    host(tmp_path / "now" / "gpu1", *now)
    policy = load_text("ports: [{match: '*:*', roce: true}]\n", "roce-audit.yaml")
    request = Request(
        (str(tmp_path / "now"),), policy, since=str(tmp_path / "before"), select=("buffer/dropped-before",)
    )
    found = [one for one in check(request).report.findings if one.verdict == "fails"]
    assert bool(found) is told


def test_what_only_the_earlier_snapshot_holds_is_told(tmp_path: Path) -> None:
    for folder, hosts in (("before", ("gpu1", "gpu2", "gpu3")), ("now", ("gpu1", "gpu2")), ("one", ("gpu1",))):
        for name in hosts:
            host(tmp_path / folder / name, 0, 900_000.5)
    (tmp_path / "now" / "gpu2" / "ethtool_-S_ens1.txt").unlink()

    def notes(folder: str) -> str:
        request = Request((str(tmp_path / folder),), load_text("", "roce-audit.yaml"), since=str(tmp_path / "before"))
        return "\n".join(check(request).report.coverage.notes)

    assert f"{tmp_path}/before holds gpu3 as well" in notes("now")
    assert "counters of `ethtool -S` of gpu2 stand in" in notes("now")
    assert "as well" not in notes("one"), "one device of many was asked for"
