"""Parts of a configuration in which a classifier and a profile of congestion notification list other code points."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.platforms.junos import PLATFORM
from roce_audit.policy.values import Policy
from roce_audit.proof import examples
from roce_audit.text.document import DeviceInput, Document

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


def test_an_alias_of_the_configuration_puts_a_usual_one_aside(tmp_path: Path) -> None:
    own = "set class-of-service code-point-aliases dscp af31 011000\n"
    assert not _told(tmp_path, _part(("af31",), ("011000",), more=own))
    ((line, message),) = _told(tmp_path, _part(("af31",), ("011010",), more=own))
    assert (line, "pauses for DSCP 26" in message) == (5, True)


LOSSLESS = """set class-of-service forwarding-classes class NL queue-num 3 no-loss pfc-priority 3
set class-of-service classifiers dscp C forwarding-class NL loss-priority low code-points 011010
set class-of-service congestion-notification-profile P input dscp code-point 011010 pfc
set class-of-service drop-profiles D interpolate fill-level [ 10 50 ] drop-probability [ 0 100 ]
set class-of-service schedulers S drop-profile-map loss-priority any protocol any drop-profile D
set class-of-service schedulers S explicit-congestion-notification
set class-of-service scheduler-maps M forwarding-class NL scheduler S
"""
PORTS = "".join(
    f"set class-of-service interfaces et-0/0/{n} {said}\n"
    for n in range(3)
    for said in ("congestion-notification-profile P", "scheduler-map M", "unit 0 classifiers dscp C")
)


@pytest.mark.parametrize(
    ("gone", "rules"),
    [
        ("", set()),
        ("set class-of-service schedulers S explicit-congestion-notification\n", {"ecn/wred-drops-lossless"}),
    ],
)
def test_a_part_without_an_output_stanza_has_its_class(tmp_path: Path, gone: str, rules: set[str]) -> None:
    (tmp_path / "cos.set").write_text(LOSSLESS.replace(gone, "", 1) + PORTS)
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    failing = [one for one in found if one.verdict == "fails" and one.severity in ("error", "warning")]
    assert {one.rule for one in failing if not one.because_of} == rules


@pytest.mark.parametrize(
    ("paused", "told"), [(("af31", "100010"), []), (("af31",), ["leads DSCP 34 into rdma"]), (("100010",), None)]
)
def test_a_whole_configuration_pauses_for_all_code_points_of_a_class(
    tmp_path: Path, paused: tuple[str, ...], told: list[str] | None
) -> None:
    text = examples.base("junos")["leaf1.set"]
    led = "set class-of-service classifiers dscp marks-in forwarding-class rdma loss-priority low code-points "
    pause = "set class-of-service congestion-notification-profile pause input dscp code-point {} pfc\n"
    text = text.replace(led + "011010\n", f"{led}011010\n{led}100010\n")
    text = text.replace(pause.format("011010"), "".join(pause.format(point) for point in paused))
    found = [message for _, message in _told(tmp_path, text)]
    if told is None:
        assert len(found) == 1
    else:
        assert [words in message for words, message in zip(told, found, strict=True)] == [True] * len(told)


CLASSES = "set class-of-service forwarding-classes class RDMA queue-num 4 no-loss pfc-priority 3\n"
BOUND = "set class-of-service interfaces et-0/0/1 congestion-notification-profile P\n"
STOPS = "set class-of-service congestion-notification-profile P output ieee-802.1 code-point {} flow-control-queue {}\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (CLASSES + STOPS.format("011", 4), ""),
        (CLASSES + STOPS.format("100", 4), "P stops queue 4 for priority 4; class RDMA is in queue 4"),
        (CLASSES + STOPS.format("011", 6), "P stops queue 6 for priority 3; class RDMA is in queue 4"),
        (CLASSES + STOPS.format("100", 5), ""),
        (CLASSES + STOPS.format("011", "[ 4 5 ]"), ""),
        (CLASSES + STOPS.format("011", 4) + STOPS.format("100", 4), ""),
        (CLASSES.replace(" no-loss", ""), "class RDMA has pfc-priority 3 and is not no-loss"),
        ("set class-of-service forwarding-classes class RDMA pfc-priority 3\n", ""),
        (BOUND + CLASSES + STOPS.format("100", 5), "which no class has, and not queue 4 of class RDMA"),
        (
            BOUND
            + CLASSES
            + CLASSES.replace("RDMA queue-num 4 no-loss pfc-priority 3", "BULK queue-num 5")
            + STOPS.format("100", 5),
            "",
        ),
    ],
)
def test_what_a_part_stops_is_what_its_classes_are(text: str, words: str) -> None:
    reading = PLATFORM.read(DeviceInput("a", "junos", (Document("a.set", text),)))
    said = [one.observation.text for one in reading.seen if one.observation.kind in ("conflict", "unprotected")]
    assert [words in one for one in said] == ([True] if words else [])


@pytest.mark.parametrize(("bound", "kind"), [("", "conflict"), (BOUND, "unprotected")])
def test_a_profile_of_a_port_that_obeys_another_priority_than_it_sends(bound: str, kind: str) -> None:
    text = bound + CLASSES + STOPS.format("100", 4)
    reading = PLATFORM.read(DeviceInput("a", "junos", (Document("a.set", text),)))
    assert [one.observation.kind for one in reading.seen if "stops queue" in one.observation.text] == [kind]


ONE_WAY = (
    "Pause is sent and never obeyed for priority 3, which class roce needs in both directions; it is on for no priority, and that of"
    " priority 4 is obeyed and never sent"
)
TAGGED = """set version 21.4R3
set system host-name stor1
set interfaces xe-0/0/0 unit 0 family ethernet-switching interface-mode trunk
set interfaces xe-0/0/1 unit 0 family ethernet-switching interface-mode trunk
set interfaces xe-0/0/2 unit 0 family ethernet-switching interface-mode trunk
set interfaces xe-0/0/3 unit 0 family ethernet-switching interface-mode trunk
set class-of-service classifiers ieee-802.1 T import default
set class-of-service classifiers ieee-802.1 T forwarding-class NVME loss-priority low code-points {led}
set class-of-service forwarding-classes class NVME queue-num 4
set class-of-service forwarding-classes class NVME no-loss
set class-of-service congestion-notification-profile P input ieee-802.1 code-point {paused} pfc mru 9216
set class-of-service congestion-notification-profile P output ieee-802.1 code-point 100 flow-control-queue 4
set class-of-service interfaces xe-* congestion-notification-profile P
set class-of-service interfaces xe-* unit 0 classifiers ieee-802.1 T
"""


@pytest.mark.parametrize(
    ("led", "paused", "told"),
    [
        ("100", "100", set()),
        ("101", "100", {"classifier T leads tag 5 into NVME, which is no-loss, and P pauses for tag 4"}),
        (
            "100",
            "011",
            {ONE_WAY},
        ),
    ],
)
def test_tags_beside_the_default_classifier(tmp_path: Path, led: str, paused: str, told: set[str]) -> None:
    (tmp_path / "stor1.set").write_text(TAGGED.format(led=led, paused=paused))
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    assert {one.message for one in found if one.severity == "error" and not one.because_of} == told


def test_a_profile_that_pauses_a_class_which_loses_packets(tmp_path: Path) -> None:
    part = _part(("011010",), ("011010",))
    ((line, message),) = _told(tmp_path, part.replace(" no-loss", ""))
    assert (line, "leads it into class LOSSLESS: it is not no-loss" in message) == (1, True)


@pytest.mark.parametrize(
    "text",
    [
        _part(("011010",), ("011010",)).replace(" queue-num 4 no-loss", " no-loss"),
        _part(("011010",), ("011010",)).partition("\n")[2],
        _part(("011010",), ("001010",)).replace(" no-loss", ""),
    ],
    ids=["kept", "class-made-elsewhere", "pauses-another-code-point"],
)
def test_a_class_that_is_kept_or_made_elsewhere_is_quiet(tmp_path: Path, text: str) -> None:
    assert not any("is not no-loss" in message for _, message in _told(tmp_path, text))


def _past_lossless(bulk: str) -> str:
    part = _part(("011010",), ("011010",), more=f"set class-of-service forwarding-classes class BULK {bulk}\n")
    return part.replace("forwarding-class LOSSLESS loss-priority", "forwarding-class BULK loss-priority")


def test_a_classifier_that_leads_past_the_class_without_loss(tmp_path: Path) -> None:
    ((line, message),) = _told(tmp_path, _past_lossless("queue-num 0"))
    assert message.endswith("pauses for DSCP 26, and marks leads it into class BULK, which is not no-loss")
    assert line == 4


@pytest.mark.parametrize("bulk", ["pfc-priority 2", "queue-num 2 pfc-priority 2"])
def test_a_class_that_may_be_made_without_loss_elsewhere_is_quiet(tmp_path: Path, bulk: str) -> None:
    assert not any("leads it into class BULK" in message for _, message in _told(tmp_path, _past_lossless(bulk)))


REWRITE = """set class-of-service interfaces xe-* unit 0 rewrite-rules ieee-802.1 R
set class-of-service rewrite-rules ieee-802.1 R forwarding-class {name} loss-priority {loss} code-point {tag}
set class-of-service rewrite-rules ieee-802.1 R forwarding-class best-effort loss-priority low code-point 000
"""


@pytest.mark.parametrize(
    ("name", "loss", "tag", "lines"),
    [
        ("NVME", "low", "000", [16]),
        ("NVME", "low", "cs3", []),
        ("NVME", "low", "100", []),
        ("NVME", "high", "000", []),
        ("network-control", "low", "000", []),
    ],
)
def test_a_class_that_is_known_by_its_tag_keeps_it(
    tmp_path: Path, name: str, loss: str, tag: str, lines: list[int]
) -> None:
    text = TAGGED.format(led="100", paused="100") + REWRITE.format(name=name, loss=loss, tag=tag)
    (tmp_path / "stor1.set").write_text(text)
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    assert [one.locations[0].line for one in found if one.rule == "input/conflict" and one.severity == "error"] == lines
