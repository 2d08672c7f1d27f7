"""Words that stand in every text of a tool, and in every call that sets NICs up: texts without any are passed over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from roce_audit import platforms
from roce_audit.platforms.shared.host.tools import tools
from roce_audit.sources.repository.linecalls import mentions

ROOT = Path(__file__).parents[3]
CALLS = (
    "lldptool -T -i ens1 -V PFC enabled=3",
    "dcb pfc set dev ens1 prio-pfc 3:on",
    "dcb app add dev ens1 dscp-prio 26:3",
    "echo 106 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class",
    "echo 106 > /sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos",
    "nicctl update qos pfc --priority 3 --no-drop enable",
    "niccli -i 1 qos --pfc --enable 3",
    "niccli.x86_64 -i 1 qos --pfc --enable 3",
    "echo 'options irdma roce_ena=1' | tee -a /etc/modprobe.d/irdma.conf",
    "hinicadm3 qos -i hinic0 -t pfc -e 3",
    "hccn_tool -i 0 -pfc -s bitmap 0,0,0,0,1,0,0,0",
    "bnxt_setupcc.sh -d bnxt_re0 -i ens1 -m 3",
    "bnxtqos -dev=ens1 set_pfc enabled=3",
    "mkdir -p /sys/kernel/config/bnxt_re/bnxt_re0/ports/1/cc",
    "mlnx_qos -i ens1 --pfc 0,0,0,1,0,0,0,0",
    "esxcli system module parameters set -m nmlx5_core -p pfctx=8",
    "esxcli network nic pauseParams set -n vmnic4 -r false",
    "cma_roce_tos -d mlx5_0 -t 106",
    "cma_roce_mode -d mlx5_0 -p 1 -m 2",
    "echo 1 > /sys/class/net/ens1/ecn/roce_np/enable/3",
    "echo 48 > /sys/class/net/ens1/ecn/roce_np/cnp_dscp",
    "echo 6 > /sys/kernel/debug/mlx5/0000:1a:00.0/cc_params/np_cnp_prio",
    "echo dscp > /sys/class/net/ens1/qos/trust",
    "mlxconfig -d 0000:1a:00.0 set LINK_TYPE_P1=2",
    "mstconfig -d 0000:1a:00.0 set ROCE_CONTROL=2",
    "CNP_DSCP_P1=48",
    "ROCE_CC_PRIO_MASK_P2=8",
    "LINK_TYPE_P1=2",
    "QOS_TRUST_STATE_P1=2",
)


@pytest.mark.parametrize("call", CALLS)
def test_a_call_is_seen(call: str) -> None:
    assert mentions(f"{call}\n")


def test_every_word_is_tried() -> None:
    for one in platforms.every():
        words = [word for word in one.nics.call_words if not any(word in call for call in CALLS)]
        assert not words, one.name


def test_what_a_signature_finds_has_one_of_the_words() -> None:
    known = 0
    folders = (ROOT / "fixtures", *(ROOT / "roce_audit" / "platforms").glob("*/examples"))
    for path in sorted(path for folder in folders for path in folder.rglob("*") if path.is_file()):
        text = path.read_text(encoding="utf-8", errors="replace")
        for tool in tools():
            if tool.words and re.search(tool.signature, text, re.M):
                known += 1
                assert any(word in text for word in tool.words), (tool.name, path)
    assert known > 3
