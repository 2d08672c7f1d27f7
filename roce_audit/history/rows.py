"""Rows of the history's tables: as they are written, and as they are read, which is only what a run can have written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, get_args

import sqlalchemy as sa

from roce_audit.engine.findings import SEVERITIES
from roce_audit.history.record import Recorded, Run, Verdict
from roce_audit.history.tables import FINDINGS, RUNS

_VERDICTS = get_args(Verdict)


class Damaged(ValueError):
    """A row holds what no run writes."""


def raw(column: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    """A column as the database keeps it: what it holds is looked at here, row by row, and one that is damaged hides no other."""
    return sa.type_coerce(column, sa.types.NullType()).label(getattr(column, "name", None))


RAW_RUNS = tuple(raw(column) for column in RUNS.columns)
RAW_FINDINGS = tuple(raw(column) for column in FINDINGS.columns)


def moment(value: object) -> datetime:
    """A time with its zone. SQLite keeps none, and times as text; what is written is UTC. Raises Damaged."""
    try:
        found = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    except ValueError:
        raise Damaged(f"{value!r} is no time") from None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def of_run(run: Run) -> dict[str, object]:
    """The row of a run; its number is the database's to give."""
    return {
        "started": run.started,
        "finished": run.finished,
        "version": run.version,
        "rules": run.rules,
        "checks": json.dumps(dict(run.checks)),
        "coverage": json.dumps(dict(run.coverage)),
        "inferred": json.dumps(dict(run.inferred)),
        "unreached": json.dumps(list(run.unreached)),
        "exit_code": run.exit_code,
    }


def run_from(row: sa.RowMapping, judged: Mapping[str, Recorded]) -> Run:
    """The run of a row. Raises Damaged."""
    return Run(
        started=moment(row["started"]),
        finished=moment(row["finished"]),
        version=_text(row["version"]),
        rules=_text(row["rules"]),
        checks=_counts(row["checks"]),
        coverage=_counts(row["coverage"]),
        inferred={name: _text(value) for name, value in _mapping(row["inferred"]).items()},
        judged=judged,
        unreached=_names(row["unreached"]),
        number=_number(row["number"]),
        exit_code=_number(row["exit_code"]),
    )


def of_finding(item: Recorded) -> dict[str, object]:
    """The row of a check, without the number of its run."""
    return {
        "fingerprint": item.fingerprint,
        "rule": item.rule,
        "member": item.id,
        "severity": item.severity,
        "verdict": item.verdict,
        "value": item.value,
        "message": item.message,
        "path": item.path,
        "line": item.line,
        "accepted": item.accepted,
        "fabric": item.fabric,
    }


def finding_from(row: sa.RowMapping) -> Recorded:
    """The check of a row. Raises Damaged."""
    severity, verdict = row["severity"], row["verdict"]
    if severity not in SEVERITIES or verdict not in _VERDICTS:
        raise Damaged(f"a check is {severity!r} and {verdict!r}")
    return Recorded(
        _text(row["fingerprint"]),
        _text(row["rule"]),
        _text(row["member"]),
        severity,
        verdict,
        _text(row["value"]),
        _text(row["message"]),
        _text(row["path"]),
        _number(row["line"]),
        bool(_number(row["accepted"])),
        _text(row["fabric"]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise Damaged(f"{value!r} stands where text should")
    return value


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise Damaged(f"{value!r} is no whole number")
    return value


def _json(value: object) -> object:
    try:
        found: object = json.loads(_text(value))
    except (ValueError, RecursionError):
        raise Damaged("its JSON cannot be read") from None
    return found


def _mapping(value: object) -> dict[str, Any]:
    found = _json(value)
    if not isinstance(found, dict):
        raise Damaged("its JSON holds no names")
    return found


def _counts(value: object) -> dict[str, int]:
    return {name: _number(number) for name, number in _mapping(value).items()}


def _names(value: object) -> tuple[str, ...]:
    found = _json(value)
    if not isinstance(found, list):
        raise Damaged("its JSON is no list")
    return tuple(map(_text, found))
