"""Classification: the qos-group of a RoCEv2 packet that enters a port, by the policy of type qos that is bound there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeVar

from roce_audit.platforms.shared.policy import lists
from roce_audit.platforms.shared.policy.policies import Policies, PolicyClass
from roce_audit.platforms.shared.policy.statements import Drop, Logic, Match, SetDscp, SetGroup
from roce_audit.values import At, Cell, Why, absent, known, unknown

Field = Literal["dscp", "pcp"]
_Action = TypeVar("_Action")
_Answer = tuple[bool, tuple[At, ...]]
"""Whether a class matches, and by which lines; of one that names the mark and does not match, the lines that keep it out."""


class Classifier:
    """Answers for one port; `undefined` is the doubt that a name brings which nothing defines."""

    policy_kind, map_kind = "qospolicy", "qosmap"
    """What the policies and class-maps that classify are called among the parts of a port."""

    def __init__(self, policies: Policies, undefined: Why) -> None:
        self.policies = policies
        self.undefined = undefined

    def group(self, policy: str, bound_at: At, field: Field, value: int, otherwise: Cell[Any]) -> Cell[Any]:
        """The qos-group: the first class that matches decides; `otherwise` is the answer where the policy gives none."""
        classes = self.policies.policy(self.policy_kind, policy)
        if classes is None:
            return unknown(self.undefined, bound_at)
        missed: list[At] = []
        perhaps: list[tuple[PolicyClass, Cell[Any]]] = []
        deciding = self._deciding(classes, field, value, missed, perhaps)
        if isinstance(deciding, Cell):
            return deciding
        answer = otherwise
        if deciding is not None:
            one, lines = deciding
            answer = _action(one, (*lines, bound_at), otherwise)
        if deciding is None or deciding[0].name == "class-default":
            answer = replace(answer, at=(*missed, *answer.at))
        for one, doubt in perhaps:  # who is led to the same qos-group either way is led there
            if not answer.is_known or _action(one, (bound_at,), otherwise) != answer:
                return doubt
        return answer

    def takes(self, one: PolicyClass, dscp: int) -> bool | Cell[Any]:
        """Whether the criteria of a class are true of a packet that enters with this DSCP."""
        found = self._matches(one, "dscp", dscp) if one.name is not None else unknown(Why.NOT_PARSED, one.at)
        return found if isinstance(found, Cell) else found[0]

    def new_dscp(self, policy: str, bound_at: At, dscp: int) -> Cell[Any]:
        """The DSCP that the policy writes into a packet that enters with this one; absent where it leaves it alone."""
        return self._done(policy, bound_at, dscp, SetDscp, lambda said: said.dscp)

    def dropped(self, policy: str, bound_at: At, dscp: int) -> Cell[Any]:
        """True where the policy drops a packet that enters with this DSCP; absent where it does not."""
        return self._done(policy, bound_at, dscp, Drop, lambda said: True)

    def _done(
        self, policy: str, bound_at: At, dscp: int, action: type[_Action], value: Callable[[_Action], object]
    ) -> Cell[Any]:
        """What an action of this type does to a packet with this DSCP; absent where the class that takes it has none."""
        classes = self.policies.policy(self.policy_kind, policy)
        if classes is None:
            return unknown(self.undefined, bound_at)
        perhaps: list[tuple[PolicyClass, Cell[Any]]] = []
        deciding = self._deciding(classes, "dscp", dscp, [], perhaps)
        if perhaps:
            return perhaps[0][1]
        if isinstance(deciding, Cell):
            return deciding
        for parsed, at in reversed(deciding[0].lines if deciding is not None else ()):
            if parsed.value is None:
                return unknown(Why.NOT_PARSED, at)
            if isinstance(parsed.value, action):
                return known(value(parsed.value), at, bound_at)
        return absent(bound_at)

    def _deciding(
        self,
        classes: Sequence[PolicyClass],
        field: Field,
        value: int,
        missed: list[At],
        perhaps: list[tuple[PolicyClass, Cell[Any]]],
    ) -> tuple[PolicyClass, tuple[At, ...]] | Cell[Any] | None:
        """The first class that matches, with the lines by which it does.

        `missed` takes the lines that keep others out, `perhaps` the classes before it of which nobody knows whether they match.
        """
        for one in classes:
            if one.name is None:
                return unknown(Why.NOT_PARSED, one.at)
            found = self._matches(one, field, value)
            if isinstance(found, Cell) and not self._is_read(one):
                return found
            if isinstance(found, Cell):
                perhaps.append((one, found))
            elif found[0]:
                return one, found[1]
            else:
                missed += found[1]
        return None

    def believes(self, policy: str, bound_at: At) -> Cell[Any]:
        """What a packet is classified by.

        "dscp" where nothing else decides, so that a tag leads nowhere of its own; "acl" where a list picks RoCE out.
        """
        classes = self.policies.policy(self.policy_kind, policy)
        kinds: set[str] = set()
        lists: list[At] = []
        doubts: list[Cell[Any]] = []
        default = next((_group_of(one) for one in classes or () if one.name == "class-default"), None)
        for one in classes or ():
            if any(isinstance(parsed.value, Drop) for parsed, _ in one.lines):
                continue  # what it takes is dropped, and led nowhere
            lines = () if one.name == "class-default" else self.policies.lines(self.map_kind, one.name or "")
            if lines is None or not all(isinstance(parsed.value, Match | Logic) for parsed, _ in lines):
                return unknown(self.undefined if lines is None else Why.NOT_PARSED, one.at, bound_at)
            matches = [(parsed.value, at) for parsed, at in lines if isinstance(parsed.value, Match)]
            kinds |= {self._kind(match) for match, _ in matches}
            if default is not None and _group_of(one) == default:
                continue  # what no list takes is led there as well
            for match, at in matches:
                answer = self._singled_out(match, at)
                if isinstance(answer, Cell):
                    doubts.append(answer)
                elif answer:
                    lists.append(at)
        if classes is None:
            return unknown(self.undefined, bound_at)
        if lists:
            return known("acl", *lists, bound_at)
        if doubts:
            return doubts[0]
        return known("dscp", bound_at) if kinds and kinds <= {"dscp", "precedence", "never"} else absent(bound_at)

    def _kind(self, match: Match) -> str:
        """By what a criterion takes packets; an access list that takes none of RoCE says nothing of them."""
        if match.kind != "acl" or match.negated:
            return match.kind
        return lists.tells_by(self.policies.raw("acl", match.name))

    def _singled_out(self, match: Match, at: At) -> bool | Cell[Any]:
        if match.kind != "acl" or match.negated:
            return False
        return lists.picks_by_port(self.policies.raw("acl", match.name), self.undefined, at)

    def _is_read(self, one: PolicyClass) -> bool:
        """Whether it is understood what the class asks, though not of which packets that is true."""
        lines = self.policies.lines(self.map_kind, one.name or "")
        return bool(lines) and all(self._is_understood(parsed.value) for parsed, _ in lines or ())

    def _is_understood(self, said: object) -> bool:
        if isinstance(said, Match) and said.kind == "acl":
            return self.policies.raw("acl", said.name) is not None
        return isinstance(said, Match | Logic)

    def _matches(self, one: PolicyClass, field: Field, value: int) -> _Answer | Cell[Any]:
        assert one.name is not None
        if one.name == "class-default":
            return True, ()
        lines = self.policies.lines(self.map_kind, one.name)
        if lines is None:
            return unknown(self.undefined, one.at)
        need_all = self.policies.syntax.needs_all
        answers: list[tuple[bool | Cell[Any], At]] = []
        names_it = False
        for parsed, at in lines:
            if isinstance(parsed.value, Logic):
                need_all = parsed.value.all if parsed.value.all is not None else need_all
            elif isinstance(parsed.value, Match):
                answers.append((self._criterion(parsed.value, field, value, at), at))
                names_it = names_it or (parsed.value.kind == field and answers[-1][0] is True)
            else:
                answers.append((unknown(Why.NOT_PARSED, at), at))
        found = _together(answers, need_all, one.at)
        if names_it and not isinstance(found, Cell) and not found[0]:
            return False, tuple(at for answer, at in answers if answer is False)
        return found

    def _criterion(self, match: Match, field: Field, value: int, at: At) -> bool | Cell[Any]:
        answer: bool | Cell[Any]
        if match.kind == "any":
            answer = True
        elif match.kind == "never":
            answer = False  # protocols of the control plane, never UDP port 4791
        elif match.kind in ("dscp", "precedence"):
            if field == "pcp":  # a tagged packet is classified by its DSCP, which the question leaves open
                return unknown(Why.NOT_VISIBLE, at)
            answer = (value if match.kind == "dscp" else value >> 3) in match.values
        elif match.kind == "cos":
            if field == "dscp" and 0 in match.values:  # whether an untagged packet has CoS 0 is not documented
                return unknown(Why.NO_DEFAULT, at)
            answer = field == "pcp" and value in match.values
        elif match.kind == "acl":
            mark = value if field == "dscp" else None
            chosen = lists.takes(self.policies.raw("acl", match.name), mark, self.undefined, at)
            if isinstance(chosen, Cell):
                return chosen
            answer = chosen
        else:
            return unknown(Why.NOT_VISIBLE, at)
        return answer != match.negated


def _together(answers: list[tuple[bool | Cell[Any], At]], need_all: bool | None, at: At) -> _Answer | Cell[Any]:
    """The class's answer from those of its criteria; `need_all` None: nobody knows whether all must hold, or any."""
    if need_all is None:
        every, some = _together(answers, True, at), _together(answers, False, at)
        if isinstance(every, Cell) or isinstance(some, Cell):
            return every if isinstance(every, Cell) else some
        return some if every[0] == some[0] else unknown(Why.NO_DEFAULT, at)
    if not answers:
        return unknown(Why.NO_DEFAULT, at)  # what an empty class-map matches is not documented
    for answer, where in answers:
        if answer is (not need_all):  # one criterion decides: a match under "any", a miss under "all"
            return (True, (where,)) if answer else (False, ())
    doubt = next((answer for answer, _ in answers if isinstance(answer, Cell)), None)
    if doubt is not None:
        return doubt
    return need_all, tuple(where for _, where in answers) if need_all else ()


def _group_of(one: PolicyClass) -> int | None:
    """The qos-group that a class sets; None where it sets none, or may set another one."""
    if any(parsed.value is None for parsed, _ in one.lines):
        return None
    return next((parsed.value.number for parsed, _ in reversed(one.lines) if isinstance(parsed.value, SetGroup)), None)


def _action(one: PolicyClass, because: tuple[At, ...], otherwise: Cell[Any]) -> Cell[Any]:
    """What the class does with what it matched; `because` are the lines that match, and the binding as the last."""
    answer = replace(otherwise, at=(one.at, *because, *(at for at in otherwise.at if at not in because)))
    for parsed, at in one.lines:
        if parsed.value is None:
            return unknown(Why.NOT_PARSED, at)
        if isinstance(parsed.value, SetGroup):
            answer = known(parsed.value.number, at, *because[:-1], one.at, because[-1])
    return answer
