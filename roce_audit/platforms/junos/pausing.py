"""Profiles of congestion notification that do not fit the classifiers and classes beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from roce_audit.model.device import ObservationKind
from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.junos.table import TABLE
from roce_audit.platforms.junos.values import of_code_point
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import Place

if TYPE_CHECKING:
    from roce_audit.platforms.junos.config import Configuration
    from roce_audit.platforms.junos.objects import Thing

_PROFILE, _REWRITE = "congestion-notification-profile", "tag-rewrite"
_CLASSIFIERS = {"dscp": "dscp-classifier", "ieee-802.1": "tag-classifier"}
_LISTED = "forwarding-class * loss-priority * code-point"
_STOPS = "output ieee-802.1 code-point * flow-control-queue"
_POOL = "shared-buffer ingress buffer-partition * percent"
_OF_OTHERS = frozenset({0, 48, 56})
"""DSCPs of unmarked packets and network control: that they are in a lossless class rules tell of whole configurations."""
_LEVELS = ("input pfc-account * xoff", "input pfc-account * xon")


def pausing(config: Configuration) -> Iterator[Seen]:
    """Everything of this kind in one configuration."""
    yield from _accounts(config)
    yield from _without_pool(config)
    yield from _points(config)
    yield from _tags(config)
    yield from _retagged(config)
    if not config.whole:  # of a whole one rules tell it
        yield from _stops(config)


def _accounts(config: Configuration) -> Iterator[Seen]:
    """The level at which an account of PFC resumes lies below the one at which it pauses (Juniper, pfc-account)."""
    for (kind, profile), thing in config.objects.items():
        if kind != "congestion-notification-profile":
            continue
        levels: dict[str, dict[str, tuple[int, Place]]] = {}
        for text, place in thing.said:
            leaf = TABLE.parse(kind, text).value
            if isinstance(leaf, Leaf) and leaf.name in _LEVELS and str(leaf.value).isdecimal():
                levels.setdefault(str(leaf.keys[0]), {})[leaf.name[-4:].strip()] = (int(str(leaf.value)), place)
        for account, said in levels.items():
            if len(said) < len(_LEVELS) or said["xon"][0] < said["xoff"][0]:
                continue
            text = f"PFC account {account} resumes at {said['xon'][0]} us, which is not below the {said['xoff'][0]} us at which it pauses"
            yield seen("conflict", profile, text, said["xon"][1], f"pfc-account {account}", ())


def _without_pool(config: Configuration) -> Iterator[Seen]:
    """Lossless classes wait in their partition of the ingress buffer (Juniper, shared buffer of QFX: 5 % at least where PFC is used)."""
    written = config.device["cos"].said if "cos" in config.device else ()
    leaves = [(TABLE.parse("cos", text).value, place) for text, place in written]
    shares = [(leaf, place) for leaf, place in leaves if isinstance(leaf, Leaf) and leaf.name == _POOL]
    given = [(int(str(leaf.value)), place) for leaf, place in shares if leaf.keys == ("lossless",)]
    if not given or given[-1][0] > 0:
        return
    pausing_ones = {name for (kind, name), thing in config.objects.items() if kind == _PROFILE and _sends_pause(thing)}
    ports = tuple([port for port in config.bindings if _bound_at(config, port)[0] & pausing_ones])
    if ports:
        text = "the lossless partition of the shared ingress buffer has 0 %, so what PFC protects has no room there"
        yield seen("unprotected", "lossless", text, given[-1][1], "buffer-partition lossless percent", ports)


def _sends_pause(profile: Thing) -> bool:
    said = [TABLE.parse(_PROFILE, text).value for text, _ in profile.said]
    return any(isinstance(leaf, Leaf) and leaf.name.startswith("input ") and " pfc" in leaf.name for leaf in said)


def _stops(config: Configuration) -> Iterator[Seen]:
    """What output stanzas of a part stop, beside the priorities and queues of the classes that it defines.

    A class of which a part says the priority of its pause and the queue, but not `no-loss`, is lossy.
    """
    classes = _classes(config)
    bound = {name for port in config.bindings for name in _bound_at(config, port)[0]}
    for name, its in classes.items():
        if "pfc-priority" in its and "queue-num" in its and "no-loss" not in its:
            text = f"class {name} has pfc-priority {its['pfc-priority'][0]} and is not no-loss, so nothing is paused for it"
            yield seen(
                "unprotected" if bound else "conflict",
                name,
                text,
                its["pfc-priority"][1],
                f"class {name} pfc-priority",
                (),
            )
    for (kind, profile), thing in config.objects.items():
        if kind != "congestion-notification-profile":
            continue
        yield from _unlike(profile, _stopped(thing), classes, profile in bound)


def _stopped(profile: Thing) -> dict[tuple[str, str], Place]:
    """(priority whose pause a profile obeys, queue that it stops) -> where."""
    stopped: dict[tuple[str, str], Place] = {}
    for written, place in profile.said:
        leaf = TABLE.parse("congestion-notification-profile", written).value
        if isinstance(leaf, Leaf) and leaf.name == _STOPS:
            stopped[str(of_code_point(str(leaf.keys[0]), "ieee-802.1", {})), str(leaf.value)] = place
    return stopped


_Classes = Mapping[str, Mapping[str, tuple[object, Place]]]
_Stopped = Mapping[tuple[str, str], Place]


def _unlike(profile: str, stopped: _Stopped, classes: _Classes, is_bound: bool) -> Iterator[Seen]:
    """Each class of which a profile stops another queue, or is paused by another priority, and what no class has in place of it."""
    for name, its in classes.items():
        if "pfc-priority" not in its or "queue-num" not in its or not stopped:
            continue
        its_priority, its_queue = str(its["pfc-priority"][0]), str(its["queue-num"][0])
        if (its_priority, its_queue) in stopped:
            continue
        its_pause = its["pfc-priority"][1]
        found = next(
            (one for one in stopped if one[1] == its_queue or (one[0] == its_priority and not is_bound)),
            None,
        )
        if found is not None:
            text = (
                f"{profile} stops queue {found[1]} for priority {found[0]}; class {name} is in queue {its_queue}, and its pause is of"
                f" priority {its_priority}"
            )
            kind: ObservationKind = "unprotected" if is_bound and "no-loss" in its else "conflict"
            yield seen(kind, profile, text, stopped[found], "flow-control-queue", (), its_pause)
        elif is_bound and "no-loss" in its and not _stops_any(classes, stopped):
            priority, queue = next(iter(stopped))
            text = (
                f"{profile} stops queue {queue} for priority {priority}, which no class has, and not queue {its_queue} of class {name},"
                f" whose pause is of priority {its_priority}"
            )
            yield seen("unprotected", profile, text, stopped[priority, queue], "flow-control-queue", (), its_pause)


def _stops_any(classes: _Classes, stopped: _Stopped) -> bool:
    """Whether the queue of some class is stopped, or some priority that a class is paused by."""
    queues, priorities = (
        {str(its[key][0]) for its in classes.values() if key in its} for key in ("queue-num", "pfc-priority")
    )
    return any(queue in queues or priority in priorities for priority, queue in stopped)


def _classes(config: Configuration) -> dict[str, dict[str, tuple[object, Place]]]:
    """Forwarding class -> what its statements say, and where."""
    found: dict[str, dict[str, tuple[object, Place]]] = {}
    for text, place in config.device["cos"].said if "cos" in config.device else ():
        leaf = TABLE.parse("cos", text).value
        if isinstance(leaf, Leaf) and leaf.name.startswith("forwarding-classes class * "):
            found.setdefault(str(leaf.keys[0]), {})[leaf.name.rpartition(" ")[2]] = (leaf.value, place)
    return found


def _points(config: Configuration) -> Iterator[Seen]:
    """Code points that a port's profile pauses, beside those that its classifier leads into classes without loss.

    One that one of the two lacks while they agree in most, or in as many of one class, is a slip; that they have none in common
    is one, too, and of whole configurations rules tell it.
    """
    lossless = _lossless(config)
    for (profile, classifier), ports in (_together(config, "dscp") if lossless or not config.whole else {}).items():
        paused = _code_points(config, "congestion-notification-profile", profile, "input dscp code-point * pfc")
        led = _code_points(config, "dscp-classifier", classifier, _LISTED)
        if paused and led and not lossless and not config.whole:
            yield from _of_lossy(
                profile, classifier, {dscp: led[dscp][0] for dscp in paused if dscp in led}, config, ports
            )
        if not paused or led is None:
            continue
        kept = {dscp: at for dscp, at in led.items() if at[0] in lossless}
        if not kept:
            if lossless and not config.whole:
                yield from _misled(profile, classifier, {d: led[d] for d in paused if d in led}, config, ports)
            continue
        common, unpaused, lossy = paused.keys() & kept.keys(), kept.keys() - paused.keys(), paused.keys() - kept.keys()
        slips = unpaused if len(unpaused) < len(common) else set[int]()
        for name in {kept[dscp][0] for dscp in common}:
            of_class = {dscp for dscp in kept if kept[dscp][0] == name}
            if len(of_class & unpaused) <= len(of_class & common):
                slips |= of_class & unpaused
        slips -= _OF_OTHERS if config.whole else frozenset()
        if common:  # a class of which nothing is paused, beside one of which something is
            slips |= {dscp for dscp in unpaused if kept[dscp][0] not in {kept[other][0] for other in common}}
        if slips:
            dscp = min(slips)
            name, place = kept[dscp]
            text = f"classifier {classifier} leads DSCP {dscp} into {name}, which is no-loss, and {profile} does not pause for it"
            yield seen("conflict", classifier, text, place, profile, tuple(ports))
        if lossy and not config.whole and (not common or len(lossy) < len(common)):
            dscp = min(lossy)
            where = f"leads it into {led[dscp][0]}" if dscp in led else "leads it into no class without loss"
            text = f"{profile} pauses for DSCP {dscp}, and classifier {classifier} {where}: nothing of the class is paused by it"
            kind: ObservationKind = "conflict" if common or not ports else "unprotected"
            yield seen(kind, profile, text, paused[dscp][1], profile, tuple(ports))


def _misled(
    profile: str, classifier: str, led: Mapping[int, tuple[str, Place]], config: Configuration, ports: Sequence[str]
) -> Iterator[Seen]:
    """The first code point that a profile pauses and a classifier leads past the classes of this part that lose nothing."""
    classes = _classes(config)
    for dscp, (name, place) in sorted(led.items()):
        its = classes.get(name, {})
        if "queue-num" in its and "pfc-priority" not in its:
            text = (
                f"{profile} pauses for DSCP {dscp}, and {classifier} leads it into class {name}, which is not no-loss"
            )
            yield seen("unprotected" if ports else "conflict", classifier, text, place, profile, tuple(ports))
            return


def _tags(config: Configuration) -> Iterator[Seen]:
    """Classifiers that lead tags into classes without loss, none of which the profile beside them pauses.

    Where the classifier imports the default one, that leads tag 3 or 4 into a class without loss, so that a profile which pauses one of
    them looks whole. Where it does not, or where the profile obeys pause for the tag of the class, rules tell it.
    """
    lossless = _lossless(config) if config.whole else set()
    for (profile, classifier), ports in (_together(config, "ieee-802.1") if lossless else {}).items():
        mode = "tag-classifier"
        row = "input ieee-802.1 code-point * pfc"
        paused = _code_points(config, "congestion-notification-profile", profile, row, "ieee-802.1")
        led = _code_points(config, mode, classifier, _LISTED, "ieee-802.1")
        said = config.objects[mode, classifier].said if led else ()
        kept = {tag: at for tag, at in (led or {}).items() if at[0] in lossless}
        imports = any(text == "import default" for text, _ in said)
        if not paused or not kept or not imports or any(tag in paused for tag in kept):
            continue
        heard = {priority for priority, _ in _stopped(config.objects["congestion-notification-profile", profile])}
        if any(str(tag) in heard for tag in kept):
            continue
        tag, other = min(kept), min(paused)
        name, place = kept[tag]
        text = f"classifier {classifier} leads tag {tag} into {name}, which is no-loss, and {profile} pauses for tag {other}"
        yield seen("unprotected", classifier, text, place, profile, tuple(ports), paused[other][1])


def _retagged(config: Configuration) -> Iterator[Seen]:
    """Rules that write another tag into packets of a class without loss than the one by which their ports know the class."""
    if not any(kind == _REWRITE for kind, _ in config.objects):  # most switches have none
        return
    lossless = _lossless(config)
    found: dict[tuple[str, str, int, int, Place], list[str]] = {}
    for (_, classifier), ports in _together(config, "ieee-802.1").items():
        led = _code_points(config, "tag-classifier", classifier, _LISTED, "ieee-802.1") or {}
        tags = {name: tag for tag, (name, _) in led.items() if name in lossless}
        for port in ports:
            for rule in _bound(config, port, "rewrite-rules ieee-802.1"):
                for name, tag, place in _written(config, rule):
                    if name in tags and led.get(tag, ("",))[0] != name:
                        found.setdefault((rule, name, tags[name], tag, place), []).append(port)
    for (rule, name, known_by, tag, place), ports in found.items():
        text = (
            f"{rule} writes tag {tag} into packets of class {name}, which loses nothing and is known by tag {known_by}"
        )
        yield seen("unprotected", rule, text, place, f"rewrite-rules ieee-802.1 {rule}", tuple(dict.fromkeys(ports)))


def _written(config: Configuration, rule: str) -> Iterator[tuple[str, int, Place]]:
    """The tag that a rule writes into the packets of each class, and where that is said; of those that are not to be dropped first."""
    own = _own_aliases(config, "ieee-802.1")
    for text, place in config.objects[_REWRITE, rule].said if (_REWRITE, rule) in config.objects else ():
        leaf = TABLE.parse(_REWRITE, text).value
        if isinstance(leaf, Leaf) and leaf.name == _LISTED and leaf.keys[1] == "low":
            tag = of_code_point(str(leaf.value), "ieee-802.1", own)
            if tag is not None:
                yield str(leaf.keys[0]), tag, place


def _of_lossy(
    profile: str, classifier: str, led: Mapping[int, str], config: Configuration, ports: Sequence[str]
) -> Iterator[Seen]:
    """The first code point that a profile pauses and a classifier leads into a class that is defined here and loses packets."""
    classes = _classes(config)
    for dscp, name in sorted(led.items()):
        its = classes.get(name, {})
        if "queue-num" in its and "pfc-priority" not in its:
            text = f"{profile} pauses for DSCP {dscp}, and {classifier} leads it into class {name}: it is not no-loss, as no class here is"
            yield seen("unprotected" if ports else "conflict", name, text, its["queue-num"][1], "no-loss", tuple(ports))
            return


def _lossless(config: Configuration) -> set[object]:
    """Names of the classes that the configuration makes no-loss."""
    leaves = (
        TABLE.parse("cos", text).value for text, _ in (config.device["cos"].said if "cos" in config.device else ())
    )
    return {leaf.keys[0] for leaf in leaves if isinstance(leaf, Leaf) and leaf.name.endswith("class * no-loss")}


def _together(config: Configuration, kind_of: str) -> dict[tuple[str, str], list[str]]:
    """(profile, classifier of a kind of code points) -> the interfaces that both are bound to.

    Where a part binds nothing, and has but one of each, they are for the same ports.
    """
    found: dict[tuple[str, str], list[str]] = {}
    if not config.bindings and not config.whole:
        names = [[name for kind, name in config.objects if kind == its] for its in (_PROFILE, _CLASSIFIERS[kind_of])]
        return {(names[0][0], names[1][0]): []} if list(map(len, names)) == [1, 1] else {}
    for port in config.bindings:
        profiles, classifiers = _bound_at(config, port, kind_of)
        for profile in profiles:
            for classifier in classifiers:
                found.setdefault((profile, classifier), []).append(port)
    return found


def _bound_at(config: Configuration, port: str, of: str = "dscp") -> tuple[set[str], set[str]]:
    """The profiles of congestion notification and the classifiers of a kind that are bound to an interface, or to all where it has none."""
    return _bound(config, port, _PROFILE), _bound(config, port, f"classifiers {of}")


def _bound(config: Configuration, port: str, what: str) -> set[str]:
    """What is bound to an interface by such a statement, or to all where it has none."""
    found = set[str]()
    for each in dict.fromkeys((port, "all")):
        for text, _ in config.bindings[each].said if each in config.bindings else ():
            leaf = TABLE.parse("binding", text).value
            if isinstance(leaf, Leaf) and leaf.name.endswith(what) and (each == port or not found):
                found.add(str(leaf.value))
    return found


def _code_points(
    config: Configuration, kind: str, name: str, row: str, of: str = "dscp"
) -> dict[int, tuple[str, Place]] | None:
    """Code point -> the first name in its statement, and its place; None where not all of them are known."""
    found: dict[int, tuple[str, Place]] = {}
    if (kind, name) not in config.objects:
        return None
    own = _own_aliases(config, of)
    for text, place in config.objects[kind, name].said:
        leaf = TABLE.parse(kind, text).value
        if isinstance(leaf, Leaf) and leaf.name == "import" and config.whole:
            continue  # what is listed holds before what is imported
        if not isinstance(leaf, Leaf) or leaf.name == "import":
            return None
        if leaf.name.removesuffix("s").removesuffix(" mru") != row:
            continue
        written = str(leaf.keys[0] if kind == "congestion-notification-profile" else leaf.value)
        number = of_code_point(written, of, own)
        if number is None:
            return None
        found[number] = (str(leaf.keys[0]), place)
    return found


def _own_aliases(config: Configuration, of: str) -> dict[str, str]:
    """The aliases of code points of a kind that the configuration gives, each with what is written for it."""
    leaves = (
        TABLE.parse("cos", text).value for text, _ in (config.device["cos"].said if "cos" in config.device else ())
    )
    return {
        str(leaf.keys[0]): str(leaf.value)
        for leaf in leaves
        if isinstance(leaf, Leaf) and leaf.name == f"code-point-aliases {of} *" and leaf.keys
    }
