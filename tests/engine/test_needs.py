"""Which input would decide what is unknown."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from roce_audit.engine.needs import Needs
from roce_audit.engine.placing import Evidence
from roce_audit.engine.subjects import Subject
from roce_audit.platforms.base import DeviceReading
from roce_audit.values import Place, Why, absent, unknown


@pytest.mark.parametrize(
    ("path", "complete", "why", "how"),
    [
        ("pfc", True, Why.NOT_VISIBLE, "show pfc"),
        ("speed_bps", True, Why.NOT_VISIBLE, "no command is known that shows it; a statement that sets it would"),
        ("speed_bps", False, Why.NO_DEFAULT, "no command is known that shows it; a statement that sets it would"),
        (
            "pfc",
            False,
            Why.NOT_VISIBLE,
            "the whole running-config (if the file is whole, policy paths: {complete: true})",
        ),
    ],
)
def test_a_file_that_is_whole_is_not_asked_for_again(path: str, complete: bool, why: Why, how: str) -> None:
    device = SimpleNamespace(
        name="leaf1",
        platform="any",
        kind="switch",
        first=Place("leaf1.cfg", 1),
        complete_because={"leaf1.cfg": "it ends"} if complete else {},
    )
    subject = Subject("leaf1:1", "1", "all", cast(DeviceReading, device), (), {}, Place("leaf1.cfg", 1))
    needs = Needs({"any": {"pfc": "show pfc"}})
    _, missing = needs.of(subject, [Evidence(("port", path), unknown(why), (), ())], "")
    assert missing.how == how


@pytest.mark.parametrize(
    ("says", "decided_by"),
    [
        ("show pfc", "user"),
        ("show pfc (its answer is not read)", "nobody"),
        ("nothing: no guide says it", "nobody"),
    ],
)
def test_what_no_command_shows_is_not_for_the_user_to_decide(says: str, decided_by: str) -> None:
    device = SimpleNamespace(
        name="leaf1", platform="any", kind="switch", first=Place("leaf1.cfg", 1), complete_because={"leaf1.cfg": "end"}
    )
    subject = Subject("leaf1:1", "1", "all", cast(DeviceReading, device), (), {}, Place("leaf1.cfg", 1))
    needs = Needs({"any": {"pfc": says}})
    needs.of(subject, [Evidence(("port", "pfc"), unknown(Why.NOT_VISIBLE), (), ())], "")
    assert [one.decided_by for one in needs.listed()] == [decided_by]


def _device(platform: str, **own: object) -> DeviceReading:
    usual = {"name": "leaf1", "platform": platform, "kind": "switch", "first": Place("leaf1.cfg", 1)}
    return cast(DeviceReading, SimpleNamespace(**(usual | {"complete_because": {"leaf1.cfg": "it ends"}} | own)))


def _asked(device: DeviceReading, needs: Needs, path: tuple[str, ...], why: Why, *lines: Place) -> str:
    subject = Subject("leaf1:1", "1", "all", device, (), {}, Place("leaf1.cfg", 1))
    _, missing = needs.of(subject, [Evidence(path, unknown(why), lines, ())], "")
    return missing.how


def test_a_configuration_that_was_read_is_not_asked_for_again() -> None:
    needs = Needs({"any": {"queues": "show run (queuing policy)"}}, {"any": "show run"})
    nothing = "no command is known that shows it; a statement that sets it would (queuing policy)"
    assert _asked(_device("any"), needs, ("port", "queues"), Why.NOT_VISIBLE) == nothing
    assert _asked(_device("any", complete_because={}), needs, ("port", "queues"), Why.NO_DEFAULT) == nothing
    assert {need.decided_by for need in needs.listed()} == {"nobody"}


def test_what_a_host_has_no_configuration_for_is_shown_by_its_tool() -> None:
    needs = Needs({"any": {"pfc": "tool --show"}}, {"any": "show run"})
    assert _asked(_device("any", kind="host"), needs, ("port", "pfc"), Why.NOT_VISIBLE) == "tool --show"


def test_a_contradiction_names_its_lines() -> None:
    lines = Place("leaf1.cfg", 74), Place("leaf1.cfg", 121)
    assert _asked(_device("any"), Needs({}), ("port", "queues", "3", "ecn"), Why.CONFLICT, *lines) == (
        "one value in leaf1.cfg:74, leaf1.cfg:121"
    )


def test_the_tool_that_shows_one_thing_of_a_nic_shows_no_other() -> None:
    needs = Needs({"any": {"nic.rdma_device": "tool --devices"}})
    how = _asked(_device("any", kind="host"), needs, ("port", "nic", "dcqcn"), Why.NOT_VISIBLE)
    assert how == "no command is known that shows it; a statement that sets it would"


def test_a_class_without_dscp_is_settled_by_the_policy() -> None:
    subject = Subject("leaf1:1", "1", "all", _device("any"), (), {}, Place("leaf1.cfg", 1))
    _, missing = Needs({}).of(subject, [Evidence(("roce", "dscp"), absent(), (), ())], "roce.dscp is absent")
    assert (missing.words, missing.how) == (
        "the DSCP of the RoCE class of fabric all",
        "policy classes: (or roce:, cnp:)",
    )


def test_the_class_s_mtu_has_a_key_of_its_own_in_the_policy() -> None:
    subject = Subject("leaf1:1", "1", "all", _device("any"), (), {}, Place("leaf1.cfg", 1))
    _, missing = Needs({}).of(subject, [Evidence(("roce", "mtu_bytes"), absent(), (), ())], "roce.mtu_bytes is absent")
    assert (missing.words, missing.how) == (
        "the MTU of the RoCE class of fabric all",
        "policy mtu: {roce: BYTES}, or mtu of the class in classes:",
    )


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (("port", "nic", "routed"), "default route or other routes with a gateway"),
        (("port", "nic", "pcie_gbps"), "PCIe bandwidth"),
        (("port", "dcbx", "owner"), "DCBX owner"),
    ],
)
def test_an_input_that_is_missing_has_the_field_s_words(path: tuple[str, ...], words: str) -> None:
    subject = Subject("gpu1:1", "1", "all", _device("any", kind="host"), (), {}, Place("gpu1.txt", 1))
    _, missing = Needs({}).of(subject, [Evidence(path, unknown(Why.NOT_VISIBLE), (), ())], "")
    assert missing.words == words
