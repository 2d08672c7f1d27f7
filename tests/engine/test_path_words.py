"""Model paths as an engineer would say them."""

import pytest

from roce_audit.model.pathwords import path_words


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("hop.group.headroom_bytes", "headroom of the priority group"),
        ("port.queues[3].ecn.min_bytes", "ECN Kmin of queue 3"),
        ("port.odd_settings[0].value", "what it has"),
        ("port.odd_settings[0].usual", "what the others have"),
        ("port.odd_in_channel", "settings unlike those of the channel's other members"),
    ],
)
def test_words(path: str, words: str) -> None:
    assert path_words(path) == words
