"""`roce-audit collect`: read live devices and hosts over SSH into a snapshot folder; read-only."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from roce_audit.cli import extras
from roce_audit.cli.errors import NOTHING, UsageError
from roce_audit.cli.live import gather, targets_of
from roce_audit.cli.request import policy_of
from roce_audit.cli.unreached import beyond, checked
from roce_audit.policy import Policy
from roce_audit.policy.find import shown
from roce_audit.report.words import count
from roce_audit.sources.live.targets import Target
from roce_audit.sources.manifest import Manifest
from roce_audit.sources.reading import READ
from roce_audit.text import globs

INCOMPLETE = 4
_LISTED = 20


def run(options: argparse.Namespace) -> int:
    """Collect, say what became of each device, and give the exit code."""
    extras.require("collect", "live")
    checked(options.max_unreachable)
    if not options.inventory:
        raise UsageError("collect needs an inventory: -i FILE")
    policy = policy_of(options)
    inventory = targets_of(options)
    if options.print_commands:
        _print_commands(inventory)
        return 0
    if options.output is None:
        raise UsageError("collect needs a folder to write: -o SNAPSHOT")
    manifest = gather(options, inventory, options.output)
    for line in summary(manifest, options.output, options.verbose):
        print(line)
    return exit_code(manifest, policy, options.max_unreachable)


def exit_code(manifest: Manifest, policy: Policy, allowed: str) -> int:
    """3 where nothing could be collected, 4 where too many devices are missing, else 0."""
    if not any(device.reached for device in manifest.devices.values()):
        return NOTHING
    missing = [name for name in manifest.unreached() if not in_maintenance(name, policy)]
    return INCOMPLETE if beyond(len(missing), len(manifest.devices), allowed) else 0


def in_maintenance(name: str, policy: Policy) -> bool:
    """Whether the policy says that a device is being worked on."""
    return any(globs.matches(entry.text, name) for entry in policy.maintenance)


def summary(manifest: Manifest, folder: str, verbose: int = 0) -> list[str]:
    """What became of the devices, the missing ones with the reason."""
    counts = Counter(device.outcome for device in manifest.devices.values())
    size = sum(file.bytes for device in manifest.devices.values() for file in device.files.values())
    words = ", ".join(f"{number:,} {outcome}" for outcome, number in counts.most_common())
    lines = [f"{folder}: {count(len(manifest.devices), 'device')}: {words or 'none'}; {size:,} bytes"]
    changed = {n: f"changed: {d.reason}" for n, d in manifest.devices.items() if d.outcome == "changed"}
    missing = {**manifest.unreached(), **changed}
    shown = None if verbose else _LISTED
    lines += [f"  {name}: {why}" for name, why in list(missing.items())[:shown]]
    if shown is not None and len(missing) > shown:
        lines.append(f"  and {len(missing) - shown:,} more (-v)")
    refused = Counter(
        (device.platform, file.command)
        for device in manifest.devices.values()
        if device.outcome in READ
        for file in device.files.values()
        if file.refused
    )
    lines += [
        f"  refused by {count(number, f'{p} device')}: {command}" for (p, command), number in refused.most_common(shown)
    ]
    if not manifest.redacted:
        lines.append("  secrets are kept in its files (--keep-secrets)")
    return lines


def _print_commands(targets: Sequence[Target]) -> None:
    from roce_audit.sources.live.remote import script

    by_access: dict[tuple[str, str], list[Target]] = {}
    for target in targets:
        by_access.setdefault((target.platform if target.access != "probe" else "hosts", target.become), []).append(
            target
        )
    for (what, become), those in sorted(by_access.items()):
        sudo = "" if become == "none" else f"{become} "
        print(f"# {what}: {len(those):,} devices ({those[0].name}{', ...' if len(those) > 1 else ''})")
        if those[0].access == "probe":
            print(f"{sudo}sh -s   # with this script on standard input:")
            print("".join(f"    {line}\n" for line in script().splitlines()), end="")
        else:
            print("".join(f"{sudo}{command}\n" for command in those[0].commands), end="")
    sys.stdout.flush()


def default_folder(options: argparse.Namespace, policy: Policy) -> str:
    """Where dated snapshots of `audit -i` go. Hidden, so that a check of the whole folder does not read old ones."""
    return options.snapshots or shown(Path(policy.folder or ".", ".snapshots"))
