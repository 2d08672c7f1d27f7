"""What holds where nothing was said: documented defaults in what is wholly visible, and nothing in a fragment."""

from __future__ import annotations

import pytest

from roce_audit.text.fill import EVERYTHING, Default, Lack
from roce_audit.text.settings import Settings
from roce_audit.values import At, Cited, Why

DEFAULTS = {"SCHEDULER.weight": Default(1, "the guide"), "MAP.*": Default(None, "the guide")}
WHOLE = Lack(DEFAULTS, frozenset({EVERYTHING}))
FRAGMENT = Lack(DEFAULTS, frozenset())
HEADER = At(2, 0)


def test_a_default_holds_where_its_object_stands_and_says_who_says_so() -> None:
    found = WHOLE.otherwise("SCHEDULER.weight", HEADER)
    assert (found.value, found.at) == (1, (HEADER, Cited("the guide")))
    assert WHOLE.otherwise("MAP.3").is_absent


@pytest.mark.parametrize(("lack", "why"), [(WHOLE, Why.NO_DEFAULT), (FRAGMENT, Why.NOT_VISIBLE)])
def test_without_a_default_nothing_is_known(lack: Lack, why: Why) -> None:
    found = lack.otherwise("SCHEDULER.burst", HEADER)
    assert (found.why, found.at) == (why, (HEADER,))
    assert FRAGMENT.otherwise("SCHEDULER.weight").why is Why.NOT_VISIBLE


@pytest.mark.parametrize(("lack", "why"), [(WHOLE, Why.UNDEFINED), (FRAGMENT, None)])
def test_a_name_that_leads_nowhere_says_something_only_where_everything_is_visible(lack: Lack, why: Why | None) -> None:
    settings = Settings()
    lack.leads_nowhere(settings, ("queues.3", "pfc"), HEADER)
    for path in ("queues.3.ecn", "pfc"):
        doubt = settings.unknown_at(path)
        assert (None if doubt is None else doubt.why) == why
