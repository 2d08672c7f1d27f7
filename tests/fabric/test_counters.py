"""Two snapshots of counters: a growth is never negative and never made up, whatever the numbers are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roce_audit.fabric.counters import NOT_COMPARED, Compared, Snapshot, compare
from roce_audit.model.counts import Count, Counts, Uptime
from roce_audit.platforms.counting import MAX_COUNTER, number, uptime
from roce_audit.text.document import Document
from roce_audit.values import Place, Why

EARLIER, LATER = Place("since.txt", 3), Place("now.txt", 4)
MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
COUNTER = st.one_of(st.integers(0, 9), st.integers(0, MAX_COUNTER), st.just(2**32 - 1), st.none())
PATHS = st.sampled_from(["storms", "priorities.3.pause_sent", "groups.3.drops", "queues.0.drops"])


def counts(values: dict[str, int | None], place: Place, epoch: str = "", source: str = "show") -> Counts:
    found = Counts()
    for path, value in values.items():
        found.add(Count("Ethernet0", path, value, place, source, epoch))
    return found


def of_one(before: Snapshot, after: Snapshot) -> dict[str, object]:
    cells = compare(before, after).growths.get("ethernet0", {})
    return {path: cell.value if cell.is_known else cell.why for path, cell in cells.items()}


@given(st.dictionaries(PATHS, COUNTER), st.dictionaries(PATHS, COUNTER))
def test_a_growth_is_what_was_added_or_unknown(before: dict[str, int | None], after: dict[str, int | None]) -> None:
    found = of_one(Snapshot(counts(before, EARLIER)), Snapshot(counts(after, LATER)))
    assert found.keys() == before.keys() & after.keys()
    reset = any((before[p] or 0) > (after[p] or 0) for p in found if before[p] is not None and after[p] is not None)
    for path, value in found.items():
        old, new = before[path], after[path]
        if old is None or new is None:
            assert value is Why.NOT_PARSED
        else:
            assert value == (Why.RESET if reset else new - old)


@given(st.integers(0, 2**32 - 1), st.integers(1, 2**31))
def test_a_wrap_of_32_bits_is_unknown(start: int, added: int) -> None:
    wrapped = (start + added) % 2**32
    found = of_one(Snapshot(counts({"storms": start}, EARLIER)), Snapshot(counts({"storms": wrapped}, LATER)))
    assert found["storms"] == (added if start + added < 2**32 else Why.RESET)


def test_a_growth_points_at_both_lines() -> None:
    (cell,) = (
        compare(Snapshot(counts({"storms": 1}, EARLIER)), Snapshot(counts({"storms": 3}, LATER)))
        .growths["ethernet0"]
        .values()
    )
    assert cell.at == (LATER, EARLIER)


def test_what_was_cleared_in_between_is_unknown() -> None:
    before = Snapshot(counts({"storms": 1}, EARLIER, "10:00"))
    assert of_one(before, Snapshot(counts({"storms": 3}, LATER, "11:00"))) == {"storms": Why.RESET}


def test_after_a_reset_of_one_port_what_stands_still_on_another_is_not_taken_for_still() -> None:
    def both(first: int, still: int, grown: int, place: Place) -> Counts:
        found = counts({"storms": first}, place)
        found.add(Count("Ethernet8", "storms", still, place, "show"))
        found.add(Count("Ethernet8", "fec_uncorrectable", grown, place, "show"))
        return found

    result = compare(Snapshot(both(9, 4, 1, EARLIER)), Snapshot(both(2, 4, 5, LATER)))
    assert result.growths["ethernet8"]["storms"].why is Why.RESET
    assert result.growths["ethernet8"]["fec_uncorrectable"].value == 4  # at least: it was counted since
    assert result.reset_ports == 1


def test_answers_of_different_commands_are_never_subtracted() -> None:
    before = Snapshot(counts({"pause_sent": 5}, EARLIER, source="show interface priority-flow-control"))
    after = Snapshot(counts({"pause_sent": 900}, LATER, source="show queuing interface"))
    assert of_one(before, after) == {}


def timed(values: dict[str, int | None], seconds: float, up: float | None, by: str = "date") -> Snapshot:
    found = counts(values, LATER)
    found.uptime = None if up is None else Uptime(up, 1)
    return Snapshot(found, MOMENT + timedelta(seconds=seconds), by, by != "file times")


@pytest.mark.parametrize(
    ("uptimes", "passed", "by", "restarted"),
    [
        ((1000, 1600), 600, "date", False),
        ((1000, 50), 600, "date", True),  # up for less time than before
        ((1000, 2000), 86_400, "date", True),  # up for longer, and not nearly by what the clock says
        ((1000, 2000), 86_400, "file times", False),  # files are copied: their times prove nothing
        ((None, 50), 600, "date", False),
        ((None, None), -600, "date", True),  # the snapshots are swapped
    ],
)
def test_a_restart_darkens_the_device(
    uptimes: tuple[float | None, float | None], passed: float, by: str, restarted: bool
) -> None:
    result = compare(timed({"storms": 1}, 0, uptimes[0], by), timed({"storms": 2}, passed, uptimes[1], by))
    assert result.restarted is restarted
    assert result.growths["ethernet0"]["storms"].is_known is not restarted


def test_more_than_a_port_can_count_in_that_time_is_unknown() -> None:
    result = compare(timed({"storms": 1}, 0, None), timed({"storms": 2**50}, 10, None))
    assert result.growths["ethernet0"]["storms"].why is Why.RESET


@pytest.mark.parametrize(
    ("earlier", "later", "seconds"),
    [("date", "date", 600.0), ("date", "file times", None), ("file times", "file times", 600.0)],
)
def test_time_is_told_only_between_times_of_one_kind(earlier: str, later: str, seconds: float | None) -> None:
    result: Compared = compare(timed({"storms": 1}, 0, None, earlier), timed({"storms": 2}, 600, None, later))
    assert result.seconds == seconds


def test_without_snapshots_nothing_is_compared() -> None:
    assert NOT_COMPARED.compared.value is False
    assert NOT_COMPARED.storms.why is Why.NOT_VISIBLE


@given(st.text(max_size=40))
def test_a_number_is_a_counter_or_none(text: str) -> None:
    value = number(text)
    assert value is None or (0 <= value <= MAX_COUNTER and text.replace(",", "").isdigit())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("1,204", 1204),
        (str(2**64 - 1), 2**64 - 1),
        (str(2**64), None),
        ("-1", None),
        ("1,20", None),
        ("1e3", None),
    ],
)
def test_numbers_as_devices_print_them(text: str, value: int | None) -> None:
    assert number(text) == value


@pytest.mark.parametrize(
    ("command", "text", "seconds"),
    [
        ("cat /proc/uptime", "86400.52 12345.01\n", 86_400),
        ("show version", "Kernel uptime is 1 day(s), 2 hour(s), 3 minute(s), 4 second(s)", 93_784),
        ("show version", "Uptime: 1 weeks, 2 days, 3 hours and 4 minutes", 788_640),
        ("show version", "Uptime: 10:12:13 up 3 days,  2:01,  1 user,  load average: 0.1", 266_460),
        ("show uptime", "up 2 minutes", 120),
        ("show version", "no word of it", None),
        ("cat /etc/motd", "up 2 minutes", None),
        ("cat /proc/sys/kernel/hostname /proc/uptime", "/proc/sys/kernel/hostname:h\n/proc/uptime:77.10 5.00\n", 77),
    ],
)
def test_uptimes_as_devices_print_them(command: str, text: str, seconds: float | None) -> None:
    found = uptime(Document("x.txt", text, command))
    assert (found.seconds if found is not None else None) == seconds


@pytest.mark.parametrize(("listed", "grown"), [("show", {"storms": 41}), ("another answer", {}), (None, {})])
def test_what_a_table_did_not_list_was_nothing(listed: str | None, grown: dict[str, int]) -> None:
    """Where its answer was given: a table that was never asked for says nothing."""
    before = counts({}, EARLIER)
    if listed is not None:
        before.add(Count("", "", 0, EARLIER, listed))
    assert of_one(Snapshot(before), Snapshot(counts({"storms": 41}, LATER))) == grown


@pytest.mark.parametrize(("path", "kept"), [("again.txt", 9), ("now.txt", 5)])
def test_of_two_answers_the_later_one_counts_and_of_two_lines_of_one_the_first(path: str, kept: int) -> None:
    found = counts({"storms": 5}, LATER)
    found.add(Count("Ethernet0", "storms", 9, Place(path, 7), "show"))
    found.add(Count("Ethernet0", "storms", 2, Place("old.txt", 7), "show"))
    assert [one.value for one in found.by_port["ethernet0"].values()] == [kept]
