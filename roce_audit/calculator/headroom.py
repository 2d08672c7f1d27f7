"""`calc headroom` and `calc pause`: what may still arrive after XOFF, in bytes, nanoseconds and metres of cable."""

from __future__ import annotations

import math
from collections.abc import Iterator

from roce_audit.calculator import vendorheadroom as vendors
from roce_audit.calculator.sums import Calculation, Sum, Term, gigabit
from roce_audit.formulas import headroom as formulas
from roce_audit.formulas.headroom import Headroom
from roce_audit.formulas.sonicheadroom import LATEST, Edition, Traffic

_ANNEX_N = "IEEE 802.1Q-2018, annex N, buffer requirements for PFC"
_RESPONSE = "IEEE 802.3 31B.3.7, as quoted by SONiC, buffer_headroom_mellanox.lua"
_FRAME = "payload + 38 B of header, FCS, preamble and gap"
LONGEST_PAUSE_QUANTA = 65_535
_OTHERS_SAY = {
    10_000_000_000: "the response at 10G is SONiC's, 67 quanta; Gupta and Mazurek, chapter 7, print 60",
    800_000_000_000: "the response at 800G is SONiC's, as many quanta as at 400G; the clause for 800G was not seen",
}
"""Speed in bit/s -> what to know of its value in PEER_RESPONSE_QUANTA."""


def headroom(
    speed_bps: int,
    cable_m: float,
    mtu_bytes: int,
    any_mtu_bytes: int | None = None,
    response_ns: float | None = None,
    have_bytes: int | None = None,
    asic: str | None = None,
    traffic: Traffic | None = None,
    edition: Edition = LATEST,
    nic: bool = False,
) -> Calculation:
    """Headroom of one lossless priority group. Raises ValueError for a value the formulas do not take."""
    largest = mtu_bytes if any_mtu_bytes is None else any_mtu_bytes
    _refuse_nonsense(speed_bps, mtu_bytes, largest, response_ns)
    if have_bytes is not None and have_bytes < mtu_bytes:
        raise ValueError(
            f"--have {have_bytes:,} B is less than one packet of the class ({mtu_bytes:,} B): write it like 150kB"
        )
    base = (speed_bps, cable_m, mtu_bytes, largest)
    response = None if response_ns is None else math.ceil(round(response_ns * speed_bps / 8e9, 6))
    notes: list[str] = []
    sums = [_sum("least that physics allows (below it, loss is certain)", formulas.floor(*base), base, _ANNEX_N)]
    if response is not None or speed_bps in formulas.PEER_RESPONSE_QUANTA:
        with_response = formulas.with_peer_response(*base, response)
        said = "as given" if response is not None else _RESPONSE
        sums.append(_sum("with the time the peer takes to stop", with_response, base, f"{_ANNEX_N}; response: {said}"))
    else:
        notes.append(
            f"no standard peer response is known for {gigabit(speed_bps)}: --peer-response NS adds a measured one"
        )
    if speed_bps in formulas.PEER_RESPONSE_QUANTA:
        sums.append(
            _sum(
                "planning bound: as much again for the own MAC and PHY",
                formulas.planning_bound(*base),
                base,
                f"{_ANNEX_N}; {_RESPONSE}",
            )
        )
        if speed_bps in _OTHERS_SAY:
            notes.append(_OTHERS_SAY[speed_bps])
    chip = None if asic is None else vendors.Switch(asic, traffic or Traffic(largest, mtu_bytes), edition)
    if chip is not None:
        sums.extend(chip.sums(speed_bps, cable_m))
        notes.extend(chip.notes(speed_bps, cable_m))
    if nic:
        sums.append(vendors.mlx5(speed_bps, cable_m, largest))
    if have_bytes is not None:
        sums.append(_metres(have_bytes, base, response))
        if chip is not None and chip.has_formula:
            sums.append(chip.metres(have_bytes, speed_bps))
    packets = f"lossless packets of {mtu_bytes:,} B, any packet of {largest:,} B"
    return Calculation("headroom", f"{gigabit(speed_bps)}, cable {cable_m:g} m, {packets}", tuple(sums), tuple(notes))


def _refuse_nonsense(speed_bps: int, mtu: int, largest: int, response_ns: float | None) -> None:
    if largest < mtu:
        raise ValueError(
            f"the largest packet of any class (--any-mtu {largest:,}) is not below that of one (--mtu {mtu:,})"
        )
    longest = formulas.pause_ns(LONGEST_PAUSE_QUANTA, speed_bps)
    if response_ns is not None and response_ns > longest:
        raise ValueError(
            f"a peer that takes {response_ns:,.0f} ns to stop obeys no pause: the longest lasts {longest:,.0f} ns "
            f"at {gigabit(speed_bps)} (--peer-response)"
        )


def _sum(title: str, found: Headroom, base: tuple[int, float, int, int], source: str) -> Sum:
    speed_bps, cable_m, mtu, largest = base
    per_metre = f"2 x {cable_m:g} m x {formulas.PROPAGATION_NS_PER_M} ns/m at {gigabit(speed_bps)}"
    terms = [
        Term("cable", found.cable_bytes, "B", per_metre),
        Term("lossless frame the peer has just begun", found.lossless_frame_bytes, "B", f"{mtu:,} B {_FRAME}"),
        Term("frame before our PFC frame", found.any_frame_bytes, "B", f"{largest:,} B {_FRAME}"),
        Term("the PFC frame itself", found.pfc_frame_bytes, "B"),
    ]
    for name, value in (("the peer's response", found.peer_response_bytes), ("own response", found.own_response_bytes)):
        if value:
            terms.append(Term(name, value, "B", f"{value * 8e9 / speed_bps:,.0f} ns at {gigabit(speed_bps)}"))
    return Sum(title, tuple(terms), Term("headroom of one lossless priority", found.total_bytes, "B"), source, "")


def _metres(have: int, base: tuple[int, float, int, int], response: int | None) -> Sum:
    speed_bps, _, mtu, largest = base
    length = formulas.metres_paid_for(have, speed_bps, mtu, largest)
    least = formulas.floor(speed_bps, 0, mtu, largest).total_bytes
    terms = [
        Term("headroom you have", have, "B"),
        Term("frames, which no cable length changes", -least, "B"),
    ]
    if response is not None or speed_bps in formulas.PEER_RESPONSE_QUANTA:
        shorter = formulas.metres_with_response(have, speed_bps, mtu, largest, response)
        terms.append(Term("of cable, where the peer takes its time to stop", shorter, "m", _not_even(shorter)))
    how = _not_even(length) or "the peer's response not counted"
    return Sum(
        "what your headroom pays for", tuple(terms), Term("of cable", length, "m", how), f"{_ANNEX_N}, turned round", ""
    )


def _not_even(metres: float) -> str:
    return "it does not even pay for 0 m" if metres < 0 else ""


def pause(speed_bps: int, cable_m: float, mtu_bytes: int) -> Calculation:
    """What a pause lasts, and every part of the headroom as time and as metres of cable."""
    quantum_ns = formulas.pause_ns(1, speed_bps)
    longest = formulas.pause_ns(LONGEST_PAUSE_QUANTA, speed_bps)
    clause = "IEEE 802.3 annex 31B: a quantum is 512 bit times"
    time = Sum(
        "how long a pause lasts",
        (
            Term("one quantum", quantum_ns, "ns", f"512 bit times at {gigabit(speed_bps)}"),
            Term("quanta in a frame, at most", LONGEST_PAUSE_QUANTA, ""),
        ),
        Term(
            "the longest pause one frame can ask for", longest, "ns", f"{_bytes(longest, speed_bps)} not sent meanwhile"
        ),
        clause,
    )
    lengths = Sum(
        "the headroom in metres of cable",
        tuple(_in_metres(speed_bps, cable_m, mtu_bytes)),
        Term("headroom per metre of cable", formulas.cable_round_trip_bytes(speed_bps, 1), "B", "both ways"),
        f"{_ANNEX_N}; {_RESPONSE}",
    )
    given = f"{gigabit(speed_bps)}, cable {cable_m:g} m, packets of {mtu_bytes:,} B"
    return Calculation("pause", given, (time, lengths))


def _in_metres(speed_bps: int, cable_m: float, mtu_bytes: int) -> Iterator[Term]:
    per_metre = formulas.cable_round_trip_bytes(speed_bps, 1)
    parts: list[tuple[str, float]] = [
        ("the cable", formulas.cable_round_trip_bytes(speed_bps, cable_m)),
        ("the two frames just begun", 2 * formulas.wire_bytes(mtu_bytes)),
        ("the PFC frame", formulas.PFC_FRAME_WIRE_BYTES),
    ]
    if speed_bps in formulas.PEER_RESPONSE_QUANTA:
        quanta = formulas.PEER_RESPONSE_QUANTA[speed_bps]
        parts.append((f"the peer's response of {quanta:,} quanta", formulas.peer_response_bytes(speed_bps)))
    for name, size in parts:
        yield Term(name, size / per_metre, "m", f"{size:,.0f} B, {size * 8e9 / speed_bps:,.0f} ns")


def _bytes(ns: float, speed_bps: int) -> str:
    return f"{ns * speed_bps / 8e9 / 1e6:,.2f} MB"
