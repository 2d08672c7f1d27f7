"""Shared buffers: a headroom of nothing is an error at any speed, and partitions that do not add up are told."""

from __future__ import annotations

import pytest

from roce_audit.engine.rules import rulepack
from roce_audit.platforms.junos import PLATFORM
from roce_audit.proof import examples
from roce_audit.proof.trial import Workbench
from roce_audit.text.document import DeviceInput, Document

HEADROOM = "set class-of-service shared-buffer ingress buffer-partition lossless-headroom percent 30"
SPEEDS = [f"set interfaces et-0/0/{number} speed 400g\n" for number in (1, 2, 3, 4, 31, 32)]


def failing_lines(rule: str, changes: dict[str, str]) -> set[int]:
    """Lines of leaf1 at which the rule fails on the base, changed."""
    tree = dict(examples.base("junos"))
    for old, new in changes.items():
        assert old in tree["leaf1.set"]
        tree["leaf1.set"] = tree["leaf1.set"].replace(old, new)
    with Workbench() as bench:
        report = bench.judge(tree, tuple(rulepack.load()))
    return {f.locations[0].line for f in report.findings if f.rule == rule and f.verdict == "fails"}


@pytest.mark.parametrize("speeds", [[], SPEEDS])
def test_no_headroom_is_an_error_whatever_the_speed(speeds: list[str]) -> None:
    line = examples.base("junos")["leaf1.set"].split("\n").index(HEADROOM) + 1 - len(speeds)
    changes = dict.fromkeys(speeds, "") | {HEADROOM: HEADROOM.replace("30", "0")}
    assert failing_lines("buffer/headroom-below-floor", changes) == {line}
    assert failing_lines("buffer/headroom-below-floor", dict.fromkeys(speeds, "")) == set()


LOSSLESS = "buffer-partition lossless percent 60"
BULK = "set class-of-service forwarding-classes class bulk queue-num 0"
UNMARKED = "forwarding-class bulk loss-priority low code-points 000000"
CONTROL = "forwarding-class control loss-priority low code-points 111000"
HEARD = "output ieee-802.1 code-point 011"


@pytest.mark.parametrize(
    ("changes", "rule", "line"),
    [
        (
            dict.fromkeys(SPEEDS[:2], "") | {HEADROOM: HEADROOM.replace("30", "0")},
            "buffer/headroom-below-floor",
            HEADROOM,
        ),
        ({LOSSLESS: LOSSLESS.replace("60", "0")}, "input/conflict", LOSSLESS),
        ({BULK: f"{BULK} no-loss"}, "input/conflict", UNMARKED),
        ({UNMARKED: UNMARKED.replace("bulk", "rdma")}, "marking/default-in-lossless", UNMARKED),
        ({CONTROL: CONTROL.replace("control", "rdma")}, "pfc/control-plane-in-lossless", CONTROL),
        ({HEARD: HEARD.replace("011", "100")}, "pfc/priority-off", HEARD),
        ({f"{BULK.replace('bulk queue-num 0', 'rdma no-loss')}\n": "\n"}, "pfc/priority-off", "class rdma queue-num 4"),
    ],
    ids=["headroom", "pool", "a class", "unmarked", "control", "priority", "lossy"],
)
def test_one_cause_is_told_once(changes: dict[str, str], rule: str, line: str) -> None:
    tree = dict(examples.base("junos"))
    told = next(i for i, text in enumerate(tree["leaf1.set"].split("\n"), 1) if line in text)
    for old, new in changes.items():
        assert old in tree["leaf1.set"]
        tree["leaf1.set"] = tree["leaf1.set"].replace(old, new)
    with Workbench() as bench:
        report = bench.judge(tree, tuple(rulepack.load()))
    failing = [f for f in report.findings if f.verdict == "fails" and f.severity != "info" and not f.because_of]
    (only,) = (f for f in failing if f.rule != "fleet/two-roce-marks")  # leaf2 does otherwise
    removed = sum(new == "" for new in changes.values())
    assert (only.rule, only.locations[0].line) == (rule, told - removed)


@pytest.mark.parametrize(
    ("version", "egress", "told"),
    [("23.4R2", 20, 1), ("23.4R2", 40, 0), ("23.4R2-EVO", 20, 0), ("23.4R2-EVO", 50, 1)],
)
def test_only_evolved_leaves_a_part_of_the_egress_buffer_out(version: str, egress: int, told: int) -> None:
    text = (
        f"set version {version}\nset system host-name x\nset interfaces et-0/0/1 mtu 9000\n"
        "set class-of-service shared-buffer egress buffer-partition lossless percent 60\n"
        f"set class-of-service shared-buffer egress buffer-partition lossy percent {egress}"
    )
    reading = PLATFORM.read(DeviceInput("x", "junos", (Document("x.set", text),)))
    assert len([s for s in reading.seen if s.observation.kind == "conflict"]) == told


@pytest.mark.parametrize(
    ("levels", "told"),
    [("set class-of-service drop-profiles D interpolate fill-level [ 55 90 ]\n", 0), ("", 1)],
)
def test_a_curve_whose_points_do_not_pair_is_told(levels: str, told: int) -> None:
    text = f"set system host-name leaf1\n{levels}set class-of-service drop-profiles D interpolate drop-probability [ 0 100 ]\n"
    reading = PLATFORM.read(DeviceInput("leaf1", "junos", (Document("leaf1.set", text),)))
    assert len([one for one in reading.seen if one.observation.kind == "conflict"]) == told


def test_a_share_of_the_ingress_buffer_that_nobody_gets_is_told() -> None:
    assert len(failing_lines("input/conflict", {HEADROOM + "\n": ""})) == 1


ACCOUNT = """set version 22.4R2-EVO
set system host-name spine1
set interfaces et-0/0/1 unit 0 family inet
set class-of-service congestion-notification-profile P input pfc-account A pfc-priority 3
set class-of-service congestion-notification-profile P input pfc-account A xoff {}
set class-of-service congestion-notification-profile P input pfc-account A xon {}
"""


@pytest.mark.parametrize(
    ("xoff", "xon", "told"), [("2000", "1500", 0), ("2000", "2000", 1), ("1500", "2000", 1), ("2000", "many", 0)]
)
def test_an_account_resumes_below_the_level_at_which_it_pauses(xoff: str, xon: str, told: int) -> None:
    reading = PLATFORM.read(DeviceInput("a", "junos", (Document("a.set", ACCOUNT.format(xoff, xon)),)))
    assert len([one for one in reading.seen if "PFC account A resumes" in one.observation.text]) == told


PARTITION = "set class-of-service shared-buffer ingress buffer-partition"
SWITCH = "set version 23.4R2-S3.9\nset system host-name leaf1\n" + "".join(
    f"set interfaces et-0/0/{number} mtu 9216\n" for number in range(8)
)


@pytest.mark.parametrize(
    ("left_out", "told"),
    [("lossless-headroom", "66 + 10 = 76 %, not to 100 %: lossless-headroom is left out"), ("", "")],
)
def test_a_partition_of_a_whole_configuration_that_was_forgotten(left_out: str, told: str) -> None:
    shares = {"lossless": 66, "lossless-headroom": 24, "lossy": 10}
    written = "".join(f"{PARTITION} {name} percent {share}\n" for name, share in shares.items() if name != left_out)
    reading = PLATFORM.read(DeviceInput("leaf1", "junos", (Document("leaf1.set", SWITCH + written),)))
    texts = [one.observation.text for one in reading.seen if one.observation.kind == "conflict"]
    assert len(texts) == bool(told)
    assert all(text.endswith(told) for text in texts)
    part = PLATFORM.read(DeviceInput("part", "junos", (Document("part.set", written),)))
    assert not part.seen  # of a part nobody knows what stands beside it


@pytest.mark.parametrize(
    ("queue", "told"),
    [
        ("", ["ROCE"]),
        ("set class-of-service forwarding-classes class ROCE queue-num 3\n", []),
        ("set class-of-service forwarding-classes queue 3 ROCE\n", []),
    ],
)
def test_a_class_without_loss_needs_a_queue(queue: str, told: list[str]) -> None:
    """`no-loss` is the name of a class that Junos has itself, with a queue."""
    classes = "".join(f"set class-of-service forwarding-classes class {name} no-loss\n" for name in ("ROCE", "no-loss"))
    reading = PLATFORM.read(DeviceInput("leaf1", "junos", (Document("leaf1.set", SWITCH + classes + queue),)))
    assert [one.observation.name for one in reading.seen if one.observation.kind == "undefined"] == told
    part = PLATFORM.read(DeviceInput("part", "junos", (Document("part.set", classes),)))
    assert not [one for one in part.seen if one.observation.kind == "undefined"]
