"""A block that no statement table lists says nothing of the interface before it, though that knows the first word of its header."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document

PLATFORMS = Path(__file__).parents[2] / "roce_audit/platforms"
HEADERS = {
    "eos": ["vrf instance MGMT", "vrf definition MGMT", "ip security", "ip prefix-list HOSTS"],
    "nxos": ["vrf context management", "vpc domain 7", "ip sla 7", "ipv6 prefix-list HOSTS"],
    "os10": ["ip prefix-list HOSTS"],
    "vrp": ["ip vpn-instance MGMT", "stp region-configuration", "stp process 7"],
}
INSIDE = "   description out of band management\n   mtu 1500\n   profile P\n   shutdown\n"


def read(name: str, text: str) -> DeviceReading:
    return platform(name).read(DeviceInput("leaf1", name, (Document("leaf1.cfg", text),)))


def parted(name: str) -> tuple[str, str]:
    """The example of a platform, behind the last line of its first interface and from there on."""
    text = (PLATFORMS / name / "examples/base/leaf1.cfg").read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    first = next(n for n, line in enumerate(lines) if line.startswith("interface ") and lines[n + 1][0] == " ")
    end = next(n for n in range(first + 1, len(lines)) if lines[n][0] != " ")
    return "".join(lines[:end]), "".join(lines[end:])


@pytest.mark.parametrize(("name", "header"), [(name, header) for name in HEADERS for header in HEADERS[name]])
@pytest.mark.parametrize("below", [INSIDE, ""], ids=["indented", "empty"])
def test_a_block_of_its_own_says_nothing_of_the_interface_before_it(name: str, header: str, below: str) -> None:
    before, behind = parted(name)
    plain = read(name, before + behind)
    for _ in range(2):  # how a line began that was none of ours is kept
        among = read(name, f"{before}{header}\n{below}{behind}")
        assert [(p.name, p.facts, p.labels) for p in among.ports] == [(p.name, p.facts, p.labels) for p in plain.ports]
        assert [one.observation.text for one in among.seen] == [one.observation.text for one in plain.seen]


@pytest.mark.parametrize("line", ["ip vrf forwarding blue", "ip address 10.0.0.1/31", "description a"])
def test_a_line_of_the_interface_that_lost_its_indentation_is_still_its_own(line: str) -> None:
    text = f"hostname leaf1\ninterface ethernet1/1/1\n  no switchport\n{line}\n  mtu 9216\n  no shutdown\n"
    (port,) = read("os10", text).ports
    assert port.facts.ip_mtu_bytes.at
