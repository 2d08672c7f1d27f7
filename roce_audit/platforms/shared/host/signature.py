"""How answers of hosts are recognised: by the tools that print them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roce_audit.platforms.signature import ANYTHING, Form, Signature
from roce_audit.text.document import Document

if TYPE_CHECKING:
    from roce_audit.platforms.shared.host.answers import Shell, Tool

_SURE = 90


def lone_answers(own_tools: frozenset[str]) -> Signature:
    """Of a family of NICs: a file that nobody named after its command, and that holds what only these tools print."""

    return (_unnamed(own_tools, _SURE),)


def answers(shell: Shell, own_tools: frozenset[str], weight: int = _SURE) -> Signature:
    """Of a system of hosts: answers of every tool that it runs, and lone files by what only these tools print."""

    def is_run_there(command: str) -> bool:
        tool = _tool(command)
        return tool is not None and tool.shell == shell

    return (Form(commands=is_run_there, marks={ANYTHING: weight}), _unnamed(own_tools, weight))


def _unnamed(own_tools: frozenset[str], weight: int) -> Form:
    """What only these tools print, where no command says which tool did."""

    def is_own(document: Document) -> bool:
        from roce_audit.platforms.shared.host.tools import by_text

        found = by_text(document)
        return found is not None and found[0].name in own_tools

    return Form(commands=lambda command: _tool(command) is None, marks={ANYTHING: weight}, confirm=is_own)


def _tool(command: str) -> Tool | None:
    from roce_audit.platforms.shared.host.tools import of_command

    found = of_command(command)
    return found[0] if found is not None else None
