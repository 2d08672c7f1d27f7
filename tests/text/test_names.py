"""VLANs and interfaces in the words of configurations."""

from __future__ import annotations

import pytest

from roce_audit.text.names import vlan_words


@pytest.mark.parametrize(
    ("words", "vlans"),
    [
        ("10 20 to 22 30", {10, 20, 21, 22, 30}),
        ("allow-pass vlan 4090 to 9999", set(range(4090, 4095))),
        ("all", set()),
        ("to 5 7", {5, 7}),
        ("30 to 20", {30}),
        ("10 to", {10}),
    ],
)
def test_vlans_in_words(words: str, vlans: set[int]) -> None:
    assert vlan_words(words.split()) == vlans
