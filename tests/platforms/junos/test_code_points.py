"""Parts of a configuration in which a classifier and a profile of congestion notification list other code points."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

BOTH = ("000100", "001100", "010100")
HEAD = """set class-of-service forwarding-classes class LOSSLESS queue-num 4 no-loss
set class-of-service interfaces et-0/0/1 congestion-notification-profile pauses
set class-of-service interfaces {where} unit 0 classifiers dscp marks
"""


def _part(led: tuple[str, ...], paused: tuple[str, ...], where: str = "et-0/0/1", more: str = "") -> str:
    lines = [
        f"set class-of-service classifiers dscp marks forwarding-class LOSSLESS loss-priority low code-points {p}"
        for p in led
    ]
    lines += [
        f"set class-of-service congestion-notification-profile pauses input dscp code-point {p} pfc" for p in paused
    ]
    return HEAD.format(where=where) + "\n".join(lines) + f"\n{more}"


def _told(tmp_path: Path, text: str) -> list[tuple[int | None, str]]:
    (tmp_path / "cos.set").write_text(text)
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    return [(f.locations[0].line, f.message) for f in found if f.verdict == "fails" and f.rule == "input/conflict"]


@pytest.mark.parametrize("where", ["et-0/0/1", "all"])
@pytest.mark.parametrize(
    ("led", "paused", "line", "words"),
    [
        (BOTH, BOTH[1:], 4, "leads DSCP 4 into LOSSLESS"),
        (BOTH[1:], BOTH, 6, "pauses for DSCP 4"),
        (("af31",), ("011000",), 5, "pauses for DSCP 24"),
    ],
)
def test_a_code_point_that_one_of_the_two_lacks(
    tmp_path: Path, led: tuple[str, ...], paused: tuple[str, ...], line: int, words: str, where: str
) -> None:
    ((at, message),) = _told(tmp_path, _part(led, paused, where))
    assert (at, words in message) == (line, True)


@pytest.mark.parametrize(
    "text",
    [
        _part(BOTH, BOTH),
        _part(BOTH, ("af31",), more="set class-of-service classifiers dscp marks import default\n"),
        _part(BOTH, BOTH[:1]),
        _part(("af31",), ("011010",)),
        _part((), BOTH),
        _part(("ours",), BOTH),
    ],
    ids=["same", "import", "much-wider", "alias", "no-classifier", "alias-made-elsewhere"],
)
def test_what_agrees_or_is_not_known_is_quiet(tmp_path: Path, text: str) -> None:
    assert not _told(tmp_path, text)
