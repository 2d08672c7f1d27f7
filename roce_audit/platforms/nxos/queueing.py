"""Network-qos and queuing policies become settings: no-drop classes, class MTU, egress queues, ingress thresholds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from roce_audit.platforms.nxos import statements as st
from roce_audit.platforms.nxos.defaults import is_lossless_template
from roce_audit.platforms.shared.cli.builder import apply
from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.platforms.shared.policy.policies import Policies, PolicyClass
from roce_audit.platforms.shared.policy.queues import fold_queues, on_share, on_strict
from roce_audit.text.settings import Settings
from roce_audit.text.statements.rows import Set
from roce_audit.values import At, Why, absent, known, unknown

GROUPS = range(8)
_BYTES = {"bytes": 1, "kbytes": 1_000, "mbytes": 1_000_000}
"""The guide does not say whether a kbyte is 1,000 or 1,024 bytes; the smaller reading is taken."""
_THRESHOLDS = ("headroom_bytes", "xoff_at_bytes", "xon_at_bytes")


@dataclass
class Pausing:
    """What the network-qos policy pauses. `doubt`: something in it was not understood, so there may be more or less."""

    by_priority: dict[int, tuple[int, At]] = field(default_factory=dict)
    receive_only: dict[int, At] = field(default_factory=dict)
    unnamed: dict[int, At] = field(default_factory=dict)
    """No-drop groups whose priorities are not written (`pause no-drop`)."""
    doubt: tuple[Why, At] | None = None
    seen: bool = False
    """A policy is applied, and its definition is at hand."""
    header: tuple[At, ...] = ()
    """Where its definition begins: the place of a pause that is missing."""
    by_tag: dict[int, At] = field(default_factory=dict)
    """Priorities whose class is told by them (Nexus 7000: a class of tags, which a template of the switch queues), and where."""


def network_qos(settings: Settings, policies: Policies, policy: str, bound_at: At, undefined: Why) -> Pausing:
    """Fold the network-qos policy that `system qos` applies."""
    pausing = Pausing()
    classes = policies.policy("nqpolicy", policy)
    if classes is None or (not classes and is_lossless_template(policy)):
        why = undefined if classes is None else Why.NOT_VISIBLE
        pausing.doubt = (why, bound_at)
        for path in ("groups", "priorities", "classes"):
            settings.forbid_default(path, why, bound_at)
        return pausing
    pausing.seen = True
    whole = policies.header("nqpolicy", policy)
    pausing.header = () if whole is None else (whole,)
    if whole is not None:
        settings.default_location("groups", whole)
        for number in GROUPS:
            settings.default_location(f"classes.{number}.mtu_bytes", whole)
    for one in classes:
        numbers = policies.numbers_of("nqmap", one, undefined)
        if numbers is Why.NOT_PARSED and (tags := _tags(policies, one)):
            numbers = tags
            pausing.by_tag |= dict.fromkeys(tags, one.at)
        if isinstance(numbers, Why):
            _unknown_class(settings, pausing, one, numbers)
            continue
        for number in numbers:
            settings.default_location(f"groups.{number}", one.at)
            settings.default_location(f"classes.{number}.mtu_bytes", one.at)
        for parsed, at in one.lines:
            for number in numbers:
                if isinstance(parsed.value, st.PauseUnnamed) and number in pausing.by_tag:
                    _network_line(settings, pausing, number, parsed.value, at)
                    _network_line(settings, pausing, number, st.Pause((number,)), at)
                elif parsed.value is None:
                    _unread_network(settings, pausing, number, parsed.paths or (), at)
                else:
                    _network_line(settings, pausing, number, parsed.value, at)
        for number in numbers:
            lossless = settings.get(f"groups.{number}.lossless")
            if lossless is not None and lossless == known(True):  # which packets it takes without one is not documented
                settings.forbid_default(f"classes.{number}.mtu_bytes", Why.NO_DEFAULT, one.at)
    return pausing


def _tags(policies: Policies, one: PolicyClass) -> tuple[int, ...]:
    """The tags by which a class tells its packets; none where it asks for something else as well."""
    matches = [parsed.value for parsed, _ in policies.lines("nqmap", one.name or "") or ()]
    asked = [match for match in matches if not isinstance(match, ps.Logic)]
    if not all(isinstance(m, ps.Match) and m.kind in ("cos", "never") and not m.negated for m in asked):
        return ()
    return tuple(value for match in asked if isinstance(match, ps.Match) for value in match.values)


def _unknown_class(settings: Settings, pausing: Pausing, one: PolicyClass, why: Why) -> None:
    """What a class sets whose qos-groups nobody knows: it may be any group's."""
    paths = dict.fromkeys(path for parsed, _ in one.lines for path in parsed.paths or ())
    if "priorities" in paths:
        pausing.doubt = pausing.doubt or (why, one.at)
    for path in paths:
        for number in GROUPS:
            settings.forbid_default(path.replace("#", str(number)), why, one.at)


def _unread_network(settings: Settings, pausing: Pausing, number: int, paths: tuple[str, ...], at: At) -> None:
    if "priorities" in paths:
        pausing.doubt = pausing.doubt or (Why.NOT_PARSED, at)
    for path in paths:
        settings.set_unknown(path.replace("#", str(number)), Why.NOT_PARSED, at)


def _network_line(settings: Settings, pausing: Pausing, number: int, line: Any, at: At) -> None:
    match line:
        case st.Pause(priorities=priorities, receive_only=receive_only):
            if not receive_only:
                settings.set(f"groups.{number}.lossless", True, at)
            pausing.unnamed.pop(number, None)
            for priority in priorities:
                group = absent(at) if receive_only else known(number, at)
                settings.set_cell(f"priorities.{priority}.group", group)
                settings.set(f"priorities.{priority}.queue", number, at)
                pausing.by_priority.pop(priority, None)
                pausing.receive_only.pop(priority, None)
                if receive_only:
                    pausing.receive_only[priority] = at
                else:
                    pausing.by_priority[priority] = (number, at)
        case st.PauseUnnamed(thresholds=sizes):
            settings.set(f"groups.{number}.lossless", True, at)
            if sizes is not None:
                _put_thresholds(settings, number, sizes, at)
            if all(group != number for group, _ in pausing.by_priority.values()):
                pausing.unnamed[number] = at
        case st.NoPause():
            settings.set(f"groups.{number}.lossless", False, at)
            pausing.unnamed.pop(number, None)
            for priority in [p for p, (group, _) in pausing.by_priority.items() if group == number]:
                del pausing.by_priority[priority]
                pausing.header = (at, *pausing.header)
                settings.set_absent(f"priorities.{priority}.group", at)
                settings.set_absent(f"priorities.{priority}.queue", at)
        case Set():
            apply(settings, line, at, number)
        case st.Congestion(ecn=ecn):
            settings.set(f"queues.{number}.ecn.marks", ecn, at)
            settings.set(f"queues.{number}.ecn.drops", not ecn, at)


def egress(settings: Settings, policies: Policies, policy: str, bound_at: At, undefined: Why) -> None:
    """Fold the queuing policy that holds for the output of the port."""

    def on_line(base: str, line: Any, at: At) -> None:
        handler = _OUTPUT.get(type(line))
        if handler is not None:
            handler(settings, base, line, at)

    fold_queues(settings, policies, policy, bound_at, undefined, on_line)


def ingress(settings: Settings, policies: Policies, policy: str, bound_at: At, undefined: Why) -> None:
    """Fold the queuing policy that holds for the input of the port: thresholds of the qos-groups' buffers."""
    classes = policies.policy("qupolicy", policy)
    if classes is None:
        _dark(settings, undefined, bound_at)
        return
    for one in classes:
        numbers = policies.numbers_of("qumap", one, undefined)
        if isinstance(numbers, Why):
            _dark(settings, numbers, one.at)
            continue
        for parsed, at in one.lines:
            for number in numbers:
                if parsed.value is None:
                    for name in _THRESHOLDS:
                        settings.set_unknown(f"groups.{number}.{name}", Why.NOT_PARSED, at)
                elif isinstance(parsed.value, st.Thresholds):
                    _put_thresholds(settings, number, parsed.value.sizes, at)


def as_shown(
    settings: Settings, queues: Iterable[tuple[st.ShownQueue, At]], buffers: Iterable[tuple[st.ShownBuffer, At]]
) -> None:
    """What an answer shows of queues and buffers that no policy says."""
    for queue, at in queues:
        base = f"queues.{queue.number}"
        if not _is_said(settings, f"{base}.scheduling"):
            if queue.percent is None:
                on_strict(settings, base, ps.Strict(True), at)
            else:
                on_share(settings, base, ps.Share(queue.percent), at)
    for buffer, at in buffers:
        if not _is_said(settings, f"groups.{buffer.number}.headroom_bytes"):
            _put_thresholds(settings, buffer.number, (buffer.size, buffer.pause, buffer.resume), at)


def shown_dropping(settings: Settings, dropping: Mapping[int, At]) -> None:
    """Queues that drop early in the policy that runs, whatever the configured one says."""
    for number, at in dropping.items():
        settings.set(f"queues.{number}.ecn.marks", False, at)
        settings.set(f"queues.{number}.ecn.drops", True, at)


def unbuffered(settings: Settings, without: Mapping[int, At]) -> None:
    """No-drop groups that show no buffer on a port whose link is up, with PFC on: a port without either may have none for that."""
    link, mode, runs = (settings.get(path) for path in ("link_up", "pfc.mode", "pfc.operational"))
    is_up = link is not None and link.value is True and mode is not None and mode.value == "on"
    for number, at in without.items() if is_up and (runs is None or runs.value != frozenset()) else ():
        lossless = settings.get(f"groups.{number}.lossless")
        if lossless is not None and lossless.value is True:
            settings.set(f"groups.{number}.headroom_bytes", 0, at, *(link.at if link is not None else ()))
            settings.set(f"groups.{number}.headroom_is_shared", False, at)


def _is_said(settings: Settings, path: str) -> bool:
    cell = settings.get(path)
    return cell is not None and not cell.is_unknown


def _dark(settings: Settings, why: Why, at: At) -> None:
    for number in GROUPS:
        for name in _THRESHOLDS:
            settings.forbid_default(f"groups.{number}.{name}", why, at)


def _put_thresholds(settings: Settings, number: int, sizes: tuple[int, int, int] | None, at: At) -> None:
    """Bytes of the ingress buffer: XOFF is sent at the second, so what lies above it is headroom."""
    base = f"groups.{number}."
    if sizes is None:
        for name in _THRESHOLDS:
            settings.reset(base + name)
        return
    size, pause, resume = sizes
    for name, value in zip(_THRESHOLDS, (max(size - pause, 0), pause, resume), strict=True):
        settings.set(base + name, value, at)
    settings.set(base + "headroom_is_shared", False, at)  # the buffer-size is the class's own


def _on_wred(settings: Settings, base: str, line: st.Wred, at: At) -> None:
    ecn = f"{base}.ecn"
    settings.reset(ecn)
    settings.set(f"{ecn}.marks", line.ecn, at)
    settings.set(f"{ecn}.drops", not line.ecn, at)
    for end, threshold in (("min", line.low), ("max", line.high)):
        if threshold is None:
            continue
        value, unit = threshold
        settings.set(f"{ecn}.{end}_value", value, at)
        settings.set(f"{ecn}.{end}_unit", unit, at)
        factor = _BYTES.get(unit)
        cell = unknown(Why.NO_DEFAULT, at) if factor is None else known(value * factor, at)
        settings.set_cell(f"{ecn}.{end}_bytes", cell)
    if line.percent is not None:
        settings.set(f"{ecn}.max_probability_percent", line.percent, at)
    if line.weight is not None:
        settings.set(f"{ecn}.weight", line.weight, at)


def _on_afd(settings: Settings, base: str, line: st.Afd, at: At) -> None:
    settings.reset(f"{base}.ecn")
    settings.set(f"{base}.ecn.marks", line.ecn, at)
    settings.set(f"{base}.ecn.drops", not line.ecn, at)


def _on_no_wred(settings: Settings, base: str, line: st.NoWred, at: At) -> None:
    settings.reset(f"{base}.ecn")
    settings.set_absent(f"{base}.ecn", at)


def _on_limit(settings: Settings, base: str, line: st.Limit, at: At) -> None:
    if line.value is None:
        settings.set_absent(f"{base}.limit_bytes", at)
        return
    factor = _BYTES.get(line.unit)
    cell = unknown(Why.NO_DEFAULT, at) if factor is None else known(line.value * factor, at)
    settings.set_cell(f"{base}.limit_bytes", cell)


_OUTPUT: Mapping[type, Callable[[Settings, str, Any, At], None]] = {
    st.Wred: _on_wred,
    st.Afd: _on_afd,
    st.NoWred: _on_no_wred,
    st.Limit: _on_limit,
}
