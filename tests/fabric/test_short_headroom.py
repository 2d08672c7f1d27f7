"""A port that keeps a fraction of the headroom of similar ports, with the same length of cable or none told."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import Policy

PORT = """interface 100GE1/0/{number}
 undo portswitch
 description gpu{number} nic1
 trust dscp
 dcb pfc enable mode manual
 dcb pfc buffer 3 hdrm {kbytes} kbytes
#
"""


@pytest.mark.parametrize(
    ("kbytes", "lengths", "told"),
    [
        ((400, 400, 400, 40), (), ["100GE1/0/4"]),
        ((400, 400, 400, 100), (), ["100GE1/0/4"]),
        ((400, 400, 400, 101), (), []),
        ((400, 400, 400, 4_000), (), []),
        ((400, 400, 40, 40), (), []),
        ((400, 400, 40), (), []),
        ((400, 400, 400, 40), (10, 10, 10, 10), ["100GE1/0/4"]),
        ((400, 400, 400, 40), (100, 100, 100, 2), []),
    ],
)
def test_a_fraction_of_what_similar_ports_have(
    tmp_path: Path, kbytes: tuple[int, ...], lengths: tuple[int, ...], told: list[str]
) -> None:
    ports = "".join(PORT.format(number=n, kbytes=one) for n, one in enumerate(kbytes, 1))
    head = "!Software Version V300R023C00SPC500\n#\nsysname leaf1\n#\ndcb pfc\n priority 3\n#\n"
    (tmp_path / "leaf1.cfg").write_text(f"{head}{ports}return\n")
    links = [f"  - {{a: 'leaf1:100GE1/0/{n}', b: 'gpu{n}:nic1', length_m: {m}}}\n" for n, m in enumerate(lengths, 1)]
    if links:
        (tmp_path / "topology.yaml").write_text("links:\n" + "".join(links))
    report = check(Request((str(tmp_path),), Policy.empty(), select=("fleet/odd-port-out",), context=())).report
    assert [f.subject for f in report.findings if f.verdict == "fails"] == told


@pytest.mark.parametrize(
    ("kbytes", "told"), [((400, 400, 400, 40), ["leaf4"]), ((400, 400, 400, 400), []), ((400, 400, 40, 40), [])]
)
def test_a_fraction_of_what_similar_switches_have(tmp_path: Path, kbytes: tuple[int, ...], told: list[str]) -> None:
    for number, one in enumerate(kbytes, 1):
        ports = "".join(PORT.format(number=n, kbytes=one) for n in range(1, 4))
        head = f"!Software Version V300R023C00SPC500\n#\nsysname leaf{number}\n#\ndcb pfc\n priority 3\n#\n"
        (tmp_path / f"leaf{number}.cfg").write_text(f"{head}{ports}return\n")
    report = check(Request((str(tmp_path),), Policy.empty(), select=("fleet/odd-port-out",), context=())).report
    devices = {member.id.partition(":")[0] for f in report.findings if f.verdict == "fails" for member in f.members}
    assert sorted(devices) == told
