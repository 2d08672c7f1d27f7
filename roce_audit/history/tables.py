"""The tables of the history as they are now; `migrations/` says how they came to be."""

from __future__ import annotations

import sqlalchemy as sa

METADATA = sa.MetaData()

RUNS = sa.Table(
    "runs",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("started", sa.DateTime(timezone=True), nullable=False),
    sa.Column("finished", sa.DateTime(timezone=True), nullable=False),
    sa.Column("version", sa.String(64), nullable=False),
    sa.Column("rules", sa.String(64), nullable=False),
    sa.Column("checks", sa.Text, nullable=False),
    sa.Column("coverage", sa.Text, nullable=False),
    sa.Column("inferred", sa.Text, nullable=False),
    sa.Column("unreached", sa.Text, nullable=False),
    sa.Column("exit_code", sa.Integer, nullable=False),
)

FINDINGS = sa.Table(
    "findings",
    METADATA,
    sa.Column("run", sa.Integer, sa.ForeignKey("runs.number"), primary_key=True),
    sa.Column("fingerprint", sa.String(64), primary_key=True),
    sa.Column("rule", sa.String(200), nullable=False),
    sa.Column("member", sa.Text, nullable=False),
    sa.Column("severity", sa.String(16), nullable=False),
    sa.Column("verdict", sa.String(16), nullable=False),
    sa.Column("value", sa.Text, nullable=False),
    sa.Column("message", sa.Text, nullable=False),
    sa.Column("path", sa.Text, nullable=False),
    sa.Column("line", sa.Integer, nullable=False),
    sa.Column("accepted", sa.Boolean, nullable=False),
    sa.Column("fabric", sa.Text, nullable=False, server_default=""),
    sa.Index("findings_by_fingerprint", "fingerprint", "run"),
)
