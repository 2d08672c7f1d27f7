"""Interface profiles: what a port says through `profile NAME`.

A profile is a list of `command STATEMENT` (arista.avd, eos_cli_config_gen, interface_profiles). No source that was found says what
wins where a port, or another of its profiles, says something else of the same thing: that is unknown.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from roce_audit.platforms.eos.statements import Profiles
from roce_audit.platforms.shared.policy.policies import Policies
from roce_audit.text.block import Part, block
from roce_audit.text.outline import Stanza
from roce_audit.text.statements.parsed import Parsed
from roce_audit.text.statements.table import StatementTable
from roce_audit.values import At

DEFINING, KIND = "interface-profile", "ifprofile"
"""Mode of such a stanza as it is written, and of the statements in it."""
_COMMAND = "command "
_OF = "port"
"""The mode whose statements the commands are."""


def as_of_port(stanza: Stanza, path: str, table: StatementTable) -> Stanza:
    """The stanza of an interface profile with the statements that its commands are; those that only name stand apart."""
    given = stanza.block
    commands = [
        (text.removeprefix(_COMMAND), given.place(index).line)
        for index, text in enumerate(given.texts.statements)
        if text.startswith(_COMMAND)
    ]
    said = [one for one in commands if not _names(one[0], table)]
    body = block(path, stanza.line, tuple(text for text, _ in said), tuple(line for _, line in said))
    return Stanza(KIND, stanza.header, stanza.line, body, tuple(text for text, _ in commands if _names(text, table)))


def _names(statement: str, table: StatementTable) -> bool:
    """Whether a statement only names things, as `ip address` does and `ip access-group` does not."""
    word = statement.removeprefix("no ").split(" ")[0]
    return word in table.modes[_OF].labels and table.parse(_OF, statement).value is None


def disputed(parts: tuple[Part, ...], table: StatementTable) -> Iterator[tuple[str, At]]:
    """Model paths of which a profile says something else than the port or another profile, with the line of the profile."""
    first: dict[Hashable, tuple[int, str, At]] = {}
    ours = [(i, p) for i, p in enumerate(parts) if p.kind == KIND or (p.kind == "port" and p.role == "own")]
    for index, part in sorted(ours, key=lambda item: item[1].kind != KIND):
        for number, text in enumerate(part.block.texts.statements):
            parsed = table.parse(part.kind, text)
            about = _about(parsed)
            if about is None:
                continue
            whose, said, at = first.setdefault(about, (index, text, At(index, number)))
            if whose != index and said != text and parts[whose].kind == KIND:
                yield from ((path, at) for path in parsed.paths or ())


def _about(parsed: Parsed) -> Hashable:
    """What a statement is about: two that differ in it stand beside each other. None for what is in no dispute."""
    if not parsed.is_ours or parsed.context or isinstance(parsed.value, Profiles | None):
        return None
    return type(parsed.value), parsed.paths, getattr(parsed.value, "priority", None)


def missing(names: Iterator[tuple[str, At]], policies: Policies) -> Iterator[At]:
    """Where an interface profile is named that nobody defines."""
    return (at for name, at in names if policies.header(KIND, name) is None)
