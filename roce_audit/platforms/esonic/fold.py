"""One folding of a port's statements: what is bound to it, by its own lines or by `roce enable`."""

from __future__ import annotations

from roce_audit.platforms.esonic.defaults import LOSSLESS_GROUPS, ROCE_MAPS, ROCE_NAME
from roce_audit.platforms.esonic.said import Definitions, gather
from roce_audit.platforms.shared.cli.syntax import PortContext
from roce_audit.text.block import Part
from roce_audit.text.fill import Settings
from roce_audit.values import At, Why

_ELEMENTS = range(8)


class Fold:
    """Settings of one port while they are gathered."""

    def __init__(self, parts: tuple[Part, ...], context: PortContext) -> None:
        self.context = context
        self.settings = Settings()
        self.said = gather(parts, self.settings)
        self.definitions = Definitions(parts)
        self.undefined = Why.UNDEFINED if context.complete else Why.NOT_VISIBLE
        for topic, at in self.said.unread:
            for path in topic.split():
                self.spoil(path, at)

    def spoil(self, path: str, at: At) -> None:
        """A line that was not understood might set this path; a star stands for each of eight."""
        for number in _ELEMENTS if "*" in path else (0,):
            self.settings.set_unknown(path.replace("*", str(number)), Why.NOT_PARSED, at)

    @property
    def macro(self) -> At | None:
        """Where `roce enable` stands, if it is a shorthand for what the text does not hold."""
        roce = self.said.roce
        return roce[1] if roce is not None and roce[0].on and not self.said.written_out else None

    @property
    def lossless_priorities(self) -> frozenset[int]:
        """The priorities that `roce enable` is for, and the groups that the lossless buffers are made for."""
        roce = self.said.roce
        named = roce[0].priorities if roce is not None and roce[0].on else frozenset()
        return named or frozenset(LOSSLESS_GROUPS)

    def bound(self, kind: str) -> tuple[str, At] | None:
        """The name of the map that holds for the port; None where none does."""
        given = self.said.maps.get(kind)
        if given is not None:
            return None if given[0] is None else (given[0], given[1])
        return (ROCE_NAME, self.macro) if self.macro is not None and kind in ROCE_MAPS else None
