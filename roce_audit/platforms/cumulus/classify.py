"""Classification: the switch priority of a RoCEv2 packet that enters a port, and what is written into it on leaving."""

from __future__ import annotations

from typing import Any

from roce_audit.platforms.cumulus.builder import Block, Builder, Said
from roce_audit.platforms.shared.path.builder import Problem
from roce_audit.text.sentences import runs
from roce_audit.values import Cell, Cited, Why, known, unknown

_TWICE = "is assigned to two switch priorities; which of them holds is not documented"


def classification(port: Builder) -> None:
    """Trust, and the class of each mark. An IP packet goes by its DSCP wherever that is trusted, tagged or not."""
    found = port.effective("mapping")
    trust = _trust(port, found)
    port.settings.set_cell("trust", trust)
    _map_without_trust(port, found)
    for mark, count, trusted in (("dscp", 64, ("dscp", "both")), ("pcp", 8, ("pcp",))):
        marks = _Marks(port, found, mark)
        for number in range(count):
            if trust.is_unknown:
                cell = trust
            elif trust.value in trusted:
                cell = marks.of(number, trust)
            elif mark == "pcp" and trust.value != "none":
                # tagged, but classified by its DSCP: the DSCP question answers it
                cell = unknown(Why.NOT_VISIBLE, *trust.at)
            else:
                cell = _unmarked(port, found, trust)
            port.settings.set_cell(f"{mark}.{number}", cell)


def _trust(port: Builder, found: Block) -> Cell[Any]:
    said = found.last("trust")
    doubt = port.settings.unknown_at("trust")
    if doubt is not None:
        return doubt
    if said is not None:
        return known(said[0], said[1], *found.bound_at)
    if port.macro is not None and not found.bound_at:
        return known("both", *port.macro_at, Cited(port.macro.source))
    otherwise = port.lack.otherwise("trust", *found.bound_at)
    forbidden = port.settings.default_forbidden("trust")
    return forbidden if forbidden is not None and otherwise.is_unknown else otherwise


def _map_without_trust(port: Builder, found: Block) -> None:
    """A profile that maps DSCPs and trusts tags alone. The older files list the maps of all marks, whichever is trusted: there it is
    one that maps DSCPs and no tags.
    """
    trust, mapped = found.last("trust"), found.numbers("dscp * switch-priority")
    if not mapped and next(iter(found.all("pcp * cos")), None) is None:
        mapped = {int(str(leaf.keys[0])): at for leaf, at in found.all("dscp * cos") if leaf.value != 0}
    if trust is not None and trust[0] == "pcp" and mapped:
        numbers = ", ".join(runs(mapped))
        text = f"this profile trusts the 802.1p tag alone, so that its map of DSCP {numbers} has no effect"
        port.problems.append(Problem(trust[1], next(iter(mapped.values())), text, "map-without-trust"))


def _unmarked(port: Builder, found: Block, trust: Cell[Any]) -> Cell[Any]:
    """The class of what carries no mark that is trusted."""
    said = found.last("port-default-sp")
    if said is None:
        return port.lack.otherwise("qos.mapping.port-default-sp", *trust.at)
    # where marks are trusted that the packet has not, the trust is what put it here
    return known(said[0], *((said[1], *trust.at) if trust.value == "none" else (*trust.at, said[1])))


class _Marks:
    """Switch priorities by DSCP or by 802.1p priority, in the profile that holds."""

    def __init__(self, port: Builder, found: Block, mark: str) -> None:
        self.port = port
        self.mark = mark
        self.bound_at = found.bound_at
        self.said = found.by_number(f"{mark} * switch-priority")
        self.listed: dict[int, list[Said]] = {}
        """As the older files say it: switch priorities with their marks."""
        for leaf, at in found.all(f"{mark} * cos"):
            self.listed.setdefault(int(str(leaf.keys[0])), []).append((leaf.value, at))
        paths = {parsed.paths for parsed, _ in found.statements}
        self.named, self.lists = (f"{mark}.#",) in paths, (mark,) in paths

    def of(self, number: int, trust: Cell[Any]) -> Cell[Any]:
        """The switch priority of this mark, which is trusted."""
        if number in self.said:
            value, at = self.said[number]
            return known(value, at, *self.bound_at)
        if number in self.listed:
            return self._agreed(number, self.listed[number])
        if self.lists:  # a file that lists marks lists all that it means
            return self.port.lack.otherwise("qos.mapping.unlisted", *trust.at)
        return self._not_said(number, trust)

    def _agreed(self, number: int, listed: list[Said]) -> Cell[Any]:
        (first, at), (last, other) = listed[0], listed[-1]
        if first == last:
            return known(first, at, *self.bound_at)
        self.port.conflict((), (at, other), f"{self.mark.upper()} {number} {_TWICE}")
        return unknown(Why.CONFLICT, other, at)

    def _not_said(self, number: int, trust: Cell[Any]) -> Cell[Any]:
        """A mark that the profile in force does not name."""
        macro = self.port.macro
        if self.bound_at and self.named:  # the guide is silent on the marks that a profile of its own leaves out
            return self.port.lack.otherwise("qos.mapping.unlisted", *self.bound_at)
        if not self.bound_at and macro is not None:
            value = macro.dscp[number] if self.mark == "dscp" else number
            return known(value, *self.port.macro_at, Cited(macro.source))
        otherwise = self.port.lack.otherwise(f"qos.mapping.{self.mark}", *trust.at)
        return known(otherwise.get()[number], *trust.at[:1], *otherwise.at[-1:]) if otherwise.is_known else otherwise


def remarking(port: Builder) -> None:
    """Packets are rewritten where the port they entered says so, to what the port they leave says."""
    found = port.effective("remark")
    listed = found.by_number("switch-priority * dscp")
    rewrite = found.last("rewrite")
    if not found.begins and not found.bound_at:
        return
    if not listed and (rewrite is None or rewrite[0] in ("l2", "none")):
        return
    if rewrite is None or rewrite[0] in ("l2", "none") or not listed:
        # the other half may be said at the port where the packet came in, or is a default that no document states
        if found.bound_at or not listed:
            port.settings.set_cell("rewrites_dscp", unknown(Why.NO_DEFAULT, *found.bound_at))
        return
    places = [at for _, at in listed.values()]
    port.settings.set("rewrites_dscp", frozenset(listed), *places, rewrite[1], *found.bound_at)
    for number, (dscp, at) in listed.items():
        port.settings.set(f"classes.{number}.new_dscp", dscp, at, *found.bound_at)
