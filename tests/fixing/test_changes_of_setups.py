"""Files that set NICs up are changed where they stand: the value that the class needs, in the line that says another."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.fixing import rendering
from roce_audit.fixing.planning import Plan, plan
from tests.fixing.test_plan import site

POLICY = "roce: {dscp: [26], priority: [3]}\ncnp: {dscp: [48], priority: [6]}\nmtu: {roce: 4096}\n"
SCRIPT = """#!/bin/bash
# rail bring-up: --pfc 0,0,0,0,1,0,0,0 was the old class
for dev in rail0 rail1; do
  ip link set dev $dev mtu 9000
  mlnx_qos -i $dev --trust dscp \\
    --pfc 0,0,0,1,0,0,0,0
  ethtool -A $dev rx off tx off
done
echo 106 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class
echo 106 > /sys/class/infiniband/mlx5_1/tc/1/traffic_class
"""


def fixed(folder: Path, text: str, name: str = "rails.sh") -> tuple[Plan, str]:
    (folder / "roce-audit.yaml").write_text(POLICY)
    (folder / name).write_text(text)
    found = plan(site(folder))
    return found, found.after.get(name, text)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("--pfc 0,0,0,1,0,0,0,0", "--pfc 0,0,0,0,1,0,0,0"),
        ("--trust dscp", "--trust pcp"),
        ("mtu 9000", "mtu 1500"),
        ("rx off tx off", "rx on tx on"),
        ("echo 106 >", "echo 26 >"),
    ],
)
def test_the_line_that_says_it_is_changed_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, right: str, wrong: str
) -> None:
    monkeypatch.chdir(tmp_path)
    head, body = SCRIPT[: SCRIPT.index("for dev")], SCRIPT[SCRIPT.index("for dev") :]
    found, after = fixed(tmp_path, head + body.replace(right, wrong))
    assert found.left == ()
    assert after == SCRIPT


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("export NCCL_IB_TC=26", "export NCCL_IB_TC=106"),
        (
            "export NCCL_IB_TC=26   # DSCP 26\nexport UCX_IB_TRAFFIC_CLASS=26",
            "export NCCL_IB_TC=106   # DSCP 26\nexport UCX_IB_TRAFFIC_CLASS=106",
        ),
        (
            "export NCCL_IB_TC=106\nexport NVSHMEM_IB_TRAFFIC_CLASS=136",
            "export NCCL_IB_TC=106\nexport NVSHMEM_IB_TRAFFIC_CLASS=106",
        ),
        ("TC=26\nexport NCCL_IB_TC=$TC", ""),
    ],
    ids=["alone", "two libraries", "one of two libraries", "a variable of its own, which others may read"],
)
def test_a_job_gets_the_byte_of_the_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str, right: str
) -> None:
    monkeypatch.chdir(tmp_path)
    job = "#!/bin/bash\n#SBATCH --nodes=4\n{}\nsrun ./train --port=26\n"
    found, after = fixed(tmp_path, job.format(wrong), "train.sbatch")
    assert after == job.format(right or wrong)
    assert ("app/job-outside-class" in {finding.rule for finding, _ in found.left}) is not bool(right)


def test_it_says_where_the_line_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found, _ = fixed(tmp_path, SCRIPT.replace("dev $dev mtu 9000", "dev $dev mtu 1500"))
    text = list(rendering.text(found))
    assert "   ip link set dev $dev mtu 9000   # rails.sh:4" in text
    assert "   #   ip link set dev $dev mtu 1500   # rails.sh:4" in text


def test_what_a_variable_says_elsewhere_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = "#!/bin/bash\nPFC=0,0,0,0,1,0,0,0\nmlnx_qos -i rail0 --trust dscp --pfc $PFC\n"
    found, after = fixed(tmp_path, text)
    assert [finding.rule for finding, _ in found.left] == ["pfc/setup-off-class"]
    assert after == text


def test_pfc_is_never_turned_off_in_a_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside switches without PFC the rule speaks as well, and no class says which priorities are meant."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fabric.cfg").write_text("")
    (tmp_path / "roce-audit.yaml").write_text(POLICY.replace("mtu:", "lossless: false\nmtu:"))
    (tmp_path / "rails.sh").write_text(SCRIPT)
    assert not plan(site(tmp_path)).after
