"""`show roce`: what the switch tells against the mode that it says it is in."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

ANSWER = """RoCE mode      : {mode}
LLDP           : enabled
Port trust mode: {trust}

PFC              : {pfc}
switch-priority 3: enabled

Exception list:
{listed}
"""


def read(mode: str = "lossless", trust: str = "L3", pfc: str = "enabled", listed: str = "N/A") -> list[tuple[str, int]]:
    text = ANSWER.format(mode=mode, trust=trust, pfc=pfc, listed=listed)
    assert platform("onyx").recognise(Document("roce.txt", text)) >= 60
    reading = platform("onyx").read(DeviceInput("sn2700", "onyx", (Document("roce.txt", text, "show roce"),)))
    return [(one.observation.kind, one.observation.at.at[0].line) for one in reading.seen]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({}, []),
        ({"pfc": "disabled"}, [("not-in-force", 5)]),
        ({"trust": "L2"}, [("conflict", 3)]),
        (
            {"trust": "L2", "listed": "  Eth1/5: trust mode is L2\n  Eth1/6: trust mode is L2"},
            [("conflict", 9), ("conflict", 10)],
        ),
        ({"mode": "lossy", "pfc": "disabled"}, []),
    ],
    ids=["nothing", "PFC is off", "the tag is trusted", "exceptions say it", "a lossy mode has none"],
)
def test_what_stands_against_the_mode(said: dict[str, str], told: list[tuple[str, int]]) -> None:
    assert read(**said) == told
