"""How answers of hosts are recognised: by the tools that print them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from roce_audit.platforms.signature import ANYTHING, Form, Signature
from roce_audit.text.document import Document

if TYPE_CHECKING:
    from roce_audit.platforms.shared.host.answers import Shell

_SURE = 90


def lone_answers(own_tools: frozenset[str]) -> Signature:
    """Of a family of NICs: a file that nobody named after its command, and that holds what only these tools print."""

    def is_own(document: Document) -> bool:
        from roce_audit.platforms.shared.host.tools import by_command

        return by_command(document) is None and _printed_by(document, own_tools)

    return (_judged_by(is_own, _SURE),)


def answers(shell: Shell, own_tools: frozenset[str], weight: int = _SURE) -> Signature:
    """Of a system of hosts: answers of every tool that it runs, and lone files by what only these tools print."""

    def is_own(document: Document) -> bool:
        from roce_audit.platforms.shared.host.tools import by_command

        named = by_command(document)
        return named[0].shell == shell if named is not None else _printed_by(document, own_tools)

    return (_judged_by(is_own, weight),)


def _judged_by(is_own: Callable[[Document], bool], weight: int) -> Form:
    return Form(marks={ANYTHING: weight}, confirm=is_own)


def _printed_by(document: Document, own_tools: frozenset[str]) -> bool:
    from roce_audit.platforms.shared.host.tools import by_text

    found = by_text(document)
    return found is not None and found[0].name in own_tools
