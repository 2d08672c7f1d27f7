"""A word to a webhook when an audit finds a change. What fails is told by id and rule: no line of a configuration leaves."""

from __future__ import annotations

import json
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from roce_audit.engine.findings import SEVERITIES
from roce_audit.history.comparing import Difference
from roce_audit.history.record import Recorded, Run
from roce_audit.text.decode import printable

_SECONDS = 20
_MOST = 200
_NAMED = 5
"""New failures that the text names."""
_ALIKE = str.maketrans({"<": "‹", ">": "›", "&": "+", "`": "'", "@": "＠", "\n": " "})


def message(run: Run, number: int, difference: Difference) -> Mapping[str, object]:
    """What is sent; schema `roce-audit/notice/1`. `text` is what chat programs show."""
    counts = {
        "new": len(difference.new),
        "changed": len(difference.changed),
        "fixed": len(difference.fixed),
        "lost": len(difference.lost),
        "unchanged": len(difference.unchanged),
    }
    return {
        "schema": "roce-audit/notice/1",
        "text": _text(counts, difference.new),
        "run": number,
        "finished": run.finished.isoformat(),
        "counts": counts,
        "checks": dict(run.checks),
        "coverage": dict(run.coverage),
        "new": _listed(difference.new),
        "fixed": _listed(difference.fixed),
        "lost": _listed(difference.lost),
    }


def _text(counts: Mapping[str, int], new: Sequence[Recorded]) -> str:
    """The counts and the worst new failures, each on a line of its own.

    As Slack, Mattermost and Teams show it: an empty line parts, names stand in code, and none of them calls or formats anything.
    """
    worst = sorted(new, key=lambda item: (SEVERITIES.index(item.severity), item.rule, item.id))
    lines = ["roce-audit: " + ", ".join(f"{count} {name}" for name, count in counts.items())]
    lines += [f"{item.severity} {_code(item.rule)} {_code(item.shown)}" for item in worst[:_NAMED]]
    lines += [f"and {len(worst) - _NAMED:,} more new"] if len(worst) > _NAMED else []
    return "\n\n".join(lines)


def _code(name: str) -> str:
    """In code; the signs by which Slack finds mentions and links, even there, become others that look alike."""
    plain = printable(name).replace("<->", "↔").translate(_ALIKE)
    return f"`{plain}`"


def _listed(items: Sequence[Recorded]) -> list[dict[str, str]]:
    return [{"rule": i.rule, "id": i.id, "severity": i.severity, "fingerprint": i.fingerprint} for i in items[:_MOST]]


def send(url: str, content: Mapping[str, object]) -> bool:
    """POST as JSON; a webhook that does not answer is said on standard error and changes nothing else."""
    if urlsplit(url).scheme not in ("http", "https"):
        print("roce-audit: webhook: only http and https", file=sys.stderr)
        return False
    asked = urllib.request.Request(
        url, json.dumps(content).encode(), {"Content-Type": "application/json", "User-Agent": "roce-audit"}
    )
    try:
        with urllib.request.urlopen(asked, timeout=_SECONDS) as answer:
            status: int = answer.status
    except (urllib.error.URLError, OSError, ValueError) as error:
        host = urlsplit(url).hostname  # the rest of a webhook's URL is a secret
        print(f"roce-audit: webhook at {host}: {getattr(error, 'reason', error)}", file=sys.stderr)
        return False
    return 200 <= status < 300
