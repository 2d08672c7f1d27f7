"""What answers show in force on ports, held against the statements of their stanzas that bind it (`service-policy input NAME`).

What could not be programmed stands in the configuration and does nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.shared.cli.gathering import is_configuration
from roce_audit.platforms.shared.cli.programmed import Line, Programmed, as_configured
from roce_audit.text.document import Document
from roce_audit.values import Place


class InForce(NamedTuple):
    """One name that an answer shows on a port; "" for none. `what` is the statement that binds it, without the name."""

    port: str
    what: str
    name: str
    line: int


Bound = Mapping[tuple[str, str], str]
"""(port, statement without the name) -> the name."""
_Bindings = Callable[[str], Iterable[tuple[tuple[str, str], str]]]
"""What the text of a configuration binds."""


def bound_by(
    configuration: str, head: re.Pattern[str], binds: re.Pattern[str]
) -> Iterator[tuple[tuple[str, str], str]]:
    """What the stanzas of ports bind: `head` begins one and names the port, `binds` has the groups `what` and `name`."""
    port = ""
    for text in configuration.split("\n"):
        found, binding = head.fullmatch(text), binds.fullmatch(text)
        if found is not None:
            port = found[1]
        elif not text.startswith(" "):
            port = ""
        elif binding is not None and port:
            yield (port, binding["what"]), binding["name"]


def bound_in(documents: Iterable[Document], bindings: _Bindings) -> Bound:
    """What the configurations among the documents bind."""
    said = (bindings(document.text) for document in documents if is_configuration(document))
    return {one: name for found in said for one, name in found}


def against(answer: Document, shown: Iterable[InForce], bound: Bound, runs: str) -> Programmed:
    """What the answer makes of the configuration: a name in force that is another than the bound one counts, and is told.

    `runs` is how it is said of the name in force. Of a port that shows several, none is held against the bound one that is among them.
    """
    shown = list(shown)
    names: dict[tuple[str, str], set[str]] = {}
    for one in shown:
        names.setdefault((one.port, one.what), set()).add(one.name)
    lines: list[Line] = []
    told: list[Seen] = []
    for port, what, name, line in shown:
        before = bound.get((port, what))
        if before is None or before in names.pop((port, what), {before}):
            continue
        lines += [(f"interface {port}", line), (f" no {what} {before}", line)]
        lines += [(f" {what} {name}", line)] if name else []
        text = f"{what} {before} is configured on {port}, and {name or 'none'} {runs}"
        told.append(seen("conflict", port, text, Place(answer.path, line), f"{what} {before}", (port,)))
    return Programmed(as_configured(answer, lines), tuple(told))
