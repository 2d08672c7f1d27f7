"""From a path in the policy file to its line."""

from __future__ import annotations

from roce_audit.records import dataclass
from roce_audit.text.structured.yamltext import YamlText
from roce_audit.values import Place


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of one policy file, shown under the path `name`."""

    name: str
    document: YamlText

    def at(self, *path: str | int) -> Place:
        """The line of the innermost thing on this path that the file really has."""
        return Place(self.name, self.document.nearest_line_of(path))
