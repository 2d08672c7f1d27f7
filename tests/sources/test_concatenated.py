"""Several configurations in one file, one behind the other."""

from __future__ import annotations

import pytest

from roce_audit.sources.splitting.concatenated import split

NXOS = """hostname {name}
class-map type qos match-all ROCE
  match dscp 26
interface Ethernet1/1
  priority-flow-control mode on
"""
VRP = """#
sysname {name}
#
dcb pfc
 priority 4
#
interface 100GE1/0/1
 trust dscp
 dcb pfc enable mode manual
#
return
"""
JUNOS = """set version 23.4R2
set system host-name {name}
set interfaces et-0/0/1 mtu 9216
set class-of-service interfaces et-0/0/1 unit 0 classifiers dscp roce
"""


def both(text: str, between: str = "") -> str:
    return text.format(name="leaf1") + between + text.format(name="leaf2")


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (both(NXOS), 6),
        (both(NXOS, "!\n! leaf2\n!\n"), 6),
        (both(VRP), 12),
        (both(VRP, "\nLeaf2\n\n"), 12),
        (both(JUNOS), 5),
    ],
)
def test_each_configuration_is_a_document_of_its_own(text: str, first: int) -> None:
    one, two = split("all.txt", text)
    assert (one.first_line, two.first_line) == (1, first)
    assert one.text + two.text == text


def test_a_page_that_is_set_in_is_cut_as_well() -> None:
    text = "".join(f"    {line}\n" for line in both(VRP).splitlines())
    one, two = split("all.txt", text)
    assert (one.first_line, two.first_line) == (1, 12)


@pytest.mark.parametrize(
    "text",
    [
        NXOS.format(name="leaf1"),
        NXOS.format(name="leaf1") * 2,  # running and startup of one device
        NXOS.format(name="leaf1") + "hostname renamed\n",
        "hostname template\n" + NXOS.format(name="leaf1"),
    ],
)
def test_one_device_stays_one_document(text: str) -> None:
    assert split("all.txt", text) == ()
