"""A word to a webhook when an audit finds a change. What fails is told by id and rule: no line of a configuration leaves."""

from __future__ import annotations

import json
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from roce_audit.history.comparing import Difference
from roce_audit.history.record import Recorded, Run

_SECONDS = 20
_MOST = 200


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
        "text": "roce-audit: " + ", ".join(f"{count} {name}" for name, count in counts.items()),
        "run": number,
        "finished": run.finished.isoformat(),
        "counts": counts,
        "checks": dict(run.checks),
        "coverage": dict(run.coverage),
        "new": _listed(difference.new),
        "fixed": _listed(difference.fixed),
        "lost": _listed(difference.lost),
    }


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
