"""What was not understood in one configuration, or names what is not there."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from roce_audit.platforms.base import UNREAD_LINE, Makes, Seen, seen
from roce_audit.platforms.junos.config import OF_INTERFACE, Configuration
from roce_audit.platforms.junos.idlegroups import by_groups
from roce_audit.platforms.junos.names import PHYSICAL, may_be
from roce_audit.platforms.junos.ranges import glob
from roce_audit.platforms.junos.table import TABLE
from roce_audit.platforms.shared.ramps import Ramp, Written, turned_round, without_idle
from roce_audit.platforms.shared.references import Name
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import Place

_DATA = ("ethernet", "lag")
_PROFILE = "congestion-notification-profile"
_NO_LOSS = re.compile(r"forwarding-classes class (\S{1,128}) no-loss\Z")
_LED_TO = re.compile(r"forwarding-class (\S{1,128}) ")


def observations(config: Configuration, kind: Callable[[str], str]) -> Iterator[Seen]:
    """What was not understood, or names what is not there. Ask when the ports are read; `kind` is that of a port."""
    data = tuple(name for name in config.interfaces if kind(name) in _DATA)
    users: dict[tuple[str, str, Place], dict[str, None]] = {}
    for (mode, name), thing in config.objects.items():
        for text, place in thing.said:
            users.setdefault((mode, text, place), {}).update(config.users[mode, name])
    told = {(mode, text) for mode, text, _ in config.unread}
    for key, ports in config.unread.items():
        mode, text, place = key
        if any((mode, text[:n]) in told for n, sign in enumerate(text) if sign == " "):
            continue  # the block around it is told
        them = data if mode in ("cos", *OF_INTERFACE) else tuple(users.get(key, ports) or ports)
        yield seen("unread-line", text, UNREAD_LINE, place, text, them)
    for (text, place), _ in config.lost.items():
        yield seen("unread-line", text, UNREAD_LINE, place, text, data)
    first = {name: place for place, name in reversed(config.misnamed.items())}
    for name, place in reversed(first.items()):
        whose = tuple(each for each in config.interfaces if may_be(name, each))
        yield seen("unread-line", name, UNREAD_LINE, place, f"interfaces {name}", whose)
    yield from _deleted(config, kind)
    asleep: dict[str, list[Seen]] = defaultdict(list)
    for profile, found in _asleep(config, kind):
        asleep[profile].append(found)
    if config.whole:
        for name, thing in config.bindings.items():
            if PHYSICAL.match(name) and name not in config.interfaces:
                text = (
                    f"class-of-service interfaces {name} names no interface of the configuration, so it has no effect"
                )
                yield seen("unapplied", name, text, thing.place, name, ())
    wrong = tuple(turned_round(_ramps(config)))
    tell = config.references.observations if config.whole else config.references.slips
    odd: Iterable[Seen] = tell(data, made_by=lambda name: _made_by(config, name))
    for found in by_groups(config, without_idle(odd, wrong)):
        yield _unpaused(config, found, asleep) or found
    yield from (each for them in asleep.values() for each in them)
    yield from wrong


def _made_by(config: Configuration, name: Name) -> tuple[Makes, ...]:
    """What lossless transport takes from a definition."""
    if name[0].endswith("-classifier"):
        return ("classes",)
    said = config.objects[name].said if name[0] == _PROFILE and name in config.objects else ()
    return ("pause",) if any(" pfc " in f"{text} " for text, _ in said) else ()


def _ramps(config: Configuration) -> Iterator[Written]:
    """The fill levels of drop profiles that reach no port."""
    for (mode, name), thing in config.objects.items():
        if mode != "drop-profile" or config.users[mode, name]:
            continue
        before: int | None = None
        for text, place in thing.said:
            leaf = TABLE.parse(mode, text).value
            if not isinstance(leaf, Leaf) or leaf.name != "interpolate fill-level" or not isinstance(leaf.value, int):
                continue
            if before is not None:
                yield Written(name, f"drop-profile {name}", Ramp("marking", before, leaf.value, "%", "%"), place, text)
            before = leaf.value


def _asleep(config: Configuration, kind: Callable[[str], str]) -> Iterator[tuple[str, Seen]]:
    """Profiles with PFC that were deactivated at ports which are in use and have no other, each with what is told of it."""
    paused = {port for (mode, _), ports in config.users.items() if mode == _PROFILE for port in ports}
    for above, statement in reversed(config.held.asleep):
        _, level, named, *rest = (*statement.words, "", "", "", "")
        if level != "interfaces" or rest[:1] != [_PROFILE]:
            continue
        ports = tuple(
            port
            for port, thing in config.interfaces.items()
            if glob(named, port) and kind(port) in _DATA and thing.said and port not in paused
            if not any(text == "disable" for text, _ in thing.said)
        )
        if ports:
            text = f"{_PROFILE} {rest[1]} of {named} is deactivated, so PFC is off there"
            yield rest[1], seen("unapplied", named, text, above.place, " ".join(above.words), ports)


def _deleted(config: Configuration, kind: Callable[[str], str]) -> Iterator[Seen]:
    """Profiles with PFC that commands apply to ports and a later one deletes there, with none applied after it."""
    ports: dict[tuple[Place, str], list[str]] = {}
    for by, statement in config.held.deleted:
        _, level, port, *rest = (*statement.words, "", "", "", "")
        bound = config.bindings[port].said if port in config.bindings else []
        is_anew = any(text.startswith(_PROFILE) for text, _ in bound)
        if level == "interfaces" and rest[:1] == [_PROFILE] and kind(port) in _DATA and not is_anew:
            ports.setdefault((by.place, rest[1]), []).append(port)
    for (place, name), those in ports.items():
        text = f"{_PROFILE} {name} is applied and taken off again, so PFC is off there"
        found = seen("unapplied", name, text, place, f"delete {_PROFILE}", tuple(reversed(those)))
        yield replace(found, makes=("pause",))


def _unpaused(config: Configuration, found: Seen, asleep: dict[str, list[Seen]]) -> Seen | None:
    """The one profile with PFC is applied nowhere, while classifiers of ports lead into a no-loss class; None for anything else.

    Where it is only deactivated, that is no second finding.
    """
    name = found.observation.name
    profile = config.objects.get((_PROFILE, name))
    alone = found.observation.kind == "unapplied" and bool(found.ports)
    if not alone or profile is None or not any(" pfc " in f"{text} " for text, _ in profile.said):
        return None
    no_loss = {fit[1] for text, _ in config.device["cos"].said if (fit := _NO_LOSS.match(text))}
    led = (
        fit[1]
        for (mode, called), thing in config.objects.items()
        if mode.endswith("-classifier") and config.users[mode, called]
        for text, _ in thing.said
        if (fit := _LED_TO.match(text))
    )
    into = next((each for each in led if each in no_loss), None)
    if into is None:
        return None
    sleeping = asleep.pop(name, [found])[0]
    how = "applied nowhere" if sleeping is found else "deactivated"
    text = (
        f"classifiers lead packets into the no-loss class {into}, and PFC is on for no port: {_PROFILE} {name} is {how}"
    )
    return seen("unpaused", name, text, sleeping.place, sleeping.quote, found.ports)
