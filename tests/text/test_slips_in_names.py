"""When is a name another one with a slip of the pen?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roce_audit.text.statements.misspelling import is_slip_in_name


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("egress_lossless_porfile", "egress_lossless_profile"),
        ("ROCE-LEFA", "ROCE-LEAF"),
        ("rcoe-out", "roce-out"),
        ("AUZRE", "AZURE"),
        ("pg_lossles_profile", "pg_lossless_profile"),
        ("Roce-Queueing", "Roce-Queuing"),
        ("QOS_INGERSS", "QOS_INGRESS"),
        ("uplnik-policy", "uplink-policy"),
    ],
)
def test_a_slip(name: str, wanted: str) -> None:
    assert is_slip_in_name(name, wanted)
    assert is_slip_in_name(wanted, name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("leaf-a", "leaf-b"),
        ("uplinks", "uplink"),
        ("ROCE1", "ROCE2"),
        ("pg_lossless_5m", "pg_lossless_40m"),
        ("ROCE-IN", "ROCE-IM"),
        ("lossless", "lossy"),
        ("ingress", "egress"),
        ("roce", "roce"),
        ("", "a"),
        ("", ""),
        ("ab", "ba"),
    ],
)
def test_two_names(name: str, other: str) -> None:
    assert not is_slip_in_name(name, other)
    assert not is_slip_in_name(other, name)


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_two_texts_have_an_answer(one: str, other: str) -> None:
    assert is_slip_in_name(one, other) == is_slip_in_name(other, one)
