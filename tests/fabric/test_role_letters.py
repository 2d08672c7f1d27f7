"""One letter before a number that all lossless ports share is what these machines are; ports with another one are not like them."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, switch


def _network(folder: Path, lossless: list[str], other: str) -> Network:
    ports = {f"Ethernet{n}/1": [f"description ncn-{name}:slot1", ROCE] for n, name in enumerate(lossless, 1)}
    return Network(folder, switch("leaf1", {**ports, "Ethernet9/1": [f"description ncn-{other}:slot1"]}))


@pytest.mark.parametrize(
    ("lossless", "other", "answer"),
    [
        (["s001", "s002", "s003"], "m001", (None, "none")),
        (["s001", "s002", "s003"], "s004", (True, "similar_ports")),
        (["m001", "s002", "s003"], "w001", (True, "similar_ports")),
        (["a001", "a002", "a003"], "b001", (True, "similar_ports")),
        (["001", "002", "003"], "004", (True, "similar_ports")),
    ],
    ids=["another role", "the same", "of many letters", "sides", "none"],
)
def test_a_letter_tells_what_a_machine_is(
    tmp_path: Path, lossless: list[str], other: str, answer: tuple[bool | None, str]
) -> None:
    assert _network(tmp_path, lossless, other).answer("leaf1:Ethernet9/1") == answer
