"""Which input would decide what is unknown."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from roce_audit.engine.needs import Needs
from roce_audit.engine.placing import Evidence
from roce_audit.engine.subjects import Subject
from roce_audit.platforms.base import DeviceReading
from roce_audit.values import Place, Why, unknown


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
