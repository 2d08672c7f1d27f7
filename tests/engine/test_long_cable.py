"""How loud it is that headroom leaves the peer no time: what pays for a short cable in full is made for a shorter one than this."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import load
from roce_audit.proof import examples

BUFFERS = """policy-map type queuing PAUSE-IN
  class type queuing c-in-q3
    pause buffer-size {size} pause-threshold 50000 resume-threshold 40000
system qos
  service-policy type queuing input PAUSE-IN
"""


@pytest.mark.parametrize(
    ("size", "metres", "expected"),
    [
        (200_000, 30, None),  # 150,000 B pay for 30 m
        (200_000, 200, "warning"),  # and not for 200 m
        (120_000, 30, "info"),  # 70,000 B do not even pay for a cable within a rack: counted in another way
    ],
)
def test_a_headroom_that_pays_for_shorter_cables_alone(
    tmp_path: Path, size: int, metres: int, expected: str | None
) -> None:
    for name, text in examples.base("nxos").items():
        if name.endswith(".cfg"):
            text = text.replace("system qos\n", BUFFERS.format(size=size), 1)
        if name == "roce-audit.yaml":
            text = text.replace("length_m: 30", f"length_m: {metres}")
        (tmp_path / name).write_text(text)
    policy = load(tmp_path / "roce-audit.yaml")
    found = check(Request((str(tmp_path),), policy, select=("buffer",))).report.findings
    told = {f.severity for f in found if f.rule == "buffer/headroom-below-response" and f.verdict == "fails"}
    assert told == ({expected} if expected else set())
