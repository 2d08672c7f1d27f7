"""An answer about lossless settings that nothing reads is said, whether it has a file of its own or stands in a session."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

CONFIGURATION = "hostname leaf1\ninterface Ethernet1/1\n  priority-flow-control mode on\n"
PFC = "Ethernet1/1        On   On  (8)       0          0\n"


def aside(*documents: Document) -> tuple[tuple[str, str], ...]:
    return platform("nxos").read(DeviceInput("leaf1", "nxos", documents)).unrecognised


@pytest.mark.parametrize("path", ["leaf1.log", "policy.txt"])
def test_an_answer_that_nothing_reads_is_said(path: str) -> None:
    given = Document("leaf1.log", CONFIGURATION, "show running-config")
    odd = Document(path, "  policy-map type network-qos NQ\n", "show policy-map interface", first_line=40)
    ((where, why),) = aside(given, odd)
    assert (where, "`show policy-map interface`" in why) == (path, True)


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("show interface priority-flow-control", PFC),
        ("show interface Ethernet1/1 priority-flow-control", PFC),
        ("show queuing interface", "anything\n"),  # counters are compared between two snapshots
        ("show clock", "10:00:00\n"),
        ("show running-config ipqos", "class-map type qos match-any A\n"),
    ],
)
def test_what_is_read_or_none_of_ours_is_not(command: str, text: str) -> None:
    given = Document("leaf1.log", CONFIGURATION, "show running-config")
    assert aside(given, Document("leaf1.log", text, command, first_line=40)) == ()


@pytest.mark.parametrize(("port", "said"), [("Ethernet1/1", False), ("Ethernet7/1", True), ("FourGig1/1", True)])
def test_an_answer_about_the_ports_of_another_switch_is_said(port: str, said: bool) -> None:
    given = Document("leaf1.log", CONFIGURATION, "show running-config")
    told = aside(given, Document("pfc.txt", PFC.replace("Ethernet1/1", port), "show interface priority-flow-control"))
    assert [path for path, why in told if port in why] == (["pfc.txt"] if said else [])


def test_many_are_said_in_one_line() -> None:
    given = Document("leaf1.log", CONFIGURATION, "show running-config")
    odd = [Document("leaf1.log", "x\n", f"show buffer {number}", first_line=40 + number) for number in range(9)]
    ((_, why),) = aside(given, *odd)
    assert why.endswith("and 5 more")


def test_a_command_that_sets_something_has_no_answer_to_read() -> None:
    given = Document("leaf1.log", CONFIGURATION, "show running-config")
    assert aside(given, Document("leaf1.log", "", "show policy-map interface", first_line=40)) == ()


@pytest.mark.parametrize("form", ["json", "xml"])
def test_another_form_of_what_is_asked_for_is_said_where_nothing_is_read_of_it(form: str) -> None:
    given = Document("leaf1.log", CONFIGURATION, "show running-config")
    command = f"show interface priority-flow-control | {form}"
    ((_, why),) = aside(given, Document("leaf1.log", "{}", command, first_line=40))
    assert command in why
    plain = "show interface priority-flow-control | exclude Off"
    assert aside(given, Document("leaf1.log", PFC, plain, first_line=40)) == ()


@pytest.mark.parametrize(
    "command", ["show priority-flow-control counters watchdog | json", "show interfaces counters errors | json"]
)
def test_another_form_that_is_read_is_not_said(command: str) -> None:
    """A switch on which no queue was ever stuck has nothing in such an answer."""
    given = Document("leaf1.log", "hostname leaf1\ninterface Ethernet1\n   mtu 9214\n", "show running-config")
    empty = Document("leaf1.log", '{"interfaces": {}, "interfaceErrorCounters": {}}\n', command, first_line=40)
    assert platform("eos").read(DeviceInput("leaf1", "eos", (given, empty))).unrecognised == ()
