"""Classification: the switch priority of a RoCEv2 packet that enters a port, and what is written into it on leaving."""

from __future__ import annotations

from typing import Any

from roce_audit.platforms.cumulus.fold import Block, Fold
from roce_audit.platforms.cumulus.tables import DSCP_MAP, IDENTITY, PCP_MAP, PORT_PRIORITY, TRUST
from roce_audit.values import At, Cell, Cited, Why, known, unknown

_TWICE = "is assigned to two switch priorities; which of them holds is not documented"


def classification(fold: Fold) -> None:
    """Trust, and the class of each mark. An IP packet goes by its DSCP wherever that is trusted, tagged or not."""
    found = fold.effective("mapping")
    trust = _trust(fold, found)
    fold.settings.set_cell("trust", trust)
    for dscp in range(64):
        fold.settings.set_cell(f"dscp.{dscp}", _of_dscp(fold, found, trust, dscp))
    for pcp in range(8):
        fold.settings.set_cell(f"pcp.{pcp}", _of_pcp(fold, found, trust, pcp))


def _trust(fold: Fold, found: Block) -> Cell[Any]:
    said = found.last("trust")
    doubt = fold.settings.unknown_at("trust")
    if doubt is not None:
        return doubt
    if said is not None:
        return known(said[0], said[1], *found.bound_at)
    if fold.macro is not None and not found.bound_at:
        return known("both", *fold.macro_at, Cited(fold.macro.source))
    if fold.is_whole("trust"):
        return fold.cited(TRUST, *found.bound_at)
    dim = fold.settings.default_forbidden("trust")
    return dim if dim is not None else unknown(Why.NOT_VISIBLE, *found.bound_at)


def _of_dscp(fold: Fold, found: Block, trust: Cell[Any], dscp: int) -> Cell[Any]:
    if trust.is_unknown:
        return unknown(trust.why or Why.NOT_VISIBLE, *trust.at)
    if trust.value in ("dscp", "both"):
        return _mapped(fold, found, "dscp", dscp, trust)
    return _unmarked(fold, found, trust)


def _of_pcp(fold: Fold, found: Block, trust: Cell[Any], pcp: int) -> Cell[Any]:
    if trust.is_unknown:
        return unknown(trust.why or Why.NOT_VISIBLE, *trust.at)
    if trust.value == "pcp":
        return _mapped(fold, found, "pcp", pcp, trust)
    if trust.value == "none":
        return _unmarked(fold, found, trust)
    return unknown(Why.NOT_VISIBLE, *trust.at)  # tagged, but classified by its DSCP: the DSCP question answers it


def _unmarked(fold: Fold, found: Block, trust: Cell[Any]) -> Cell[Any]:
    """The class of what carries no mark that is trusted."""
    said = found.last("port-default-sp")
    if said is not None:
        # where marks are trusted that the packet has not, the trust is what put it here
        return known(said[0], *((said[1], *trust.at) if trust.value == "none" else (*trust.at, said[1])))
    if fold.is_whole("dscp"):
        return fold.cited(PORT_PRIORITY, *trust.at)
    return unknown(Why.NOT_VISIBLE, *trust.at)


def _mapped(fold: Fold, found: Block, mark: str, number: int, trust: Cell[Any]) -> Cell[Any]:
    said = found.last(f"{mark} switch-priority", number)
    if said is not None:
        return known(said[0], said[1], *found.bound_at)
    listed = [(s.value, at) for s, at in found.said if s.field == f"{mark} cos" and s.where == number and not s.unread]
    if listed:
        return _agreed(fold, mark, number, listed, found.bound_at)
    if any(s.field == f"{mark} cos" for s, _ in found.said):  # a file that lists marks lists all that it means
        return fold.missing("dscp", *trust.at)
    return _not_said(fold, found, mark, number, trust)


def _agreed(fold: Fold, mark: str, number: int, listed: list[tuple[Any, At]], bound_at: tuple[At, ...]) -> Cell[Any]:
    (first, at), (last, other) = listed[0], listed[-1]
    if first != last:
        fold.conflict(f"{mark}.{number}", other, at, f"{mark.upper()} {number} {_TWICE}")
        return unknown(Why.CONFLICT, other, at)
    return known(first, at, *bound_at)


def _not_said(fold: Fold, found: Block, mark: str, number: int, trust: Cell[Any]) -> Cell[Any]:
    """A mark that the profile in force does not name."""
    if found.bound_at:
        named = any(s.field == f"{mark} switch-priority" for s, _ in found.said)
        if named:  # the guide is silent on the marks that a profile of its own leaves out
            return fold.missing("dscp", *found.bound_at)
    elif fold.macro is not None:
        value = fold.macro.dscp[number] if mark == "dscp" else number
        return known(value, *fold.macro_at, Cited(fold.macro.source))
    if fold.is_whole("dscp"):
        default = DSCP_MAP if mark == "dscp" else PCP_MAP
        return known(IDENTITY[number] if mark == "dscp" else number, *trust.at[:1], Cited(default.source))
    return unknown(Why.NOT_VISIBLE, *trust.at)


def remarking(fold: Fold) -> None:
    """Packets are rewritten where the port they entered says so, to what the port they leave says."""
    found = fold.effective("remark")
    listed = found.numbers("switch-priority dscp")
    rewrite = found.last("rewrite")
    if not found.said and not found.bound_at:
        return
    if not listed and (rewrite is None or rewrite[0] in ("l2", "none")):
        return
    if rewrite is None or rewrite[0] in ("l2", "none") or not listed:
        # the other half may be said at the port where the packet came in, or is a default that no document states
        if found.bound_at or not listed:
            fold.settings.set_cell("rewrites_dscp", unknown(Why.NO_DEFAULT, *found.bound_at))
        return
    fold.settings.set("rewrites_dscp", frozenset(listed), *listed.values(), rewrite[1], *found.bound_at)
    for number in listed:
        said = found.last("switch-priority dscp", number)
        if said is not None:
            fold.settings.set(f"classes.{number}.new_dscp", said[0], said[1], *found.bound_at)
