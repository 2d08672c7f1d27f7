"""`show policy-map interface`: the policies that are in force on ports, against those that their stanzas apply.

Below the name of a port `Service-policy (qos) input:   NAME` (Cisco Nexus 9000 Series NX-OS Quality of Service Configuration Guide,
Monitoring QoS Statistics). Of a port without a policy of its own that of the system is shown: it is held against nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from roce_audit.patterns import lazy
from roce_audit.platforms.nxos.state import POLICY_COMMAND
from roce_audit.platforms.shared.cli.installed import InForce, against, bound_by, bound_in
from roce_audit.platforms.shared.cli.programmed import Programmed, lines_of
from roce_audit.text.document import Document
from roce_audit.text.memo import of_text

_PORT = lazy(r"((?:Ethernet|port-channel)\d[\d/]{0,12})\s{0,8}")
_SHOWN = lazy(r"\s{1,8}Service-policy \((qos|queuing)\) (input|output): {1,8}(\S{1,64})\s{0,8}")
_INTERFACE = lazy(r"interface ((?:Ethernet|port-channel)\d[\d/]{0,12})\s{0,8}")
_APPLIED = lazy(
    r"\s{1,4}(?P<what>service-policy type (?:qos|queuing) (?:input|output)) (?P<name>\S{1,64})(?: no-stats)?\s{0,8}"
)

_OWN = "default-"
"""How the names of the switch's own policies begin, which stand where none is in force."""


def programmed(answer: Document, documents: Iterable[Document]) -> Programmed | None:
    """What the answer makes of the configuration of its switch; None for the answers of other commands, and where it shows no policy."""
    shown = list(_in_force(answer)) if POLICY_COMMAND.fullmatch(answer.command or "") else []
    return against(answer, shown, bound_in(documents, _bindings), "is in force") if shown else None


def _in_force(answer: Document) -> Iterator[InForce]:
    port = ""
    for text, line in lines_of(answer):
        head, policy = _PORT.fullmatch(text), _SHOWN.fullmatch(text)
        port = port if head is None else head[1]
        if policy is not None and port:
            name = "" if policy[3].startswith(_OWN) else policy[3]
            yield InForce(port, f"service-policy type {policy[1]} {policy[2]}", name, line)


@of_text
def _bindings(configuration: str) -> tuple[tuple[tuple[str, str], str], ...]:
    return tuple(bound_by(configuration, _INTERFACE, _APPLIED))
