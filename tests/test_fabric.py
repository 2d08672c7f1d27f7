"""Whole fabrics through the command line: the clean tree is quiet, the faulty one has its six faults and nothing else."""

from __future__ import annotations

import contextlib
import filecmp
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from roce_audit.cli.main import main

FIXTURES = Path(__file__).parent.parent / "fixtures"
CLEAN = FIXTURES / "fabric"
FAULTY = FIXTURES / "fabric-faulty"

FAULTS = {
    "app/traffic-outside-class": ("error", "backend/gpu2/env.txt", "NCCL_IB_TC=26"),
    "buffer/headroom-below-floor": ("error", "backend/leaf2/config_db.json", '"xoff": "113664",'),
    "ecn/off-on-lossless-queue": ("warning", "storage/tor2.cfg", "interface Ethernet1/1"),
    "marking/class-broken-in-box": (
        "error",
        "backend/gpu4/mlnx_qos_-i_ens12np0_-a.txt",
        "Priority trust state: pcp",
    ),
    "mtu/below-roce": ("error", "backend/leaf1.cfg", "interface Ethernet3/1"),
    "pfc/priority-off": ("error", "backend/spine1.cfg", "priority-flow-control mode off"),
}
"""Rule -> severity, file, and the statement that the finding must point at."""
ALSO_CHANGED = {"marking/class-broken-in-box": ("backend/gpu4/sysfs.txt",)}
"""Further files that tell of the same fault."""
LOUD = ("error", "warning")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The program as a user runs it."""
    return subprocess.run(
        [sys.executable, "-m", "roce_audit.cli.main", *arguments],
        cwd=FIXTURES.parent,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(FIXTURES.parent), "COLUMNS": "100"},
    )


def report(tree: Path) -> dict[str, Any]:
    """The JSON report of one tree, with paths as they lie in it."""
    with contextlib.chdir(tree), contextlib.redirect_stdout(io.StringIO()) as printed:
        code = main(["check", ".", "-f", "json"])
    assert code in (0, 1), printed.getvalue()[-2000:]
    return json.loads(printed.getvalue())


def causes(found: dict[str, Any]) -> list[tuple[str, str, str, int]]:
    """(rule, severity, path, line) of every finding at warning or above that is no consequence of another."""
    rows = []
    for finding in found["findings"]:
        if finding["verdict"] == "fails" and finding["because_of"] is None and finding["severity"] in LOUD:
            first = next(place for place in finding["locations"] if place["role"] == "primary")
            rows.append((finding["rule"], finding["severity"], first["path"], first["line"]))
    return sorted(rows)


def line_of(path: str, statement: str) -> int:
    """Line of the statement in the faulty tree, where it is first said."""
    faulty = (FAULTY / path).read_text(encoding="utf-8").splitlines()
    return 1 + next(number for number, text in enumerate(faulty) if text.strip() == statement)


def expected(without: str = "") -> list[tuple[str, str, str, int]]:
    """The causes of the faulty tree, but for one that was fixed."""
    rows = [
        (rule, severity, path, line_of(path, statement))
        for rule, (severity, path, statement) in FAULTS.items()
        if rule != without
    ]
    return sorted(rows)


@pytest.fixture(scope="module")
def clean() -> dict[str, Any]:
    return report(CLEAN)


@pytest.fixture(scope="module")
def faulty() -> dict[str, Any]:
    return report(FAULTY)


def test_clean_tree_is_quiet(clean: dict[str, Any]) -> None:
    loud = [f for f in clean["findings"] if f["severity"] in LOUD]
    assert loud == []
    assert clean["checks"]["passed"] > 500, "quiet because nothing was judged?"


def test_clean_tree_is_seen_whole(clean: dict[str, Any]) -> None:
    """5 switches of the two RoCE fabrics and one without RoCE, 4 hosts; 18 cables; every RoCE port known as such."""
    coverage = clean["coverage"]
    assert (coverage["devices"], coverage["links"], coverage["links_one_end"]) == (10, 18, 0)
    assert coverage["nics"] == 4 * 4
    back_end_links, storage_ports = 4 * 2 + 2 * 2, 2 * 4
    assert coverage["ports_roce"]["yes"] == 2 * back_end_links + storage_ports
    assert coverage["ports_roce"]["undecided"] == 0
    assert (coverage["lines_unread"], coverage["unread"], coverage["unrecognised"]) == (0, [], [])


def test_class_of_the_back_end_is_inferred(clean: dict[str, Any]) -> None:
    inferred = clean["policy"]["inferred"].items()
    back_end = {key.split()[0]: entry["value"] for key, entry in inferred if entry["fabric"] == "backend"}
    assert back_end["roce.priority"] == [3]
    assert back_end["roce.dscp"] == [26]


def test_faulty_tree_differs_only_in_its_faults() -> None:
    """The two trees may not drift apart: whatever else is changed is changed in both."""
    names = {p.relative_to(CLEAN).as_posix() for p in CLEAN.rglob("*") if p.is_file()}
    assert names == {p.relative_to(FAULTY).as_posix() for p in FAULTY.rglob("*") if p.is_file()}
    different = {name for name in names if not filecmp.cmp(CLEAN / name, FAULTY / name, shallow=False)}
    assert different == {path for _, path, _ in FAULTS.values()} | {p for more in ALSO_CHANGED.values() for p in more}


def test_faulty_tree_has_its_six_faults(faulty: dict[str, Any]) -> None:
    assert causes(faulty) == expected()
    assert (faulty["summary"]["error"], faulty["summary"]["warning"]) == (5, 1)


def test_every_consequence_names_its_cause(faulty: dict[str, Any]) -> None:
    fingerprints = {f["fingerprint"] for f in faulty["findings"] if f["because_of"] is None}
    consequences = [f for f in faulty["findings"] if f["because_of"] is not None]
    assert consequences, "priority-off must have one: the ends of the link disagree"
    assert {f["because_of"] for f in consequences} <= fingerprints


@pytest.mark.parametrize("rule", FAULTS)
def test_mending_one_fault_leaves_the_others(rule: str, tmp_path: Path) -> None:
    tree = tmp_path / "fabric"
    shutil.copytree(FAULTY, tree)
    for path in (FAULTS[rule][1], *ALSO_CHANGED.get(rule, ())):
        shutil.copy(CLEAN / path, tree / path)
    assert causes(report(tree)) == expected(without=rule)


@pytest.mark.parametrize("rule", FAULTS)
def test_breaking_one_thing_gives_one_fault(rule: str, tmp_path: Path) -> None:
    tree = tmp_path / "fabric"
    shutil.copytree(CLEAN, tree)
    for path in (FAULTS[rule][1], *ALSO_CHANGED.get(rule, ())):
        shutil.copy(FAULTY / path, tree / path)
    assert causes(report(tree)) == [row for row in expected() if row[0] == rule]


@pytest.mark.parametrize("form", ["text", "concise", "json"])
def test_every_format_shows_the_six(form: str) -> None:
    done = run("check", "fixtures/fabric-faulty", "-f", form)
    assert done.returncode == 1
    for rule, _, path, line in expected():
        assert rule in done.stdout
        place = f"fixtures/fabric-faulty/{path}"
        assert place in done.stdout if form == "json" else f"{place}:{line}" in done.stdout


def test_exit_codes_of_the_trees() -> None:
    assert run("check", "fixtures/fabric").returncode == 0
    assert run("check", "fixtures/fabric", "--fail-on", "warning").returncode == 0
    assert run("check", "fixtures/fabric-faulty", "--fail-on", "never").returncode == 0


def test_one_file_is_judged_with_its_fabric_as_context() -> None:
    """As a pre-commit hook runs it: one path, the rest of the policy's folder is only read."""
    found = json.loads(run("check", "fixtures/fabric-faulty/backend/leaf1.cfg", "-f", "json").stdout)
    assert found["coverage"]["devices"] == 1
    assert found["coverage"]["context"]["files"] > 50
    rules = {row[0] for row in causes(found)}
    assert "mtu/below-roce" in rules
    assert not rules & {"buffer/headroom-below-floor", "ecn/off-on-lossless-queue", "marking/class-broken-in-box"}


def test_readme_shows_real_output() -> None:
    """What each finding in the README's output says, and where, is what the program prints today."""
    readme = (FIXTURES.parent / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"<!-- output: check fixtures/fabric-faulty -->\n```\n(.*?)\n```", readme, re.S)
    assert shown is not None
    printed = run("check", "fixtures/fabric-faulty").stdout
    heads = [block[: block.index("\n", block.index("-->"))] for block in shown.group(1).split("\n\n") if "-->" in block]
    assert len(heads) == 2
    for head in heads:
        assert head in printed


def test_one_contradiction_on_several_hosts_is_told_once(tmp_path: Path) -> None:
    tree = tmp_path / "fabric"
    shutil.copytree(CLEAN, tree)
    for host in ("gpu1", "gpu2"):
        state = tree / "backend" / host / "sysfs.txt"
        state.write_text(state.read_text().replace("ens11np0/qos/trust:dscp", "ens11np0/qos/trust:pcp"))
    (told,) = [one for one in report(tree)["findings"] if one["rule"] == "input/conflict"]
    assert [one["id"].partition(":")[0] for one in told["members"]] == ["gpu1", "gpu2"]
    places = {(where["path"], where["role"]) for where in told["locations"]}
    for host in ("gpu1", "gpu2"):
        assert {(f"backend/{host}/sysfs.txt"), f"backend/{host}/mlnx_qos_-i_ens11np0_-a.txt"} <= {p for p, _ in places}
