"""Which class holds where no policy says it: what the hosts send, else what most devices do; the odd one is at fault."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from roce_audit import platforms
from roce_audit.audit import Checked, Request, check
from roce_audit.engine.findings import Finding
from roce_audit.policy import load
from roce_audit.sources.files import shown

sys.path.insert(0, str(Path(__file__).parent / "fabric"))

from fabric_samples import NicText, host

MIXED = Path(__file__).parent.parent / "fixtures" / "mixed"
ONE_FABRIC = "fabrics:\n  all: {devices: ['*']}\n"
FACTORY = {3: 3, 4: 4, 46: 5, 48: 6}
"""DSCP -> traffic class of SONiC's default template; all others lead to 1."""
RAIL = {26: 3, 48: 6}
Files = dict[str, str]


def mixed() -> Files:
    """Seven kinds of switches and four kinds of NICs, without the class in the policy."""
    files = {file.relative_to(MIXED).as_posix(): file.read_text("utf-8") for file in MIXED.rglob("*") if file.is_file()}
    files["roce-audit.yaml"] = re.sub(r"^(roce|cnp|mtu):.*\n", "", files["roce-audit.yaml"], flags=re.M)
    return files


def sonic(
    name: str,
    to_class: Mapping[int, int] = RAIL,
    rest: int = 0,
    pfc: Sequence[int] = (3,),
) -> Files:
    """The SONiC leaf of the mixed fabric with another DSCP map and other lossless priorities; all others share a group."""
    config = json.loads((MIXED / "leaf4" / "config_db.json").read_text("utf-8"))
    config["DEVICE_METADATA"]["localhost"]["hostname"] = name
    config["DSCP_TO_TC_MAP"]["RAIL"] = {str(dscp): str(to_class.get(dscp, rest)) for dscp in range(64)}
    lossy_group = 7 if 0 in pfc else 0
    config["TC_TO_PRIORITY_GROUP_MAP"]["RAIL"] = {str(tc): str(tc if tc in pfc else lossy_group) for tc in range(8)}
    for port in config["PORT_QOS_MAP"].values():
        port["pfc_enable"] = port["pfcwd_sw_enable"] = ",".join(map(str, pfc))
    for table in ("BUFFER_PG", "BUFFER_QUEUE", "QUEUE"):
        old = config[table]
        config[table] = {}
        for key, value in old.items():
            port, _, what = key.partition("|")
            if what == "3":
                config[table] |= {f"{port}|{number}": value for number in pfc}
            elif table == "BUFFER_PG":
                config[table][f"{port}|{lossy_group}"] = value
            elif table == "QUEUE" and int(what) not in pfc:
                config[table][key] = value
        if table == "BUFFER_QUEUE":
            lossy = next(value for key, value in old.items() if key.endswith("|0-2"))
            ports = {key.partition("|")[0] for key in old}
            config[table] |= {f"{port}|{n}": lossy for port in sorted(ports) for n in range(8) if n not in pfc}
    return {f"{name}/config_db.json": json.dumps(config, indent=1)}


def eos(name: str, dscp: int = 26, priority: int = 3) -> Files:
    """The EOS leaf of the mixed fabric under another name, with its class at another code point and priority."""
    text = (MIXED / "leaf3.cfg").read_text("utf-8").replace("leaf3", name)
    text = text.replace("qos map dscp 26 to traffic-class 3", f"qos map dscp {dscp} to traffic-class {priority}")
    text = text.replace(
        "priority-flow-control priority 3 no-drop", f"priority-flow-control priority {priority} no-drop"
    )
    return {f"{name}.cfg": text.replace("uc-tx-queue 3", f"uc-tx-queue {priority}")}


def gpu(name: str, tos: int | None = None, pfc: int = 3) -> Files:
    """A host whose NIC trusts DSCP and pauses one priority; its jobs set this ToS byte."""
    nic = NicText("ens1f0np0", "mlx5_0", pfc=(pfc,), trust="dscp", cnp_dscp=48)
    env = f"NCCL_IB_HCA==mlx5_0\nNCCL_IB_TC={tos}\n" if tos is not None else ""
    return host(name, nic, env=env)


def judged(folder: Path, *parts: Files, policy: str = ONE_FABRIC) -> Checked:
    files: Files = {"roce-audit.yaml": policy}
    for part in parts:
        files |= part
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return check(Request((str(folder),), load(folder / "roce-audit.yaml")))


def failing(found: Checked, rule: str) -> list[Finding]:
    return [one for one in found.report.findings if one.rule == rule and one.verdict == "fails"]


def loud(found: Checked) -> set[tuple[str, str, str]]:
    """(severity, rule, device) of what fails, without what follows from it, watchdogs and shares."""
    return {
        (one.severity, one.rule, member.device)
        for one in found.report.findings
        if one.verdict == "fails" and one.severity in ("error", "warning") and one.because_of is None
        for member in one.members
        if one.topic not in ("cnp", "fleet", "ets") or one.rule.startswith("fleet/two-")
    }


def head(found: Checked) -> str:
    """The one class of the one fabric, as the report begins."""
    (fabric,) = found.report.fabrics
    (sentence,) = fabric.classes
    return sentence


def lines(found: Checked, finding: Finding, folder: Path) -> list[tuple[str, str]]:
    """(file, text) of all places of a finding."""
    root = shown(str(folder)) + "/"
    return [(place.path.removeprefix(root), place.text.strip().rstrip(",")) for place in finding.locations]


def test_a_fabric_of_all_platforms_agrees_on_its_class_without_a_policy(tmp_path: Path) -> None:
    found = judged(tmp_path, mixed(), policy=mixed()["roce-audit.yaml"])
    assert not [one.message for one in found.report.findings if one.verdict == "fails"]
    assert head(found).startswith("roce: DSCP 26 -> priority 3, lossless (15 of 15 devices agree)")


def test_one_leaf_of_a_mixed_fabric_that_maps_otherwise_is_the_fault_and_is_named(tmp_path: Path) -> None:
    files = mixed()
    files["leaf3.cfg"] = eos("leaf3", dscp=34)["leaf3.cfg"].replace(
        "qos map dscp 34", "qos map dscp 26 to traffic-class 0\nqos map dscp 34"
    )
    found = judged(tmp_path, files, policy=files["roce-audit.yaml"])
    assert "(14 of 15 devices agree; leaf3 does not)" in head(found)
    (broken,) = failing(found, "marking/class-broken-in-box")
    assert (broken.severity, broken.device, broken.locations[0].text.strip()) == (
        "error",
        "leaf3",
        "qos map dscp 26 to traffic-class 0",
    )
    undetermined = {one.topic for one in found.report.findings if one.verdict == "unknown"}
    assert not undetermined & {"pfc", "marking", "app"}, "rules about the class go on"


def test_hosts_that_send_another_code_point_than_the_factory_map_knows_are_right(tmp_path: Path) -> None:
    tors = [sonic(f"tor{i}", FACTORY, 1, (3, 4)) for i in (1, 2, 3)]
    found = judged(tmp_path / "a", *tors, gpu("gpu1", 106), gpu("gpu2", 106))
    assert "DSCP 26 -> priority 3" in head(found)
    assert "(2 of 5 devices agree, all of them hosts; tor1, tor2, tor3 do not)" in head(found)
    (broken,) = failing(found, "marking/class-broken-in-box")
    assert {member.device for member in broken.members} == {"tor1", "tor2", "tor3"}
    assert ("tor1/config_db.json", '"26": "1"') in lines(found, broken, tmp_path / "a")
    mended = judged(tmp_path / "b", *[sonic(f"tor{i}") for i in (1, 2, 3)], gpu("gpu1", 106), gpu("gpu2", 106))
    assert loud(mended) == set()


def test_what_the_driver_forces_and_the_map_of_a_nic_speak_as_well(tmp_path: Path) -> None:
    tors = [sonic(f"tor{i}", FACTORY, 1, (3, 4)) for i in (1, 2)]
    forced = NicText(
        "ens1f0np0",
        "mlx5_0",
        (3,),
        "dscp",
        sysfs=("/sys/class/infiniband/mlx5_0/tc/1/traffic_class:Global tclass=106",),
    )
    assert "DSCP 26 -> priority 3" in head(judged(tmp_path / "a", *tors, host("gpu1", forced)))
    by_map = judged(tmp_path / "b", *tors, gpu("gpu1"))
    assert "DSCP 24-31 -> priority 3" in head(by_map)
    assert {member.device for one in failing(by_map, "marking/class-broken-in-box") for member in one.members} == {
        "tor1",
        "tor2",
    }


def test_a_mark_that_one_map_of_three_leads_elsewhere_is_no_fault_of_who_sends_it(tmp_path: Path) -> None:
    """Whether DSCP 26 is the class's is open there, so nobody is told to send another one."""
    forced = ("/sys/class/infiniband/mlx5_0/tc/1/traffic_class:Global tclass=106",)
    right = NicText("ens1f0np0", "mlx5_0", (3,), "dscp", sysfs=forced)
    astray = NicText("ens1f0np0", "mlx5_0", (3,), "dscp", sysfs=forced, dscp_to={26: 4})
    found = judged(tmp_path, eos("leaf1"), host("gpu1", right), host("gpu2", astray))
    assert failing(found, "fleet/two-roce-marks")
    assert not failing(found, "app/traffic-outside-class")


def test_a_slip_of_one_job_is_the_odd_one_and_not_the_class(tmp_path: Path) -> None:
    """26 was meant as DSCP and is the ToS byte of DSCP 6; 96 is DSCP 24, which the NIC's own map has in the class."""
    for number, tos in enumerate((26, 96)):
        folder = tmp_path / str(number)
        found = judged(folder, sonic("tor1"), eos("leaf1"), gpu("gpu1", tos), gpu("gpu2", 106), gpu("gpu3", 106))
        assert "DSCP 26 -> priority 3, lossless (5 of 5 devices agree)" in head(found)
        (off,) = failing(found, "app/traffic-outside-class")
        assert (off.device, off.locations[0].text.strip()) == ("gpu1", f"NCCL_IB_TC={tos}")
        assert off.severity == ("error" if tos == 26 else "warning")
    clean = judged(tmp_path / "c", sonic("tor1"), eos("leaf1"), *[gpu(f"gpu{i}", 106) for i in (1, 2, 3)])
    assert loud(clean) == set()


def test_a_job_that_belongs_to_no_host_has_no_vote(tmp_path: Path) -> None:
    job = {"job/env.txt": "NCCL_IB_HCA==mlx5_0\nNCCL_IB_TC=26\n"}
    found = judged(tmp_path, sonic("tor1"), sonic("tor2"), job)
    assert "DSCP 26 -> priority 3, lossless (both devices agree)" in head(found)
    (off,) = failing(found, "app/job-outside-class")
    assert off.locations[0].text.strip() == "NCCL_IB_TC=26"


def test_one_leaf_of_three_and_one_of_five_are_held_against_the_others(tmp_path: Path) -> None:
    rest = [sonic("tor1"), eos("leaf2"), sonic("tor4"), eos("leaf5")]
    for count in (2, 4):
        folder = tmp_path / str(count)
        odd_map = judged(folder / "map", *rest[:count], sonic("tor3", {24: 3, 48: 6}))
        assert f"({count} of {count + 1} devices agree; tor3 does not)" in head(odd_map)
        (broken,) = failing(odd_map, "marking/class-broken-in-box")
        assert (broken.severity, broken.device) == ("error", "tor3")
        places = lines(odd_map, broken, folder / "map")
        assert places[0] == ("tor3/config_db.json", '"26": "0"')
        assert ("leaf2.cfg", "qos map dscp 26 to traffic-class 3") in places, "and what it is held against"
        odd_priority = judged(folder / "priority", *rest[:count], sonic("tor3", {34: 4, 48: 6}, pfc=(4,)))
        (off,) = failing(odd_priority, "pfc/priority-off")
        assert (off.severity, off.device, off.locations[0].text.strip()) == ("error", "tor3", '"pfc_enable": "4",')
        assert "priority 3" in off.message
        assert "priority 4" in off.message
        assert loud(judged(folder / "clean", *rest[:count], sonic("tor3"))) == set()


def test_two_groups_of_equal_size_are_told_with_a_line_of_each(tmp_path: Path) -> None:
    parts = [sonic("tor1"), eos("leaf2"), sonic("tor3", {34: 3, 48: 6}), sonic("tor4", {34: 3, 48: 6})]
    apart = judged(tmp_path / "a", *parts)
    assert "DSCP unknown -> priority 3, lossless (4 of 4 devices agree on the priority)" in head(apart)
    (told,) = failing(apart, "fleet/two-roce-marks")
    assert told.severity == "warning", "they may be two fabrics"
    assert {Path(path).name for path, _ in lines(apart, told, tmp_path / "a")} >= {"config_db.json"}
    wire = {"topology.yaml": "links: [['tor1:Ethernet256', 'tor3:Ethernet256']]\n"}
    (cabled,) = failing(judged(tmp_path / "b", *parts, wire), "fleet/two-roce-marks")
    assert cabled.severity == "error", "packets cross from one to the other"
    third = judged(tmp_path / "c", *parts, sonic("tor5"))
    assert not failing(third, "fleet/two-roce-marks")


def test_hosts_decide_a_tie(tmp_path: Path) -> None:
    found = judged(tmp_path, sonic("tor1"), sonic("tor2", {34: 4, 48: 6}, pfc=(4,)), gpu("gpu1", 136, pfc=4))
    assert "DSCP 34 -> priority 4, lossless (2 of 3 devices agree; tor1 does not)" in head(found)
    even = judged(tmp_path / "b", sonic("tor1"), gpu("gpu1", 136, pfc=4))
    assert "(1 of 2 devices agree, a host; tor1 does not)" in head(even)


def test_a_slip_of_a_job_decides_no_tie(tmp_path: Path) -> None:
    """DSCP 6 is not in the priority that the NIC pauses: that is no word on the class."""
    found = judged(tmp_path, sonic("tor1"), gpu("gpu1", 26, pfc=4))
    (fabric,) = found.report.fabrics
    assert fabric.classes == ()
    assert failing(found, "fleet/two-roce-classes")


def unmapped(name: str, tos: int) -> Files:
    """A host of which only the job's settings and the NIC's name were seen."""
    files = gpu(name, tos)
    return {path: text for path, text in files.items() if "mlnx_qos" not in path}


def test_a_host_whose_map_was_not_seen_speaks_by_what_it_sends(tmp_path: Path) -> None:
    factory = sonic("tor1", FACTORY, 1, (3,))
    sent = judged(tmp_path / "a", factory, unmapped("gpu1", 106))
    assert "DSCP 26 -> priority 3, lossless (1 of 2 devices agree, a host; tor1 does not)" in head(sent)
    few = judged(tmp_path / "b", *[sonic(f"tor{i}") for i in (1, 2, 3)], unmapped("gpu1", 96))
    assert "DSCP 26 -> priority 3, lossless (3 of 4 devices agree; gpu1 does not)" in head(few)
    slip = judged(tmp_path / "c", sonic("tor1"), unmapped("gpu1", 26))
    assert "DSCP 26 -> priority 3, lossless (1 of 2 devices agree; gpu1 does not)" in head(slip)


def test_a_second_priority_of_the_switches_is_no_class_where_no_host_pauses_it(tmp_path: Path) -> None:
    both = {26: 3, 34: 4, 48: 6}
    tors = [sonic(f"tor{i}", both, pfc=(3, 4)) for i in range(1, 9)]
    found = judged(tmp_path / "a", *tors, gpu("gpu1", 106), gpu("gpu2", 106))
    assert "DSCP 26 -> priority 3, lossless (10 of 10 devices agree)" in head(found)
    assert loud(found) == set()
    (alone,) = judged(tmp_path / "b", *tors[:3]).report.fabrics
    assert len(alone.classes) == 2


def test_unmarked_packets_are_a_class_where_that_is_the_design(tmp_path: Path) -> None:
    """AMD's and Oracle's designs: everything but the control packets is lossless in priority 0."""
    designed = judged(tmp_path / "a", *[sonic(f"tor{i}", {46: 6}, pfc=(0,)) for i in (1, 2, 3)])
    assert "DSCP 0-45, 47-63 -> priority 0" in head(designed)
    assert not failing(designed, "marking/default-in-lossless")
    slip = judged(tmp_path / "b", *[sonic(f"tor{i}", {0: 3, 26: 3, 48: 6}) for i in (1, 2, 3)])
    assert "DSCP 26 -> priority 3" in head(slip)
    assert failing(slip, "marking/default-in-lossless")


_TAGGED = """   mtu 9214
   switchport mode trunk
   priority-flow-control on
   priority-flow-control priority {priority} no-drop
"""
_MARKING = """   uc-tx-queue {priority}
      random-detect ecn minimum-threshold 500 kbytes maximum-threshold 2000 kbytes max-mark-probability 20 weight 0
"""


def by_tag(name: str, priority: int = 3, marks: bool = True) -> Files:
    """An EOS leaf with layer-2 ports that trust the tag by default."""
    port = (_TAGGED + (_MARKING if marks else "")).format(priority=priority)
    ports = "".join(f"interface Ethernet{n}/1\n{port}!\n" for n in range(1, 5))
    start = f"! Command: show running-config\n! device: {name} (DCS-7060DX5-64S, EOS-4.31.2F)\n!\nhostname {name}\n!\n"
    return {f"{name}.cfg": f"{start}{ports}end\n"}


def test_ports_that_trust_the_tag_by_default_have_a_class_by_tag(tmp_path: Path) -> None:
    found = judged(tmp_path / "a", by_tag("leaf1"), by_tag("leaf2"), by_tag("leaf3"))
    assert "PCP 3 -> priority 3, lossless (3 of 3 devices agree)" in head(found)
    assert not failing(found, "ecn/off-on-lossless-queue")
    unmarked = judged(tmp_path / "b", by_tag("leaf1"), by_tag("leaf2"), by_tag("leaf3", marks=False))
    assert {one.device for one in failing(unmarked, "ecn/off-on-lossless-queue")} == {"leaf3"}
    odd = judged(tmp_path / "c", by_tag("leaf1"), by_tag("leaf2"), by_tag("leaf3", 4))
    (off,) = failing(odd, "pfc/priority-off")
    assert (off.severity, off.device) == ("error", "leaf3")


def test_hosts_that_mark_packets_under_switches_that_trust_tags_are_told(tmp_path: Path) -> None:
    found = judged(tmp_path, by_tag("leaf1"), by_tag("leaf2"), gpu("gpu1", 106))
    assert "DSCP 26 -> priority 3" in head(found)
    (broken,) = failing(found, "marking/class-broken-in-box")
    assert {member.device for member in broken.members} == {"leaf1", "leaf2"}
    assert "trusts the tag" in broken.message


def tagged(name: str, forwarding_class: str = "fc3") -> Files:
    """A leaf whose PFC queues follow the tag of a subinterface, so that nobody knows the buffer group of a code point."""
    base = Path(platforms.__file__).parent / "srlinux" / "examples" / "base" / "leaf1" / "info_flat.txt"
    said = base.read_text("utf-8").replace(
        "dscp 26 forwarding-class fc3", f"dscp 26 forwarding-class {forwarding_class}"
    )
    more = "".join(
        f"set / interface ethernet-1/{port} vlan-tagging true\n"
        f"set / interface ethernet-1/{port} subinterface 0 vlan encap single-tagged vlan-id 10\n"
        for port in range(1, 7)
    )
    return {f"{name}/info_flat.txt": f"{said}{more}set / system name host-name {name}\n"}


def test_the_code_point_of_a_class_is_known_by_the_queue_where_a_tag_decides_the_group(tmp_path: Path) -> None:
    sound = judged(tmp_path / "sound", tagged("leaf1"), tagged("leaf2"))
    assert "DSCP 26 -> priority 3" in head(sound)
    assert not failing(sound, "marking/class-broken-in-box")
    for wrong, first in (("fc0", True), ("fc5", False)):
        found = judged(tmp_path / wrong, tagged("leaf1"), tagged("leaf2"), tagged("leaf3", wrong))
        (broken,) = failing(found, "marking/class-broken-in-box")
        said = [f"dscp 26 forwarding-class {wrong}" in text for _, text in lines(found, broken, tmp_path / wrong)]
        assert (broken.severity, said[0], any(said)) == ("error", first, True)
