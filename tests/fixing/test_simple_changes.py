"""Changes of one value or two: swapped thresholds, a GID index, watchdogs; how they are typed, and why there is none."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from roce_audit.fixing import rendering
from roce_audit.fixing.planning import plan
from roce_audit.platforms.repair import Edit, each_line_once, reworded
from roce_audit.proof.examples import case_tree
from roce_audit.proof.exampletext import ExampleSet
from tests.fixing.test_plan import EXAMPLES, lay_out, site

RULE = "ecn/min-above-max"
FABRIC = Path(__file__).parents[2] / "fixtures" / "fabric"


@pytest.mark.parametrize("found", [one for one in EXAMPLES if one.rule == RULE], ids=lambda found: found.platform)
def test_the_smaller_threshold_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: ExampleSet) -> None:
    monkeypatch.chdir(tmp_path)
    tree = dict(case_tree(found, found.bad[0]).tree)
    lay_out(tmp_path, {name: text for name, text in tree.items() if not name.startswith("leaf2")})
    done = plan(site(tmp_path, select=(RULE,)))
    (one,) = done.fixed
    assert not done.left
    assert "swapped" in one.proposal.how or "similar port" in one.proposal.how


def test_a_word_that_is_there_twice_stays() -> None:
    assert reworded(("random-detect", "10", "3"), {"3": "10", "10": "3"}) == ("random-detect", "3", "10")
    assert reworded(("queue", "3", "low", "10", "high", "3"), {"3": "10", "10": "3"}) == ()
    assert reworded(("ecn", "on"), {"3": "10"}) == ()


def test_json_on_one_line_is_written_line_by_line_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(FABRIC, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    for number in (1, 2):
        database = Path("backend/leaf2/config_db.json")
        text = re.sub(r'"xoff": "\d{6}"', '"xoff": "20000"', database.read_text())
        database.write_text(json.dumps(json.loads(text), indent=2 if number == 1 else None))
        found = plan(site(tmp_path, select=("buffer/headroom-below-floor",)))
        advice = "backend/leaf2/config_db.json holds everything on one line: write it line by line first (python3 -m json.tool)"
        assert [why for _, why in found.left] == ([] if number == 1 else [advice])
        assert bool(found.fixed) is (number == 1)


def test_the_index_of_a_gid_that_routes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a host without a similar one, too: its own GID table has the index."""
    gpu = tmp_path / "gpu1"
    shutil.copytree(FABRIC / "backend" / "gpu1", gpu)
    monkeypatch.chdir(tmp_path)
    (gpu / "env.txt").write_text((gpu / "env.txt").read_text().replace("NCCL_IB_GID_INDEX=3", "NCCL_IB_GID_INDEX=2"))
    found = plan(site(tmp_path, select=("app/gid-not-roce-v2",)))
    assert not found.left
    assert any(line.strip().startswith("NCCL_IB_GID_INDEX=3 ") for line in rendering.text(found))


def test_a_watchdog_that_is_off_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (FABRIC / "backend" / "spine1.cfg").read_text()
    off = text.replace(
        "priority-flow-control watch-dog-interval on\nclass-map",
        "priority-flow-control watch-dog-interval off\nclass-map",
    )
    assert off != text
    (tmp_path / "spine1.cfg").write_text(off)
    monkeypatch.chdir(tmp_path)
    (one,) = plan(site(tmp_path, select=("pfc/watchdog-off",))).fixed
    assert [change.do for _, change in one.proposal.changes] == [("priority-flow-control watch-dog-interval on",)]


def test_the_changes_of_a_database_are_one_patch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A patch is checked, and its services are loaded anew, once; what the ports watch is what they pause."""
    shutil.copytree(FABRIC / "backend" / "leaf2", tmp_path / "leaf2")
    monkeypatch.chdir(tmp_path)
    database = Path("leaf2/config_db.json")
    watched = database.read_text().replace('"pfcwd_sw_enable": "3"', '"pfcwd_sw_enable": "4"')
    database.write_text(watched)
    lines = list(rendering.text(plan(site(tmp_path, select=("pfc/watchdog-incomplete",)))))
    (begins,) = [n for n, line in enumerate(lines) if line.startswith("   echo")]
    (ends,) = [
        n for n, line in enumerate(lines) if line.endswith(" apply-patch /dev/stdin") and not line.startswith("   #")
    ]
    command = "".join(line.strip() for line in lines[begins : ends + 1])
    patch = json.loads(command.removeprefix("echo '").partition("'")[0])
    assert len(patch) == watched.count("pfcwd_sw_enable") > 1
    assert {(one["op"], one["value"]) for one in patch} == {("replace", "3")}


def test_two_nics_of_one_line_are_changed_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`ip -j` prints all links on one line, with which the answer begins."""
    shutil.copytree(FABRIC / "backend" / "gpu1", tmp_path / "gpu1")
    monkeypatch.chdir(tmp_path)
    links = Path("gpu1/ip_-j_-d_link_show.json")
    links.write_text(json.dumps(json.loads(links.read_text().replace('"mtu": 9000', '"mtu": 1500'))))
    sysfs = Path("gpu1/sysfs.txt")
    sysfs.write_text(sysfs.read_text().replace("/mtu:9000", "/mtu:1500"))
    found = plan(site(tmp_path, select=("mtu/below-roce",)))
    assert not found.left
    typed = {line.strip() for line in rendering.text(found)}
    assert {"ip link set dev ens11np0 mtu 9000", "ip link set dev ens12np0 mtu 9000"} <= typed


def test_words_of_one_line_are_rewritten_together() -> None:
    old = "a 10, b 10, c 10"
    one, two = (Edit("f", 1, old, new) for new in ("a 9000, b 10, c 10", "a 10, b 10, c 11"))
    for order in ((one, two), (two, one)):
        assert list(each_line_once(order)) == [Edit("f", 1, old, "a 9000, b 10, c 11")]
    other = Edit("f", 1, old, "a 90, b 10, c 10")
    assert list(each_line_once((one, other))) == [one, other], "they contradict each other"
    assert list(each_line_once((one, one))) == [one]
    added, grown = Edit("f", 1, None, "d 10"), Edit("f", 1, old, f"{old} ecn")
    assert list(each_line_once((added, added, grown))) == [added, grown]
