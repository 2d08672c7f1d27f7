"""Fixes are proved: what they change is changed on disk here, and everything judged again from the files."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from roce_audit import platforms
from roce_audit.audit import Request, check
from roce_audit.engine.findings import SEVERITIES, Report
from roce_audit.engine.rules.rulepack import builtin_folder, load
from roce_audit.fixing import rendering
from roce_audit.fixing.planning import Plan, plan
from roce_audit.policy import Policy
from roce_audit.policy import load as load_policy
from roce_audit.proof.examples import case_tree, collect

FIXTURES = Path(__file__).parents[2] / "fixtures"
FIXES = Path(__file__).parents[2] / "docs" / "reference" / "fixes.md"
RULES = load([builtin_folder()])
EXAMPLES = collect(RULES)
TODAY = date(2026, 1, 1)
WRITING = [
    one.name
    for one in platforms.every()
    if one.name != "mlnx" and (one.load().repairs is not None or one.is_nic_family)
]
"""Platforms that write changes; the examples of mlnx are those of its host."""
ON_SWITCHES = {"mtu/below-roce", "pfc/priority-off", "ecn/off-on-lossless-queue", "marking/class-broken-in-box"}
ON_HOSTS = {"mtu/below-roce", "pfc/priority-off", "ets/sum-not-100"}
WANTED = {
    "os9": {"mtu/below-roce", "pfc/priority-off", "fleet/odd-port-out"},
    "picos": {"mtu/below-roce", "pfc/priority-off", "marking/class-broken-in-box"},
    "linux": {"pfc/link-pause-on", *ON_HOSTS},
    **dict.fromkeys(("bnxt", "irdma", "ionic"), ON_HOSTS),
}
EVERY_FIX = "ROCE_AUDIT_EVERY_FIX" in os.environ
"""Whether all examples are run; else every fourteenth one beside those of the rules that are wanted."""


def site(folder: Path, **more: object) -> Request:
    policy = folder / "roce-audit.yaml"
    return Request((".",), load_policy(policy) if policy.exists() else Policy.empty(), rules=RULES, today=TODAY, **more)  # type: ignore[arg-type]


def failing(report: Report, severities: Iterable[str] = SEVERITIES) -> set[str]:
    failing = (f for f in report.findings if f.verdict == "fails" and f.severity in severities)
    return {m.fingerprint for f in failing for m in f.members}


def lay_out(folder: Path, tree: dict[str, str]) -> None:
    for name, text in tree.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


@pytest.fixture
def faulty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(FIXTURES / "fabric-faulty", tmp_path / "site")
    monkeypatch.chdir(tmp_path / "site")
    return tmp_path / "site"


def test_the_faulty_fabric_is_fixed_as_a_whole(faulty: Path) -> None:
    before = check(site(faulty)).report
    found = plan(site(faulty))
    assert found.left == ()
    lay_out(faulty, dict(found.after))
    after = check(site(faulty)).report
    assert failing(before)
    # what a tool changes holds until the next boot
    assert {finding.rule for finding in after.findings if finding.verdict == "fails"} == {"fleet/boot-sets-part"}


def test_both_ends_of_a_link_are_changed_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each end alone would only drop what the other sends: no change of one end proves out."""
    shutil.copytree(FIXTURES / "fabric", tmp_path / "site")
    monkeypatch.chdir(tmp_path / "site")
    for name, port in (("leaf1.cfg", "Ethernet33/1"), ("spine1.cfg", "Ethernet1/1")):
        file = Path("backend", name)
        head, stanza, rest = file.read_text().partition(f"\ninterface {port}\n")
        file.write_text(head + stanza + rest.replace("mtu 9214", "mtu 1500", 1))
    found = plan(site(tmp_path / "site"))
    assert found.left == ()
    (one,) = found.fixed
    rules = [(f.rule, f.device) for f in one.findings]
    assert rules == [("mtu/below-roce", "leaf1"), ("mtu/below-roce", "spine1"), ("fleet/odd-port-out", "spine1")]
    assert [device for device, _ in one.proposal.changes] == ["leaf1", "spine1"]
    text = "\n".join(rendering.text(found))
    assert text.index("   #   together with spine1\n") < text.index("spine1 (nxos)\n")
    assert "   # mtu/below-roce: leaf1 Ethernet33/1, as on the similar port" in text[text.index("spine1 (nxos)\n") :]
    lay_out(tmp_path / "site", dict(found.after))
    assert failing(check(site(tmp_path / "site")).report) == set()


def test_the_patch_applies(faulty: Path) -> None:
    found = plan(site(faulty))
    assert "headroom of the priority group: 589,824 B, what the rule asks for" in "\n".join(rendering.text(found))
    text = "\n".join(rendering.patch(found)) + "\n"
    subprocess.run(["git", "apply", "-"], input=text, text=True, check=True, cwd=faulty)
    patched = {path for path in found.after if f"--- a/{path}\n" in text}
    assert {path.rpartition("/")[2] for path in patched} == {"leaf1.cfg", "spine1.cfg", "tor2.cfg", "config_db.json"}
    for path in patched:
        assert (faulty / path).read_text() == found.after[path]
    hosts = {path for path in found.after if path not in patched}
    assert all(f"# {path}: shows the change, and is no place to make it" in text for path in hosts)
    assert hosts


def test_commands_come_device_by_device_with_the_way_back(faulty: Path) -> None:
    text = "\n".join(rendering.text(plan(site(faulty))))
    assert "leaf1 (eos)\n" in text
    assert "   configure\n   interface Ethernet3/1\n   mtu 9214\n   end\n   write memory\n" in text
    assert "   #   interface Ethernet3/1\n   #   no mtu 9214\n" in text
    until_boot = "   # until the next boot only: say it where the host sets itself up as well\n"
    assert f"   mlnx_qos -i ens12np0 --trust dscp\n{until_boot}" in text
    assert text.count(until_boot) == 1, "the environment of a job stays"
    assert "# pfc/priority-off: Ethernet1/2, as" in text
    assert "# pfc/priority-mismatch" not in text, "what follows from a cause is counted"
    assert "   #   also ends 3 findings that follow from this\n" in text
    # what sends comes after what accepts, and that after the buffers
    assert text.index("leaf2 (sonic)") < text.index("spine1 (nxos)") < text.index("gpu4 (linux)")


def test_a_rendered_file_names_its_template(faulty: Path) -> None:
    policy = faulty / "roce-audit.yaml"
    policy.write_text(policy.read_text() + 'paths: {"backend/leaf1.cfg": {rendered_from: "templates/leaf.j2"}}\n')
    found = plan(site(faulty))
    assert "# backend/leaf1.cfg is rendered: change the template templates/leaf.j2" in list(rendering.patch(found))
    assert not any(line.startswith("--- a/backend/leaf1.cfg") for line in rendering.patch(found))


def test_only_what_is_selected_is_fixed_and_everything_is_judged(faulty: Path) -> None:
    found = plan(site(faulty, select=("pfc/priority-off",)))
    assert [f.rule for one in found.fixed for f in one.findings] == ["pfc/priority-off"]
    assert set(found.after) == {"backend/spine1.cfg"}


def test_standard_input_is_not_changed(faulty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    data = (faulty / "backend/leaf1.cfg").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    found = plan(Request(("-",), Policy.empty(), rules=RULES, today=TODAY))
    assert found.after == {}


def test_a_failure_does_not_go_away_because_nobody_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one lossless port of a lone switch: without its PFC it would carry no RoCE, and nothing would be wrong."""
    (found,) = [s for s in EXAMPLES if (s.rule, s.platform) == ("mtu/below-roce", "eos")]
    lay_out(tmp_path, dict(case_tree(found, found.bad[0]).tree))
    monkeypatch.chdir(tmp_path)
    whole = plan(site(tmp_path))
    assert whole.fixed
    removed = [e for one in whole.fixed for _, c in one.proposal.changes for e in c.edits if e.new is None]
    assert not any("priority-flow-control" in (edit.old or "") for edit in removed)


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("   priority-flow-control on\n", "", "pfc/no-drop-without-pfc"),
        ("priority 3 no-drop", "priority 3 drop", "pfc/priority-without-buffer"),
        ("minimum-threshold 500 kbytes", "minimum-threshold 500 mbytes", "ecn/min-above-max"),
    ],
)
def test_what_guards_the_class_is_not_taken_away(
    old: str, new: str, rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lone switch: with the other half of the setting gone as well nothing would contradict itself, and nothing pause."""
    monkeypatch.chdir(tmp_path)
    text = (FIXTURES / "fabric" / "backend" / "leaf1.cfg").read_text()
    assert old in text
    Path("leaf1.cfg").write_text(text.replace(old, new))
    found = plan(site(tmp_path))
    assert found.fixed == ()
    assert [finding.rule for finding, _ in found.left] == [rule]


@pytest.mark.parametrize("platform", WRITING)
def test_every_printed_fix_of_every_example_proves_out_on_disk(
    platform: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = WANTED.get(platform, ON_SWITCHES)
    fixed: set[str] = set()
    ran: Counter[str] = Counter()
    proved: Counter[str] = Counter()
    for count, (rule, title, tree) in enumerate(bad_examples(platform)):
        if rule not in wanted and count % 14 and not EVERY_FIX:
            continue
        ran[rule] += 1
        folder = tmp_path / str(count)
        lay_out(folder, tree)
        monkeypatch.chdir(folder)
        result: Plan = plan(site(folder, select=(rule,)))
        if not result.fixed:
            continue
        before = check(site(folder)).report
        lay_out(folder, dict(result.after))
        after = check(site(folder)).report
        claimed = {m.fingerprint for one in result.fixed for f in one.findings for m in f.members}
        assert claimed.isdisjoint(failing(after)), (rule, title)
        is_remark = all(f.severity == "info" for one in result.fixed for f in one.findings)
        worse = failing(after, SEVERITIES if is_remark else ("error", "warning"))
        left = {new.fingerprint for one in result.fixed for new in one.brings}
        assert worse <= failing(before) | left, (rule, title)
        assert all(change.do and change.undo for one in result.fixed for _, change in one.proposal.changes)
        fixed.add(rule)
        proved[rule] += 1
    assert wanted <= fixed
    told = page_says(platform)
    for rule in ran if EVERY_FIX else wanted:
        assert told.get(rule, f"0/{ran[rule]}") == f"{proved[rule]}/{ran[rule]}", f"{rule}: run python docs/fixes.py"


def page_says(platform: str) -> dict[str, str]:
    """Rule -> `fixed/examples` of this platform, as docs/reference/fixes.md has it."""
    head, _, *rows = [line for line in FIXES.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    column = [name.strip() for name in head.split("|")].index(platform)
    found = {}
    for row in rows:
        cells = [cell.strip() for cell in row.split("|")]
        if cells[column]:
            found[cells[1][1:].partition("]")[0]] = cells[column].partition(" ")[0]
    return found


def bad_examples(platform: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """(rule, title, files) of every bad example of a platform, but those about the reading itself."""
    for found in EXAMPLES:
        if found.platform == platform and not found.rule.startswith("input/"):
            for example in found.bad:
                yield found.rule, example.title, dict(case_tree(found, example).tree)


def test_a_fix_says_whether_a_source_calls_it_safe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marks: dict[str, bool] = {}
    for rule, title, tree in bad_examples("cumulus"):
        if rule in ("ecn/probability-zero", "pfc/watchdog-off") and rule not in marks:
            folder = tmp_path / rule.replace("/", "-")
            lay_out(folder, tree)
            monkeypatch.chdir(folder)
            found = plan(site(folder, select=(rule,)))
            text = "\n".join(rendering.text(found))
            (one,) = rendering.plain(found)["fixed"]  # type: ignore[misc, attr-defined]
            marks[rule] = one["safe"]
            assert ("#   safe: Cumulus Linux User Guide" in text) is one["safe"], title
            assert ("#   disruptive: no source says" in text) is not one["safe"], title
    assert marks == {"ecn/probability-zero": True, "pfc/watchdog-off": False}


def test_no_port_is_shut_to_fix_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a spare port has more than the faulty one is that it is switched off."""
    lay_out(tmp_path, {"tor1.cfg": SPARE_PORT, "roce-audit.yaml": "roce: {dscp: [26], priority: [3]}\n"})
    monkeypatch.chdir(tmp_path)
    (one,) = plan(site(tmp_path, select=("pfc/priority-without-buffer",))).fixed
    ((_, change),) = one.proposal.changes
    assert change.do == ("interface ethernet1/1/1", "no priority-flow-control mode")


SPARE_PORT = """! Version 10.5.4.5
! Last configuration change at Mar  03 10:11:12 2025
!
hostname tor1
!
class-map type network-qos C
 match qos-group 3
!
policy-map type network-qos P
 !
 class C
  pause
  pfc-cos 3
!
interface ethernet1/1/1
 description "to BMC switch"
 no shutdown
 no switchport
 mtu 9216
 priority-flow-control mode on
!
interface ethernet1/1/2
 description "unused port"
 shutdown
 switchport access vlan 2
 mtu 9216
!
interface ethernet1/1/3
 description "gpu host1"
 no shutdown
 no switchport
 mtu 9216
 priority-flow-control mode on
 service-policy input type network-qos P
!
"""


BOTH = """title: Both ends carry jumbo packets
scope: link
asks: present
require: a.ip_mtu_bytes >= 9000 and b.ip_mtu_bytes >= 9000
severity: error
message: "an end carries small packets only"
why: The smaller end decides.
source: [{kind: definition, title: The smaller end decides}]
confidence: consensus
owner: plan
"""


def test_what_only_both_ends_of_a_link_fix_is_changed_at_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site_ = tmp_path / "site"
    shutil.copytree(FIXTURES / "fabric", site_)
    monkeypatch.chdir(site_)
    for name, header in (("leaf1.cfg", "interface Ethernet34/1"), ("spine1.cfg", "interface Ethernet1/2")):
        file = site_ / "backend" / name
        before, stanza, after = file.read_text().partition(f"{header}\n")
        file.write_text(before + stanza + after.replace("mtu 9214", "mtu 1500", 1).replace("mtu 9216", "mtu 1500", 1))
    (site_ / "own" / "link").mkdir(parents=True)
    (site_ / "own" / "link" / "small.yaml").write_text(BOTH)
    rules = load([site_ / "own"])
    (one,) = plan(replace(site(site_), rules=rules)).fixed
    assert {device for device, _ in one.proposal.changes} == {"leaf1", "spine1"}
    text = "\n".join(rendering.text(plan(replace(site(site_), rules=rules))))
    assert "#   together with spine1" in text
    assert "#   together with leaf1" in text


JOBS = {
    "train.sbatch": "#!/bin/bash\n#SBATCH --job-name=train\n#SBATCH --export=ALL,NCCL_IB_TC=26\nsrun train\n",
    "run.sh": "#!/bin/sh\nmpirun -np 16 -x NCCL_IB_TC=26 -x NCCL_DEBUG=WARN ./train\n",
    "pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: train}\nspec:\n  containers:\n    - name: train\n      env:\n"
    '        - name: NCCL_IB_TC  # the class of the back end\n          value: "26"\n        - name: NCCL_DEBUG\n          value: WARN\n',
    "map.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: nccl}\ndata:\n  NCCL_IB_TC: '26'\n",
}


@pytest.mark.parametrize("name", JOBS)
def test_what_people_write_for_a_job_is_patched(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(FIXTURES / "fabric", tmp_path / "site")
    monkeypatch.chdir(tmp_path / "site")
    (tmp_path / "site/backend/gpu2/env.txt").unlink()
    (tmp_path / "site/backend/gpu2" / name).write_text(JOBS[name])
    found = plan(site(tmp_path))
    (path,) = found.after
    assert path.endswith(name)
    assert found.after[path] == JOBS[name].replace("26", "106")
    assert f"--- a/{path}" in "\n".join(rendering.patch(found))
    assert {finding.severity for finding, _ in found.left} <= {"info"}


def test_a_patch_names_what_it_leaves(faulty: Path) -> None:
    found = plan(replace(site(faulty), select=("app",)))
    left = replace(found, left=((found.fixed[0].findings[0], "no change was found"),))
    assert list(rendering.patch(left))[-1].startswith("# error[app/traffic-outside-class] gpu2 ens11np0")


def test_thresholds_that_are_swapped_are_both_taken_from_a_similar_switch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (FIXTURES / "fabric" / "backend" / "leaf2" / "config_db.json").read_text()
    low, high = '"green_min_threshold": "1048576"', '"green_max_threshold": "2097152"'
    swapped = text.replace(low, '"green_min_threshold": "2097152"').replace(high, '"green_max_threshold": "1048576"')
    lay_out(tmp_path, {"leaf2.json": text, "leaf9.json": swapped.replace('"leaf2"', '"leaf9"')})
    (one,) = plan(site(tmp_path, select=("ecn/min-above-max",))).fixed
    assert [(edit.path, edit.new.strip()) for edit in one.edits if edit.new] == [
        ("leaf9.json", f"{low},"),
        ("leaf9.json", f"{high},"),
    ]


REMARK = """\
title: Large packets are worth a word
scope: port
asks: present
require: port.ip_mtu_bytes < 9000
severity: SEVERITY
message: "large packets"
why: Only to see what becomes of it.
source: [{kind: definition, title: None}]
confidence: consensus
owner: switch
"""


@pytest.mark.parametrize(
    ("severity", "others", "fixed"),
    [("info", 9000, 1), ("warning", 9214, 1), ("error", 9214, 0), ("warning", 4200, 1), ("warning", 1400, 0)],
)
def test_a_fix_may_bring_what_is_milder_where_all_neighbours_fail_alike(
    severity: str, others: int, fixed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    leaf = (FIXTURES / "fabric" / "backend" / "leaf1.cfg").read_text()
    leaf = leaf.replace("mtu 9214", "mtu 1500", 1).replace("mtu 9214", f"mtu {others}", 1)
    lay_out(tmp_path, {"leaf1.cfg": leaf})
    lay_out(tmp_path, {"own/mtu/large.yaml": REMARK.replace("SEVERITY", severity)})
    own = [rule for rule in load([builtin_folder(), tmp_path / "own"]) if rule.id in {"mtu/below-roce", "mtu/large"}]
    found = plan(replace(site(tmp_path, select=("mtu/below-roce",)), rules=tuple(own)))
    assert len(found.fixed) == fixed
    for one in found.fixed:
        assert {(new.rule, new.severity) for new in one.brings} <= {("mtu/large", severity)}
        told = "\n".join(rendering.text(found))
        if severity == "warning" and others == 9214:
            assert "leaves warning[mtu/large] on leaf1:Ethernet1/1, as on all similar ports" in told
            assert rendering.plain(found)["fixed"][0]["brings"][0]["subject"] == "leaf1:Ethernet1/1"  # type: ignore[index]


NAMES = [
    ("fabric/backend/leaf1.cfg", "   service-profile ROCE-LOSSLESS", "ROCE-LOSSLESS", "ROCE-LOSSLES"),
    ("fabric/backend/spine1.cfg", "  class ROCE", "ROCE", "RoCE"),
    ("fabric/backend/leaf2/config_db.json", '"wred_profile": "RAIL_ECN"', "RAIL_ECN", "RAIL_ENC"),
]


@pytest.mark.parametrize(("file", "line", "name", "slip"), NAMES, ids=["leaf", "stanza", "json"])
def test_a_slip_in_a_name_is_mended_where_it_is_used(
    file: str, line: str, name: str, slip: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (FIXTURES / file).read_text()
    path = Path(file).name
    lay_out(tmp_path, {path: text.replace(line, line.replace(name, slip), 1)})
    found = plan(site(tmp_path, select=("input/undefined-or-unapplied",)))
    assert found.after == {path: text}
    assert f"by the name {name}, which is defined" in "\n".join(rendering.text(found))


HALF_BROKEN = [
    ("leaf1.conf", "code-point 011010 {", "code-point 011100 {", "pfc/priority-off", "flow-control-queue"),
    ("leaf2.cfg", "dcb pfc dscp-mapping enable slot 1\n", "", "marking/class-broken-in-box", "ip-dscp-inbound 26"),
]


@pytest.mark.parametrize(("file", "old", "new", "cause", "kept"), HALF_BROKEN, ids=["junos", "vrp"])
def test_what_follows_from_a_fault_that_is_left_takes_no_line_away(
    file: str, old: str, new: str, cause: str, kept: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the half that is right gone as well the remark would be gone, and the class further from its protection."""
    shutil.copytree(FIXTURES / "mixed-vendors", tmp_path / "site")
    monkeypatch.chdir(tmp_path / "site")
    text = Path(file).read_text()
    assert old in text
    Path(file).write_text(text.replace(old, new, 1))
    found = plan(site(tmp_path / "site"))
    assert cause in {finding.rule for finding, _ in found.left}
    removed = [e.old for one in found.fixed for _, c in one.proposal.changes for e in c.edits if e.new is None]
    assert not any(kept in (line or "") for line in removed)


def test_a_statement_of_the_whole_switch_does_not_replace_one_of_a_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(FIXTURES / "mixed-vendors", tmp_path / "site")
    monkeypatch.chdir(tmp_path / "site")
    file = Path("leaf4/show_running-config.txt")
    good = file.read_text()
    file.write_text(good.replace("    flow-control watchdog\n", "    flow-control watchdog\n    qos trust cos\n", 1))
    found = plan(site(tmp_path / "site"))
    assert found.left == ()
    assert found.after == {file.as_posix(): good}


@pytest.mark.parametrize("length", ["5m", "300m"])
def test_the_length_of_a_cable_is_not_taken_away(length: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(FIXTURES / "mixed", tmp_path / "site")
    monkeypatch.chdir(tmp_path / "site")
    file = Path("leaf4/config_db.json")
    good = file.read_text()
    assert '"Ethernet256": "40m"' in good
    file.write_text(good.replace('"Ethernet256": "40m"', f'"Ethernet256": "{length}"', 1))
    found = plan(site(tmp_path / "site"))
    assert "buffer/stale-profile" in {finding.rule for finding, _ in found.left}
    assert '"Ethernet256": "' in found.after.get(file.as_posix(), file.read_text())
