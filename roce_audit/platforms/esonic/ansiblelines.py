"""Lines of the command line inside tasks: `sonic_config` with `lines` or `commands` below `parents`."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.platforms.esonic.table import TABLE
from roce_audit.platforms.esonic.trees import Node, Script
from roce_audit.text.outline import Outliner

_OUTLINER = Outliner(TABLE, lambda header, text, end: None)


def commands(script: Script, config: Node | None, state: str) -> None:
    """What the task types, read as the command line reads it; each line keeps its place in the task."""
    if config is None:
        return
    parents = list(_typed(config.at("parents")))
    typed = [line for name in ("lines", "commands") for line in _typed(config.at(name))]
    indented = [" " * depth + text for depth, (text, _) in enumerate(parents)]
    indented += [" " * len(parents) + text for text, _ in typed]
    numbers = [number for _, number in (*parents, *typed)]
    outline = _OUTLINER.outline("\n".join(indented), script.path)
    for stanza in outline.stanzas:
        body = script.body("", stanza.mode, stanza.header, numbers[stanza.line - 1])
        body.labels.extend(stanza.labels)
        for index, statement in enumerate(stanza.block.texts.statements):
            body.say(statement, numbers[stanza.block.place(index).line - 1])
    for index, statement in enumerate(outline.top.texts.statements):
        script.say(statement, numbers[outline.top.place(index).line - 1])


def _typed(node: Node | None) -> Iterator[tuple[str, int]]:
    """The lines of a list of lines, or of one text."""
    if node is None:
        return
    for each in node.elements():
        yield each.text, each.line
    if isinstance(node.value, str):
        lines = node.value.split("\n")
        below = len(lines) > 1  # a text of several lines stands below its key
        for offset, text in enumerate(lines):
            yield text, node.line + offset + below
