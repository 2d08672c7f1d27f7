"""`roce-audit host-probe`: print the script that gathers a host's settings."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from roce_audit.cli.errors import UsageError
from roce_audit.sources.files import STDIN
from roce_audit.sources.live.probe import script

_SHORTEST = 5
_LONGEST = 3600


def run(options: argparse.Namespace) -> int:
    """Print the script, or write it to a file."""
    if not _SHORTEST <= options.budget <= _LONGEST:
        raise UsageError(f"--budget {options.budget}: {_SHORTEST} to {_LONGEST} seconds")
    text = script(options.budget)
    if options.output in (None, STDIN):
        sys.stdout.write(text)
    else:
        Path(options.output).write_text(text, encoding="utf-8")
    return 0
