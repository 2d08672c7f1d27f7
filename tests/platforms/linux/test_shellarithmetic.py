"""Arithmetic of the shell in what scripts set, and the settings of rdma_cm that it is used for."""

from __future__ import annotations

import pytest
from host_answers import answer, host
from hypothesis import given
from hypothesis import strategies as st

from roce_audit.platforms.shared.shell.arithmetic import computed
from roce_audit.platforms.shared.shell.values import constants
from roce_audit.values import Why


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("$((26<<2))", "104"),
        ("$(( (26 << 2) | 2 ))", "106"),
        ("$((DSCP * 4 + 2))", "106"),
        ("$(($DSCP << 2))", "104"),
        ("-t $((0x1a<<2)) -p $((1))", "-t 104 -p 1"),
        ("$((106 >> 2 & 63))", "26"),
        ("$((OTHER<<2))", "$((OTHER<<2))"),
        ("$((1<<99))", "$((1<<99))"),
        ("$((3-4))", "$((3-4))"),
        ("$((x=3))", "$((x=3))"),
        ("$((026))", "$((026))"),  # octal
        ("$((9**9))", "$((9**9))"),
        ("$((DSCP.real))", "$((DSCP.real))"),
        ("$(ls)", "$(ls)"),
    ],
)
def test_what_an_expansion_comes_to(text: str, result: str) -> None:
    assert computed(text, {"DSCP": "26"}.get) == result


@given(st.text(alphabet="0123456789$()<>+*|& xAB\n", max_size=90))
def test_no_text_raises(text: str) -> None:
    assert isinstance(computed(f"$(({text}))", {"A": "2", "B": "("}.get), str)


def test_variables_take_what_is_computed() -> None:
    values = constants(["DSCP=26", "TOS=$(( DSCP << 2 ))", "export NCCL_IB_TC=$((TOS+2))"])
    assert values.known == {"DSCP": "26", "TOS": "104", "NCCL_IB_TC": "106"}


SCRIPT = "#!/bin/bash\nDSCP=26\n{call}\n"


@pytest.mark.parametrize(
    ("call", "tos", "mode"),
    [
        ("cma_roce_tos -d mlx5_0 -t $((DSCP<<2))", 104, None),
        ("cma_roce_tos -d mlx5_0 -t 26", 26, None),
        ("cma_roce_mode -d mlx5_0 -p 1 -m 1", None, "roce-v1"),
        ("cma_roce_mode -d mlx5_0 -p 1 -m 2", None, "roce-v2"),
        ('cma_roce_tos -d mlx5_0 -t 106\necho "RoCE v2" > /sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_mode', 106, "roce-v2"),
        ("cma_roce_tos -d mlx5_0 -t 106\necho IB/RoCE v1 > /sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_mode", 106, "roce-v1"),
    ],
)  # fmt: skip
def test_what_a_script_makes_of_rdma_cm(call: str, tos: int | None, mode: str | None) -> None:
    found = host(answer(None, SCRIPT.format(call=call))).host
    assert found is not None
    (setup,) = found.nic_setups.get()
    assert (setup.cma_tos.value, setup.cma_mode.value) == (tos, mode)


def test_a_mode_that_the_script_does_not_have_is_an_unread_line() -> None:
    found = host(answer(None, SCRIPT.format(call="cma_roce_mode -d mlx5_0 -m 3")))
    assert found.host is not None
    (setup,) = found.host.nic_setups.get()
    assert setup.cma_mode.why is Why.NOT_PARSED
    assert [seen.observation.kind for seen in found.seen] == ["unread-line"]


def test_a_file_of_variables_is_read_by_a_shell() -> None:
    found = host(answer("env", "NCCL_IB_TC=$((26<<2))\nUCX_IB_TRAFFIC_CLASS=$((DSCP<<2))\n")).host
    assert found is not None
    assert found.nccl_traffic_class.value == 104
    assert found.ucx_traffic_class.why is Why.NOT_VISIBLE
