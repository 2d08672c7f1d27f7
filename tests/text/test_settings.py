"""Whose word counts where several sources speak of the same thing."""

from __future__ import annotations

from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import Note
from roce_audit.text.settings import AgreedSettings, Settings
from roce_audit.values import At, Why, known

HERE, THERE = At(0, 0), At(1, 0)
WIDTH = Note[int]("a width")


def test_what_comes_later_wins() -> None:
    settings = Settings()
    settings.set("trust", "pcp", HERE)
    settings.set("trust", "dscp", THERE)
    found = settings.cell("trust")
    assert found is not None
    assert (found.get(), found.at) == ("dscp", (THERE,))


def test_sources_that_agree_join_their_places_and_others_are_a_conflict() -> None:
    settings = AgreedSettings()
    for at in (HERE, THERE):
        settings.set("trust", "dscp", at)
    assert settings.or_unknown("trust").at == (HERE, THERE)
    assert list(settings.conflicts()) == []
    settings.set("trust", "pcp", THERE)
    assert settings.or_unknown("trust").why is Why.CONFLICT
    assert [path for path, _ in settings.conflicts()] == ["trust"]


def test_a_fallback_counts_only_where_nothing_runs_and_a_conclusion_wins() -> None:
    settings = AgreedSettings()
    settings.set_fallback("trust", "pcp", HERE)
    assert settings.or_unknown("trust").get() == "pcp"
    settings.set("trust", "dscp", THERE)
    settings.set_fallback("trust", "both", HERE)
    assert settings.or_unknown("trust").get() == "dscp"
    settings.conclude("trust", known("none", HERE))
    settings.set("trust", "pcp", THERE)
    assert settings.or_unknown("trust").get() == "none"


def test_doubt_wins_over_all_and_refusal_only_over_silence() -> None:
    settings = AgreedSettings()
    settings.forbid_default("queues.*.share", Why.REFUSED, HERE)
    settings.set("queues.3.share", 50, HERE)
    assert settings.or_unknown("queues.3.share").get() == 50
    assert settings.or_unknown("queues.4.share").why is Why.REFUSED
    assert settings.or_unknown("queues.4.scheduling").why is Why.NOT_VISIBLE
    settings.set_unknown("queues", Why.NOT_PARSED, THERE)
    assert settings.or_unknown("queues.3.share").why is Why.NOT_PARSED


def test_notes_are_no_settings_of_the_model() -> None:
    nic = NicSettings()
    nic.set(WIDTH[3], 16, HERE)
    nic.set_unknown(WIDTH[4], Why.NOT_PARSED, HERE)
    assert nic.or_unknown(WIDTH[3]).get() == 16
    assert nic.or_unknown(WIDTH[4]).why is Why.NOT_PARSED
    assert tuple(nic.keys(WIDTH)) == ("3", "4")
    assert nic.cell("a width.3") is None


def test_what_holds_for_a_family_counts_for_its_nics() -> None:
    nic = NicSettings()
    nic.of_family("mlnx").set("trust", "dscp", HERE)
    nic.of_family("bnxt").set("trust", "pcp", HERE)
    assert nic.cell("trust") is None
    nic.adopt_family("mlnx")
    assert nic.or_unknown("trust").get() == "dscp"
