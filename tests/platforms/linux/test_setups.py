"""Files that set NICs up and are no host's own: beside a host they are its boot files, alone they speak for themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from host_answers import answer, host
from hypothesis import given
from hypothesis import strategies as st

from roce_audit.audit import Request, check
from roce_audit.model import NicSetup
from roce_audit.platforms.linux.setups.playbooks import filled
from roce_audit.policy import Policy, load_text
from roce_audit.report.assumptions import read_words
from roce_audit.report.summary import nothing_judged
from roce_audit.values import Cell, Why

RAIL, OTHER = "ens1f0np0", "ens2f0np0"
NICS = "".join(
    f"/sys/class/net/{name}/device/uevent:DRIVER=mlx5_core\n/sys/class/net/{name}/device/uevent:PCI_SLOT_NAME={pci}\n"
    f"/sys/class/net/{name}/device/device:{device}\n/sys/class/net/{name}/mtu:9000\n"
    for name, pci, device in ((RAIL, "0000:3b:00.1", "0x1021"), (OTHER, "0000:5e:00.0", "0x101d"))
)
TEMPLATE = """apiVersion: configuration.net.nvidia.com/v1alpha1
kind: NicConfigurationTemplate
metadata: {name: rails}
spec:
  nicSelector: %s
  template:
    linkType: Ethernet
    numVfs: 0
    roceOptimized: {enabled: true}
"""
DEVICE = f"""apiVersion: configuration.net.nvidia.com/v1alpha1
kind: NicDevice
metadata: {{name: n1}}
spec: {{configuration: {{template: {{roceOptimized: {{enabled: true, qos: {{trust: dscp, pfc: "0,0,0,1,0,0,0,0"}}}}}}}}}}
status: {{node: n1, ports: [{{networkInterface: {RAIL}, pci: "0000:3b:00.1"}}]}}
"""
PLAY = f"""- hosts: all
  vars: {{nics: [{RAIL}], pfc: "0,0,0,1,0,0,0,0"}}
  tasks:
    - name: pfc
      command:
        cmd: mlnx_qos -i {{{{ item }}}} --pfc {{{{ pfc }}}}
      loop: "{{{{ nics }}}}"
"""


def boot_pfc(text: str) -> dict[str, Any]:
    """NIC -> the priorities with PFC that a file beside the host sets up, or why they are not known."""
    found = {}
    for port in host(answer("sysfs", NICS), answer(None, text)).ports:
        there = port.facts.nic.get().persisted
        pfc = there.get().pfc.get().priorities if there.is_known and there.get().pfc.is_known else there
        found[port.name] = set(pfc.get()) if pfc.is_known else pfc.why
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(TEMPLATE % '{nicType: "1021", pciAddresses: ["0000:3b:00.0"]}', ({3}, Why.NOT_VISIBLE), id="slot"),
        pytest.param(TEMPLATE % "{nicType: 101D}", (Why.NOT_VISIBLE, {3}), id="type"),
        pytest.param(TEMPLATE % "{nicType: a2dc}", (Why.NOT_VISIBLE, Why.NOT_VISIBLE), id="another type"),
        pytest.param(DEVICE, ({3}, Why.NOT_VISIBLE), id="a device's own names"),
        pytest.param(PLAY, ({3}, Why.NOT_VISIBLE), id="playbook"),
        pytest.param(
            f'#cloud-config\nruncmd:\n  - [mlnx_qos, -i, {OTHER}, --pfc, "0,0,0,1,0,0,0,0"]\n',
            (Why.NOT_VISIBLE, {3}),
            id="cloud-init",
        ),
    ],
)
def test_beside_a_host_a_set_up_is_what_its_nics_boot_with(text: str, expected: tuple[object, object]) -> None:
    assert boot_pfc(text) == dict(zip((RAIL, OTHER), expected, strict=True))


def test_nobody_knows_whom_a_part_number_selects() -> None:
    text = TEMPLATE % '{nicType: "1021", partNumbers: [MCX75310AAS]}'
    ports = host(answer("sysfs", NICS), answer(None, text)).ports
    assert [port.facts.nic.get().persisted.why for port in ports] == [Why.NOT_VISIBLE] * 2


def setups(text: str, path: str = "") -> tuple[NicSetup, ...]:
    found = host(answer(None, text, path=path)).host
    assert found is not None
    assert found.only_environment.get() is True
    return found.nic_setups.get() if found.nic_setups.is_known else ()


def test_a_template_that_resets_sets_nothing_up() -> None:
    assert len(setups(TEMPLATE % "{nicType: a2dc}")) == 1
    assert not setups((TEMPLATE % "{nicType: a2dc}").replace("  template:", "  resetToDefault: true\n  template:"))


def test_settings_of_spectrum_x_stand_in_its_profile() -> None:
    text = (TEMPLATE % "{nicType: a2dc}").replace(
        "roceOptimized: {enabled: true}", "spectrumXOptimized: {enabled: true}"
    )
    assert setups(text)[0].pfc_priorities.why is Why.NOT_VISIBLE


def test_a_unit_template_alone_speaks_for_whom_it_will_be_started() -> None:
    unit = "[Unit]\nDescription=x\n[Service]\nExecStart=/usr/bin/mlnx_qos -i %i --trust pcp\n"
    (found,) = setups(unit, "units/roce-qos@.service")
    assert found.trust.get() == "pcp"


@pytest.mark.parametrize(
    ("task", "expected"),
    [
        ("ansible.builtin.command: mlnx_qos -i eth1 --trust pcp", "pcp"),
        ("command: {argv: [mlnx_qos, -i, eth1, --trust, pcp]}", "pcp"),
        ('copy: {dest: /etc/rc.local, content: "mlnx_qos -i eth1 --trust pcp"}', "pcp"),
        ('lineinfile: {path: /etc/rc.local, line: "mlnx_qos -i eth1 --trust pcp"}', "pcp"),
        ('shell: mlnx_qos -i eth1 --trust "{{ mode }}"', Why.NOT_VISIBLE),
        ("shell: mlnx_qos -i eth1 --trust maybe", Why.NOT_PARSED),
        ("debug: {msg: mlnx_qos -i eth1 --trust pcp}\n      command: mlnx_qos -i eth1 --trust dscp", "dscp"),
    ],
)
def test_tasks(task: str, expected: object) -> None:
    (found,) = setups(f"- hosts: all\n  tasks:\n    - name: x\n      {task}\n")
    assert (found.trust.value or found.trust.why) == expected


def test_what_is_filled_in_is_what_the_document_gives() -> None:
    given = {"a": {"b": [1, "x"]}, "c": True}
    assert filled("{{ a.b[1] }} {{ a['b'].0 }} {{ c }} {{ d }} {{ a.b | first }} {{ a.b | random }}", given) == (
        "x 1 {{c}} {{d}} 1 {{a.b|random}}"
    )


@given(st.text(max_size=200))
def test_no_text_raises(text: str) -> None:
    for whole in (
        f"- hosts: all\n  tasks:\n  - shell: mlnx_qos -i {text}",
        f"{TEMPLATE}{text}",
        f"#!/bin/sh\nmlnx_qos -i {text}",
    ):
        assert host(answer(None, whole)).name == "host"


def test_scripts_in_a_folder_are_looked_into_and_others_are_not_taken_for_anything(tmp_path: Path) -> None:
    (tmp_path / "roce.sh").write_text("#!/bin/sh\nmlnx_qos -i eth1 --pfc 0,0,0,0,1,0,0,0\n")
    (tmp_path / "backup.sh").write_text("#!/bin/sh\nssh leaf1 show running-config > leaf1.cfg\n")
    (tmp_path / "play.yml").write_text(PLAY)
    (tmp_path / "helm.yaml").write_text("apiVersion: v1\nkind: X\nenv: {{ .Values.NCCL_IB_TC }}\n")
    report = check(Request((str(tmp_path),), policy=Policy.empty())).report
    assert report.coverage.documents == 2
    assert {Path(path).name: word for path, word in report.coverage.unrecognised} == {
        "backup.sh": "a script",
        "helm.yaml": "a template with open placeholders: check what it renders",
    }


def test_a_cell_that_nobody_set_is_absent() -> None:
    (found,) = setups("#!/bin/sh\nmlnx_qos -i eth1 --pfc 0,0,0,0,1,0,0,0\n")
    cells: list[Cell[Any]] = [found.trust, found.tos, found.ip_mtu_bytes, found.dscp]
    assert all(cell.is_absent for cell in cells)


def test_files_without_a_host_are_no_fabric_that_lacks_a_lossless_class(tmp_path: Path) -> None:
    (tmp_path / "roce.sh").write_text("#!/bin/sh\nmlnx_qos -i eth1 --trust dscp --pfc 0,0,0,1,0,0,0,0\n")
    site = load_text("roce: {dscp: [26], priority: [3]}\n", "roce-audit.yaml")
    report = check(Request((str(tmp_path),), policy=site)).report
    assert not [finding.rule for finding in report.findings]
    (fabric,) = report.fabrics
    assert (fabric.devices, fabric.jobs) == (0, 1)


def test_two_scripts_may_have_one_name_and_a_lone_file_says_what_is_missing(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "roce.sh").write_text("#!/bin/sh\nmlnx_qos -i eth1 --trust dscp --pfc 0,0,0,1,0,0,0,0\n")
    report = check(Request((str(tmp_path),), policy=Policy.empty())).report
    assert [finding.rule for finding in report.findings if finding.verdict == "fails"] == []
    assert {need.how for need in report.coverage.missing_input} == {"policy roce: or classes:"}
    assert "no class to hold them against" in nothing_judged(report)


def test_values_that_may_not_be_set_are_what_the_file_sets_up() -> None:
    (found,) = setups('#!/bin/sh\nif [ "$1" = start ]; then\n  mlnx_qos -i eth1 --pfc 0,0,0,0,1,0,0,0\nfi\n')
    assert found.pfc_priorities.get() == frozenset({4})
    (found,) = setups('#!/bin/sh\nP=3\n[ "$1" ] && P=4\ndcb pfc set dev eth1 prio-pfc $P:on\n')
    assert found.pfc_priorities.why is Why.NOT_VISIBLE


def test_a_file_without_a_host_is_held_against_the_class_of_the_hosts_beside_it(tmp_path: Path) -> None:
    site = "fabrics:\n  wide: {devices: [gpu1], roce: {dscp: [26], priority: [3]}}\n  far: {devices: [gpu2]}\n"
    for place in ("a/gpu1", "b/gpu2"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "hostname.txt").write_text(place[-4:] + "\n")
        (tmp_path / place / "sysfs.txt").write_text("/sys/class/net/eth1/mtu:9000\n")
    for folder in ("a/jobs", "jobs"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "roce.sh").write_text("#!/bin/sh\nmlnx_qos -i eth1 --pfc 0,0,0,0,1,0,0,0\n")
    report = check(Request((str(tmp_path),), policy=load_text(site, "roce-audit.yaml"))).report
    assert {fabric.name: (fabric.devices, fabric.jobs) for fabric in report.fabrics} == {
        "wide": (1, 1),
        "far": (1, 0),
        "jobs": (0, 1),
    }
    failing = [f for f in report.findings if (f.rule, f.verdict) == ("pfc/setup-off-class", "fails")]
    assert [finding.locations[0].path for finding in failing] == [str(tmp_path / "a/jobs/roce.sh")]


@pytest.mark.parametrize(
    ("calls", "told"),
    [
        (("--pfc 0,0,0,1,0,0,0,0", "--pfc 0,0,0,0,1,0,0,0"), True),
        (("--dscp2prio set,26,3", "--dscp2prio set,26,4"), True),
        (("--trust dscp", "--trust pcp"), True),
        (("--dscp2prio set,26,3", "--dscp2prio set,48,6"), False),
        (("--pfc 0,0,0,0,0,0,0,0 --trust pcp", "--pfc 0,0,0,1,0,0,0,0 --trust dscp"), False),
        (("--pfc 0,0,0,1,0,0,0,0", "--pfc 0,0,0,1,0,0,0,0"), False),
    ],
)
def test_a_script_that_sets_one_thing_twice_is_told(tmp_path: Path, calls: tuple[str, str], told: bool) -> None:
    (tmp_path / "roce.sh").write_text("#!/bin/sh\n" + "".join(f"mlnx_qos -i eth1 {one}\n" for one in calls))
    report = check(Request((str(tmp_path),), policy=Policy.empty())).report
    places = [one.locations[0].line for one in report.findings if one.rule == "input/conflict"]
    assert places == ([3] if told else [])


def test_a_call_for_one_nic_after_a_loop_over_all_is_told(tmp_path: Path) -> None:
    loop = "#!/bin/sh\nfor d in eth1 eth2; do\n  mlnx_qos -i $d --pfc 0,0,0,1,0,0,0,0\ndone\n"
    (tmp_path / "roce.sh").write_text(loop + "mlnx_qos -i eth1 --pfc 0,0,0,0,1,0,0,0\n")
    report = check(Request((str(tmp_path),), policy=Policy.empty())).report
    assert [one.locations[0].line for one in report.findings if one.rule == "input/conflict"] == [5]


def test_without_a_map_the_driver_puts_a_dscp_into_the_priority_of_its_upper_bits() -> None:
    (found,) = setups("#!/bin/sh\nmlnx_qos -i eth1 --trust dscp\nmlnx_qos -i eth1 --dscp2prio set,26,5\n")
    assert [found.dscp.get()[code].get() for code in (0, 26, 34, 48)] == [0, 5, 4, 6]
    (found,) = setups("#!/bin/sh\nmlnx_qos -i eth1 --trust dscp\nmlnx_qos -i eth1 --dscp2prio set,$CODE,5\n")
    assert found.dscp.get()[26].is_unknown
    (found,) = setups("#!/bin/sh\nmlnx_qos -i eth1 --trust pcp\n")
    assert found.dscp.is_absent


@pytest.mark.parametrize(
    ("loop", "test"),
    [
        ("$(ls /sys/class/infiniband/)", "[[ $dev == mlx5* ]]"),
        ("$(ls /sys/class/infiniband/)", '[[ $dev == "mlx5"* ]]'),
        ("$(ls /sys/class/net/)", "[ $dev != lo ]"),
        ("/sys/class/net/*", "[[ $dev == */ens* ]]"),
        ("ens1 ens2", '[[ $dev == "ens"* ]]'),
    ],
)
def test_a_loop_over_names_that_a_pattern_picks_from_sets_them_up(loop: str, test: str) -> None:
    script = f"#!/bin/bash\nfor dev in {loop}; do\n  if {test}; then\n    mlnx_qos -i $dev --pfc 0,0,0,1,0,0,0,0\n  fi\ndone\n"
    facts = host(answer(None, script)).host
    assert facts is not None
    assert {frozenset(s.pfc_priorities.get()) for s in facts.nic_setups.get()} == {frozenset({3})}


@pytest.mark.parametrize("arm", ["ens*", "*"])
def test_an_arm_of_a_case_over_names_that_a_loop_goes_through_may_be_taken(arm: str) -> None:
    script = (
        "#!/bin/bash\nfor dev in $(ls /sys/class/net/); do\n  case $dev in\n"
        f"    {arm}) mlnx_qos -i $dev --pfc 0,0,0,1,0,0,0,0 ;;\n  esac\ndone\n"
    )
    facts = host(answer(None, script)).host
    assert facts is not None
    assert facts.nic_setups.is_known


def test_the_first_line_says_what_a_file_without_a_host_is(tmp_path: Path) -> None:
    (tmp_path / "nic.sh").write_text("#!/bin/sh\nmlnx_qos -i eth1 --trust dscp\n", encoding="utf-8")
    (tmp_path / "job.sh").write_text("export NCCL_IB_TC=106\n", encoding="utf-8")
    report = check(Request((str(tmp_path),), load_text("profile: base\n", "roce-audit.yaml"))).report
    assert read_words(report)[0] == "1 setup file, 1 other file without a host, 0 RoCE ports"
    assert report.coverage.devices == 2


def placed(text: str) -> dict[str, list[int]]:
    """What a script sets -> the lines that say so."""
    setups = host(answer(None, f"#!/bin/bash\n{text}")).host
    assert setups is not None
    (setup,) = setups.nic_setups.get()
    cells = {
        "pfc": setup.pfc_priorities,
        "trust": setup.trust,
        "map": setup.mapped_priorities,
        "mtu": setup.ip_mtu_bytes,
    }
    return {name: [at.line for at in cell.at] for name, cell in cells.items() if cell.at}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "mlnx_qos -i eth0 \\\n  --trust dscp \\\n  --pfc 0,0,0,1,0,0,0,0 \\\n  && mlnx_qos -i eth0 --dscp2prio set,26,3",
            {"pfc": [4], "trust": [3], "map": [5]},
        ),
        ("mlnx_qos -i eth0 --pfc 0,0,0,1,0,0,0,0 \\\n  || exit 1", {"pfc": [2]}),
        ("true && \\\n  ip link set eth0 mtu 9000 && \\\n  mlnx_qos -i eth0 --trust dscp", {"mtu": [3], "trust": [4]}),
        ("f() {\n  mlnx_qos -i $1 \\\n    --pfc 0,0,0,1,0,0,0,0\n}\nf eth0", {"pfc": [4]}),
        ("bash -c 'mlnx_qos -i eth0 --trust dscp; \\\n  ip link set eth0 mtu 9000'", {"trust": [2], "mtu": [3]}),
    ],
)
def test_a_call_over_several_lines_is_shown_where_it_says_what_it_sets(
    text: str, expected: dict[str, list[int]]
) -> None:
    assert placed(text) == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("mlnx_qos -i eth0 -F x,x,0,1,x,x,x,x", {3}),
        ("mlnx_qos --interface=eth0 --pfc 0,0,0,1,0,0,0,0", {3}),
        ("mlnx_qos --interface eth0 --spec x,x,x,1,x,x,x,x", {3}),
        ("mlnx_qos -i eth0 --specific_pfc=x,x,x,y,x,x,x,x", Why.NOT_PARSED),
    ],
)
def test_each_form_of_a_call_of_mlnx_qos_is_read(call: str, expected: set[int] | Why) -> None:
    said = host(answer(None, f"#!/bin/bash\n{call}")).host
    assert said is not None
    (setup,) = said.nic_setups.get()
    assert (set(setup.pfc_priorities.get()) if setup.pfc_priorities.is_known else setup.pfc_priorities.why) == expected


def test_a_misspelt_option_is_told_where_what_it_sets_is_not_read() -> None:
    reading = host(answer(None, "#!/bin/bash\nmlnx_qos -i eth0 --tc_bw 20,0,0,80,0,0,0,0\n"))
    assert [(seen.observation.kind, seen.place.line) for seen in reading.seen] == [("unread-line", 2)]


def test_the_trust_that_a_script_writes_to_the_kernel_is_read() -> None:
    said = host(answer(None, '#!/bin/bash\necho pcp > /sys/class/net/"$1"/qos/trust\n')).host
    assert said is not None
    (setup,) = said.nic_setups.get()
    assert setup.trust.get() == "pcp"


@pytest.mark.parametrize(
    ("between", "recognised"),
    [
        ("sleep 2", True),
        (
            "mlnx_tune -p HIGH_THROUGHPUT\nsysctl -w net.ipv4.tcp_ecn=1\necho 106 > /sys/class/infiniband/mlx5_1/tc/1/traffic_class",
            True,
        ),
        ("DCBX mode: OS controlled\nPriority trust state: dscp", False),
    ],
)
def test_calls_that_somebody_noted_down_are_a_script_whatever_stands_between_them(
    between: str, recognised: bool, tmp_path: Path
) -> None:
    """A call with its answer behind it is none."""
    text = f"mlnx_qos -i eth0 --pfc 0,0,0,1,0,0,0,0\n{between}\nmlnx_qos -i eth0 --trust=dscp\n"
    (tmp_path / "roce.sh").write_text(text)
    report = check(
        Request((str(tmp_path),), policy=load_text("roce: {dscp: [34], priority: [4]}\n", "roce-audit.yaml"))
    ).report
    rules = {finding.rule for finding in report.findings if finding.verdict == "fails"}
    assert ("pfc/setup-off-class" in rules) is recognised


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        (
            "99-roce.rules",
            'ACTION=="add", SUBSYSTEM=="net", NAME=="ens1*", RUN+="/usr/bin/mlnx_qos -i %k --pfc 0,0,0,0,1,0,0,0"\n',
            1,
        ),
        (
            "interfaces",
            "auto ens1\niface ens1 inet dhcp\n  mtu 9000\n  post-up mlnx_qos -i $IFACE --pfc 0,0,0,0,1,0,0,0\n",
            4,
        ),
        (
            "roce.service",
            "[Service]\nExecStart=/bin/sh -c 'for d in ens1; do true; mlnx_qos -i $d --pfc 0,0,0,0,1,0,0,0; done'\n",
            2,
        ),
    ],
)
def test_rules_tables_of_interfaces_and_units_in_a_repository_are_read(
    name: str, text: str, line: int, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    report = check(
        Request((str(tmp_path),), policy=load_text("roce: {dscp: [26], priority: [3]}\n", "roce-audit.yaml"))
    ).report
    (found,) = [finding for finding in report.findings if finding.rule == "pfc/setup-off-class"]
    assert [where.line for where in found.locations][:1] == [line]


def test_nics_that_are_named_by_something_else_are_named_in_words() -> None:
    call = "echo 96 > /sys/class/infiniband/$(ls /sys/class/net/ens1/device/infiniband)/tc/1/traffic_class"
    said = host(answer(None, f"#!/bin/bash\n{call}\nniccli -dev 1 qos --pfc --enable 5\n")).host
    assert said is not None
    assert {setup.name for setup in said.nic_setups.get()} == {"the RDMA device of ens1", "card 1"}


INIT = """#!/bin/sh
case "$1" in
  stop) mlnx_qos -i ens1 --pfc 0,0,0,0,0,0,0,0 ;;
  {}) mlnx_qos -i ens1 --pfc 0,0,0,1,0,0,0,0 ;;
esac
"""


@pytest.mark.parametrize(
    ("arm", "expected"), [("start", {3}), ("start|restart", {3}), ("apply", {3}), ("status", None)]
)
def test_a_script_that_is_asked_to_start(arm: str, expected: set[int] | None) -> None:
    (found,) = setups(INIT.format(arm))
    assert found.pfc_priorities.value == expected


def test_what_is_only_shown_sets_nothing() -> None:
    script = (
        "#!/bin/sh\nusage() {\n  cat <<EOF\nNCCL_IB_TC=26 is a DSCP\nmlnx_qos -i ens1 --pfc 0,0,0,0,1,0,0,0\nEOF\n}\n"
    )
    (found,) = setups(f"{script}mlnx_qos -i ens1 --pfc 0,0,0,1,0,0,0,0\n")
    assert found.pfc_priorities.value == {3}


def test_a_template_forces_a_traffic_class_and_a_link() -> None:
    qos = 'roceOptimized: {enabled: true, qos: {trust: dscp, pfc: "0,0,0,1,0,0,0,0", tos: 26}}'
    text = (TEMPLATE % "{nicType: a2dc}").replace("roceOptimized: {enabled: true}", qos)
    (found,) = setups(text)
    assert (found.tos.value, found.cma_tos.get(), found.dscp.get()[26].get(), found.roce.value) == (None, 26, 3, None)
    (found,) = setups(text.replace("Ethernet", "Infiniband").replace(", tos: 26", ", tos: 0"))
    assert (found.cma_tos.value, found.roce.get()) == (None, False)
    (found,) = setups(text.replace("trust: dscp", "trust: pcp"))
    assert found.trust.get() == "pcp"


def test_parameters_of_the_firmware_in_a_template() -> None:
    raw = '    rawNvConfig: [{name: ROCE_CONTROL, value: "1"}, {name: CNP_DSCP_P1, value: "26"}, {name: ADVANCED, value: "x"}]\n'
    (found,) = setups(TEMPLATE % "{nicType: a2dc}" + raw)
    assert (found.roce.get(), found.cnp_dscp.get()) == (False, 26)


def test_words_of_a_command_on_lines_of_their_own() -> None:
    words = "".join(f"          - {word}\n" for word in ("mlnx_qos", "-i", RAIL, "--pfc", '"0,0,0,1,0,0,0,0"'))
    (found,) = setups(f"- hosts: all\n  tasks:\n    - command:\n        argv:\n{words}")
    assert found.pfc_priorities.get() == {3}
    assert [getattr(at, "line", 0) for at in found.pfc_priorities.at] == [9]


def test_a_value_that_stands_elsewhere_is_asked_for_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "roce.sh").write_text('#!/bin/sh\nmlnx_qos -i eth1 --pfc "$(cat /etc/site/pfc)"\n')
    site = load_text("roce: {dscp: [26], priority: [3]}\n", "roce-audit.yaml")
    report = check(Request((str(tmp_path),), policy=site)).report
    (need,) = [one for one in report.coverage.missing_input if "roce.sh" in one.input]
    assert need.input == f"what {tmp_path}/roce.sh:2 sets in the end"
    assert need.decided_by == "user"


PFC = "mlnx_qos -i ens1 --pfc 0,0,0,0,1,0,0,0"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param(f"# qos\nSHELL=/bin/sh\n@reboot root /usr/bin/{PFC}\n", 3, id="cron"),
        pytest.param(f"roce:\n  cmd.run:\n    - name: {PFC}\n", 3, id="a state of Salt"),
        pytest.param(
            f"variant: fcos\nstorage:\n  files:\n  - contents:\n      inline: |\n        #!/bin/sh\n        {PFC}\n",
            7,
            id="Butane",
        ),
        pytest.param(
            f'#!/bin/sh\nrun() {{\n  echo "+ $*"\n  "$@"\n}}\nrun {PFC}\n', 6, id="a function that runs its words"
        ),
        pytest.param(
            '#!/bin/sh\nqos() { local -r nic="$1"; mlnx_qos -i "$nic" --pfc "${2:?}"; }\nqos ens1 0,0,0,0,1,0,0,0\n',
            3,
            id="a function of one line: what it is handed stands where it is called",
        ),
    ],
)
def test_where_a_call_may_stand(text: str, line: int) -> None:
    (found,) = setups(text)
    assert (found.name, found.pfc_priorities.get()) == ("ens1", {4})
    assert [getattr(at, "line", 0) for at in found.pfc_priorities.at] == [line]


def test_the_state_of_a_node_and_a_file_of_an_interface() -> None:
    state = "apiVersion: nmstate.io/v1\nkind: NodeNetworkConfigurationPolicy\nspec:\n  desiredState:\n    interfaces:\n"
    found = setups(f"{state}    - {{name: rail0, mtu: 1500}}\n    - {{name: eno1, mtu: 1500}}\n")
    assert [(one.name, one.ip_mtu_bytes.get(), one.rdma.value) for one in found] == [
        ("rail0", 1500, True),
        ("eno1", 1500, None),
    ]
    (one,) = setups(
        f"{state}    - {{name: ens1, ethtool: {{pause: {{rx: true, tx: false}}}}}}\n    - {{name: ens2, state: absent, mtu: 1500}}\n"
    )
    assert (one.name, one.link_pause_rx.get(), one.link_pause_tx.get()) == ("ens1", True, False)
    (one,) = setups("# rail\nDEVICE=rail0\nONBOOT=yes\nMTU=1500\n")
    assert (one.name, one.ip_mtu_bytes.get(), one.rdma.value) == ("rail0", 1500, True)


CALL = "mlnx_qos -i ens1f0np0 --pfc 0,0,0,1,0,0,0,0"


@pytest.mark.parametrize(
    "text",
    [
        f"NIC=ens1f0np0\n{CALL}\n",
        f"set -e\n\n{CALL}\n",
        f"sudo modprobe mlx5_ib\nmkdir -p /var/log/roce\n{CALL}\n",
        f"for priority in 3; do\n  {CALL}\ndone\n",
        f"# modprobe mlx5_ib\n# sudo {CALL}\n",  # prompts
        f"$ modprobe mlx5_ib\n$ sudo {CALL}\n",
    ],
)
def test_a_script_may_begin_without_naming_its_shell(text: str) -> None:
    (one,) = setups(text)
    assert one.pfc_priorities.get() == frozenset({3})


@pytest.mark.parametrize(
    "text", [f"# Turn PFC on\n# {CALL}\n", f"#!/bin/sh\n# {CALL}\nmlnx_qos -i ens1f0np0 --trust dscp\n"]
)
def test_what_is_commented_out_sets_nothing(text: str) -> None:
    assert [one.pfc_priorities.is_absent for one in setups(text)] in ([], [True])


def test_what_was_set_behind_prompts_is_read_beside_the_answers(tmp_path: Path) -> None:
    nic = "NIC : 42424650-5043-4242-4242-000011010000 (0000:06:00.0)"
    shown = f"# nicctl show qos\n\n{nic}\n\n  PFC :\n    PFC no-drop priorities  : 3\n"
    typed = "# sudo nicctl update qos pfc --priority 4 --no-drop enable\n"
    (tmp_path / "page.txt").write_text(typed + shown)
    report = check(Request((str(tmp_path),), policy=Policy.empty())).report
    assert "fleet/lost-at-reboot" in {one.rule for one in report.findings}


def test_a_familys_own_file_that_sets_the_cnps_too_is_no_script(tmp_path: Path) -> None:
    (tmp_path / "bnxt_re.conf").write_text("ENABLE_FC=1\nFC_MODE=3\nROCE_PRI=4\nROCE_DSCP=26\nCNP_DSCP=48\n")
    site = load_text("roce: {dscp: [26], priority: [3]}\n", "roce-audit.yaml")
    found = check(Request((str(tmp_path),), policy=site)).report.findings
    assert any(f.rule == "pfc/setup-off-class" and f.verdict == "fails" for f in found)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("enabled: false, qos: {pfc: '0,0,0,1,0,0,0,0'}", 1),
        ("enabled: false", 0),
        ("enabled: true, qos: {pfc: '0,0,0,1,0,0,0,0'}", 0),
    ],
)
def test_a_template_that_is_switched_off_sets_nothing_up(said: str, told: int) -> None:
    text = (TEMPLATE % "{nicType: '1021'}").replace("enabled: true", said)
    found = host(answer(None, text)).seen
    assert [seen.observation.kind for seen in found] == ["conflict"] * told


@pytest.mark.parametrize(
    ("mtu", "unread"), [("%{NETDEVS::ETH2::MTU}", False), ("$MTU", False), ("9000", False), ("9k", True)]
)
def test_what_is_filled_into_a_file_of_an_interface_is_not_seen(tmp_path: Path, mtu: str, unread: bool) -> None:
    (tmp_path / "ifcfg-eth2.ww").write_text(
        f"NAME=eth2\nTYPE=Ethernet\nDEVICE=eth2\nBOOTPROTO=static\nONBOOT=yes\nMTU={mtu}\n"
    )
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    assert any(finding.rule == "input/unread-line" for finding in found) is unread
