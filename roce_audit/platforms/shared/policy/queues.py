"""Shares, strict priority and shapers of one queue (`base` is its model path) in the policies that schedule output."""

from __future__ import annotations

from roce_audit.platforms.shared.policy.statements import Shape, Share, Strict
from roce_audit.text.fill import Settings
from roce_audit.values import At, Why, absent, known, unknown


def on_share(settings: Settings, base: str, line: Share, at: At) -> None:
    """A share in percent; it does not stand beside strict priority."""
    before = settings.get(f"{base}.scheduling")
    if before is not None and before.value == "strict":
        return
    if line.percent is None:
        for name in ("scheduling", "share", "share_kind"):
            settings.reset(f"{base}.{name}")
        return
    settings.set(f"{base}.scheduling", "weighted", at)
    settings.set(f"{base}.share", line.percent, at)
    settings.set(f"{base}.share_kind", "percent_at_most", at)


def on_strict(settings: Settings, base: str, line: Strict, at: At) -> None:
    """Strict priority, which replaces a share."""
    if not line.strict:
        settings.reset(f"{base}.scheduling")
        settings.reset(f"{base}.share")
        return
    settings.set(f"{base}.scheduling", "strict", at)
    settings.set_cell(f"{base}.share", absent(at))


def on_shape(settings: Settings, base: str, line: Shape, at: At) -> None:
    """A shaper; unknown where it is no rate in bits."""
    if not line.on:
        settings.set_cell(f"{base}.max_rate_bps", absent(at))
    else:
        cell = unknown(Why.NO_DEFAULT, at) if line.bps is None else known(line.bps, at)
        settings.set_cell(f"{base}.max_rate_bps", cell)
