"""How many equal paths BGP uses where nobody says it: one, but for where another protocol finds the ways."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.platforms import platform
from roce_audit.policy.values import Policy
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Cell

EXAMPLES = Path(__file__).parents[2] / "roce_audit" / "platforms"
OSPF = {"eos": "router ospf 1\n", "nxos": "router ospf UNDERLAY\n", "vrp": "ospf 1\n#\n", "comware": "ospf 1\n#\n"}


def most_paths(folder: Path, platform: str, before: str, *, whole: bool = True) -> Cell[int]:
    text = (EXAMPLES / platform / "examples" / "base" / "leaf1.cfg").read_text()
    begin = "bgp " if platform in ("vrp", "comware") else "router bgp "
    (folder / "leaf1.cfg").write_text(
        text.replace(f"\n{begin}", f"\n{before}{begin}", 1) if whole else text[: len(text) // 2]
    )
    (site,) = check(Request((str(folder),), Policy.empty(), rules=())).devices
    port = next(port for port in site.ports if port.facts.kind.or_else("") == "ethernet")
    forwarding = port.facts.forwarding
    return forwarding.get().max_paths if forwarding.is_known else Cell(None, forwarding.why, forwarding.at)


@pytest.mark.parametrize("platform", OSPF)
def test_bgp_alone_uses_one(tmp_path: Path, platform: str) -> None:
    assert most_paths(tmp_path, platform, "").get() == 1


@pytest.mark.parametrize("platform", OSPF)
def test_beside_another_protocol_nothing_is_said(tmp_path: Path, platform: str) -> None:
    assert most_paths(tmp_path, platform, OSPF[platform]).is_absent


@pytest.mark.parametrize("platform", OSPF)
def test_of_half_a_file_nobody_knows(tmp_path: Path, platform: str) -> None:
    assert not most_paths(tmp_path, platform, "", whole=False).is_known


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "eos",
            "router bfd\n   interval 300 min-rx 300 multiplier 3 default\n!\nrouter multicast\n   ipv4\n      routing\n!\n",
        ),
        (
            "eos",
            "router general\n   router-id ipv4 10.0.0.1\n!\nrouter pim sparse-mode\n   ipv4\n      ssm range standard\n!\n",
        ),
        ("eos", "no router ospf 1\n!\n"),
        ("nxos", "no router ospf UNDERLAY\n"),
        ("nxos", "router pim\nrouter rip 1\n  address-family ipv4 unicast\n"),
    ],
)
def test_other_blocks_of_a_router_are_none_of_ours(name: str, text: str) -> None:
    port = "interface Ethernet1/1\n  mtu 9000\n"
    document = Document("x.cfg", text + port, declared_complete=True)
    assert platform(name).read(DeviceInput("x", name, (document,))).seen == ()
