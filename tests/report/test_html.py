"""The HTML report without a browser: self-contained, safe against hostile names, pictures to scale."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from report_samples import ROCE, finding, full, member, report
from site_samples import evil_site, site, thresholds

from roce_audit.engine.findings import Location, Report, UnreadLine
from roce_audit.report import Options, render
from roce_audit.report.drawing import Amount, Curve, DrawnDevice, Share, Step
from roce_audit.report.html.curves import curve, shares
from roce_audit.report.html.packetpath import packet_path
from roce_audit.report.html.svg import label, line, number, rect, short_bytes, ticks
from roce_audit.report.html.thresholds import thresholds as drawn
from roce_audit.report.html.topology import topology
from roce_audit.report.worst import Worst
from roce_audit.views.fabricdrawing import MOST, fabric_drawings

EVIL = "</script><img src=x onerror=alert(1)>\"'&<!--\x1b]0;x\x07"
NONE = Amount(None, "none")


def html(made: Report, **options: Any) -> str:
    return "".join(render("html", made, Options(**options)))


class Tags(HTMLParser):
    """All elements, and the texts of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside: dict[str, list[str]] = {"script": [], "style": []}
        self.open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.open = tag
        if tag in self.inside:
            self.inside[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        self.open = ""

    def handle_data(self, data: str) -> None:
        if self.open in self.inside:
            self.inside[self.open][-1] += data


def test_the_page_is_self_contained_and_only_its_script_may_run() -> None:
    page = Tags(html(full(), site=site()))
    policy = next(a["content"] or "" for t, a in page.tags if t == "meta" and "http-equiv" in a)
    assert "default-src 'none'" in policy
    for kind, text in (("style", page.inside["style"][0]), ("script", page.inside["script"][1])):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    loading = {"src", "srcset", "style", "action", "data", "poster"}
    assert not [(t, a) for t, a in page.tags if loading & set(a) or any(name.startswith("on") for name in a)]
    assert not [a for t, a in page.tags if t in ("link", "iframe", "object", "embed", "base")]
    links = [a["href"] or "" for t, a in page.tags if "href" in a]
    assert links
    assert all(link.startswith("#") for link in links)


def test_hostile_words_stay_words() -> None:
    bad = finding(
        device=EVIL,
        subject=EVIL,
        message=EVIL,
        title=EVIL,
        why=EVIL,
        members=(member(EVIL, 1, EVIL),),
        locations=(Location(EVIL, 1, EVIL, "primary", EVIL),),
    )
    coverage = replace(
        ROCE,
        unread=(UnreadLine(EVIL, 1, EVIL),),
        unreached=(EVIL,),
        unrecognised=((EVIL, EVIL),),
        notes=(EVIL,),
        blind=((EVIL, EVIL),),
    )
    fabric = replace(full().fabrics[0], name=EVIL, classes=(EVIL,))
    text = html(
        report(bad, coverage=coverage, fabrics=(fabric,), problems=(EVIL,), nothing_to_judge=(EVIL,), version=EVIL),
        site=evil_site(EVIL),
    )
    tags = Tags(text)
    assert [t for t, _ in tags.tags].count("script") == 2
    assert "img" not in {t for t, _ in tags.tags}
    assert "<img" not in text
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f]", text)
    data = json.loads(tags.inside["script"][0])
    assert "<img src=x" in data["findings"][0][5]
    assert data["pictures"]
    for svg in data["pictures"]:
        assert {e.tag.rpartition("}")[2] for e in ET.fromstring(svg).iter()} <= SVG


SVG = {"svg", "g", "a", "title", "text", "rect", "line", "path", "circle", "polygon", "polyline"}


def test_the_findings_and_the_picture_come_before_what_was_assumed_and_not_checked() -> None:
    text = html(full(), site=site())
    order = [text.index(words) for words in ("The worst findings", "The fabric", "Assumptions", "What was not checked")]
    assert order == sorted(order)
    for words in (
        "1 line not understood",
        "2 families not checked",
        "1 device not reached",
        "1 missing input that you can give",
    ):
        assert words in text


def test_long_lists_are_cut_with_a_count() -> None:
    unread = tuple(UnreadLine("l.cfg", i, "x") for i in range(250))
    text = html(report(coverage=replace(ROCE, unread=unread)))
    assert "250 lines not understood" in text
    assert "<summary>and 240 more</summary>" in text
    assert "<li>and 50 more</li>" in text
    places = tuple(Location("l.cfg", i, "x", "primary" if i < 30 else "related") for i in range(60))
    data = json.loads(Tags(html(report(finding(locations=places)))).inside["script"][0])
    assert len(data["findings"][0][9]) + data["findings"][0][10] == 60
    assert data["findings"][0][10] > 0


def test_consequences_point_at_their_cause() -> None:
    data = json.loads(Tags(html(full())).inside["script"][0])
    by_rule = {row[1]: row for row in data["findings"]}
    assert data["findings"][by_rule["mtu/below-roce"][8]][1] == "pfc/priority-off"
    assert by_rule["ets/zero"][7].startswith("suppressed until 2027-01-31: lab")
    assert by_rule["ecn/off"][2] == "unknown"


def box(svg: str, style: str) -> list[tuple[float, float]]:
    """(x, width) of the rectangles of a class."""
    return [
        (float(e.attrib["x"]), float(e.attrib["width"]))
        for e in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}rect")
        if e.attrib.get("class") == style and e.attrib.get("rx") != "0.0" and e.attrib["height"] != "10"
    ]


def test_the_thresholds_is_to_scale() -> None:
    svg = drawn(thresholds())
    (start, fill), (at, room), (head_at, head) = box(svg, "fill")[0], *box(svg, "room")
    ((low, ramp),) = box(svg, "ramp")
    assert at == pytest.approx(start + fill, abs=0.02)
    assert room / fill == pytest.approx(100_000 / 300_000, rel=1e-3)  # headroom over XOFF
    assert (low - start) / fill == pytest.approx(150_000 / 300_000, rel=1e-3)  # Kmin over XOFF
    assert ramp / fill == pytest.approx(450_000 / 300_000, rel=1e-3)
    needs = [box(svg, f"need-{i}")[0][1] for i in range(3)]
    assert sum(needs) / head == pytest.approx(133_534 / 100_000, rel=1e-3)
    ((short_at, short),) = box(svg, "short")
    assert short_at == pytest.approx(head_at + head, abs=0.02)
    assert short / head == pytest.approx(33_534 / 100_000, rel=1e-3)
    assert "33,534 B do not fit" in svg


def test_a_thresholds_without_numbers_says_why() -> None:
    nobody = Amount(None, "unknown (not visible)")
    svg = drawn(
        replace(thresholds(), xoff=nobody, headroom=nobody, needs=(), basis="not computed: cable length not known")
    )
    assert "XOFF unknown (not visible)" in svg
    assert "cable length not known" in svg
    assert "do not fit" not in svg
    assert drawn(replace(thresholds(), kmin=NONE, kmax=NONE, xoff=NONE, headroom=NONE, needs=())) == ""
    dynamic = drawn(replace(thresholds(), xoff=Amount(60e6, "at most 60,000,000 B"), dynamic="alpha 1 of a pool"))
    assert "XOFF 60 MB →" in dynamic
    assert "alpha 1 of a pool" in dynamic


def test_the_curve() -> None:
    found = Curve("yes", Amount(150e3, "150,000 B"), Amount(1.5e6, "1,500,000 B"), Amount(10, "10 %"))
    points = re.search(r'<polyline points="([^"]+)" class="curve-line"', curve(found))
    assert points is not None
    (x0, y0), (x1, y1), (x2, y2), (x3, y3), _ = [tuple(map(float, p.split(","))) for p in points[1].split()]
    assert (x2 - x0) / (x1 - x0) == pytest.approx(10, rel=1e-2)
    assert (y0, x2) == (y1, x3)
    assert (y0 - y2) / (y0 - y3) == pytest.approx(0.1, rel=1e-2)
    assert "Kmin is above Kmax" in curve(replace(found, kmin=Amount(2e6, "")))
    assert "drawn as 100 %" in curve(replace(found, pmax=Amount(None, "none")))
    assert "they do not mark" in curve(replace(found, marks="no"))
    assert curve(replace(found, kmin=NONE)) == ""


def test_shares_and_packet_path() -> None:
    found = (
        Share(0, False, Amount(20.0, "20"), ()),
        Share(3, False, Amount(80.0, "80"), ("roce",)),
        Share(6, True, Amount(None, "strict"), ("cnp",)),
    )
    svg = shares(found, "weights")
    ((_, roce),) = box(svg, "share carries")
    ((_, rest),) = box(svg, "share shade-0")
    assert (roce + 1.5) / (rest + 1.5) == pytest.approx(4, rel=1e-3)
    assert "Q6 strict" in svg
    assert shares((), "") == ""
    rows = [(name, (Step("queue", "queue 3", "known"), Step("PFC", "off", "bad"))) for name in ("leaf1", "spine1")]
    assert packet_path(rows).count('class="step bad"') == 2
    assert packet_path([]) == ""


def test_a_large_fabric_is_put_together() -> None:
    devices = [DrawnDevice(f"spine{i}", "switch", "eos", "f", 2, "", "", "", 60) for i in range(4)]
    devices += [DrawnDevice(f"leaf{i}", "switch", "eos", "f", 1, "", "", "", 20) for i in range(60)]
    devices += [DrawnDevice(f"gpu{i}", "host", "linux", "f", 0, "", "", "", 1) for i in range(960)]
    device_of: dict[str, str] = {}
    links: list[tuple[str, str]] = []

    def port(device: str, name: str) -> str:
        device_of[f"{device}:{name}"] = device
        return f"{device}:{name}"

    for i in range(60):
        links += [(port(f"leaf{i}", f"u{s}"), port(f"spine{s}", f"d{i}")) for s in range(4)]
    for i in range(960):
        links.append((port(f"leaf{i // 16}", f"d{i}"), port(f"gpu{i}", "e0")))
    worst = Worst({"leaf7:d112": "error"}, {"leaf7:d112": "error"}, {"leaf7": "error"})
    (fabric,) = fabric_drawings(devices, links, device_of, worst)
    svg = topology(fabric)
    assert svg.count('class="box') <= 3 * MOST
    assert svg.count('class="edge error"') == 1
    assert "1,024 devices, 1,200 links" in svg
    assert 'href="#/port/leaf7%3Ad112"' in svg


def test_devices_without_known_links_stand_in_rows() -> None:
    devices = tuple(DrawnDevice(f"leaf{i}", "switch", "eos", "f", 1, "", "", "", 0) for i in range(20))
    (fabric,) = fabric_drawings(devices, (), {}, Worst({}, {}, {}))
    svg = topology(fabric)
    assert svg.count('class="box none"') == 20
    assert len(set(re.findall(r'<rect x="14" y="([0-9.]+)"', svg))) == 3


def test_numbers() -> None:
    assert [short_bytes(n) for n in (0, 84, 150_000, 1_048_576, 2.5e9)] == [
        "0 B",
        "84 B",
        "150 kB",
        "1.05 MB",
        "2.5 GB",
    ]
    assert ticks(100) == [0, 20, 40, 60, 80, 100]
    assert ticks(0) == [0]
    assert [number(n) for n in (-0.0, 0.0, -0.001, 0, 1, 1.0, 1.005, -2.5, 100.0)] == [
        *("0", "0", "0", "0", "1", "1", "1", "-2.5", "100"),
    ]


def test_shapes_are_elements_of_their_own_and_words_in_them_are_escaped() -> None:
    assert label(1, 2, "<a>", anchor='"', class_="&") == (
        '<text x="1" y="2" text-anchor="&quot;" class="&amp;">&lt;a&gt;</text>'
    )
    assert label(1, 2, "") == '<text x="1" y="2" text-anchor="start"/>'
    assert rect(1.5, 2, -3, 4, '"') == '<rect x="1.5" y="2" width="0" height="4" rx="2" class="&quot;"/>'
    assert line(1, 2, 3, 4, "<") == '<line x1="1" y1="2" x2="3" y2="4" class="&lt;"/>'


def test_the_page_of_a_large_fleet_names_the_devices_of_ports_that_it_does_not_list() -> None:
    failed = finding(members=(member("Ethernet1/3", 57),))
    doubt = finding(
        rule="ecn/pmax-low", verdict="unknown", members=tuple(member(f"Ethernet1/{i}", 1) for i in (1, 2, 3))
    )
    whole = site()
    listed = tuple(port for port in whole.ports if port.id == "leaf1:Ethernet1/3")
    elsewhere = {port.id: port.device for port in whole.ports if port not in listed}
    large = replace(whole, ports=listed, elsewhere=elsewhere)
    data = json.loads(Tags(html(report(failed, doubt), site=large)).inside["script"][0])
    assert [row[0] for row in data["ports"]] == ["leaf1:Ethernet1/3"]
    assert [row[-1] for row in data["devices"]] == [8, 1]
    assert {row[1]: row[11] for row in data["findings"]} == {"pfc/priority-off": [0], "ecn/pmax-low": ["leaf1", 0]}
    assert len(data["drawings"]) == 1


def test_what_is_drawn_of_ports_is_bounded_and_the_worst_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = site()
    ports = [replace(port, drawing=index) for index, port in enumerate(whole.ports)]
    distinct = tuple(
        replace(whole.drawings[0], shares=(), paths=whole.drawings[0].paths[: index % 2]) for index in range(len(ports))
    )
    many = replace(whole, ports=tuple(ports), drawings=distinct)

    def drawn(most: int) -> dict[str, int]:
        monkeypatch.setattr("roce_audit.report.html.data.MOST_DRAWN", most)
        failed = finding(members=(member("Ethernet1/2", 57),))
        data = json.loads(Tags(html(report(failed), site=many)).inside["script"][0])
        assert len(data["drawings"]) == sum(number >= 0 for number in data["drawing_of"])
        return {row[0]: number for row, number in zip(data["ports"], data["drawing_of"], strict=True)}

    assert min(drawn(10_000_000).values()) == 0
    few = drawn(500)
    assert few["leaf1:Ethernet1/2"] == 0
    assert sorted(set(few.values())) == [-1, 0]
    monkeypatch.setattr("roce_audit.report.html.data.LARGEST", 0)
    assert set(drawn(10_000).values()) == {-1}  # the other lists alone fill the page


def test_what_reads_alike_at_many_ports_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = site()
    (path,) = whole.drawings[0].paths
    assert path.thresholds is not None
    cables = [replace(path.thresholds, pays=f"pays for {n} m of cable") for n in range(8)]
    drawings = tuple(replace(whole.drawings[0], paths=(replace(path, thresholds=cable),)) for cable in cables)
    ports = tuple(replace(port, drawing=n % 8) for n, port in enumerate(whole.ports))
    made: list[object] = []
    monkeypatch.setattr("roce_audit.report.html.data.curve", lambda found: made.append(found) or curve(found))
    data = json.loads(Tags(html(report(), site=replace(whole, ports=ports, drawings=drawings))).inside["script"][0])
    assert len(data["drawings"]) == 8
    assert len(data["pictures"]) == 3 + 8
    assert len(made) == 1
