"""Policies that schedule output become settings of queues: shares, strict priority, shapers, and what a platform adds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from roce_audit.platforms.shared.cli.builder import apply
from roce_audit.platforms.shared.policy.policies import Policies
from roce_audit.platforms.shared.policy.statements import Shape, Share, Strict
from roce_audit.platforms.shared.rates import shaped_to_share
from roce_audit.text.settings import Settings
from roce_audit.text.statements.rows import Reset, Set
from roce_audit.values import At, Why, known, unknown

OnLine = Callable[[str, Any, At], None]
"""Takes the model path of a queue and a statement of its class that is the platform's own."""


def fold_queues(
    settings: Settings,
    policies: Policies,
    policy: str,
    bound_at: At,
    undefined: Why,
    on_line: OnLine,
    kinds: tuple[str, str] = ("qupolicy", "qumap"),
) -> None:
    """Fold the queuing policy that is applied to the output of a port; `kinds` are the modes of such a policy and of its class-maps."""
    of_policy, of_map = kinds
    classes = policies.policy(of_policy, policy)
    if classes is None:
        settings.forbid_default("queues", undefined, bound_at)
        return
    whole = policies.header(of_policy, policy)
    if whole is not None:
        settings.default_location("queues", whole)
    for one in classes:
        numbers = policies.numbers_of(of_map, one, undefined)
        if isinstance(numbers, Why):
            settings.forbid_default("queues", numbers, one.at)
            continue
        for number in numbers:
            settings.default_location(f"queues.{number}", one.at)
        for parsed, at in one.lines:
            for base in (f"queues.{number}" for number in numbers):
                if parsed.value is None:
                    for name in parsed.paths or ():
                        settings.set_unknown(f"{base}.{name}", Why.NOT_PARSED, at)
                else:
                    _line(settings, base, parsed.value, at, on_line)


def _line(settings: Settings, base: str, line: Any, at: At, on_line: OnLine) -> None:
    match line:
        case Set() | Reset():
            apply(settings, line, at, base=base)
        case Share():
            on_share(settings, base, line, at)
        case Strict():
            on_strict(settings, base, line, at)
        case Shape():
            on_shape(settings, base, line, at)
        case _:
            on_line(base, line, at)


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
    settings.set_absent(f"{base}.share", at)


def on_shape(settings: Settings, base: str, line: Shape, at: At) -> None:
    """A shaper; unknown where it is no rate in bits and no share of the speed."""
    if not line.on or line.percent is not None:
        settings.set_absent(f"{base}.max_rate_bps", at)
        if line.percent is not None:
            shaped_to_share(settings, base, line.percent, at)
    else:
        cell = unknown(Why.NO_DEFAULT, at) if line.bps is None else known(line.bps, at)
        settings.set_cell(f"{base}.max_rate_bps", cell)
