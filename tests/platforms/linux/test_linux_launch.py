"""How jobs hand settings to their libraries."""

from __future__ import annotations

from pathlib import Path

import pytest
from host_answers import answer, host
from hypothesis import given
from hypothesis import strategies as st

from roce_audit.audit import Request, check
from roce_audit.platforms import platform
from roce_audit.platforms.linux.jobs.variables import assignments
from roce_audit.policy import Policy, load_text
from roce_audit.values import Place, Why


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("export NCCL_IB_TC=106", [("NCCL_IB_TC", "106")]),
        ("export NCCL_IB_TC=106 UCX_TLS='rc,cuda'", [("NCCL_IB_TC", "106"), ("UCX_TLS", "rc,cuda")]),
        ('NCCL_IB_HCA="=mlx5_0,mlx5_1" ./train', [("NCCL_IB_HCA", "=mlx5_0,mlx5_1")]),
        ("mpirun -x NCCL_IB_TC=106 -x NCCL_DEBUG ./a", [("NCCL_IB_TC", "106")]),
        ("mpiexec -genv UCX_IB_SL 3 ./a", [("UCX_IB_SL", "3")]),
        ("srun --export=ALL,NCCL_IB_TC=106,UCX_IB_SL=0 ./a", [("NCCL_IB_TC", "106"), ("UCX_IB_SL", "0")]),
        ("#SBATCH --export=NCCL_IB_TC=106", [("NCCL_IB_TC", "106")]),
        ('echo "export NCCL_IB_TC=106"', [("NCCL_IB_TC", "106")]),
        ("setenv NCCL_IB_SL 3", [("NCCL_IB_SL", "3")]),
        ("printf \"NCCL_IB_HCA=%s NCCL_IB_TC=106 ./a\" \"$HCA\"", [("NCCL_IB_HCA", "$NCCL_IB_HCA"), ("NCCL_IB_TC", "106")]),
        ("docker run -e NCCL_IB_TC=106 image", [("NCCL_IB_TC", "106")]),
        ("ib_write_bw -x 3 --tclass=104 b", [("PERFTEST_TCLASS", "104"), ("PERFTEST_GID_INDEX", "3")]),
        ("ib_send_lat -S 2 b", [("PERFTEST_SL", "2")]),
        ('RCCL_ENV="$RCCL_ENV -x NCCL_IB_TC=96"', [("NCCL_IB_TC", "96")]),
        ("NCCL_ARGS='-x NCCL_IB_TC=104 -x NCCL_IB_SL=3'", [("NCCL_IB_TC", "104"), ("NCCL_IB_SL", "3")]),
        ("sed -i 's/^NCCL_IB_TC=.*/NCCL_IB_TC=104/' /etc/nccl.conf", [("NCCL_IB_TC", "104")]),
        ("sed -i -e 's|^#*NCCL_IB_SL=.*|NCCL_IB_SL=3|g' /etc/nccl.conf", [("NCCL_IB_SL", "3")]),
        ("grep -qE '^NCCL_IB_TC=26' /etc/nccl.conf || echo NCCL_IB_TC=106 >> /etc/nccl.conf", [("NCCL_IB_TC", "106")]),
        ("if ! grep -q NCCL_IB_TC=26 /etc/nccl.conf; then echo 'no NCCL_IB_TC=26 here'; fi", []),
        ("sed -i '/^NCCL_IB_TC=26/d' /etc/nccl.conf", []),
        ('echo "use NCCL_IB_TC=104, not NCCL_IB_TC=26" >&2', []),
        ('echo "NCCL_IB_TC=104" | sudo tee -a /etc/nccl.conf', [("NCCL_IB_TC", "104")]),
        ("echo 'NCCL_IB_TC=104' > /etc/nccl.conf", [("NCCL_IB_TC", "104")]),
        ('  "NCCL_IB_TC": "160",', [("NCCL_IB_TC", "160")]),
        ('RUNTIME_ENV="{\\"env_vars\\": {\\"NCCL_IB_TC\\": \\"104\\"}}"', [("NCCL_IB_TC", "104")]),
        ("{'NCCL_IB_GID_INDEX': 3, 'OTHER': 1}", [("NCCL_IB_GID_INDEX", "3")]),
        ('"_NCCL_IB_TC_comment": "41"', []),
        ("# export NCCL_IB_TC=26", []),
        ("export MY_NCCL_IB_TC=26", []),
        ("echo $NCCL_IB_TC", []),
    ],
)  # fmt: skip
def test_assignments(line: str, expected: list[tuple[str, str]]) -> None:
    assert list(assignments(line)) == expected


@given(st.text(max_size=300))
def test_no_text_raises(text: str) -> None:
    line = f"export NCCL_IB_TC=106 NCCL_{text} NCCL_{text}=1; srun --export=UCX_IB_SL=0,{text} ib_write_bw {text}"
    assert all(name.isascii() for name, _ in assignments(line))


def test_a_job_beside_a_host_wins_over_its_files_and_loses_to_the_environment() -> None:
    files = answer("sysfs", "/etc/nccl.conf:NCCL_IB_TC=26\n/sys/class/net/ens1/mtu:9000\n")
    job = answer(None, "#!/bin/bash\n#SBATCH -N 2\nexport NCCL_IB_TC=104\n")
    for documents, expected in (((files, job), 104), ((files, job, answer("env", "NCCL_IB_TC=106\n")), 106)):
        found = host(*documents).host
        assert found is not None
        assert found.nccl_traffic_class.get() == expected
        assert found.only_environment.get() is False
        assert found.ucx_traffic_class.is_absent is (len(documents) == 3)


@pytest.mark.parametrize(
    ("value", "unread"),
    [('"${var_NCCL_IB_HCA}"', False), ("$(pick_hca)", False), ("mlx5_0+mlx5_1", True)],
)
def test_what_the_shell_puts_in_is_not_seen_and_no_unread_line(value: str, unread: bool) -> None:
    reading = host(answer(None, f"#!/bin/bash\n#SBATCH -N 2\nmpirun -x NCCL_IB_HCA={value} ./all_reduce\n"))
    assert reading.host is not None
    assert bool([seen for seen in reading.seen if seen.observation.kind == "unread-line"]) is unread
    assert reading.host.nccl_hca.why is (Why.NOT_PARSED if unread else Why.NOT_VISIBLE)


POD = """apiVersion: v1
kind: ConfigMap
metadata: {name: nccl}
data:
  NCCL_IB_SL: "3"
  nccl.conf: |
    NCCL_IB_TC=104
---
apiVersion: v1
kind: Pod
spec:
  containers:
    - env: [{name: NCCL_IB_GID_INDEX, value: "3"}, {name: OTHER, value: "1"}]
      args: ["-x UCX_IB_TRAFFIC_CLASS=106"]
"""


def test_manifests() -> None:
    found = host(answer(None, POD, path="pod.yaml")).host
    assert found is not None
    assert (found.nccl_sl.get(), found.nccl_traffic_class.get(), found.nccl_gid_index.get()) == (3, 104, 3)
    assert found.ucx_traffic_class.get() == 106
    lines = [next(iter(cell.at)).line for cell in (found.nccl_sl, found.nccl_traffic_class, found.nccl_gid_index)]  # type: ignore[union-attr]
    assert lines == [5, 7, 13]
    assert found.only_environment.get() is True


@pytest.mark.parametrize(("limits", "off"), [("cpu: 1", None), ("nvidia.com/gpu: 1", 1)])
def test_a_container_that_watches_the_job_is_no_part_of_it(limits: str, off: int | None) -> None:
    text = (
        "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n"
        '    - env: [{name: NCCL_IB_TC, value: "104"}]\n      resources: {limits: {nvidia.com/gpu: 8, rdma/a: 1}}\n'
        f'    - env: [{{name: NCCL_IB_DISABLE, value: "1"}}]\n      resources: {{limits: {{{limits}}}}}\n'
    )
    found = host(answer(None, text, path="pod.yaml")).host
    assert found is not None
    assert (found.nccl_traffic_class.get(), found.nccl_ib_disable.value_or_none()) == (104, off)


@pytest.mark.parametrize(
    ("condition", "off"),
    [("if debug:", None), ('if __name__ == "__main__":', 1), ('if "NCCL_IB_DISABLE" not in os.environ:', 1)],
)
def test_a_program_that_leaves_rdma_on_a_condition_uses_it(condition: str, off: int | None) -> None:
    text = (
        'import os\nos.environ["NCCL_IB_TC"] = "104"\n\n'
        f'{condition}\n    os.environ["NCCL_IB_DISABLE"] = "1"\nos.environ["NCCL_IB_SL"] = "3"\n'
    )
    found = host(answer(None, text, path="train.py")).host
    assert found is not None
    assert (found.nccl_traffic_class.get(), found.nccl_sl.get(), found.nccl_ib_disable.value_or_none()) == (104, 3, off)


def test_a_list_goes_on_on_the_lines_below() -> None:
    text = "#!/bin/bash\nexport NCCL_IB_HCA=mlx5_0,\\\nmlx5_1,\\\nmlx5_2\nexport NCCL_IB_TC=104\nsrun ./a\n"
    found = host(answer(None, text, path="run.sh"))
    assert found.host is not None
    assert found.host.nccl_hca.get() == "mlx5_0,mlx5_1,mlx5_2"


POLICY = """apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetworkNodePolicy
spec:
  mtu: 9000
  nicSelector: {pfNames: ["ens1f0np0#0-7"]}
"""


def test_a_node_policy_sets_the_mtu_of_its_functions_at_boot() -> None:
    reading = host(answer("sysfs", "/sys/class/net/ens1f0np0/mtu:1500\n"), answer(None, POLICY, path="policy.yaml"))
    (port,) = reading.ports
    assert port.facts.nic.get().persisted.get().ip_mtu_bytes.get() == 9000


@pytest.mark.parametrize(
    "text", ["apiVersion: v1\nkind: Pod\n", "#!/bin/sh\necho hello\n", "kind: [NCCL_IB_TC\n", "# NCCL_IB_TC=1\n"]
)
def test_what_hands_nothing_over_is_not_claimed(text: str) -> None:
    assert platform("linux").recognise(answer(None, text)) == 0


def test_a_job_of_no_host_counts_as_no_device(tmp_path: Path) -> None:
    (tmp_path / "train.sbatch").write_text("#!/bin/bash\n#SBATCH -N 2\nexport NCCL_IB_TC=106\n")
    (tmp_path / "gpu1.txt").write_text("/sys/class/net/ens1/mtu:9000\n")
    (fabric,) = check(Request((str(tmp_path),), Policy.empty())).report.fabrics
    assert (fabric.devices, fabric.jobs) == (1, 1)


def test_a_remark_behind_a_variable_of_a_file_is_no_part_of_its_value() -> None:
    reading = host(answer(None, "export NCCL_IB_TC=104   # DSCP 26\nexport NCCL_IB_HCA=mlx5_0\t# first rail\n"))
    assert reading.host is not None
    assert reading.host.nccl_traffic_class.get() == 104
    assert reading.host.nccl_hca.get() == "mlx5_0"
    quoted = host(answer(None, 'NCCL_IB_TC=104\nNCCL_IB_HCA="mlx5_0 #1"\n')).host
    assert quoted is not None
    assert quoted.nccl_hca.why is Why.NOT_PARSED


CHART = """apiVersion: batch/v1
kind: Job
{{ $nodes := div .Values.gpus 8 | max 1 }}
spec:
  template:
    env:
      - name: NCCL_SOCKET_IFNAME
        value: eth0
      - name: VARIABLE
        value: {{ .Values.class | quote }}
"""


@pytest.mark.parametrize(("variable", "why"), [("NCCL_PROTO", Why.ABSENT), ("NCCL_IB_TC", Why.NOT_VISIBLE)])
def test_a_value_with_a_placeholder_of_a_chart_stands_elsewhere(variable: str, why: Why) -> None:
    reading = host(answer(None, CHART.replace("VARIABLE", variable)))
    assert not reading.seen
    assert reading.host is not None
    told = reading.host.nccl_traffic_class
    assert told.why is why
    if why is Why.NOT_VISIBLE:
        assert [at.line for at in told.at if isinstance(at, Place)] == [10]


def test_a_list_that_a_script_begins_with_nothing_is_made_by_it() -> None:
    text = '#!/bin/bash\nexport NCCL_IB_TC=106\nNCCL_IB_HCA=""\nfor d in $(ls /sys/class/infiniband); do\n  NCCL_IB_HCA+="$d,"\ndone\n'
    found = host(answer(None, text, path="job.sh"))
    assert found.host is not None
    assert found.host.nccl_hca.why is Why.NOT_VISIBLE
    assert not found.seen


@pytest.mark.parametrize(
    "text",
    [
        "# rails\nexport SITE=west\nexport NCCL_IB_TC=104\n",
        '#!/bin/bash\nSETTINGS=$(cat <<EOF\n{\n  "env_vars": {\n    "NCCL_IB_TC": "104"\n  }\n}\nEOF\n)\nray job submit\n',
        "cat > run.sh <<'EOF'\n#!/bin/bash\nexport NCCL_IB_TC=104\nEOF\nsbatch run.sh\n",
        '{"config": {\n  "env": {\n    "NCCL_DEBUG": "WARN",\n    "NCCL_IB_TC": "104"\n  }\n}}\n',
        "sudo docker rm -f head\nsudo docker run -d --name head \\\n  --network host \\\n  -e NCCL_IB_TC=104 \\\n  image\n",
    ],
)
def test_a_lone_piece_of_a_shell_that_hands_variables_over_is_known(text: str) -> None:
    facts = host(answer(None, text)).host
    assert facts is not None
    assert facts.nccl_traffic_class.get() == 104


@pytest.mark.parametrize(
    "text",
    [
        "#!/bin/bash\nsbatch -N 8 --export=ALL,NCCL_IB_TC=104 train.sbatch\n",
        "#%Module1.0\nsetenv NCCL_IB_HCA mlx5_0\nsetenv NCCL_IB_TC 104\n",
        "pml = ucx\nmca_base_env_list = NCCL_IB_TC=104;UCX_TLS=rc\n",
        "mpiexec.hydra -n 16 -genv NCCL_IB_HCA mlx5_0 -genv NCCL_IB_TC 104 ./a\n",
        "#!/bin/sh\nsed -i 's/^NCCL_IB_TC=.*/NCCL_IB_TC=104/' /etc/nccl.conf\n",
        '#!/bin/bash\ncase "$SLURM_JOB_PARTITION" in\n  h100*) echo export NCCL_IB_TC=104 ;;\nesac\n',
        '[Unit]\nDescription=x\n[Service]\nEnvironment="NCCL_IB_HCA=mlx5_0" "NCCL_IB_TC=104"\nExecStart=/opt/serve\n',
        "- hosts: gpu\n  tasks:\n    - lineinfile:\n        regexp: '^NCCL_IB_TC='\n        line: 'NCCL_IB_TC=104'\n        path: /x\n",
        "- hosts: gpu\n  tasks:\n    - copy:\n        dest: /etc/nccl.conf\n        content: |\n          NCCL_IB_TC=104\n",
        "- hosts: gpu\n  environment: {NCCL_IB_TC: 104}\n  tasks:\n    - command: ./train\n",
    ],
)
def test_every_way_in_which_a_job_is_told(text: str) -> None:
    found = host(answer(None, text)).host
    assert found is not None
    assert found.nccl_traffic_class.get() == 104
    assert found.only_environment.get() is True


@pytest.mark.parametrize("value", ["{{ class }}", "{{ 26 * factor }}"])
def test_a_variable_that_another_file_fills_in_says_nothing(value: str) -> None:
    text = (
        f"- hosts: gpu\n  environment: {{NCCL_IB_TC: '{value}'}}\n  tasks:\n    - shell: NCCL_IB_TC={value} ./train\n"
    )
    found = host(answer(None, text)).host
    assert found is None or not found.nccl_traffic_class.is_known


MACVLAN = """apiVersion: mellanox.com/v1alpha1
kind: MacvlanNetwork
metadata: {name: NAME}
spec: {master: ens1f0np0, mode: bridge, mtu: 1500}
"""


def test_a_network_attached_to_containers() -> None:
    attached = "apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata: {name: rdma-rail0}\n"
    config = '{"type": "macvlan",\n     "master": "ens1f0np0", "mtu": 1500}'
    chain = f'{{"plugins": [{config}, {{"type": "tuning"}}]}}'
    for text in (config, chain):
        found = host(answer(None, f"{attached}spec:\n  config: |\n    {text}\n")).host
        assert found is not None
        (one,) = found.nic_setups.get()
        assert one.ip_mtu_bytes.get() == 1500
        assert [getattr(at, "line", 0) for at in one.ip_mtu_bytes.at] == [7]


@pytest.mark.parametrize(("name", "mtu"), [("rdma-net-rail0", 1500), ("net0", None), ("gpu-mgmt", None)])
def test_a_network_of_containers_has_an_mtu(name: str, mtu: int | None) -> None:
    found = host(answer(None, MACVLAN.replace("NAME", name))).host
    there = found.nic_setups.get() if found is not None and found.nic_setups.is_known else ()
    assert [one.ip_mtu_bytes.get() for one in there] == ([] if mtu is None else [mtu])


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("# {{ managed }}\nNCCL_DEBUG=WARN\nexport NCCL_IB_TC=41\n\nNCCL_NET_PLUGIN={{ path }}\n", True),
        ("{% if fast %}\nNCCL_IB_TC=41\n{% endif %}\n", False),
        ("NCCL_IB_TC=41\nhostname {{ name }}\n", True),
    ],
)
def test_a_template_of_variables_tells_those_that_it_gives(tmp_path: Path, text: str, tells: bool) -> None:
    (tmp_path / "h100").write_text(text)
    report = check(
        Request((str(tmp_path),), load_text("roce: {dscp: [26], priority: [3]}\n", "roce-audit.yaml"))
    ).report
    assert [one.rule for one in report.findings if one.verdict == "fails"] == ["app/job-outside-class"] * tells


LAUNCHER = """import os
# os.environ["NCCL_IB_TC"] = "0"
os.environ["NCCL_IB_HCA"] = "mlx5_0"
os.environ["NCCL_IB_TC"] = "26"
os.environ.setdefault("NCCL_IB_GID_INDEX", str(3))
print("NCCL_IB_SL=3 is not set here")
"""
PLUGIN = 'function slurm_job_submit(job, parts, uid)\n  job.environment["NCCL_IB_TC"] = "26"\nend\n'


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("train.py", LAUNCHER, 4),
        ("job_submit.lua", PLUGIN, 2),
        (
            "job_submit.lua",
            PLUGIN.replace("  job.e", '  if job.partition == "gpu" then\n    job.e').replace("end", "  end\nend"),
            3,
        ),
        ("tuning.sh", "#!/bin/bash\nif [ -d /opt/gpu ]; then export NCCL_IB_TC=26; fi\n", 2),
        ("tuning.sh", "#!/bin/bash\n[[ $SITE == b ]] && export NCCL_IB_TC=26\n", 2),
        ("other.py", "import os\nprint(os.environ['HOME'], 'NCCL_IB_TC=26')\n", 0),
        ("asks.py", "import os\nassert os.environ['NCCL_IB_TC'] == '26'\n", 0),
    ],
)
def test_a_program_that_sets_variables(tmp_path: Path, name: str, text: str, line: int) -> None:
    (tmp_path / name).write_text(text)
    report = check(
        Request((str(tmp_path),), load_text("roce: {dscp: [26], priority: [3]}\n", "roce-audit.yaml"))
    ).report
    failing = [
        (one.rule, one.locations[0].line) for one in report.findings if one.verdict == "fails" and not one.because_of
    ]
    assert failing == ([("app/job-outside-class", line)] if line else [])


def test_assignments_of_a_sourced_file_that_go_on_on_the_next_line() -> None:
    text = 'export NCCL_DEBUG=WARN\nexport PMIX_MCA_gds="^ds12" \\\n      NCCL_IB_TC=41 \\\n      NCCL_IB_GID_INDEX=3\n'
    found = host(answer(None, text, path="config_common.sh"))
    assert found.host is not None
    assert (found.host.nccl_traffic_class.value, found.host.nccl_gid_index.value) == (41, 3)
    assert not [seen for seen in found.seen if seen.observation.kind == "unread-line"]


def test_a_sourced_file_that_begins_with_variables_of_its_own() -> None:
    found = host(
        answer(None, "# eight GPUs a node\nGPUS=8\nCPU_BIND=none\n\nexport NCCL_IB_TC=104\n", path="h100.conf")
    ).host
    assert found is not None
    assert found.nccl_traffic_class.value == 104


@pytest.mark.parametrize(("byte", "why"), [("255", None), ("256", Why.NOT_PARSED), ("410", Why.NOT_PARSED)])
def test_a_traffic_class_is_a_byte(byte: str, why: Why | None) -> None:
    found = host(
        answer(None, f"#!/bin/bash\n#SBATCH -N 2\nexport NCCL_IB_TC={byte}\nsrun ./train\n", path="job.sbatch")
    )
    assert found.host is not None
    assert found.host.nccl_traffic_class.why is why


_ROCE = "#!/bin/bash\nmlnx_qos -i ens1f0np0 --trust dscp --pfc 0,0,0,1,0,0,0,0\n"
_JOB = "#!/bin/bash\n#SBATCH -N 8\nexport NCCL_IB_TC=160\nsrun ./train\n"


@pytest.mark.parametrize(
    ("files", "is_told"),
    [
        ({"roce.sh": _ROCE}, True),
        ({"roce.sh": f"{_ROCE}echo 106 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class\n"}, False),
        ({"roce.sh": _ROCE, "other.sh": _ROCE.replace("0,0,0,1,0,0,0,0", "0,0,0,0,1,0,0,0")}, True),
        ({"roce.sh": _ROCE, "other.sh": _ROCE.replace("0,0,0,1,0,0,0,0", "0,0,0,0,0,1,0,0")}, False),
        ({"roce.sh": _ROCE.replace("--trust dscp", "--trust pcp")}, True),
        (
            {"roce.sh": _ROCE.replace("--trust dscp", "--trust pcp") + "mlnx_qos -i ens1f0np0 --dscp2prio set,34,3\n"},
            False,
        ),
        ({"roce.sh": _ROCE.replace("0,0,0,1,0,0,0,0", "$PFC")}, False),
        (
            {"roce.sh": _ROCE, "leaf1.cfg": "hostname leaf1\ninterface Ethernet1/1\n  priority-flow-control mode on\n"},
            False,
        ),
    ],
)
def test_a_job_is_held_against_the_setups_beside_it(tmp_path: Path, files: dict[str, str], is_told: bool) -> None:
    for name, text in {**files, "job.sbatch": _JOB}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = check(Request((str(tmp_path),), load_text("profile: base\n", "roce-audit.yaml"))).report.findings
    assert any(f.rule == "app/job-outside-setups" and f.verdict == "fails" for f in found) is is_told


_CHART = """\
apiVersion: kubeflow.org/v1
kind: MPIJob
metadata:
  name: {{ include "nccl.name" . }}
  labels:
  {{- include "nccl.labels" . | nindent 4 }}
spec:
  containers:
  - args:
    - 'mpirun -np {{ mul .Values.hosts 8 }} -x NCCL_DEBUG=INFO -x
      NCCL_IB_TC=136 -x UCX_NET_DEVICES=mlx5_0:1'
    env:
    - name: NCCL_IB_GID_INDEX
      value: "3"
    - name: NCCL_IB_SL
      value: {{ .Values.sl }}
"""


def test_the_template_of_a_chart_tells_the_variables_that_it_gives() -> None:
    found = host(answer(None, _CHART, path="templates/nccl.yaml"))
    assert found.host is not None
    assert (found.host.nccl_traffic_class.value, found.host.nccl_gid_index.value) == (136, 3)
    assert found.host.nccl_sl.why is Why.NOT_VISIBLE
    assert not [seen for seen in found.seen if seen.observation.kind == "unread-line"]


@pytest.mark.parametrize(
    ("variable", "is_told"), [("NCCL_ALGO: Ring", False), ("NCCL_IB_TC: 106", True), ("UCX_TLS: rc", True)]
)
def test_a_damaged_manifest_is_told_where_it_has_what_is_judged(variable: str, is_told: bool) -> None:
    found = host(
        answer(None, f"ENV_VARS:\n  {variable}\nARGS:\n  --hidden-size: 4\n  --hidden-size: 8\n", path="run.yaml")
    )
    unread = [seen.observation.name for seen in found.seen if seen.observation.kind == "unread-line"]
    assert unread == ["manifest: '--hidden-size' stands here a second time (first in line 4)"] * is_told


@pytest.mark.parametrize(
    ("line", "is_told"),
    [
        ("--NCCL_VER=?*) NCCL_VER=1;;", False),
        ("libnccl=${NCCL_IB_TC}", False),
        ("NCCL_IB_TC: 106", True),
        ("set NCCL_IB_TX=1", True),
    ],
)
def test_a_line_beside_variables_is_told_where_it_names_one_that_is_judged(line: str, is_told: bool) -> None:
    found = host(answer(None, f"export NCCL_DEBUG=INFO\n{line}\n", path="nccl.env"))
    assert bool([seen for seen in found.seen if seen.observation.kind == "unread-line"]) is is_told


def test_a_sign_too_many_in_the_name_of_a_containers_variable_is_told(tmp_path: Path) -> None:
    env = (
        "        - name: NCCL_IB_GID_INDEX\n          value: '3'\n        - name: NCCL_IB_TC#\n          value: '106'\n"
    )
    (tmp_path / "job.yaml").write_text(
        f"apiVersion: v1\nkind: Pod\nmetadata:\n  name: nccl\nspec:\n  containers:\n  - name: a\n    image: b\n    env:\n{env}"
    )
    report = check(Request((str(tmp_path),), Policy.empty())).report
    told = [(found.rule, found.locations[0].line) for found in report.findings if found.severity == "warning"]
    assert told == [("input/unread-line", 12)]


def test_a_manifest_that_a_script_writes_in_pieces_is_read(tmp_path: Path) -> None:
    text = (
        "#!/bin/bash\nfor N in 1021 1023; do\ncat << A > nic-${N}.yaml\napiVersion: configuration.net.nvidia.com/v1alpha1\n"
        "kind: NicConfigurationTemplate\nmetadata:\n  name: nic\nspec:\n  nicSelector:\n    nicType: '${N}'\n  template:\n"
        '    roceOptimized:\n      enabled: true\nA\nif [ "$QOS" ]; then\ncat << B >> nic-${N}.yaml\n      qos:\n        trust: dscp\n'
        '        pfc: "0,0,0,1,0,0,0"\nB\nfi\ndone\n'
    )
    (tmp_path / "mk.sh").write_text(text)
    report = check(Request((str(tmp_path),), Policy.empty())).report
    assert [(one.rule, one.locations[0].line) for one in report.findings if one.verdict == "fails"] == [
        ("input/rejected-call", 19)
    ]


@pytest.mark.parametrize(("tos", "told"), [(3, True), (24, True), (26, True), (96, False), (104, False), (41, False)])
def test_a_number_that_is_no_tos_byte_is_told_without_a_class(tmp_path: Path, tos: int, told: bool) -> None:
    (tmp_path / "job.sh").write_text(f"#!/bin/bash\n#SBATCH -N 2\nexport NCCL_IB_TC={tos}\nsrun ./train\n")
    report = check(Request((str(tmp_path),), Policy.empty())).report
    failing = [one.rule for one in report.findings if one.verdict == "fails"]
    assert ("app/tos-reads-like-priority" in failing) is told


@pytest.mark.parametrize(("trust", "told"), [("pcp", True), ("dscp", False)])
def test_a_secret_in_a_playbook_hides_no_task(tmp_path: Path, trust: str, told: bool) -> None:
    (tmp_path / "roce.yml").write_text(
        "- hosts: gpu\n  vars:\n    ansible_become_password: !vault |\n      $ANSIBLE_VAULT;1.1;AES256\n      6162\n  tasks:\n"
        "    - command: mlnx_qos -i ens1f0np0 --pfc 0,0,0,1,0,0,0,0\n"
        f"    - command: mlnx_qos -i ens1f0np0 --trust={trust}\n"
        "    - shell: echo 106 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class\n"
    )
    report = check(Request((str(tmp_path),), Policy.empty())).report
    rules = {one.rule for one in report.findings if one.severity in ("error", "warning")}
    assert rules == ({"marking/setup-ignores-own-dscp"} if told else set())


@pytest.mark.parametrize(("value", "told"), [("!Ref TrafficClass", False), ("!Sub '3'", True)])
def test_tags_of_a_manifest_hide_their_value_alone(tmp_path: Path, value: str, told: bool) -> None:
    (tmp_path / "job.yaml").write_text(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a, uid: !Ref Id}\nspec:\n  containers:\n    - name: a\n      env:\n"
        f"        - name: NCCL_IB_TC\n          value: {value}\n        - name: NCCL_IB_HCA\n          value: mlx5_0\n"
    )
    report = check(Request((str(tmp_path),), Policy.empty())).report
    failing = {one.rule for one in report.findings if one.verdict == "fails"}
    assert ("app/tos-reads-like-priority" in failing) is told
    assert "input/unread-line" not in failing


RDMA = "mpirun -np 16 -x NCCL_IB_TC=106 \\\n  -x NCCL_IB_GID_INDEX=3 ./all_reduce_perf"
TCP = "mpirun -np 16 -x NCCL_IB_DISABLE=1 ./all_reduce_perf"
OFF = "export NCCL_IB_DISABLE=1"


@pytest.mark.parametrize(
    ("lines", "value"),
    [
        ((RDMA, TCP), None),
        ((TCP,), 1),
        ((RDMA.replace("-x NCCL_IB_GID", "-x NCCL_IB_DISABLE=1 -x NCCL_IB_GID"), TCP), 1),
        (("srun hostname", TCP), 1),
        (("if ! ibv_devinfo; then", f"  {OFF}", "fi", RDMA), None),
        (("case $1 in", f"  tcp) {OFF} ;;", "esac", RDMA), None),
        ((f'[[ "$1" == tcp ]] && {OFF}', RDMA), None),
        (("if ibv_devinfo; then", "  echo RDMA", "fi", OFF, RDMA), 1),
        (('if [ -z "$NCCL_IB_DISABLE" ]; then', f"  {OFF}", "fi", RDMA), 1),
        (("if [ $never_closed ]; then", OFF, RDMA), 1),
    ],
)
def test_a_script_chooses_whether_its_job_uses_rdma(lines: tuple[str, ...], value: int | None) -> None:
    found = host(answer(None, "\n".join(("#!/bin/bash", *lines, "")), path="run.sh")).host
    assert found is not None
    assert found.nccl_ib_disable.value_or_none() == value


@pytest.mark.parametrize(
    ("line", "unread"),
    [
        ("mpirun -x NCCL_IB_HCA=$HCA_LIST ./a", True),
        ("ENV_DIR=x NCCL_INSTALLATION=$HCA_LIST/nccl run", False),
        ("mpirun -x NCCL_IB_TC=$TC -x FI_HMEM_CUDA_USE_DMABUF=$HCA_LIST ./a", False),
    ],
)
def test_a_name_that_nothing_sets_matters_where_a_variable_that_is_read_gets_it(line: str, unread: bool) -> None:
    found = host(
        answer(None, f"#!/bin/bash\nHCALIST=mlx5_0\nTC=106\nexport NCCL_IB_GID_INDEX=3\n{line}\n", path="run.sh")
    )
    assert any(seen.observation.kind == "unread-line" for seen in found.seen) is unread


@pytest.mark.parametrize(
    ("name", "index", "unread"), [("${JOB}", 3, False), ("${JOB}, x: [", 3, False), ("[", None, True)]
)
def test_a_manifest_that_envsubst_fills_in_is_no_yaml_yet(name: str, index: int | None, unread: bool) -> None:
    text = (
        f"apiVersion: v1\nkind: Pod\nmetadata: {{ name: {name}-prefill }}\nspec:\n  containers:\n    - name: t\n      env:\n"
        '        - name: NCCL_IB_GID_INDEX\n          value: "3"\n        - name: NCCL_IB_TC\n          value: "${TC}"\n'
    )
    found = host(answer(None, text, path="pod.yaml"))
    assert any(seen.observation.kind == "unread-line" for seen in found.seen) is unread
    assert found.host is not None
    assert (found.host.nccl_gid_index.value_or_none(), found.host.nccl_traffic_class.value_or_none()) == (index, None)


@pytest.mark.parametrize("value", ["'\"AWS Libfabric\"'", "'\\'AWS Libfabric\\''", '"AWS Libfabric"'])
def test_a_program_may_quote_the_name_of_a_network_once_more(tmp_path: Path, value: str) -> None:
    (tmp_path / "bench.py").write_text(
        f"env_vars = {{\n    'NCCL_NET_GDR_LEVEL': 'PHB',\n    'NCCL_NET': {value},\n}}\n"
    )
    report = check(Request((str(tmp_path),), load_text("", "roce-audit.yaml"))).report
    assert [one.rule for one in report.findings if one.verdict == "fails"] == []
