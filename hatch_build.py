"""Build hook: the wheel and an editable install bring what a first run would otherwise make of rules and statement tables."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ReadyMade(BuildHookInterface):
    """Makes `roce_audit/_ready`; where it cannot be made, the package works without it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before the files of the wheel are gathered."""
        folder = Path(self.root, "roce_audit", "_ready")
        shutil.rmtree(folder, ignore_errors=True)
        # in a process of its own, which finds this tree before any other roce_audit
        command = [sys.executable, "-m", "roce_audit.readymade", str(folder)]
        made = subprocess.run(command, cwd=self.root, capture_output=True, text=True, errors="replace", check=False)
        if made.returncode:
            why = made.stderr.strip().rpartition("\n")[2]
            self.app.display_warning(f"built without ready-made rules and tables, a first run makes them: {why}")
