"""`roce-audit fix`: proved changes in each device's own syntax, never pushed to a device."""

from __future__ import annotations

import argparse
import json

from roce_audit.cli.errors import INTERNAL, NOTHING
from roce_audit.cli.request import request

LEFT = 1


def run(options: argparse.Namespace) -> int:
    """Print the plan; 0 where everything that fails is fixed, 1 where something is left."""
    from roce_audit.fixing import rendering
    from roce_audit.fixing.planning import plan

    found = plan(request(options, options.paths))
    if options.format == "json":
        print(json.dumps(rendering.plain(found), indent=2))
    else:
        for line in rendering.patch(found) if options.diff else rendering.text(found):
            print(line)
    if found.problems:
        return INTERNAL
    return NOTHING if not found.platforms else LEFT if found.left else 0
