"""`show policy-map interface`, `show qos interface`: the policies that are installed on ports, against those that their stanzas apply.

(Cisco IOS XR, Modular QoS Command Reference, show policy-map interface; the heads of both forms as genieparser's captures have them.)
A policy that could not be programmed stands in the configuration and does nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.cli.installed import InForce, against, bound_by, bound_in
from roce_audit.platforms.shared.cli.programmed import Programmed, lines_of
from roce_audit.text.document import Document
from roce_audit.text.memo import of_text

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
_APPLIED = lazy(r"\s{1,4}(?P<what>service-policy (?:input|output)) (?P<name>\S{1,64})\s{0,8}")


def programmed(answer: Document, documents: Iterable[Document]) -> Programmed | None:
    """What the answer makes of the configuration of its router; None for the answers of other commands."""
    is_qos = _QOS.match(answer.command or "") is not None
    if is_qos:
        shown = list(_of_hardware(answer))
    elif _COMMAND.match(answer.command or ""):
        shown = [
            InForce(head[1], f"service-policy {head[2]}", "" if head[3] == _NONE else head[3], line)
            for text, line in lines_of(answer)
            if (head := _HEAD.fullmatch(text)) is not None
        ]
    else:
        return None
    if not shown:
        return Programmed(is_read=not answer.text.strip() or ("not installed" in answer.text and not is_qos))
    return against(answer, shown, bound_in(documents, _bindings), "is installed")


def _of_hardware(answer: Document) -> Iterator[InForce]:
    """The policy stands below the port."""
    port: tuple[str, str] | None = None
    for text, line in lines_of(answer):
        head, name = _QOS_OF.fullmatch(text), _QOS_NAME.fullmatch(text)
        if head is not None:
            port = head[1], head[2]
        elif name is not None and port is not None:
            yield InForce(port[0], f"service-policy {port[1]}", name[1], line)
            port = None


@of_text
def _bindings(configuration: str) -> tuple[tuple[tuple[str, str], str], ...]:
    """What a configuration applies: it is asked of each answer beside it, and there may be one a port."""
    return tuple(bound_by(configuration, _INTERFACE, _APPLIED))
