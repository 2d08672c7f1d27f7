"""What `collect` and `audit -i` share: from the command line's options to a snapshot."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import NoReturn

from roce_audit.cli.errors import UsageError
from roce_audit.engine.suggestions import did_you_mean
from roce_audit.sources import inventory
from roce_audit.sources.live.targets import Inventory, InventoryError, Reference, Target, reference
from roce_audit.sources.manifest import Manifest

DEFAULT_CONFIG = "~/.ssh/config"
"""OpenSSH's own, which need not be there."""
_SESSIONS = 32
"""At once, where nobody says how many."""


def targets_of(options: argparse.Namespace) -> tuple[Target, ...]:
    """The targets of the inventories; what the command line says fills what they leave open. Raises UsageError."""
    try:
        token = _reference("--netbox-token", options.netbox_token)
        found = inventory.load(options.inventory, inventory.Options(token, tuple(options.limit)))
        if options.limit and not found.targets:
            raise UsageError(_nothing_left(options.limit, inventory.load(options.inventory, inventory.Options(token))))
    except InventoryError as error:
        raise UsageError(str(error)) from None
    for note in found.notes:
        print(f"roce-audit: {note}", file=sys.stderr)
    if not found.targets:
        raise UsageError("the inventory names no device that can be read")
    password = _reference("--password", options.password)
    return tuple(
        replace(
            target,
            user=target.user or options.user or "",
            key=target.key or options.key or "",
            password=target.password or (password if not target.key else None),
        )
        for target in found.targets
    )


def gather(options: argparse.Namespace, targets: Sequence[Target], folder: str) -> Manifest:
    """Collect the targets into a folder. Raises UsageError for what cannot begin; an interrupt leaves a valid snapshot."""
    from roce_audit.cli.progress import collection
    from roce_audit.sources.live import fleet
    from roce_audit.sources.live.credentials import resolve
    from roce_audit.sources.live.snapshot import Snapshot, SnapshotError, mask_key
    from roce_audit.sources.live.ssh import Connector, Limits
    from roce_audit.sources.live.trust import Trust
    from roce_audit.text.secrets.mask import Keyed, Masker

    if options.retries < 0:
        raise UsageError("--retries is not below 0")
    for option, file in (("--key", options.key), ("--ssh-config", options.ssh_config)):
        is_needed = file is not None and file not in ("none", DEFAULT_CONFIG)
        if is_needed and not os.path.isfile(os.path.expanduser(file)):
            raise UsageError(f"{option} {file}: no such file")
    try:
        secrets = resolve(targets)
        trust = Trust(options.known_hosts, accept_new=options.accept_new)
        limits = Limits(options.connect_timeout, options.timeout, options.timeout * 10)
        config = None if options.ssh_config == "none" else options.ssh_config
        connector = Connector(trust, secrets, limits, config)
        masker = None if options.keep_secrets else Masker(Keyed(mask_key()), secrets.values())
        snapshot = Snapshot(folder, targets, masker, resume=options.resume)
    except (InventoryError, SnapshotError, OSError) as error:
        raise UsageError(str(error)) from None
    pace = fleet.Pace(options.jobs or _SESSIONS, options.retries)
    try:
        with _terminated_like_interrupted(), collection(options, len(snapshot.wanting(targets))) as progress:
            manifest = fleet.collect(targets, snapshot, connector, pace, progress)
    except KeyboardInterrupt:
        again = f"collect --resume -o {folder}" if options.verb == "collect" else "audit --resume"
        print(f"roce-audit: broken off; `{again}` goes on", file=sys.stderr)
        raise
    finally:
        connector.close()
        for words in trust.accepted:
            print(f"roce-audit: new host key kept: {words}", file=sys.stderr)
    return manifest


def _nothing_left(limit: Sequence[str], everything: Inventory) -> str:
    """Why `--limit` leaves no device."""
    names = sorted({name for target in everything.targets for name in (target.name, *target.groups)})
    return f"--limit {' '.join(limit)}: no device or group of the inventory is called so{did_you_mean(limit[0], names)}"


def _reference(option: str, text: str | None) -> Reference | None:
    try:
        return None if text is None else reference(text)
    except ValueError as error:
        raise UsageError(f"{option}: {error}") from None


@contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    """A service manager's SIGTERM ends the run as Ctrl-C does."""

    def interrupt(number: int, frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, interrupt)
    except ValueError:  # not in the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
