"""NICs of which only the tool for QoS was asked: what those in the same slot of other hosts do is expected of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import Network, NicText, host


def answers(netdev: str, odd: NicText) -> dict[str, str]:
    """Five hosts, each with the answer of one tool alone; the last one has the odd NIC."""
    nics = [NicText(netdev, pfc=(3,), trust="dscp")] * 4 + [odd]
    return {
        f"gpu{n}/{name}": text
        for n, nic in enumerate(nics, 1)
        for path, text in host(f"gpu{n}", nic).items()
        if (name := path.partition("/")[2]).startswith(("mlnx_qos", "hostname"))
    }


@pytest.mark.parametrize(
    ("netdev", "trust", "carries"),
    [
        ("ens1f0np0", "dscp", True),  # set up, and PFC forgotten
        ("ens1f0np0", "pcp", None),  # as the driver leaves it: it may serve something else
        ("eth2", "dscp", None),  # a number, which is no slot
    ],
)
def test_a_nic_without_pfc(tmp_path: Path, netdev: str, trust: str, carries: bool | None) -> None:
    found = Network(tmp_path, answers(netdev, NicText(netdev, trust=trust)))
    assert found.answer(f"gpu5:{netdev}")[0] is carries


def _asked_of_all(odd: str) -> dict[str, str]:
    """The answer of one command for each of four hosts, as `pdsh` prints it; it does not name the NIC."""
    usual = NicText("ens1np0", pfc=(3,), trust="dscp")
    nics = [usual, usual, usual, NicText("ens1np0", trust=odd)]
    answers = (host("gpu", nic) for nic in nics)
    texts = (next(text for path, text in those.items() if "mlnx_qos" in path) for those in answers)
    return {"qos.txt": "".join(f"gpu{n}: {line}\n" for n, text in enumerate(texts, 1) for line in text.splitlines())}


@pytest.mark.parametrize(("trust", "carries"), [("dscp", True), ("pcp", None)])
def test_the_one_nic_that_each_host_was_asked_for(tmp_path: Path, trust: str, carries: bool | None) -> None:
    assert Network(tmp_path, _asked_of_all(trust)).answer("gpu4:unnamed")[0] is carries
