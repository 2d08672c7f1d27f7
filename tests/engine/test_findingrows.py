"""Members and locations of findings, field by field."""

from dataclasses import replace

from roce_audit.engine.findingrows import FindingRows, without_rows
from roce_audit.engine.findings import Location, Member
from tests.report.report_samples import finding, report


def _member(number: int) -> Member:
    return Member(
        f"leaf1:Ethernet{number}", "leaf1", f"Ethernet{number}", "leaf1.cfg", number, f"{number:x}", "mtu=1500"
    )


def _location(path: str, line: int, text: str) -> Location:
    return Location(path, line, text, "related", "the far end", "", "port.ip_mtu_bytes")


def test_findings_are_what_they_were() -> None:
    several = finding(
        members=tuple(map(_member, (1, 2, 30))),
        locations=(_location("leaf1.cfg", 3, "mtu 1500"), _location("leaf2.cfg", 3, "mtu \ud800 9216")),
    )
    one = replace(several, members=several.members[:1], locations=several.locations[:1])
    whole = report(several, one, replace(one, members=(), locations=()))
    rows = FindingRows.read(FindingRows.of(whole).written())
    assert rows.put_into(without_rows(whole)) == whole
    assert not any(left.members or left.locations for left in without_rows(whole).findings)


def test_lines_that_are_quoted_are_found_by_their_places() -> None:
    some = [_location("leaf1.cfg", 3, "mtu 1500"), _location("leaf2.cfg", 3, "mtu 9216"), _location("leaf1.cfg", 9, "")]
    rows = FindingRows.of(report(finding(locations=tuple(some[:2])), finding(locations=tuple(some))))
    assert rows.quoted() == {"leaf1.cfg": {3: "mtu 1500", 9: ""}, "leaf2.cfg": {3: "mtu 9216"}}


def test_of_no_findings_there_are_no_rows() -> None:
    empty = FindingRows.read(FindingRows.of(report()).written())
    assert empty.put_into(report()) == report()
    assert empty.quoted() == {}
