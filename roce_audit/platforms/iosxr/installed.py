"""`show policy-map interface`, `show qos interface`: the policies that are installed on ports, against those that their stanzas apply.

(Cisco IOS XR, Modular QoS Command Reference, show policy-map interface; the heads of both forms as genieparser's captures have them.)
A policy that could not be programmed stands in the configuration and does nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from roce_audit.patterns import lazy
from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.shared.cli.gathering import is_configuration
from roce_audit.platforms.shared.cli.programmed import Line, Programmed, as_configured, lines_of
from roce_audit.text.document import Document
from roce_audit.text.memo import of_text
from roce_audit.values import Place

_COMMAND = lazy(r"sh(?:ow)? policy-map interface(?: [^|]{1,60}?)?(?: ?\| ?no-more)?\Z")
_QOS = lazy(r"sh(?:ow)? qos interface [^|]{3,60}?(?: ?\| ?no-more)?\Z")
_QOS_OF = lazy(
    r"\s{0,8}Interface:? ?([A-Z][A-Za-z-]{1,20}[0-9][\w/.]{0,20})(?: ifh 0x[0-9a-f]{1,16})? +(?:-- )?(input|output)(?: policy)?\s{0,8}"
)
_QOS_NAME = lazy(r"\s{0,8}Policy(?: Name)?: ?(\S{1,64})(?: +Total number of classes: ?\d{1,3})?\s{0,8}")
"""Both forms, of different routers (source: unverified: no public capture was found)."""
_HEAD = lazy(r"\s{0,8}([A-Z][A-Za-z-]{1,20}[0-9][\w/.]{0,20}) (?:direction )?(input|output): (\S.{0,80}?)\s{0,8}")
_NONE = "Service Policy not installed"
_INTERFACE = lazy(r"interface (?:preconfigure )?(\S{3,40})\s{0,8}")
_APPLIED = lazy(r"\s{1,4}service-policy (input|output) (\S{1,64})\s{0,8}")

Applied = dict[tuple[str, str], str]
"""(port, direction) -> the policy."""


def programmed(answer: Document, documents: Iterable[Document]) -> Programmed | None:
    """What the answer makes of the configuration of its router; None for the answers of other commands."""
    if _COMMAND.match(answer.command or ""):
        shown = [
            (head[1], head[2], "" if head[3] == _NONE else head[3], line)
            for text, line in lines_of(answer)
            if (head := _HEAD.fullmatch(text)) is not None
        ]
    elif _QOS.match(answer.command or ""):
        shown = list(_of_hardware(answer))
    else:
        return None
    if not shown:
        says_none = "not installed" in answer.text and not _QOS.match(answer.command or "")
        return Programmed(is_read=not answer.text.strip() or says_none)
    applied = _applied(documents)
    names: dict[tuple[str, str], set[str]] = {}
    for port, direction, name, _ in shown:
        names.setdefault((port, direction), set()).add(name)
    lines: list[Line] = []
    told: list[Seen] = []
    for port, direction, name, line in shown:
        before = applied.get((port, direction))
        if before is None or before in names.pop((port, direction), {before}):
            continue
        lines += [(f"interface {port}", line), (f" no service-policy {direction} {before}", line)]
        lines += [(f" service-policy {direction} {name}", line)] if name else []
        text = f"service-policy {direction} {before} is configured on {port}, and {name or 'none'} is installed"
        place = Place(answer.path, line)
        told.append(seen("conflict", port, text, place, f"service-policy {direction} {before}", (port,)))
    return Programmed(as_configured(answer, lines), tuple(told))


def _of_hardware(answer: Document) -> Iterator[tuple[str, str, str, int]]:
    """(port, direction, policy, line); the policy stands below the port."""
    port: tuple[str, str] | None = None
    for text, line in lines_of(answer):
        head, name = _QOS_OF.fullmatch(text), _QOS_NAME.fullmatch(text)
        if head is not None:
            port = head[1], head[2]
        elif name is not None and port is not None:
            yield *port, name[1], line
            port = None


def _applied(documents: Iterable[Document]) -> Applied:
    said = (_of(document.text) for document in documents if is_configuration(document))
    return {one: name for found in said for one, name in found}


@of_text
def _of(configuration: str) -> tuple[tuple[tuple[str, str], str], ...]:
    """What a configuration applies: it is asked of each answer beside it, and there may be one a port."""
    return tuple(_policies(configuration))


def _policies(configuration: str) -> Iterator[tuple[tuple[str, str], str]]:
    port = ""
    for text in configuration.split("\n"):
        head, applied = _INTERFACE.fullmatch(text), _APPLIED.fullmatch(text)
        if head is not None:
            port = head[1]
        elif not text.startswith(" "):
            port = ""
        elif applied is not None and port:
            yield (port, applied[1]), applied[2]
