"""PFC of one port: which priorities it sends pause for, which it obeys, the buffers behind them, and its deadlock watch.

An interface turns PFC on; its mapping profile says the rest: packets of a forwarding class enter a PFC queue, a full PFC
queue sends pause for a priority, and pause that arrives for a priority stops an egress queue that has `enable-pfc true`.
From release 25.10 on `pfc-priority N pfc-enable` of the profile turns a priority on in both directions (Nokia SR Linux Quality of
Service Guide 25.10, Priority-based Flow Control: "enabled on a per-interface and per-priority basis").
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from roce_audit.platforms.shared.path.builder import Leaves
from roce_audit.platforms.srlinux.builder import EIGHT, Bound, Builder
from roce_audit.platforms.srlinux.defaults import NO_PFC_QUEUE
from roce_audit.platforms.srlinux.subinterfaces import Subinterface
from roce_audit.text.statements.parsed import Parsed
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import At, Cell, Where, Why, absent, known, unknown

_MAPPED = "received-traffic unicast-mapping pfc-queue *"
_HEARD = "received-pfc-pause-frames queue *"
_DEADLOCK = "received-pfc-pause-frames deadlock"
_PRIORITY = "pfc-pause-frame-priority"
_LISTED = "pfc-priority *"
_ENABLED = f"{_LISTED} pfc-enable"
_BUFFERED = ("xoff_at_bytes", "xon_at_bytes", "reserved_bytes", "alpha", "headroom_bytes")


def flow_control(builder: Builder, subs: list[Subinterface]) -> None:
    """Everything that PFC makes of the port."""
    settings, given = builder.settings, builder.attached()
    lossy = builder.lack.otherwise(f"groups.{NO_PFC_QUEUE}.lossless")
    if lossy.is_known:
        settings.set_cell(f"groups.{NO_PFC_QUEUE}.lossless", lossy)
    enabled = given.last("pfc pfc-enable")
    if enabled is not None:
        settings.set("pfc.mode", "on" if enabled[0] else "off", enabled[1])
    bound = given.last("pfc pfc-mapping-profile")
    paths = ("pfc.priorities", "pfc.receive_only", "pfc.send_only", "pfc.watchdog", "groups", "priorities")
    profile = builder.object("pfc-mapping-profile", bound, (*paths, "classes.*.group"))
    if enabled is not None and enabled[0] is False:
        settings.set("pfc.priorities", frozenset(), enabled[1])
        settings.set("pfc.receive_only", frozenset(), enabled[1])
        settings.set("pfc.send_only", frozenset(), enabled[1])
    if profile is None or bound is None:
        _without_profile(builder, enabled, bound)
        return
    builder.unparsed(profile)
    _watchdog(builder, profile, bound[1])
    _Mapping(builder, profile, bound[1]).apply(enabled, subs)


def _without_profile(builder: Builder, enabled: Bound | None, bound: Bound | None) -> None:
    """PFC on without a profile of its own has the profile `default`, whose content is documented nowhere."""
    if bound is None and enabled is not None and enabled[0] is True:
        for path in ("pfc.priorities", "pfc.receive_only", "pfc.send_only", "pfc.watchdog", "groups", "priorities"):
            builder.settings.set_cell(path, unknown(Why.NO_DEFAULT))
        builder.set_unknown(("classes.*.group",), Why.NO_DEFAULT)


def _watchdog(builder: Builder, profile: Leaves, at: At) -> None:
    """The deadlock watch: after `detection-timer` of unbroken pause, pause is ignored for `recovery-timer`."""
    for leaf, path in (("enable", "on"), ("detection-timer", "detect_ms"), ("recovery-timer", "restore_ms")):
        found = profile.last(f"{_DEADLOCK} {leaf}")
        cell = known(*found, at) if found is not None else builder.lack.otherwise(f"deadlock {leaf}", at)
        if cell.is_known:
            builder.settings.set_cell(f"pfc.watchdog.{path}", cell)


class _Mapping:
    """One mapping profile at one port."""

    def __init__(self, builder: Builder, profile: Leaves, at: At) -> None:
        self.builder = builder
        self.profile = profile
        self.at = at
        self.pfc_queues = [str(leaf.keys[0]) for leaf, _ in profile.all(_MAPPED)]
        self.pfc_queues = list(dict.fromkeys(self.pfc_queues))
        self.listed = [at for name in (_LISTED, _ENABLED) for _, at in profile.all(name)]
        """Where the profile says which priorities PFC is on for."""

    def apply(self, enabled: Bound | None, subs: list[Subinterface]) -> None:
        """Set groups, priorities and the PFC priorities of the port."""
        heard = self._heard()
        sent = self._sent()
        self._classes(subs)
        if enabled is not None and enabled[0] is True:
            self._priorities(sent, heard, enabled[1])
        self._buffers(enabled)

    def _heard(self) -> dict[int, Cell[bool]]:
        """Priority -> whether its pause is obeyed; and the queue that it stops."""
        heard: dict[int, Cell[bool]] = {}
        names = dict.fromkeys(str(leaf.keys[0]) for leaf, _ in self.profile.all(_HEARD))
        for name in names:
            priority = self.profile.last(f"{_HEARD} {_PRIORITY}", name)
            if priority is None:
                continue
            queue = self.builder.queue(name)
            path = f"priorities.{priority[0]}.queue"
            self.builder.settings.set_cell(path, Cell(queue.value, queue.why, (priority[1], *queue.at, self.at)))
            obeyed = self.profile.last(_ENABLED, priority[0]) or self.profile.last(f"{_HEARD} enable-pfc", name)
            if obeyed is not None:
                heard[priority[0]] = known(obeyed[0], obeyed[1], priority[1])
            elif self.listed:
                heard[priority[0]] = unknown(Why.NO_DEFAULT, self.listed[0], priority[1])
            else:
                heard[priority[0]] = self.builder.lack.otherwise("received-pfc-pause-frames enable-pfc", priority[1])
        return heard

    def _sent(self) -> dict[int, tuple[At, ...]]:
        """Priority -> where it is said that a full PFC queue sends pause for it."""
        sent: dict[int, tuple[At, ...]] = {}
        for name in self.pfc_queues:
            priority = self.profile.last(f"{_MAPPED} {_PRIORITY}", name)
            if priority is None:
                continue
            number = self.builder.pfc_queue(name)
            path = f"priorities.{priority[0]}.group"
            self.builder.settings.set_cell(path, Cell(number.value, number.why, (priority[1], *number.at, self.at)))
            enabled = self.profile.last(_ENABLED, priority[0])
            if self._entering(name) and (enabled is None or enabled[0]):
                sent[priority[0]] = (priority[1],)
        return sent

    def _entering(self, name: str) -> list[At]:
        """Where it is said that packets enter this PFC queue."""
        leaves = (f"{_MAPPED} forwarding-class", f"{_MAPPED} dot1p")
        return [at for parsed, at in self.profile.statements if _is_about(parsed, leaves, name)]

    def _classes(self, subs: list[Subinterface]) -> None:
        """The PFC queue of each forwarding class. On tagged or bridged subinterfaces the 802.1p tag decides instead."""
        settings = self.builder.settings
        tagged = self.builder.logical.last("vlan-tagging")
        by_tag = [s for s in subs if not s.routed or s.tagged]
        mapped: set[int] = set()
        doubt: tuple[Where, ...] | None = None
        for leaf, at in self.profile.all(f"{_MAPPED} forwarding-class"):
            cls, queue = self.builder.forwarding_class(str(leaf.value)), self.builder.pfc_queue(str(leaf.keys[0]))
            if not cls.is_known:
                doubt = (at,)
                continue
            mapped.add(cls.get())
            settings.set_cell(f"classes.{cls.get()}.group", Cell(queue.value, queue.why, (at, *queue.at, self.at)))
        if by_tag or (tagged is not None and tagged[0]):
            where = tagged[1:] if tagged is not None and tagged[0] else ()
            self.builder.set_unknown(("classes.*.group",), Why.NO_DEFAULT, *where, self.at)
            return
        lists = [at for _, at in self.profile.all(f"{_MAPPED} forwarding-class")]
        rest = self.builder.lack.otherwise("classes.*.group")
        for number in EIGHT:
            if number not in mapped and doubt is not None:
                settings.set_unknown(f"classes.{number}.group", self.builder.lack.undefined, *doubt)
            elif number not in mapped and rest.is_known and self.pfc_queues:
                settings.set(f"classes.{number}.group", rest.value, *lists, self.at)

    def _priorities(self, sent: dict[int, tuple[At, ...]], heard: dict[int, Cell[bool]], on: At) -> None:
        settings = self.builder.settings
        where = (*dict.fromkeys([at for ats in sent.values() for at in ats]), self.at, on)
        not_known = next((cell for cell in heard.values() if cell.is_unknown), None)
        # in a fragment the other half of a priority may stand elsewhere; each half without the other's is none of that
        alone = not sent or (bool(sent.keys() ^ heard.keys()) and not (sent.keys() - heard and heard.keys() - sent))
        halved = alone and not self.builder.lack.is_complete("pfc")
        if not_known is not None or halved:
            why = not_known.why if not_known is not None and not_known.why else Why.NOT_VISIBLE
            for path in ("pfc.priorities", "pfc.receive_only", "pfc.send_only"):
                settings.set_cell(path, unknown(why, *(not_known.at if not_known is not None else ()), self.at))
            return
        obeyed = {priority for priority, cell in heard.items() if cell.value is True}
        deaf = [cell.at[0] for priority, cell in heard.items() if priority in sent and cell.value is False]
        heard_at = [at for cell in heard.values() for at in cell.at]
        places = tuple(dict.fromkeys([*deaf, *self._crossed(obeyed ^ set(sent)), *heard_at, *where]))
        if not (self.pfc_queues or self._limits_bursts()):
            # 7250 IXR: the PFC queue follows the index of the forwarding class, and what it sends is documented nowhere
            for path in ("pfc.priorities", "pfc.receive_only", "pfc.send_only"):
                settings.set_cell(path, unknown(Why.NO_DEFAULT, self.at, on))
            return
        settings.set("pfc.priorities", frozenset(obeyed & set(sent)), *places)
        settings.set("pfc.receive_only", frozenset(obeyed - set(sent)), *places)
        settings.set("pfc.send_only", frozenset(set(sent) - obeyed), *places)

    def _limits_bursts(self) -> bool:
        """Whether a PFC queue has a maximum burst size, as on 7220 IXR, where nothing but the profile maps packets to PFC queues."""
        profiles = (found for (kind, _), found in self.builder.objects.items() if kind == "buffer-allocation-profile")
        return any(profile.values("queues pfc-queue * maximum-burst-size") for profile in profiles)

    def _crossed(self, one_way: set[int]) -> list[At]:
        """Where a priority that goes one way only is said of a queue of another number."""
        numbers = [(leaf.value, self.builder.pfc_queue(str(leaf.keys[0])), at) for leaf, at in self._all(_MAPPED)]
        numbers += [(leaf.value, self.builder.queue(str(leaf.keys[0])), at) for leaf, at in self._all(_HEARD)]
        return [at for number, queue, at in numbers if number in one_way and queue.is_known and queue.get() != number]

    def _all(self, list_: str) -> Iterator[tuple[Leaf, At]]:
        return self.profile.all(f"{list_} {_PRIORITY}")

    # buffers ------------------------------------------------------------------------------------------------------

    def _buffers(self, enabled: Bound | None) -> None:
        bound = self.builder.attached().last("input pfc-buffer-allocation-profile")
        for name in self.pfc_queues:
            number = self.builder.pfc_queue(name)
            if not number.is_known:
                self.builder.set_unknown(("groups",), number.why or Why.UNDEFINED, self.at)
                continue
            base = f"groups.{number.get()}"
            self._lossless(base, name, enabled)
            if bound is not None:
                self.builder.settings.set(f"{base}.profile", *bound)
        profile = self.builder.object("buffer-allocation-profile", bound, ("groups",))
        if profile is None or bound is None:
            return
        self.builder.unparsed(profile)
        self._strangers(profile)
        for name in self.pfc_queues:
            number = self.builder.pfc_queue(name)
            if number.is_known:
                _Buffer(self.builder, profile, name, f"groups.{number.get()}", bound[1]).apply()

    def _strangers(self, profile: Leaves) -> None:
        """A PFC queue that is not defined: what is said of it may be meant for any."""
        for parsed, at in profile.statements:
            leaf = parsed.value or parsed.meant
            if leaf is not None and leaf.name.startswith("queues pfc-queue *") and leaf.keys:
                number = self.builder.pfc_queue(str(leaf.keys[0]))
                if not number.is_known:
                    self.builder.set_unknown(
                        [f"groups.*.{leaf}" for leaf in _BUFFERED], number.why or Why.UNDEFINED, at
                    )

    def _lossless(self, base: str, name: str, enabled: Bound | None) -> None:
        """The group is set up to send pause where its queue has a priority to send it for, also where PFC is switched off."""
        settings = self.builder.settings
        priority = self.profile.last(f"{_MAPPED} {_PRIORITY}", name)
        otherwise = self.builder.lack.otherwise("groups.*.lossless")
        if enabled is None and otherwise.is_unknown:
            return
        switch = () if enabled is None else (enabled[1],)
        if priority is not None:
            settings.set(f"{base}.lossless", True, priority[1], *switch, self.at)
        elif otherwise.is_known:
            settings.set(f"{base}.lossless", otherwise.value, self.at)


def _is_about(parsed: Parsed, leaves: tuple[str, ...], key: str) -> bool:
    """Whether a statement, understood or not, is one of these leaves of an entry."""
    leaf = parsed.value or parsed.meant
    return leaf is not None and leaf.name in leaves and leaf.keys == (key,)


class _Buffer:
    """One PFC queue in the buffer-allocation-profile of the port's ingress."""

    def __init__(self, builder: Builder, profile: Leaves, name: str, base: str, at: At) -> None:
        self.builder = builder
        self.profile = profile
        self.name = name
        self.base = base
        self.at = at

    def apply(self) -> None:
        """Set the thresholds and the headroom of the group."""
        committed = self._leaf("committed-burst-size")
        dynamic = self._leaf("use-dynamic-allocation")
        self._put("xon_at_bytes", self.builder.documented("pfc-queue pfc-off-threshold", self.at))
        if committed is not None:
            self._committed(committed)
        elif dynamic is not None and dynamic[0] is True:
            self._put("xoff_at_bytes", absent(dynamic[1], self.at))
            self._put("alpha", unknown(Why.NO_DEFAULT, dynamic[1]))
        else:
            self._put("xoff_at_bytes", self._or_default("maximum-burst-size"))
            self._put("alpha", absent(self.at))
        self._headroom(own=committed)

    def _committed(self, size: Bound) -> None:
        """7250 IXR: thresholds are percentages of the reserved size."""
        self._put("reserved_bytes", known(size[0], size[1], self.at))
        for leaf, path in (("pfc-on-threshold", "xoff_at_bytes"), ("pfc-off-threshold", "xon_at_bytes")):
            percent = self._leaf(leaf)
            if percent is not None:
                self._put(path, known(size[0] * percent[0] // 100, percent[1], size[1], self.at))

    def _headroom(self, own: Bound | None) -> None:
        """What a PFC queue may take of the buffer that is reserved per forwarding complex, for all ports together.

        How that adds to what the queue keeps of its `own` above XOFF (7250 IXR) is documented nowhere.
        """
        share = self._leaf("maximum-pfc-reserved-share-bytes")
        percent = self._or_default("maximum-pfc-reserved-share-percentage")
        nothing = self._nothing_reserved()
        if own is not None:
            self._put("headroom_bytes", unknown(Why.NO_DEFAULT, own[1], self.at))
        elif nothing:
            self._put("headroom_bytes", known(0, *nothing, self.at))
        elif share is not None:
            self._put("headroom_bytes", known(share[0], share[1], self.at))
        elif percent.value == 0:
            self._put("headroom_bytes", known(0, *percent.at))
        else:  # percent of a buffer whose size no configuration tells
            self._put("headroom_bytes", unknown(percent.why or Why.NO_DEFAULT, *percent.at))
        self._put("headroom_is_shared", known(True, self.at))

    def _nothing_reserved(self) -> tuple[At, ...]:
        leaf = "linecard * forwarding-complex * input pfc-buffer-reservation"
        found = self.builder.qos.values(leaf, self.builder.context.slot)
        return tuple(at for _, at in found) if found and all(value == 0 for value, _ in found) else ()

    def _leaf(self, leaf: str) -> Bound | None:
        return self.profile.last(f"queues pfc-queue * {leaf}", self.name)

    def _or_default(self, leaf: str) -> Cell[Any]:
        found = self._leaf(leaf)
        return (
            known(*found, self.at) if found is not None else self.builder.lack.otherwise(f"pfc-queue {leaf}", self.at)
        )

    def _put(self, leaf: str, cell: Cell[Any]) -> None:
        self.builder.settings.set_cell(f"{self.base}.{leaf}", cell)
