"""The own topology file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy
from roce_audit.sources.topology.own import End, TopologyError, TopologyLink, TopologyRole, is_own_form, parse
from roce_audit.values import Place

_TEXT = """links:
  - [leaf1:Ethernet1/1, host1:ens1f0np0]
  - {a: "leaf1:et-0/0/0:1", b: spine1:Ethernet3, length_m: 30, roce: true}
roles: {leaf1: leaf}
"""


def test_both_forms_of_a_link() -> None:
    found = parse(_TEXT, "topology.yaml")
    assert found.links == (
        TopologyLink(End("leaf1", "Ethernet1/1"), End("host1", "ens1f0np0"), Place("topology.yaml", 2)),
        TopologyLink(End("leaf1", "et-0/0/0:1"), End("spine1", "Ethernet3"), Place("topology.yaml", 3), 30.0, True),
    )
    assert found.roles == {"leaf1": TopologyRole("leaf", Place("topology.yaml", 4))}


def test_an_empty_file_has_no_links() -> None:
    assert parse("", "t").links == ()


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("links:\n- [a:1]", 2, "two ends"),
        ("links:\n- [a:1, b]", 2, "device:port"),
        ("links:\n-\n  - a:1\n  - b", 4, "device:port"),
        ("links:\n- {a: a:1, b: b:1,\n   lenght_m: 3}", 3, "'length_m'"),
        ("links:\n- {a: a:1, b: b:1,\n   length_m: -3}", 3, "length_m"),
        ("links:\n- {a: a:1, b: b:1,\n   length_m: '3'}", 3, "length_m"),
        ("links:\n- [a:1, a:1]", 2, "same port"),
        ("\nlink: []", 2, "'links'"),
        ("- x", 1, "dictionary"),
        ("links: [\n", 2, "the text ends"),
        ("links: []\nlinks: []", 2, "second time"),
        ("roles: {leaf1: 3}", 1, "leaf1"),
    ],
)
def test_errors_name_the_line(text: str, line: int, words: str) -> None:
    with pytest.raises(TopologyError) as caught:
        parse(text, "t")
    assert [(place.line, words in clause) for place, clause in caught.value.errors] == [(line, True)], str(caught.value)


OTHERS = {
    "netlab": "provider: clab\nnodes: [r1, r2]\nlinks: [r1-r2]\n",
    "netlab with attributes": "nodes:\n  r1: {}\nlinks:\n- r1: {ipv4: 1}\n  r2: {}\n",
    "an inventory": "roles: [leaf, spine]\n",
    "a list": "- leaf1\n- leaf2\n",
    "a manifest": "apiVersion: v1\nkind: ConfigMap\ndata: {rack: r1}\n",
    "docker-topo": 'links:\n  - ["r1:Ethernet1", "r2:Ethernet1", "cvp-1"]\nCEOS_IMAGE: ceos:latest\nPREFIX: lab\n',
    "a page": '## Links\n```yaml\nlinks:\n  - ["r1:Ethernet1", "r2:Ethernet1"]\n```\n',
    "two manifests": "kind: ConfigMap\n---\nkind: ConfigMap\n",
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_a_file_of_that_name_may_be_somebody_else_s(tmp_path: Path, text: str) -> None:
    (tmp_path / "topology.yml").write_text(text)
    (tmp_path / "leaf1.cfg").write_text("!Command: show running-config\nhostname leaf1\ninterface Ethernet1/1\n")
    report = check(Request((str(tmp_path),), Policy.empty(), select=("input",))).report
    assert not [finding for finding in report.findings if finding.severity == "error"]
    assert [note for note in report.coverage.notes if "no topology in roce-audit's form" in note]
    named = Request((str(tmp_path),), Policy.empty(), topology=str(tmp_path / "topology.yml"), select=("input",))
    assert [finding.rule for finding in check(named).report.findings if finding.severity == "error"]


@pytest.mark.parametrize("text", ["lnks: [[a:1, b:1]]\n", "links:\n  - {a: a:1, bb: b:1}\n", "links:\n  - [a:1\n"])
def test_a_slip_in_a_file_of_ours_stays_an_error(text: str) -> None:
    assert is_own_form(text)
    with pytest.raises(TopologyError):
        parse(text, "topology.yaml")


def test_containerlab_links_whose_ends_are_known_are_cables(tmp_path: Path) -> None:
    (tmp_path / "topology.yml").write_text(
        "name: lab\ntopology:\n  nodes: {leaf1: {kind: x}, leaf2: {kind: x}}\n  links:\n"
        "    - endpoints: ['leaf1:Ethernet1/1', 'leaf2:Ethernet1/1']\n    - endpoints: ['leaf1:eth7', 'leaf2:eth7']\n"
    )
    for name in ("leaf1", "leaf2"):
        text = f"!Command: show running-config\nhostname {name}\ninterface Ethernet1/1\n  no switchport\n"
        (tmp_path / f"{name}.cfg").write_text(text)
    done = check(Request((str(tmp_path),), Policy.empty(), select=("input",)))
    assert [link.id for link in done.site.links] == ["leaf1:Ethernet1/1 <-> leaf2:Ethernet1/1"]
    (note,) = (note for note in done.report.coverage.notes if "no link" in note)
    assert "1 of 2 cables makes no link" in note
    assert "(leaf1:eth7 and leaf2:eth7)" in note
    assert not [finding for finding in done.report.findings if finding.severity in ("error", "warning")]


def test_ports_of_a_lab_go_by_the_names_that_the_lab_gives_them(tmp_path: Path) -> None:
    """`e1-3` of SR Linux is ethernet-1/3, `eth3_1` of EOS is Ethernet3/1."""
    (tmp_path / "lab.clab.yml").write_text(
        "name: lab\ntopology:\n  nodes: {leaf1: {kind: nokia_srlinux}, spine1: {kind: arista_ceos}}\n  links:\n"
        "    - endpoints: ['leaf1:e1-3', 'spine1:eth3_1']\n"
    )
    (tmp_path / "leaf1.cfg").write_text(
        "set / interface ethernet-1/3 admin-state enable\nset / interface ethernet-1/3 mtu 9412\n"
        "set / system name host-name leaf1\n"
    )
    (tmp_path / "spine1.cfg").write_text(
        "! device: spine1 (x, EOS-4.32.2F)\nhostname spine1\ninterface Ethernet3/1\n   no switchport\n"
    )
    done = check(Request((str(tmp_path),), Policy.empty(), select=("input",)))
    assert [link.id for link in done.site.links] == ["leaf1:ethernet-1/3 <-> spine1:Ethernet3/1"]


_ETHERNET_TWO = {
    "leaf1:Ethernet1/2": (
        "leaf1.cfg",
        "!Command: show running-config\nhostname leaf1\ninterface Ethernet1/{}\n  no switchport\n",
        (1, 2),
    ),
    "leaf1:xe-0/0/1": ("leaf1.conf", "set system host-name leaf1\nset interfaces xe-0/0/{} mtu 9216\n", (0, 1)),
    "leaf1:Ethernet4": (
        "config_db.json",
        (
            '{{"DEVICE_METADATA": {{"localhost": {{"hostname": "leaf1"}}}}, '
            '"PORT": {{"Ethernet{}": {{"lanes": "1"}}, "Ethernet{}": {{"lanes": "5"}}}}}}'
        ),
        (0, 4),
    ),
    "leaf1:1/1/2": (
        "leaf1.cfg",
        "!Version ArubaOS-CX GL.10.13\nhostname leaf1\ninterface 1/1/{}\n    mtu 9198\n",
        (1, 2),
    ),
}


@pytest.mark.parametrize("end", _ETHERNET_TWO)
def test_eth2_of_a_lab_is_the_second_port_of_its_system(tmp_path: Path, end: str) -> None:
    name, text, numbers = _ETHERNET_TWO[end]
    whole = text.format(*numbers) if text.startswith("{") else "".join(text.format(number) for number in numbers)
    (tmp_path / name).write_text(whole)
    (tmp_path / "spine1.cfg").write_text(
        "! device: spine1 (x, EOS-4.32.2F)\nhostname spine1\ninterface Ethernet3\n   no switchport\n"
    )
    (tmp_path / "lab.clab.yml").write_text(
        "name: lab\ntopology:\n  nodes: {leaf1: {kind: x}, spine1: {kind: arista_ceos}}\n  links:\n"
        "    - endpoints: ['leaf1:eth2', 'spine1:eth3']\n"
    )
    done = check(Request((str(tmp_path),), Policy.empty(), select=("input",)))
    assert [link.id for link in done.site.links] == [f"{end} <-> spine1:Ethernet3"]


def test_a_lab_says_nothing_against_what_another_state_of_its_device_hears(tmp_path: Path) -> None:
    """A snapshot of leaf1 beside its configuration hears leaf2 where the lab cables them; two cables of the lab are told."""
    (tmp_path / "lab.clab.yml").write_text(
        "name: lab\ntopology:\n  nodes: {leaf1: {kind: arista_ceos}, leaf2: {kind: arista_ceos}}\n  links:\n"
        "    - endpoints: ['leaf1:eth1_1', 'leaf2:eth1_1']\n"
    )
    running = "! device: {0} (x, EOS-4.32.2F)\nhostname {0}\ninterface Ethernet1/1\n   no switchport\n{1}"
    for name in ("leaf1", "leaf2"):
        (tmp_path / f"{name}.cfg").write_text(running.format(name, ""))
    snapshot = tmp_path / "snapshots" / "leaf1"
    snapshot.mkdir(parents=True)
    (snapshot / "show_running-config.txt").write_text(running.format("leaf1", "   mtu 9214\n"))
    (snapshot / "show_lldp_neighbors.txt").write_text(
        "Port          Neighbor Device ID       Neighbor Port ID    TTL\n"
        "---------- ------------------------ ---------------------- ---\n"
        "Et1/1         leaf2                    Ethernet1/1         120\n"
    )
    done = check(Request((str(tmp_path),), Policy.empty(), select=("input",)))
    assert len(done.site.links) == 1
    assert "input/conflict" not in {finding.rule for finding in done.report.findings}
    with (tmp_path / "lab.clab.yml").open("a") as lab:
        lab.write("    - endpoints: ['leaf1:eth1_1', 'leaf2:eth1_2']\n")
    for path in (tmp_path / "snapshots").rglob("*.txt"):
        path.unlink()
    (tmp_path / "leaf2.cfg").write_text(running.format("leaf2", "interface Ethernet1/2\n   no switchport\n"))
    done = check(Request((str(tmp_path),), Policy.empty(), select=("input",)))
    assert "input/conflict" in {finding.rule for finding in done.report.findings}


def test_asking_whether_a_file_is_a_plan_loads_no_checker_of_plans() -> None:
    code = (
        "import sys\nfrom roce_audit.sources.topology.own import is_plan\n"
        "assert not is_plan('hostname leaf1\\n')\nassert 'pydantic' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
