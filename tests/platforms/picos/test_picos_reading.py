"""PicOS: lines about one port or profile gathered from anywhere, the default of `drop`, deletion, WRED, what nobody reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from roce_audit.audit import Request, check
from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.policy import load
from roce_audit.sources.detect import choose
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.whole import FEWEST_PORTS
from roce_audit.values import Cell, Why

PORT = "xe-1/1/1"
COS = "set class-of-service"
APPLIED = f'{COS} interface {PORT} pfc-profile "p"\n'
CLASSIFIED = (
    f'{COS} interface {PORT} classifier "c"\n{COS} classifier c trust-mode "dscp"\n'
    f"{COS} classifier c forwarding-class rdma code-point 26\n"
)
OTHERS = "".join(f"set interface gigabit-ethernet xe-1/1/{n} mtu 9216\n" for n in range(1, FEWEST_PORTS + 1))
WHOLE = f'set system hostname "leaf1"\n{OTHERS}'


def read(text: str) -> DeviceReading:
    return platform("picos").read(DeviceInput("leaf1", "picos", (Document("leaf1.set", text),)))


def cell(text: str, path: str) -> Cell[Any]:
    found: Any = next(port for port in read(text).ports if port.name == PORT).facts
    for step in path.split("."):
        found = found.value if isinstance(found, Cell) else found
        found = found[int(step)] if step.isdigit() else getattr(found, step)
    assert isinstance(found, Cell)
    return found


@pytest.mark.parametrize(
    ("lines", "paused"),
    [
        (f"{COS} pfc-profile p code-point 3 drop false\n", set(range(8))),
        (
            f"{COS} pfc-profile p code-point 2 drop true\n{COS} pfc-profile p code-point 4 drop true\n",
            {0, 1, 3, 5, 6, 7},
        ),
        ("".join(f"{COS} pfc-profile p code-point {n} drop true\n" for n in range(8)), set()),
    ],
)
def test_a_code_point_that_a_profile_does_not_drop_is_paused(lines: str, paused: set[int]) -> None:
    assert cell(f"{WHOLE}{lines}{APPLIED}", "pfc.priorities").get() == paused
    assert [n for n in range(8) if cell(f"{WHOLE}{lines}{APPLIED}", f"groups.{n}.lossless").get()] == sorted(paused)


def test_in_a_fragment_nobody_knows_what_else_the_profile_drops() -> None:
    text = f"{COS} pfc-profile p code-point 3 drop false\n{APPLIED}"
    assert cell(text, "pfc.priorities").why is Why.NOT_VISIBLE
    assert cell(text, "groups.3.lossless").get() is True


def test_lines_of_one_profile_may_stand_anywhere_and_the_last_holds() -> None:
    first, last = (f"{COS} pfc-profile p code-point 3 drop {word}\n" for word in ("true", "false"))
    rest = "".join(f"{COS} pfc-profile p code-point {n} drop true\n" for n in range(8) if n != 3)
    assert cell(f"{first}{APPLIED}{WHOLE}{rest}{last}", "pfc.priorities").get() == {3}


def test_what_is_deleted_does_not_hold() -> None:
    profile = f"{COS} pfc-profile p code-point 1 drop true\n"
    back = cell(f"{profile}delete class-of-service pfc-profile p code-point 1\n{APPLIED}", "groups.1.lossless")
    assert back.why is Why.NOT_VISIBLE  # of a text that deletes, nobody takes the rest for granted
    gone = f"{APPLIED}{profile}delete class-of-service interface {PORT} pfc-profile\n"
    ports = {port.name: port.facts.pfc for port in read(gone).ports}
    assert ports[PORT].is_unknown


@pytest.mark.parametrize(
    ("forwarding_class", "number"),
    [(f"{COS} forwarding-class rdma local-priority 3", 3), (f"{COS} forwarding-class rdma", 0)],
)
def test_a_class_leads_to_the_queue_of_its_local_priority(forwarding_class: str, number: int) -> None:
    text = f"{WHOLE}{CLASSIFIED}{forwarding_class}\n"
    assert cell(text, "dscp.26").get() == number
    assert cell(text, "dscp.27").why is Why.NO_DEFAULT
    assert cell(text, "trust").get() == "dscp"


def test_without_a_classifier_nothing_is_trusted() -> None:
    assert cell(WHOLE, "trust").get() == "none"
    assert cell(WHOLE, "dscp.26").get() == 0


def test_lines_from_a_terminal_say_the_same() -> None:
    plain = f"{WHOLE}{APPLIED}{COS} pfc-profile p code-point 2 drop true\n"
    typed = "".join(f"admin@PICOS# {line}\n" for line in plain.splitlines())
    for path in ("pfc.mode", "groups.2.lossless", "ip_mtu_bytes"):
        assert cell(typed, path) == cell(plain, path)


def test_wred_drops_and_easy_ecn_leaves_all_open() -> None:
    wred = f"set interface gigabit-ethernet {PORT} wred queue 3"
    text = f"{WHOLE}{wred} enable true\n{wred} min_thresh 200\n{wred} max_thresh 400\n{wred} drop_probability 50\n"
    said = {leaf: cell(text, f"queues.3.ecn.{leaf}").get() for leaf in ("marks", "drops", "min_value", "max_value")}
    assert said == {"marks": False, "drops": True, "min_value": 200, "max_value": 400}
    assert cell(f"{WHOLE}{wred} enable false\n", "queues.3.ecn").is_absent
    assert cell(f"{text}{COS} easy-ecn mode latency-first\n", "queues.3.ecn").is_unknown


def test_wred_in_the_lossless_queue_is_told(tmp_path: Path) -> None:
    rest = "".join(f"{COS} pfc-profile p code-point {n} drop {'false' if n == 3 else 'true'}\n" for n in range(8))
    wred = f"set interface gigabit-ethernet {PORT} wred queue 3 enable"
    text = f"{WHOLE}{rest}{APPLIED}{CLASSIFIED}{COS} forwarding-class rdma local-priority 3\n{wred} "
    file, policy = tmp_path / "leaf1.set", tmp_path / "roce-audit.yaml"
    policy.write_text("roce: {dscp: [26], priority: [3]}\n", encoding="utf-8")
    for word, told in (("true", {"ecn/wred-drops-lossless"}), ("false", {"ecn/off-on-lossless-queue"})):
        file.write_text(f"{text}{word}\n", encoding="utf-8")
        checked = check(Request(paths=(str(tmp_path),), policy=load(policy)))
        assert told <= {finding.rule for finding in checked.report.findings if finding.verdict == "fails"}


@pytest.mark.parametrize(
    "line", ["pfc-watchdog enable true", "pfc-buffer queue 3 headroom 9", "interface xe-1/1/1 pfc on"]
)
def test_no_unknown_line_about_class_of_service_is_lost(line: str) -> None:
    assert [seen.observation.kind for seen in read(f"{WHOLE}{COS} {line}\n").seen] == ["unread-line"]


def test_it_is_no_junos() -> None:
    assert choose((Document("x", WHOLE),)).platform == "picos"
    assert choose((Document("x", "set class-of-service interfaces et-0/0/1 scheduler-map out\n"),)).platform == "junos"


@pytest.mark.parametrize(
    ("family", "untagged"),
    [
        (["native-vlan-id 120"], True),
        (["native-vlan-id 120", 'port-mode "access"'], True),
        (["native-vlan-id 120", 'port-mode "trunk"'], False),
        (["native-vlan-id 120", "vlan members 100-101"], False),
        ([], False),
    ],
)
def test_a_port_that_is_no_trunk_gets_packets_without_a_tag(family: list[str], untagged: bool) -> None:
    port = "set interface gigabit-ethernet te-1/1/1"
    text = f"{port} mtu 9216\n" + "".join(f"{port} family ethernet-switching {line}\n" for line in family)
    assert [one.labels.untagged for one in read(text).ports] == [untagged]


@pytest.mark.parametrize(("code_point", "trusted", "told"), [(26, False, True), (26, True, False), (4, False, False)])
def test_a_classifier_of_dscps_without_a_trust_mode_is_told(code_point: int, trusted: bool, told: bool) -> None:
    lines = CLASSIFIED.replace("code-point 26", f"code-point {code_point}").splitlines(keepends=True)
    text = "".join(line for line in lines if trusted or "trust-mode" not in line)
    assert [seen.observation.kind for seen in read(WHOLE + text).seen if seen.observation.name == "c"] == [
        "conflict"
    ] * told
    assert not [
        seen for seen in read(text).seen if seen.observation.name == "c" and seen.observation.kind == "conflict"
    ]
