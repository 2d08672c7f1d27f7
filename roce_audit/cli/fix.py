"""`roce-audit fix`: proved changes in each device's own syntax, never pushed to a device."""

from __future__ import annotations

import argparse
import json

from roce_audit.cli.errors import INTERNAL, NOTHING, UsageError, no_device
from roce_audit.cli.request import only_files, request

LEFT = 1


def run(options: argparse.Namespace) -> int:
    """Print the plan, and write it where that is asked for; 0 where everything that fails is fixed, 1 where something is left."""
    from roce_audit.fixing import rendering, writing
    from roce_audit.fixing.planning import plan

    if options.allow_dirty and not options.write:
        raise UsageError("--allow-dirty goes with --write")
    if options.diff and options.format != "text":
        raise UsageError(f"--diff is text: leave it or -f {options.format} out (its `files` hold the changes)")
    only_files("fix", options.paths)
    found = plan(request(options, options.paths))
    try:
        written = writing.write(found, allow_dirty=options.allow_dirty) if options.write else None
    except writing.Refused as refused:
        raise UsageError(str(refused)) from None
    if not found.platforms and not found.problems and options.format != "json":
        return no_device()
    if options.format == "json":
        print(json.dumps(rendering.plain(found) | ({} if written is None else {"written": written}), indent=2))
    else:
        for line in rendering.patch(found) if options.diff else rendering.text(found):
            print(line)
        for line in () if written is None else writing.told(found, written):
            print(line)
    if found.problems:
        return INTERNAL
    if not found.platforms:
        return NOTHING
    brought = [new for one in found.fixed for new in one.brings if new.severity != "info"]
    return LEFT if found.left or brought else 0
