"""`calc`: quantities as people write them, sums that add up, sources for all of them."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roce_audit.calculator import curves, headroom, packets, quantities
from roce_audit.calculator.sums import Calculation
from roce_audit.cli.main import main
from roce_audit.formulas import headroom as formulas

Capture = pytest.CaptureFixture[str]
DCQCN = ("dcqcn", "--speed", "40G", "--senders", "4", "--kmin", "5kB", "--kmax", "200kB", "--pmax", "1")
ECN = ("ecn", "--kmin", "1kB", "--kmax", "2kB", "--pmax", "5")
G = 10**9


def calc(capsys: Capture, *words: str) -> dict[str, Any]:
    assert main(["calc", *words, "-f", "json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (quantities.speed_bps, "400G", 400 * G),
        (quantities.speed_bps, "25000M", 25 * G),
        (quantities.speed_bps, "1.6Tbps", 1600 * G),
        (quantities.speed_bps, "100000000000", 100 * G),
        (quantities.rate_bps, "0", 0),
        (quantities.metres, "40m", 40.0),
        (quantities.metres, "40", 40.0),
        (quantities.metres, "2 km", 2000.0),
        (quantities.size_bytes, "9216", 9216),
        (quantities.size_bytes, "9,216", 9216),
        (quantities.size_bytes, "150kB", 150_000),
        (quantities.size_bytes, "1MiB", 1_048_576),
        (quantities.size_bytes, "1.5MB", 1_500_000),
        (quantities.nanoseconds, "1.2us", 1200.0),
        (quantities.microseconds, "55", 55.0),
        (quantities.microseconds, "1ms", 1000.0),
        (quantities.percent, "5%", 5.0),
        (quantities.weights, "50,50", (50.0, 50.0)),
        (quantities.weights, "50%,50%", (50.0, 50.0)),
    ],
)
def test_quantities_are_read(read: Any, text: str, value: object) -> None:
    assert read(text) == value


@pytest.mark.parametrize(
    ("read", "text", "said"),
    [
        (quantities.speed_bps, "400", "400 bit/s: write the unit, as in 400G"),
        (quantities.speed_bps, "fast", "'fast' is not a speed"),
        (quantities.speed_bps, "400GB", "'B' is for bytes"),
        (quantities.metres, "-3", "is not a length"),
        (quantities.metres, "900km", "longer than 120 km"),
        (quantities.size_bytes, "1.5", "no whole number of bytes"),
        (quantities.size_bytes, "9216m2", "not a number of bytes"),
        (quantities.percent, "101", "more than 100 %"),
        (quantities.whole, "0", "no whole number from 1 on"),
        (quantities.weights, "0,0", "not all of them 0"),
        (quantities.weights, "50;50", "is not a number"),
        (quantities.nanoseconds, "nan", "is not a time"),
        (quantities.nanoseconds, "0", "is no time"),
        (quantities.microseconds, "1s", "a timer of DCQCN takes microseconds"),
        (quantities.gearbox_ns, "10s", "no gearbox takes that long"),
        (quantities.speed_bps, "999999T", "faster than any Ethernet port"),
        (quantities.speed_bps, "1M", "write the unit"),
        (quantities.packet_bytes, "0", "no size of an IP packet"),
        (quantities.packet_bytes, "9GB", "no size of an IP packet"),
        (quantities.buffer_bytes, "1", "less than one frame"),
        (quantities.buffer_bytes, "100GB", "more than any switch has"),
        (quantities.start_bytes, "5", "less than one frame"),
        (quantities.alpha, "0", "is no alpha"),
        (quantities.alpha, "100000", "is no alpha"),
        (quantities.senders, "1e9", "is not a whole number"),
        (quantities.senders, "1000000000", "at most 1,000,000 senders"),
        (quantities.ports, "100000", "at most 1,024 ports of one chip"),
        (quantities.priorities, "9", "at most 8 priorities"),
        (quantities.weights, "60%,60%", "more than 100 %"),
        (quantities.weights, "50%,20", "all of them as percent"),
        (quantities.weights, "9999999,1", "no weight is above 1,000,000"),
    ],
)
def test_what_is_no_quantity_is_said(read: Any, text: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        read(text)


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (
        quantities.speed_bps,
        quantities.metres,
        quantities.size_bytes,
        quantities.weights,
        quantities.percent,
    ):
        with contextlib.suppress(ValueError):  # any other exception fails the test
            assert read(text) is not None


@given(st.sampled_from(sorted(formulas.PEER_RESPONSE_QUANTA)), st.integers(0, 2000), st.integers(64, 10_000))
def test_the_terms_are_the_sum(speed: int, cable: int, mtu: int) -> None:
    done = headroom.headroom(speed, cable, mtu)
    assert len(done.sums) == 3
    for one in done.sums:
        assert 0 <= one.result.value - sum(term.value for term in one.terms) < 1


def test_the_terms_of_one_link(capsys: Capture) -> None:
    """Cable 15,000 + two 4,198 B frames + PFC frame 84 + peer response 57,920."""
    found = calc(capsys, "headroom", "--speed", "400G", "--cable", "30", "--mtu", "4160", "--have", "76000")
    totals = [one["result"]["value"] for one in found["results"]]
    assert totals[1] == 15_000 + 2 * 4198 + 84 + 57_920
    assert [term["value"] for term in found["results"][1]["terms"]] == [15_000, 4198, 4198, 84, 57_920]
    assert totals[3] == pytest.approx((76_000 - 2 * 4198 - 84) / 500)


def test_a_measured_response_takes_the_place_of_the_standard(capsys: Capture) -> None:
    found = calc(capsys, "headroom", "--speed", "400G", "--cable", "30", "--peer-response", "500ns")
    assert found["results"][1]["terms"][-1]["value"] == 25_000
    assert "as given" in found["results"][1]["source"]
    odd = calc(capsys, "headroom", "--speed", "37G", "--cable", "30")
    assert len(odd["results"]) == 1
    assert "no standard peer response is known for 37G" in odd["notes"][0]


def test_other_architectures_are_named(capsys: Capture) -> None:
    found = calc(capsys, "headroom", "--speed", "100G", "--cable", "5", "--asic", "spectrum-3", "--nic")
    held = {one["architecture"] for one in found["results"]}
    assert held == {"any", "shared_on_chip", "static_per_port"}


def test_ecn_against_pfc(capsys: Capture) -> None:
    base = ("ecn", "--kmin", "1MB", "--kmax", "2MB", "--pmax", "5")
    assert calc(capsys, *base, "--queue", "1.5MB")["results"][0]["result"]["value"] == 2.5
    late = calc(capsys, *base, "--xoff-at", "100kB", "--senders", "8")
    assert late["results"][1]["result"]["value"] == 800_000
    assert "only after PFC has started" in late["notes"][0]
    early = calc(capsys, *base, "--alpha", "1", "--pool", "33MB", "--senders", "8", "--ports", "64")
    assert early["results"][1]["result"]["value"] == pytest.approx(8 * 33e6 / 9)
    assert early["results"][1]["architecture"] == "shared_on_chip"
    assert early["notes"][0].startswith("ECN starts before PFC")
    assert early["results"][2]["terms"][2]["value"] == pytest.approx(33e6 / 64)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ecn", "--kmin", "2MB", "--kmax", "1MB", "--pmax", "5"), "Kmin (2,000,000 B) is above Kmax"),
        ((*ECN, "--alpha", "1"), "needs both --alpha and --pool"),
        ((*ECN, "--ports", "4"), "needs --alpha and --pool"),
        (("mtu",), "--rdma-mtu or --netdev-mtu"),
        (("mtu", "--rdma-mtu", "3000"), "3000 is no RDMA path MTU"),
        (
            ("ets", "--shares", "1", "--speed", "10G", "--strict", "11G"),
            "strict queues (--strict 11G) take no more than the port's 10G",
        ),
        ((*DCQCN, "--rate-timer", "0"), "the rate timer must be greater than 0"),
        ((*DCQCN, "--increase", "0"), "the increase must be greater than 0"),
        ((*DCQCN, "--delay", "0"), "at most 100,000 us"),
        ((*DCQCN, "--increase", "500G"), "more than the port's 40G"),
        ((*DCQCN, "--byte-counter", "1"), "less than one frame"),
        ((*ECN, "--queue", "0"), "less than one frame"),
        ((*ECN, "--senders", "4"), "it needs --xoff-at, or --alpha and --pool"),
        ((*ECN, "--xoff-at", "1MB", "--alpha", "1", "--pool", "9MB"), "not both"),
        ((*ECN, "--alpha", "1", "--pool", "9MB", "--priorities", "2"), "it needs --ports"),
        (("ecn", "--kmin", "0", "--kmax", "0", "--pmax", "5"), "less than one frame"),
        (("mtu", "--rdma-mtu", "0"), "no size of an IP packet"),
        (("mtu", "--rdma-mtu", "4096", "--netdev-mtu", "1500"), "no path MTU of 4,096 B, but of 1,024 B"),
        (("pause", "--speed", "400G", "--cable", "5", "--mtu", "1GB"), "no size of an IP packet"),
        ((*DCQCN, "--delay", "9", "--dce-tcp-g", "1024"), "alpha never moves"),
    ],
)
def test_what_cannot_be_calculated_is_said(words: tuple[str, ...], said: str, capsys: Capture) -> None:
    assert main(["calc", *words]) == 2
    assert said in capsys.readouterr().err


def test_mtu_with_vxlan(capsys: Capture) -> None:
    found = calc(capsys, "mtu", "--rdma-mtu", "4096", "--vxlan")
    packet, frame, interface = (one["result"]["value"] for one in found["results"])
    assert (packet, frame, interface) == (4160, 4160 + 18 + 50, 4192)
    small = calc(capsys, "mtu", "--netdev-mtu", "1500")
    assert small["results"][0]["result"]["value"] == 1024
    none = calc(capsys, "mtu", "--netdev-mtu", "300")
    assert [one["result"]["value"] for one in none["results"]] == [0]


def test_ets_and_pause(capsys: Capture) -> None:
    found = calc(capsys, "ets", "--shares", "60,40", "--speed", "100G", "--strict", "10G")
    assert [term["value"] for term in found["results"][1]["terms"]] == [54.0, 36.0]
    paused = calc(capsys, "pause", "--speed", "400G", "--cable", "40")
    assert paused["results"][0]["result"]["value"] == pytest.approx(65_535 * 1.28)
    assert paused["results"][1]["terms"][0]["value"] == 40


def test_dcqcn_rests_where_the_paper_says(capsys: Capture) -> None:
    words = ("--speed", "40G", "--senders", "10", "--kmin", "5kB", "--kmax", "200kB", "--pmax", "1")
    found = calc(capsys, "dcqcn", *words, "--dce-tcp-g", "1019")
    terms = {term["name"]: term["value"] for term in found["results"][0]["terms"]}
    assert terms["packets marked, by bisection"] == pytest.approx(0.60, rel=0.02)
    assert found["results"][1]["result"]["value"] == pytest.approx(5 / 1024)


ALL: dict[str, Callable[[], Calculation]] = {
    "headroom, known ASIC": lambda: headroom.headroom(
        400 * G, 40, 9216, have_bytes=50_000, asic="spectrum-4", nic=True
    ),
    "headroom, another ASIC": lambda: headroom.headroom(400 * G, 40, 9216, asic="tofino-2"),
    "pause": lambda: headroom.pause(400 * G, 40, 9216),
    "ecn below XOFF": lambda: curves.ecn(150_000, 1_500_000, 5, xoff_at=10**6),
    "ecn of a shared pool": lambda: curves.ecn(150_000, 1_500_000, 5, alpha=1, pool=10**7, ports=64),
    "dcqcn": lambda: curves.dcqcn(400 * G, 8, 150_000, 1_500_000, 5, 1019, delay_us=10),
    "mtu": lambda: packets.mtu(4096, 9000, vxlan=True),
    "ets": lambda: packets.ets((50, 50), 400 * G),
}


@pytest.mark.parametrize("name", ALL)
def test_every_result_has_a_source_and_units(name: str) -> None:
    done = ALL[name]()
    assert done.sums
    for one in done.sums:
        assert one.source
        for term in (*one.terms, one.result):
            assert term.unit in {"B", "ns", "us", "m", "%", "Mbit/s", "Gbit/s", ""}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--any-mtu", "1500"), "--any-mtu 1,500"),
        (("--peer-response", "1s"), "obeys no pause"),
        (("--asic", "spectrum-9"), "there is no 'spectrum-9'"),
        (("--small-packets", "101"), "more than 100 %"),
        (("--small-packets", "50"), "they need --asic"),
        (("--lanes", "8"), "they need --asic"),
        (("--gearbox", "5"), "they need --asic"),
        (("--script", "2023-08"), "they need --asic"),
        (("--have", "1"), "write the unit, as in 150kB"),
        (("--have", "0"), "write the unit, as in 150kB"),
        (("--have", "150"), "less than one packet of the class (9,216 B)"),
        (("--have", "-5"), "is not a number of bytes"),
        (("--mtu", "0"), "no size of an IP packet"),
        (("--any-mtu", "1GB"), "no size of an IP packet"),
        (("--peer-response", "0"), "is no time"),
    ],
)
def test_numbers_that_mean_nothing_are_refused(capsys: Capture, words: tuple[str, str], said: str) -> None:
    link = ("calc", "headroom", "--speed", "400G", "--cable", "40", "--mtu", "9216")
    assert main([*link, *words]) == 2
    assert said in capsys.readouterr().err
    assert main([*link, "--any-mtu", "9216", "--peer-response", "1us", "--asic", "spectrum-3"]) == 0


def test_a_vendors_formula_stands_beside_physics_and_is_turned_round(capsys: Capture) -> None:
    words = ("headroom", "--speed", "400G", "--cable", "40", "--mtu", "1024", "--any-mtu", "9216")
    found = calc(capsys, *words, "--asic", "spectrum-4", "--have", "283648")
    made, paid = found["results"][3]["result"], found["results"][-1]["result"]
    assert (made["value"], paid["value"]) == (283_648, 40)
    older = calc(capsys, *words, "--asic", "spectrum-4", "--script", "2023-08")["results"][3]["result"]["value"]
    assert older < made["value"]
    small = calc(capsys, *words, "--asic", "spectrum-4", "--have", "20kB")
    assert small["results"][-1]["result"]["value"] == -1
    shipped = calc(capsys, *words, "--asic", "tomahawk-5")["results"][3]["result"]["value"]
    assert shipped == 446_024
    assert (
        "no row for 37G"
        in calc(capsys, "headroom", "--speed", "37G", "--cable", "4", "--asic", "trident-4")["notes"][-1]
    )


def test_stability_is_advice_beside_the_fixed_point(capsys: Capture) -> None:
    words = ("dcqcn", "--speed", "40G", "--kmin", "5kB", "--kmax", "200kB", "--pmax", "1", "--senders", "10")
    for delay, growing in (("50", 0), ("100us", 2)):
        found = calc(capsys, *words, "--delay", delay)["results"][-1]
        assert (found["result"]["value"], "advice" in found["title"]) == (growing, True)


def test_whose_response_it_is_is_said_where_sources_differ(capsys: Capture) -> None:
    for speed, words in (("10G", "print 60"), ("800G", "as many quanta as at 400G")):
        assert words in " ".join(calc(capsys, "headroom", "--speed", speed, "--cable", "5")["notes"])
    assert calc(capsys, "headroom", "--speed", "400G", "--cable", "5")["notes"] == []
