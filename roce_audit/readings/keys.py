"""Names of parcels: digests of everything that a parcel depends on."""

from __future__ import annotations

import hashlib
import os
from functools import cache

import roce_audit
from roce_audit import __version__
from roce_audit.readings.stamps import Stamps
from roce_audit.sources.batches import Batch, Plan
from roce_audit.sources.hints import NO_HINT, Hints
from roce_audit.sources.units import Loading


@cache
def program() -> str:
    """A digest of the version and of every module and table of the program: what was read by other code is read again."""
    package = os.path.dirname(roce_audit.__file__)
    found = hashlib.sha256(__version__.encode())
    for folder, folders, names in os.walk(package):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        inside = os.path.relpath(folder, package)
        for name in sorted(name for name in names if name.endswith(".py")):
            with open(os.path.join(folder, name), "rb", buffering=0) as module:
                found.update(f"\0{inside}/{name}\0".encode())
                found.update(module.read())
    return found.hexdigest()


def key_of(batch: Batch, plan: Plan, stamps: Stamps) -> str | None:
    """The name of a batch's parcel; None where one of its files cannot be read."""
    digests = [stamps.digest(file) for file in batch.files]
    if None in digests:
        return None
    said = Loading(Hints(plan.hints), plan.base, {}, plan.collected).hint if plan.hints else lambda *_: NO_HINT
    folder = batch.folder or "."
    parts = [
        batch.kind,
        folder,
        os.getcwd() if folder == "." else "",
        said(folder, folder),
        [(f.path, f.named, said(f.path, f.real), plan.collected.about(f.path)) for f in batch.files],
        digests,
        plan.variables.digest,
    ]
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogateescape")).hexdigest()[:40]
