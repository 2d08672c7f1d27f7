"""PFC of one port: which priorities it sends pause for, which it obeys, the buffers behind them, and its watchdog.

The chain: a classifier leads a mark to a no-loss forwarding class, the class names the priority of its pause, the input stanza
of the port's profile lets the mark trigger it, and the output stanza says which queue stops when pause arrives.
"""

from __future__ import annotations

from collections.abc import Iterable

from roce_audit.platforms.junos.builder import EIGHT, Bound, Builder, ForwardingClass
from roce_audit.platforms.junos.classify import Classification
from roce_audit.platforms.junos.defaults import ALPHAS, LOSSY_GROUP
from roce_audit.platforms.shared.path.builder import Leaves
from roce_audit.text.block import HEADER
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import At, Cell, Cited, Where, Why, absent, known, unknown

_MARK = "input dscp code-point *"
_TAG = "input ieee-802.1 code-point *"
_OUT = "output ieee-802.1 code-point *"
_QUEUE = f"{_OUT} flow-control-queue"
_MOST_LISTED = 3
_PARTITION = "shared-buffer ingress buffer-partition *"
_DEFAULT_NO_LOSS = {3: 3, 4: 4}
"""802.1p priority -> queue of the no-loss class that the default classifier leads to (fcoe, no-loss)."""
_PATHS = ("pfc", "groups", "priorities", *(f"classes.{n}.group" for n in EIGHT))
_SENT = ("classes.*.group", "groups", "priorities.*.group")
_ALPHA = Cited("Broadcom's scale, 7 is 1 (source: unverified)")


def flow_control(builder: Builder, classes: Classification) -> None:
    """Everything that PFC makes of the port."""
    lossy = builder.lack.otherwise(f"groups.{LOSSY_GROUP}.lossless")
    if lossy.is_known:
        builder.settings.set_cell(f"groups.{LOSSY_GROUP}.lossless", lossy)
    for _, at in builder.bound.statements[:1]:  # the class-of-service stanza of the port, which should name the profile
        builder.settings.default_location("pfc", At(at.part, HEADER))
    bound = builder.bound.last("congestion-notification-profile")
    profile = builder.object("congestion-notification-profile", bound, _PATHS)
    if profile is None or bound is None:
        return
    builder.unparsed(profile)
    _Profile(builder, classes, profile, bound[1]).apply()


class _Profile:
    """One congestion notification profile at one port."""

    def __init__(self, builder: Builder, classes: Classification, profile: Leaves, at: At) -> None:
        self.builder = builder
        self.classes = classes
        self.profile = profile
        self.at = at
        self.head = At(profile.begins[0].part, HEADER) if profile.begins else at
        self.sent: dict[int, list[At]] = {}
        """Priority -> where it is said that pause is sent for it."""
        self.usual: set[int] = set()
        """Priorities whose row of eight DSCPs the input stanza names: of two that do not fit, the other one is shown first."""
        self.broken: list[Where] = []
        """Where the chain ends for what an input stanza names."""
        self.doubt: Cell[object] | None = None
        self.lossless: dict[int, Cell[bool]] = {}
        self.units: dict[int, Bound] = {}
        """Priority -> the largest packet that its headroom is computed for, bytes."""

    def apply(self) -> None:
        """Set the priorities of the port, its groups, and its watchdog."""
        inputs = [at for input_of in (_MARK, _TAG) for _, at in self._triggers(input_of)]
        self._by_mark()
        self._by_tag()
        heard = self._heard()
        if self.doubt is not None:
            self.builder.set_unknown(_SENT, self.doubt.why or Why.NOT_VISIBLE, *self.doubt.at)
        self._mode(inputs)
        self._priorities(inputs, heard)
        self._groups()
        self._watchdog()
        length = self.profile.last("input cable-length")
        if length is not None:
            self.builder.put("cable_m", length[0], length[1], self.at)

    # sending ------------------------------------------------------------------------------------------------------

    def _by_mark(self) -> None:
        """A code point triggers pause for the priority of the no-loss class that it is classified to."""
        for leaf, at in self._triggers(_MARK):
            mark = self.builder.code_point(str(leaf.keys[0]), "dscp")
            self.usual |= {mark.get() // 8} if mark.is_known else set()
            name = self.classes.by_mark[mark.get()] if mark.is_known else unknown(mark.why or Why.UNDEFINED, at)
            if not name.is_known:
                self.doubt = unknown(name.why or Why.NOT_VISIBLE, *name.at, at)
                continue
            found = self.builder.forwarding_class(str(name.get()))
            account = self.profile.last(f"{_MARK} pfc-account-name", leaf.keys[0])
            priority = found.pfc_priority if account is None else self._of_account(account)
            if not found.queue.is_known:
                self.doubt = unknown(found.queue.why or Why.UNDEFINED, *found.queue.at, at)
            elif found.no_loss is None or priority is None:
                self._not_paused(found, at, name, None if found.no_loss is None else account)
            else:
                self._paused(found.queue.get(), int(priority[0]), (priority[1], at), found.no_loss)
                self._computed_for(int(priority[0]), _MARK, leaf.keys[0])

    def _of_account(self, account: Bound) -> Bound | None:
        return self.profile.last("input pfc-account * pfc-priority", account[0])

    def _not_paused(self, found: ForwardingClass, at: At, name: Cell[str], account: Bound | None) -> None:
        """A mark whose class is not no-loss, or for which no priority is named; in a fragment both may stand elsewhere.

        `account` is the one that names none, by which a no-loss class would be paused.
        """
        if self.builder.lack.otherwise("groups.*.lossless").is_unknown:
            self.doubt = unknown(Why.NOT_VISIBLE, at)
            return
        own = [one for one in found.queue.at if isinstance(one, At)]
        said = [one for one in name.at if isinstance(one, At)]
        if account is not None:
            self.broken += [account[1], at]
        elif not said:  # no classifier is bound here
            self.broken += [self.at, at]
        elif len(said) < len(
            name.at
        ):  # the classifier does not list the code point: what it lists instead may be the slip
            self.broken += [at, *said, *self._listed_instead()]
        elif found.no_loss is None and found.pfc_priority is None and self._has_no_loss:
            self.broken += [*said, *own, at]  # this class is meant to be lossy: the code point is led to the wrong one
        else:
            self.broken += [*own, *said, at]
        if found.queue.get() in EIGHT:
            self.builder.put(f"classes.{found.queue.get()}.group", LOSSY_GROUP, *own, at, self.at)

    @property
    def _has_no_loss(self) -> bool:
        return any(one.no_loss is not None for one in self.builder.classes.values())

    def _listed_instead(self) -> list[At]:
        """Where the classifier leads other code points to no-loss classes, the first few."""
        lossless = {one.name for one in self.builder.classes.values() if one.no_loss is not None}
        cells = [cell for cell in self.classes.by_mark if cell.is_known and cell.get() in lossless]
        lines = (at for cell in cells for at in cell.at[:1] if not any(isinstance(one, Cited) for one in cell.at))
        return [at for at in dict.fromkeys(lines) if isinstance(at, At)][:_MOST_LISTED]

    def _paused(self, queue: int, priority: int, places: Iterable[At], no_loss: Where) -> None:
        self.sent.setdefault(priority, []).extend(places)
        self.lossless[priority] = known(True, no_loss, *places, self.at)
        if queue in EIGHT:
            self.builder.put(f"classes.{queue}.group", priority, *places, self.at)

    def _by_tag(self) -> None:
        """A tag triggers pause for its own priority; what is known by its DSCP has no part in it."""
        for leaf, at in self._triggers(_TAG):
            priority = self.builder.code_point(str(leaf.keys[0]), "ieee-802.1")
            if not priority.is_known:
                self.doubt = unknown(priority.why or Why.UNDEFINED, at)
                continue
            number = priority.get()
            self.sent.setdefault(number, []).append(at)
            self._computed_for(number, _TAG, leaf.keys[0])
            name = self.classes.by_tag[number]
            if self.classes.tag is None:
                self.lossless[number] = self._by_default(number, at)
                self._unreached(at)
            elif not name.is_known:
                self.doubt = unknown(name.why or Why.NOT_VISIBLE, *name.at, at)
            else:
                found = self.builder.forwarding_class(name.get())
                builtin = found.name in ("fcoe", "no-loss") and found.name not in self.builder.classes
                if found.no_loss is not None or builtin:
                    self._paused(found.queue.or_else(LOSSY_GROUP), number, (at,), found.no_loss or at)
                elif self.builder.lack.otherwise("groups.*.lossless").is_known:
                    own = [one for one in found.queue.at if isinstance(one, At)]
                    self.lossless[number] = known(False, *own, at, self.at)

    def _triggers(self, input_of: str) -> list[tuple[Leaf, At]]:
        """The code points that trigger pause: `pfc`, or `pfc mru` alone."""
        found = list(self.profile.all(f"{input_of} pfc"))
        have = {leaf.keys for leaf, _ in found}
        return found + [(leaf, at) for leaf, at in self.profile.all(f"{input_of} pfc mru") if leaf.keys not in have]

    def _computed_for(self, priority: int, input_of: str, key: object) -> None:
        """Of several units for one priority the smallest counts: its packets are those that do not fit."""
        for name in ("pfc mru", "mru"):
            said = self.profile.last(f"{input_of} {name}", key)
            if said is not None and (priority not in self.units or said[0] < self.units[priority][0]):
                self.units[priority] = said

    def _by_default(self, number: int, at: At) -> Cell[bool]:
        """Without a classifier for tags the default one leads priorities 3 and 4 to no-loss classes."""
        cited = self.builder.lack.otherwise("output default", at)
        return Cell(number in _DEFAULT_NO_LOSS if cited.is_known else None, cited.why, cited.at)

    def _unreached(self, at: At) -> None:
        """Packets that a DSCP classifier leads to no-loss classes do not trigger the pause of a tag; what a filter leads there may."""
        for one in self.builder.classes.values():
            if one.no_loss is not None and one.queue.is_known and one.queue.get() in EIGHT:
                group = known(LOSSY_GROUP, at, one.no_loss, self.at)
                cell = unknown(Why.NO_DEFAULT, at, self.at) if self.classes.is_filtered else group
                self.builder.cell(f"classes.{one.queue.get()}.group", cell)

    # obeying ------------------------------------------------------------------------------------------------------

    def _heard(self) -> dict[int, list[At]]:
        """Priority -> where it is said that its pause is obeyed; () for the default. Sets the queues that it stops."""
        heard: dict[int, list[At]] = {}
        stopped: dict[int, list[tuple[int, At]]] = {}
        for leaf, at in self.profile.all(_QUEUE):
            priority = self.builder.code_point(str(leaf.keys[0]), "ieee-802.1")
            if not priority.is_known:
                self.doubt = unknown(priority.why or Why.UNDEFINED, at)
                continue
            heads = [head for _, head in self.profile.all(_OUT, leaf.keys[0])]
            heard.setdefault(priority.get(), []).extend([*heads, at])
            stopped.setdefault(priority.get(), []).append((int(str(leaf.value)), at))
        for number, queues in stopped.items():
            wanted = [found for found in queues if found[0] in self._queues_of(number)] or queues
            self.builder.put(f"priorities.{number}.queue", wanted[0][0], wanted[0][1], self.at)
        if not heard and not any("priorities.*.queue" in (p.paths or ()) for p, _ in self.profile.unread()):
            default = self.builder.otherwise("output default", "priorities", self.head)
            for number in default.get() if default.is_known else ():
                heard[number] = []
                self.builder.cell(f"priorities.{number}.queue", Cell(number, None, default.at))
        return heard

    def _queues_of(self, priority: int) -> set[int]:
        """Queues of the classes that are paused for a priority."""
        return {
            one.queue.get()
            for one in self.builder.classes.values()
            if one.queue.is_known and one.pfc_priority is not None and one.pfc_priority[0] == priority
        }

    # together -----------------------------------------------------------------------------------------------------

    def _mode(self, inputs: list[At]) -> None:
        if inputs:
            self.builder.put("pfc.mode", "on", self.at, *inputs[:1])
        elif self.builder.lack.otherwise("pfc.mode").is_known:
            self.builder.put("pfc.mode", "off", self.at)

    def _priorities(self, inputs: list[At], heard: dict[int, list[At]]) -> None:
        # in a fragment the other half of a priority may stand elsewhere
        fragment = self.builder.lack.otherwise("pfc.mode").is_unknown
        if fragment and self.doubt is None and self._obeys_by_default(heard):
            rest = [at for ats in self.sent.values() for at in ats]
            self.builder.put("pfc.priorities", frozenset(self.sent), *rest, *inputs, self.at)
            for path in ("pfc.receive_only", "pfc.send_only"):
                self.builder.cell(path, unknown(Why.NOT_VISIBLE, self.at))
            return
        halved = fragment and (not self.sent or set(self.sent) != set(heard))
        if self.doubt is not None or halved:
            doubt = self.doubt if self.doubt is not None else unknown(Why.NOT_VISIBLE, self.at)
            for path in ("pfc.priorities", "pfc.receive_only", "pfc.send_only"):
                self.builder.cell(path, doubt)
            return
        explicit = {number for number, at in heard.items() if at}
        halves = [(n, heard[n]) for n in sorted(explicit - set(self.sent))]
        halves += [(n, self.sent[n]) for n in sorted(set(self.sent) - set(heard))]
        halves.sort(key=lambda half: half[0] in self.usual)
        one_way = [at for _, ats in halves for at in ats]
        rest = [at for ats in self.sent.values() for at in ats]
        places = (*self.broken, *one_way, *rest, *inputs, self.at)
        self.builder.put("pfc.priorities", frozenset(set(self.sent) & set(heard)), *places)
        for path, told, only in (
            ("pfc.receive_only", heard, explicit - set(self.sent)),
            ("pfc.send_only", self.sent, set(self.sent) - set(heard)),
        ):
            self.builder.put(path, frozenset(only), *[at for n in sorted(only) for at in told[n]], self.at)

    def _obeys_by_default(self, heard: dict[int, list[At]]) -> bool:
        """Whether the profile, as it stands in a part, has no output stanza, and pauses only what the default one obeys as well."""
        unread = any("priorities.*.queue" in (part.paths or ()) for part, _ in self.profile.unread())
        return not heard and not unread and bool(self.sent) and set(self.sent) <= set(_DEFAULT_NO_LOSS)

    def _groups(self) -> None:
        for number, ats in self.sent.items():
            self.builder.put(f"priorities.{number}.group", number, *ats, self.at)
            base = f"groups.{number}"
            if number in self.lossless:
                self.builder.cell(f"{base}.lossless", self.lossless[number])
            headroom = self.builder.cos.last(f"{_PARTITION} percent", "lossless-headroom")
            if headroom is not None and headroom[0] == 0:
                self.builder.put(f"{base}.headroom_bytes", 0, headroom[1], self.at)
                self.builder.put(f"{base}.headroom_is_shared", True, headroom[1])
            unit = self.units.get(number)
            if unit is not None:
                self.builder.put(f"{base}.sized_for_bytes", unit[0], unit[1], self.at)
            alpha = self.builder.cos.last(f"{_PARTITION} dynamic-threshold", "lossless")
            if alpha is not None:
                self.builder.put(f"{base}.alpha", ALPHAS[alpha[0]], alpha[1], _ALPHA)
            self.builder.cell(f"{base}.xon_at_bytes", absent(self.at))

    def _watchdog(self) -> None:
        """It watches the queues that `flow-control-queue` names; without any it does nothing."""
        given = [
            at
            for parsed, at in self.profile.statements
            if isinstance(parsed.value, Leaf) and parsed.value.name.startswith("pfc-watchdog")
        ]
        if not given:
            self.builder.settings.default_location("pfc.watchdog", self.head)
            return
        watched = {}
        for leaf, at in self.profile.all(_QUEUE):
            number = self.builder.code_point(str(leaf.keys[0]), "ieee-802.1")
            if number.is_known:
                watched[number.get()] = at
        if watched:
            self.builder.put("pfc.watchdog.on", True, *given[:1], self.at)
            self.builder.put("pfc.watchdog.priorities", frozenset(watched), *watched.values(), self.at)
        elif self.builder.lack.otherwise("pfc.watchdog.on").is_known:
            self.builder.put("pfc.watchdog.on", False, *given[:1], self.at)
        self._timers()
        action = self.profile.last("pfc-watchdog watchdog-action")
        if action is not None:
            self.builder.put("pfc.watchdog.action", *action)

    def _timers(self) -> None:
        poll = self.profile.last("pfc-watchdog poll-interval")
        count = self.profile.last("pfc-watchdog detection")
        recovery = self.profile.last("pfc-watchdog recovery")
        if poll is not None:
            self.builder.put("pfc.watchdog.poll_ms", float(poll[0]), poll[1])
        if poll is not None or count is not None:
            interval = poll[0] if poll is not None else 100
            times = count[0] if count is not None else 2
            at = [found[1] for found in (count, poll) if found is not None]
            self.builder.put("pfc.watchdog.detect_ms", float(interval * times), *at)
        if recovery is not None:
            self.builder.put("pfc.watchdog.restore_ms", float(recovery[0]), recovery[1])
