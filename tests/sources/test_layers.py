"""Templates in which others stand, outside of playbooks: each is read as one, with the variables of the hosts."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import judged

HOST = "{name}:\n  groups: [tor]\n  data:\n    fabric: {{dscp: {dscp}, group: 3, ports: [Ethernet1/1, Ethernet1/2]}}\n"
FILES = {
    "inventory/hosts.yaml": "---\n" + "".join(HOST.format(name=f"tor{n}", dscp=26) for n in (1, 2)),
    "inventory/groups.yaml": "---\ntor: {platform: nxos}\n",
    "templates/tor.j2": """{% set fabric = host.fabric %}
{% include "parts/qos.j2" %}
{% include 'parts/ports.j2' %}
""",
    "templates/parts/qos.j2": """class-map type qos match-all RDMA
  match dscp {{ fabric.dscp }}
policy-map type qos MARK
  class RDMA
    set qos-group {{ fabric.group }}
policy-map type network-qos NQ
  class type network-qos c-8q-nq{{ fabric.group }}
    pause pfc-cos {{ fabric.group }}
    mtu 9216
system qos
  service-policy type network-qos NQ
""",
    "templates/parts/ports.j2": """{% for port in fabric.ports %}
interface {{ port }}
  mtu 9216
  priority-flow-control mode on
  service-policy type qos input MARK
{% endfor %}
""",
}
Found = list[tuple[str, str, int | None, str]]


def told(folder: Path, files: dict[str, str]) -> tuple[Found, list[str], int]:
    report, failing = judged(folder, files)
    found: Found = [
        (one.rule, Path(one.locations[0].path).name, one.locations[0].line, one.severity) for one in failing
    ]
    unread = [Path(path).name for path, _ in report.coverage.unrecognised if path.endswith(".j2")]
    return (
        found,
        [*unread, *(note for note in report.coverage.notes if ".j2" in note)],
        report.coverage.ports_roce["yes"],
    )


def test_the_templates_are_one_device_with_what_nornir_gives_them(tmp_path: Path) -> None:
    assert told(tmp_path, FILES) == ([], [], 2)


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("templates/parts/ports.j2", "mode on", "mode off", ("pfc/no-drop-without-pfc", "ports.j2", 4, "error")),
        ("templates/parts/qos.j2", "cos {{ fabric.group }}", "cos 4", ("pfc/pauses-other-number", "qos.j2", 8, "error")),
        ("templates/parts/qos.j2", "  service-policy type network-qos NQ\n", "",
         ("input/undefined-or-unapplied", "qos.j2", 6, "error")),
        ("inventory/hosts.yaml", "dscp: 26", "dscp: 24", ("fleet/two-roce-marks", "qos.j2", 5, "error")),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_on_the_lines_of_the_part(
    tmp_path: Path, path: str, old: str, new: str, expected: tuple[str, str, int, str]
) -> None:
    assert old in FILES[path]
    found, _, _ = told(tmp_path, {**FILES, path: FILES[path].replace(old, new, 1)})
    assert expected in found, found


def test_without_the_values_of_a_host_what_is_open_is_told(tmp_path: Path) -> None:
    found, notes, _ = told(tmp_path, {**FILES, "inventory/hosts.yaml": "---\ntor1: {groups: [tor], data: {rack: 1}}\n"})
    assert found == []
    assert any("qos.j2:2: a value in it is given elsewhere" in note for note in notes), notes


def test_a_template_that_a_play_types_is_read_there_alone(tmp_path: Path) -> None:
    play = "- hosts: all\n  tasks:\n    - cisco.nxos.nxos_config:\n        src: templates/tor.j2\n"
    inventory = "all:\n  hosts: {tor1: {fabric: {dscp: 26, group: 3, ports: [Ethernet1/1]}}}\n"
    tor = FILES["templates/tor.j2"].partition("\n")[2]
    files = {**FILES, "site.yml": play, "inventory/hosts.yaml": inventory, "templates/tor.j2": tor}
    assert told(tmp_path, files)[2] == 1


def test_a_template_that_is_called_as_a_group_is_for_its_hosts(tmp_path: Path) -> None:
    """As Nornir's programs choose it: `f"{host['role']}.j2"`; a spine of another design has a template of its own."""
    spine = FILES["templates/tor.j2"].replace("qos.j2", "lossy.j2")
    hosts = FILES["inventory/hosts.yaml"] + HOST.format(name="core1", dscp=26).replace("[tor]", "[core]")
    parts = {"templates/core.j2": spine, "templates/parts/lossy.j2": "policy-map type qos MARK\n"}
    report, _ = judged(tmp_path, {**FILES, **parts, "inventory/hosts.yaml": hosts})
    assert not any(one.rule == "input/same-device-twice" for one in report.findings)
    assert report.coverage.devices == 2


def test_a_part_that_no_template_takes_in(tmp_path: Path) -> None:
    apart = FILES["templates/parts/qos.j2"].partition("policy-map type network-qos")
    split = {
        **FILES,
        "templates/parts/qos.j2": apart[0],
        "templates/parts/pause.j2": "".join(apart[1:]),
        "templates/tor.j2": FILES["templates/tor.j2"] + "{% include 'parts/pause.j2' %}\n",
    }
    assert told(tmp_path / "good", split)[0] == []
    lost = {**split, "templates/tor.j2": FILES["templates/tor.j2"]}
    assert told(tmp_path / "bad", lost)[0] == [("input/undefined-or-unapplied", "pause.j2", 1, "warning")]
    by_name = {**lost, "push.py": "render('parts/pause.j2')\n"}
    assert told(tmp_path / "named", by_name)[0] == []


def test_a_template_that_is_not_here(tmp_path: Path) -> None:
    """The rest is read, and the line where it stands is said to be not."""
    gone = FILES["templates/tor.j2"] + "{% include 'parts/pfc.j2' %}\n"
    found, notes, ports = told(tmp_path, {**FILES, "templates/tor.j2": gone})
    assert (found, ports) == ([], 2)
    assert any("tor.j2:4: the template that stands here is not read" in note for note in notes)
