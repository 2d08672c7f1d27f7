"""Baselines: findings that were accepted on a day, so that only new and worse ones count."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Set
from dataclasses import field
from pathlib import Path

from roce_audit.engine.findings import SEVERITIES, Finding, Severity
from roce_audit.records import dataclass

SCHEMA = "roce-audit/baseline/1"
FILE_NAME = "roce-audit-baseline.json"
_LIMIT_BYTES = 64 * 2**20


class BaselineError(Exception):
    """The file is no baseline: one line that says why."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """One accepted failure. `value` is what was wrong on that day: another value is another fault."""

    fingerprint: str
    rule: str
    id: str
    severity: Severity
    value: str

    @property
    def device(self) -> str:
        """The device it is about; "" for a whole fabric."""
        return self.id.partition(":")[0] if ":" in self.id else ""


@dataclass(frozen=True, slots=True)
class Baseline:
    """Accepted failures by fingerprint."""

    accepted: Mapping[str, Accepted] = field(default_factory=dict)

    @staticmethod
    def holding(accepted: Iterable[Accepted]) -> Baseline:
        """The baseline of these."""
        return Baseline({entry.fingerprint: entry for entry in accepted})

    def covers(self, fingerprint: str, severity: Severity, value: str) -> bool:
        """Whether this very failure was accepted; one that got another value, or worse, was not."""
        entry = self.accepted.get(fingerprint)
        if entry is None or entry.value != value:
            return False
        return SEVERITIES.index(severity) >= SEVERITIES.index(entry.severity)


NONE = Baseline()


def of(findings: Iterable[Finding]) -> Baseline:
    """Everything that fails now and is not suppressed, consequences included: they would stay when their cause goes."""
    return Baseline.holding(
        Accepted(member.fingerprint, finding.rule, member.id, finding.severity, member.value)
        for finding in findings
        if finding.verdict == "fails" and finding.suppressed is None
        for member in finding.members
    )


def pruned(before: Iterable[Accepted], now: Baseline, devices: Set[str], rules: Set[str]) -> Baseline:
    """What is left of a baseline: less what a run, which read these devices by these rules, no longer found."""
    return Baseline.holding(
        entry
        for entry in before
        if entry.fingerprint in now.accepted
        or entry.rule not in rules
        or (entry.device and entry.device not in devices)
    )


def load(path: Path) -> Baseline:
    """The baseline in a file. Raises BaselineError."""
    from pydantic import BaseModel, ConfigDict, ValidationError

    class Entry(BaseModel):
        model_config = ConfigDict(extra="forbid", strict=True)
        fingerprint: str
        rule: str
        id: str
        severity: Severity
        value: str

    class Form(BaseModel):
        model_config = ConfigDict(extra="forbid", strict=True)
        schema_id: str
        findings: list[Entry]

    try:
        if path.exists() and not path.is_file():
            raise BaselineError(f"{path}: is no file")
        if path.stat().st_size > _LIMIT_BYTES:
            raise BaselineError(f"{path}: larger than {_LIMIT_BYTES:,} bytes")
        data = json.loads(path.read_bytes().decode("utf-8-sig"))
        if not isinstance(data, dict) or data.get("schema") != SCHEMA:
            raise BaselineError(f"{path}: is no baseline ({SCHEMA}); `roce-audit baseline` writes one")
        form = Form.model_validate({"schema_id": data.pop("schema"), **data})
    except OSError as error:
        raise BaselineError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, ValidationError):
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise BaselineError(f"{path}: {where}: {first['msg'].lower()}") from None
        raise BaselineError(f"{path}: this JSON cannot be read: {error}") from None
    return Baseline.holding(Accepted(**entry.model_dump()) for entry in form.findings)


def text(baseline: Baseline) -> str:
    """The file's content, one finding a line, in an order that makes small differences."""
    entries = sorted(baseline.accepted.values(), key=lambda entry: (entry.rule, entry.id, entry.fingerprint))
    rows = [
        json.dumps(
            {
                "rule": entry.rule,
                "id": entry.id,
                "severity": entry.severity,
                "value": entry.value,
                "fingerprint": entry.fingerprint,
            }
        )
        for entry in entries
    ]
    listed = ",\n".join(f"    {row}" for row in rows)
    return (
        f'{{\n  "schema": "{SCHEMA}",\n  "findings": [\n{listed}\n  ]\n}}\n'
        if rows
        else (f'{{\n  "schema": "{SCHEMA}",\n  "findings": []\n}}\n')
    )
