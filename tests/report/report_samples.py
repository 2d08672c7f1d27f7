"""Small reports, made by hand."""

from dataclasses import replace

from roce_audit.engine.findings import (
    Checks,
    Coverage,
    FabricSummary,
    Finding,
    Fix,
    Inferred,
    Location,
    Member,
    MissingInput,
    Report,
    Suppressed,
    UnreadLine,
)
from roce_audit.fabric.traffic.radius import Reach


def member(subject: str, line: int, device: str = "leaf1") -> Member:
    return Member(f"{device}:{subject}", device, subject, f"{device}.cfg", line, f"m-{device}-{subject}", "off")


def finding(rule: str = "pfc/priority-off", **changes: object) -> Finding:
    made = Finding(
        rule=rule,
        topic=rule.split("/")[0],
        severity="error",
        rule_severity="error",
        verdict="fails",
        confidence="sure",
        owner="switch",
        device="leaf1",
        platform="nxos",
        subject="Ethernet1/3",
        members=(member("Ethernet1/3", 57),),
        title="PFC is off",
        message="PFC is off for priority 3, which carries the class roce.",
        why="Without PFC the class drops packets.",
        source="IEEE 802.1Qbb",
        locations=(Location("leaf1.cfg", 57, "  priority-flow-control mode off", "primary"),),
        values={"port.pfc.priorities": frozenset({4})},
        fingerprint=f"f-{rule}",
    )
    return replace(made, **changes)  # type: ignore[arg-type]


ROCE = Coverage(documents=2, devices=2, ports=64, ports_roce={"yes": 12, "no": 2, "undecided": 1, "not_data": 4})


def report(*findings: Finding, coverage: Coverage = ROCE, **changes: object) -> Report:
    made = Report(
        version="1.0",
        profile="base",
        policy_file=None,
        inferred={},
        fabrics=(),
        coverage=coverage,
        changes_tried="all",
        checks=Checks(2210, 7, 12, 300),
        findings=findings,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def full() -> Report:
    group = finding(
        members=tuple(member(f"Ethernet1/{i}", 50 + 7 * i) for i in (1, 2, 3, 4, 5, 6)),
        locations=(
            Location("leaf1.cfg", 57, "\tpriority-flow-control mode off", "primary", "sets port.pfc.mode"),
            Location("host3.txt", 112, "pfc 0 0 0 1 0 0 0 0", "related", "the far end"),
        ),
        spread="on 6 of 64 ports",
        reach=Reach(512, 1024),
        fix=Fix(False, ("interface Ethernet1/1", "  priority-flow-control mode on"), "both ends in one step"),
    )
    return report(
        finding("mtu/below-roce", severity="info", message="MTU 1500.", because_of="f-pfc/priority-off"),
        finding(
            "ecn/off",
            severity="none",
            rule_severity="warning",
            verdict="unknown",
            unknown_because="no line",
            device=None,
        ),
        finding("ets/zero", severity="warning", suppressed=Suppressed("lab", "roce-audit.yaml", 9, "2027-01-31")),
        finding("ets/sum", severity="warning", baselined=True),
        group,
        coverage=replace(
            ROCE,
            lines=400,
            lines_relevant=60,
            unread=(UnreadLine("leaf1.cfg", 88, "  qos frobnicate"),),
            unreached=("leaf9",),
            unrecognised=(("ci.yml", "no device document"),),
            excluded=3,
            missing_input=(MissingInput("cable length of 64 links", 128, "policy cables:"),),
            notes=("configs/leaf2.cfg looks whole: complete: true",),
            blind=(("leaf1.cfg", "pfc"), ("leaf1.cfg", "ecn")),
        ),
        inferred={"roce.priority": Inferred(frozenset({3}), 0.98, 412, "device", "backend")},
        fabrics=(
            FabricSummary(
                "backend",
                412,
                9812,
                {"cabling": 9420, "port_config": 380, "similar_ports": 12},
                61,
                1204,
                ("roce: DSCP 26 -> priority 3, lossless (405 of 412 devices agree)", "cnp: DSCP 48 -> priority 6"),
            ),
        ),
        nothing_to_judge=("link/fec",),
    )
