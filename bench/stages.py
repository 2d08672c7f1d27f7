"""What happens to readings after they were read, stage by stage."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from datetime import date

from roce_audit import platforms
from roce_audit.engine.findings import Finding
from roce_audit.engine.grouping import Grouping
from roce_audit.engine.judging import Judge
from roce_audit.engine.needs import Needs
from roce_audit.engine.rules.rule import Rule
from roce_audit.engine.subjects import Subjects
from roce_audit.engine.suppressing import Suppressions
from roce_audit.fabric.cables.links import Cable
from roce_audit.fabric.join import join
from roce_audit.fabric.site import Site
from roce_audit.platforms.base import DeviceReading
from roce_audit.policy.values import Policy
from roce_audit.sources.lines import SourceLines


def judged(
    readings: Sequence[DeviceReading], cables: Iterable[Cable], rules: Sequence[Rule]
) -> tuple[Site, Sequence[Finding], dict[str, float]]:
    """The site of switches of EOS and its findings, and the CPU seconds of join, judge and place."""
    clock = time.process_time
    start = clock()
    site = join(readings, Policy.empty(), cables, {})
    joined = clock()
    verdicts = Judge(rules, Policy.empty()).run(Subjects(site, ()))
    judging = clock()
    needs = Needs({"eos": platforms.platform("eos").needs})
    none = Suppressions.of(Policy.empty(), (), date.today())
    findings = Grouping(verdicts, none, needs, SourceLines()).findings()
    return site, findings, {"join": joined - start, "judge": judging - joined, "place": clock() - judging}
