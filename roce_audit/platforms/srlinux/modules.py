"""What the module of the Ansible collection nokia.srlinux writes, as commands that are typed."""

from __future__ import annotations

from collections.abc import Mapping

from roce_audit.platforms.taskmodules import Arguments
from roce_audit.platforms.taskpaths import Paths

_KEYS = {"wred-slope": ("traffic-type", "drop-probability", "enable-ecn"), "queue": ("queue-name", "name")}
MODULES: Mapping[str, Arguments] = {
    "nokia.srlinux.config": Paths(("replace", "update"), ("delete",), _KEYS, "nokia.srlinux, config"),
}
