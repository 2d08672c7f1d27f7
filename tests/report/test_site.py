"""The site as drawn of the two fixture fabrics: the pictures say what the rules say."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from roce_audit.audit import Checked, Request, check
from roce_audit.policy import load
from roce_audit.report.drawing import DrawnPort, PacketPath, PortDrawing, SiteDrawing
from roce_audit.views.sitedrawing import site_drawing

FIXTURES = Path(__file__).parents[2] / "fixtures"


@cache
def checked(name: str) -> Checked:
    folder = FIXTURES / name
    return check(Request((str(folder),), load(folder / "roce-audit.yaml")))


@cache
def drawn(name: str) -> SiteDrawing:
    return site_drawing(checked(name))


def port(name: str, id_: str) -> DrawnPort:
    return next(port for port in drawn(name).ports if port.id == id_)


def drawing(name: str, id_: str) -> PortDrawing:
    number = port(name, id_).drawing
    assert number is not None
    return drawn(name).drawings[number]


def packet_path(name: str, id_: str, cls: str = "roce") -> PacketPath:
    return next(packet_path for packet_path in drawing(name, id_).paths if packet_path.name == cls)


def bad(way_: PacketPath) -> set[str]:
    return {step.label for step in way_.steps if step.state == "bad"}


@pytest.mark.parametrize("name", ["fabric", "fabric-faulty"])
def test_equal_drawings_are_one_and_others_may_differ_by_their_cables_alone(name: str) -> None:
    drawings = drawn(name).drawings
    assert len(set(drawings)) == len(drawings)
    paths = [path for one in drawings for path in one.paths if path.thresholds is not None]
    assert len(paths) > len({replace(path, thresholds=None) for path in paths})
    cables = {path.thresholds.basis for path in paths if path.thresholds is not None}
    assert len(cables) > 1


def test_a_clean_fabric_has_no_broken_step() -> None:
    assert not [w.name for p in drawn("fabric").drawings for w in p.paths if bad(w)]


def test_a_broken_step_is_drawn_as_such() -> None:
    assert bad(packet_path("fabric-faulty", "spine1:Ethernet1/2")) == {"PFC"}
    assert bad(packet_path("fabric-faulty", "gpu4:ens12np0")) == {"group"}
    assert not bad(packet_path("fabric-faulty", "spine1:Ethernet1/1"))


def test_the_thresholds_agrees_with_the_finding() -> None:
    found = packet_path("fabric-faulty", "leaf2:Ethernet256").thresholds
    assert found is not None
    needs = sum(term.bytes for term in found.needs)
    message = next(
        f.message for f in checked("fabric-faulty").report.findings if f.rule == "buffer/headroom-below-floor"
    )
    assert f"{found.headroom.value:,.0f} B of headroom" in message
    assert f"needed are {needs:,.0f} B" in message
    assert found.pays == "pays for 200 m of cable"
    enough = packet_path("fabric", "leaf2:Ethernet256").thresholds
    assert enough is not None
    assert (enough.headroom.value or 0) >= sum(term.bytes for term in enough.needs) == needs


def test_what_nobody_saw_is_said() -> None:
    found = packet_path("fabric", "leaf1:Ethernet1/1").thresholds
    assert found is not None
    assert found.headroom.value is None
    assert found.headroom.words.startswith("unknown")
    nvme = packet_path("fabric", "tor1:Ethernet1/1", "nvme").thresholds
    assert nvme is not None
    assert nvme.needs == ()
    assert "cable length" in nvme.basis


def test_devices_stand_in_tiers_and_ports_know_their_far_end() -> None:
    tiers = {device.name: device.tier for device in drawn("fabric").devices}
    assert (tiers["gpu1"], tiers["leaf1"], tiers["spine1"]) == (0, 1, 2)
    nic = port("fabric", "gpu1:ens11np0")
    assert (nic.roce, nic.peer, nic.speed) == ("yes", "leaf1:Ethernet1/1", "400G")
    assert sum(fabric.links for fabric in drawn("fabric").fabrics) == checked("fabric").report.coverage.links


def test_shares_name_the_classes_that_leave_there() -> None:
    found = drawing("fabric", "leaf2:Ethernet256")
    by_class = {name: share for share in found.shares for name in share.classes}
    assert by_class["roce"].share.value == pytest.approx(80)
    assert by_class["cnp"].strict


def test_equal_ports_share_a_drawing() -> None:
    site_ = drawn("fabric")
    assert len(site_.drawings) < sum(port.drawing is not None for port in site_.ports) / 2
    assert len(set(site_.drawings)) == len(site_.drawings)


def test_of_a_large_site_the_ports_with_failed_checks_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, real = drawn("fabric-faulty"), checked("fabric-faulty")
    monkeypatch.setattr("roce_audit.views.sitedrawing.MOST_PORTS", 5)
    few = site_drawing(real)
    faulty = {
        end
        for finding in real.report.findings
        for member in finding.members
        if finding.verdict == "fails" and finding.severity == "error"
        for end in member.id.split(" <-> ")
    }
    listed = [port.id for port in few.ports]
    assert len(listed) == 5
    assert faulty.issuperset(listed)
    assert listed == [port.id for port in whole.ports if port.id in listed]
    assert few.devices == whole.devices
    assert few.fabrics == whole.fabrics
    named = {end for f in real.report.findings for m in f.members for end in m.id.split(" <-> ")}
    rest = {port.id: port.device for port in whole.ports if port.id in named.difference(listed)}
    assert (whole.elsewhere, few.elsewhere) == ({}, rest)


def test_descriptions_lose_their_secrets() -> None:
    real = checked("fabric")
    port = next(s for f in real.site.fabrics for s in f.ports if s.device.name == "fe1")
    before = port.reading
    try:
        port.reading = replace(before, labels=replace(before.labels, description="password Hunter2x"))
        assert "Hunter2x" not in repr(site_drawing(real))
    finally:
        port.reading = before
