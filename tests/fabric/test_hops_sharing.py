"""Who shares a lossless class's buffer group or queue: lossy traffic does harm, a second lossless class does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fabric_samples import Network, NicText, host

from roce_audit.fabric.traffic import hops
from roce_audit.fabric.traffic.hops import Hops
from roce_audit.values import Cell, Cited, known


def sharers(folder: Path, pfc: tuple[int, ...], swap: tuple[str, str] = ("", "")) -> list[list[int] | None]:
    """For each inferred class of a lone NIC, the lossy classes that share its group or queue."""
    files = host("gpu1", NicText("ens1f0np0", "mlx5_0", pfc=pfc, trust="dscp"))
    changed = {name: text.replace(*swap) if "mlnx_qos" in name and swap[0] else text for name, text in files.items()}
    site = Network(folder, changed).site
    (fabric,) = site.fabrics
    port = fabric.ports[0]
    found = [site.hops.of(port.reading.facts, cls).sharers for cls in fabric.classes.roce]
    return [sorted(cell.get()) if cell.is_known else None for cell in found]


def test_two_lossless_priorities_in_one_buffer_are_no_lossy_sharers(tmp_path: Path) -> None:
    assert sharers(tmp_path, (3, 4)) == [[], []]


def test_lossy_priorities_in_the_lossless_buffer(tmp_path: Path) -> None:
    swap = ("\tbuffer      0   0   0   1   0   0   0   0", "\tbuffer      0   0   0   1   1   0   0   0")
    assert sharers(tmp_path, (3,), swap) == [[4]]


def test_lossy_priority_in_the_lossless_queue(tmp_path: Path) -> None:
    assert sharers(tmp_path, (3,), ("\t priority:  3\n", "\t priority:  3\n\t priority:  2\n")) == [None]
    moved = (
        "tc: 2 ratelimit: unlimited, tsa: ets, bw: 20%\n\t priority:  2\ntc: 3 ratelimit: unlimited, tsa: ets, bw: 20%\n",
        "tc: 3 ratelimit: unlimited, tsa: ets, bw: 20%\n\t priority:  2\n",
    )
    assert sharers(tmp_path / "b", (3,), moved) == [[2]]


def test_a_hop_is_that_of_its_own_class_whatever_was_asked_before(tmp_path: Path) -> None:
    """Hops are kept for all runs of a process: by all that the class says, and by where it is said."""
    site = Network(tmp_path, host("gpu1", NicText("ens1f0np0", "mlx5_0", pfc=(3,), trust="dscp"))).site
    facts, cls = site.fabrics[0].ports[0].reading.facts, site.fabrics[0].classes.roce[0]
    here = site.hops.of(facts, cls)
    assert Hops().of(facts, replace(cls)) is here

    def elsewhere(cell: Cell[frozenset[int]]) -> Cell[frozenset[int]]:
        return known(cell.get(), Cited("another file"))

    moved = Hops().of(facts, replace(cls, priority=elsewhere(cls.priority)))
    assert moved.priority == here.priority
    assert moved.priority.at != here.priority.at
    other = Hops().of(facts, replace(cls, priority=known(frozenset({4}))))
    assert (here.pfc_on.get(), other.pfc_on.get()) == (True, False)
    by_mark = Hops().of(facts, replace(cls, dscp=known(frozenset({0}))))
    assert by_mark.dscp_classes != here.dscp_classes


def test_hops_are_forgotten_before_they_are_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hops, "_MOST", 2)
    site = Network(tmp_path, host("gpu1", NicText("ens1f0np0", "mlx5_0", pfc=(3,), trust="dscp"))).site
    facts, cls = site.fabrics[0].ports[0].reading.facts, site.fabrics[0].classes.roce[0]
    for number in range(8):
        hop = Hops().of(facts, replace(cls, priority=known(frozenset({number}))))
        assert hop.pfc_on.get() is (number == 3)
        assert len(hops._known) <= 2


TAGGED = """!Version AOS-CX GL.10.13.1040
hostname tor
qos pool 1 lossless size 50.00 percent headroom 4000 kbytes priorities 4
qos queue-profile HCI
    map queue 0 local-priority 0,1,2,3,6
    map queue 1 local-priority 4{more}
    map queue 2 local-priority 7
    map queue 3 local-priority 5
qos schedule-profile HCI
    dwrr queue 0 weight 49
    dwrr queue 1 weight 50
    dwrr queue 2 weight 1
    dwrr queue 3 weight 1
apply qos queue-profile HCI schedule-profile HCI
qos trust cos
"""
PORT = (
    "interface 1/1/{}\n    no shutdown\n    no routing\n    vlan trunk allowed 711\n    flow-control priority rxtx 4\n"
)


@pytest.mark.parametrize(("more", "found"), [("", []), (",5", [5])])
def test_a_tag_alone_may_lead_to_the_class_that_shares_the_queue(tmp_path: Path, more: str, found: list[int]) -> None:
    text = TAGGED.format(more=more).replace(
        "    map queue 3 local-priority 5\n", "" if more else "    map queue 3 local-priority 5\n"
    )
    site = Network(tmp_path, {"tor.cfg": text + "".join(PORT.format(number) for number in range(1, 5))}).site
    (fabric,) = site.fabrics
    (cls,) = fabric.classes.roce
    assert sorted(site.hops.of(fabric.ports[0].reading.facts, cls).sharers.get()) == found
