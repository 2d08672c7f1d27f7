"""PFC for another priority than all other lines of a class name: an error where marks and room agree, else a warning."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

PORT = """interface 100GE1/0/{n}
 undo portswitch
 mtu 9000
 description gpu{n}
 jumboframe enable 9216
 trust dscp
 trust upstream rdma
 qos queue 4 wred marks
 qos queue 4 ecn
 dcb pfc enable mode manual
 dcb pfc buffer 4 xoff dynamic 5 xon offset 20 kbytes
 dcb pfc buffer 4 hdrm 512 kbytes
#
"""
LEAF = (
    "!Software Version V300R023C00SPC500\n#\nsysname leaf1\n#\ndcb pfc\n priority 4\n undo priority 3\n"
    " priority 4 deadlock-detect time 10\n priority 4 deadlock-recovery time 10\n#\ndcb pfc dscp-mapping enable slot 1\n#\n"
    "drop-profile marks\n ecn buffer-size low-limit 153600 high-limit 768000 discard-percentage 10\n#\n"
    "diffserv domain rdma\n ip-dscp-inbound 26 phb af4 green\n ip-dscp-inbound 48 phb cs6 green\n#\n"
    + "".join(PORT.format(n=n) for n in range(1, 5))
    + "return\n"
)
TRAFFIC = """traffic.packet_priority_source_set = [802.1p,dscp]
traffic.cos_3.priority_source.8021p = [3]
traffic.cos_4.priority_source.8021p = [4]
traffic.cos_3.priority_source.dscp = [26]
traffic.cos_6.priority_source.dscp = [48]
pfc.port_group_list = [pause]
pfc.pause.cos_list = [3]
pfc.pause.port_set = swp1-swp4
pfc.pause.tx_enable = true
pfc.pause.rx_enable = true
ecn_red.port_group_list = [marks]
ecn_red.marks.cos_list = [3]
ecn_red.marks.port_set = swp1-swp4
ecn_red.marks.ecn_enable = true
ecn_red.marks.red_enable = false
ecn_red.marks.min_threshold_bytes = 153600
ecn_red.marks.max_threshold_bytes = 1536000
ecn_red.marks.probability = 100
"""


def said(folder: Path, path: str, text: str, rule: str) -> list[str]:
    place = folder / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
    report = check(Request((str(folder),), Policy.empty(), select=(rule,), context=())).report
    return [finding.severity for finding in report.findings if finding.verdict == "fails"]


@pytest.mark.parametrize(
    ("old", "new", "severities"),
    [
        pytest.param("", "", [], id="all of priority 4"),
        pytest.param(" priority 4\n", " priority 5\n", ["error"], id="PFC of priority 5"),
        pytest.param(
            " priority 4\n", " priority 5\n qos queue 4 ecn", ["warning"], id="PFC of priority 5, and nothing marks"
        ),
    ],
)
def test_room_and_marks_of_another_priority(tmp_path: Path, old: str, new: str, severities: list[str]) -> None:
    text, gone = LEAF, new.partition("\n qos")[1]
    if gone:
        text, new = text.replace(" qos queue 4 ecn\n", ""), " priority 5\n"
    text = text.replace(old, new, 1) if old else text
    assert said(tmp_path, "leaf1.cfg", text, "buffer/room-for-other-priority") == severities


@pytest.mark.parametrize(
    ("edits", "severities"),
    [
        pytest.param({}, [], id="all of cos 3"),
        pytest.param({"pause.cos_list = [3]": "pause.cos_list = [4]"}, ["error"], id="PFC of cos 4"),
        pytest.param(
            {"pause.cos_list = [3]": "pause.cos_list = [4]", "marks.cos_list = [3]": "marks.cos_list = [4]"},
            ["warning"],
            id="PFC and marks of cos 4",
        ),
    ],
)
def test_map_and_marks_of_another_priority(tmp_path: Path, edits: dict[str, str], severities: list[str]) -> None:
    text = TRAFFIC
    for old, new in edits.items():
        text = text.replace(old, new)
    assert said(tmp_path, "leaf1/etc/cumulus/datapath/traffic.conf", text, "marking/map-leaves-class-out") == severities
