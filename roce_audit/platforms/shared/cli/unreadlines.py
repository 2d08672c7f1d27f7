"""Lines of one switch that concern us and that nobody understood, and the ports that lean on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from roce_audit.platforms.base import UNREAD_LINE, Seen, seen
from roce_audit.text.block import CONTEXT, Block, Part
from roce_audit.text.leftout import is_mark
from roce_audit.values import Place


class UnreadLines:
    """The lines, block by block; ports are noted at the blocks that they are read from."""

    def __init__(self) -> None:
        self._lines: list[tuple[Place, str, list[str]]] = []
        self._leaning: dict[tuple[str, int, str], list[str]] = {}
        """Path, first line and kind of a block that holds such lines -> the ports that lean on it."""

    @property
    def any_in_blocks(self) -> bool:
        """Whether a block that was read holds one, so that ports may lean on it."""
        return bool(self._leaning)

    def add(self, place: Place, text: str, ports: list[str]) -> None:
        """A line that nobody knows, and the ports that it may be about."""
        self._lines.append((place, text, ports))

    def note(self, block: Block, kind: str, unread: Iterable[int]) -> None:
        """These statements of a block were not understood."""
        for index in unread:
            ports = self._leaning.setdefault((block.path, block.first, kind), [])
            self.add(block.place(index), block.texts.statements[index].rpartition(CONTEXT)[2], ports)

    def below(self, block: Block, kind: str) -> list[str] | None:
        """The ports that lean on lines of a block, to be added to; None where it has none."""
        return self._leaning.get((block.path, block.first, kind))

    def lean(self, port: str, lists: Iterable[list[str] | None]) -> None:
        """Note the port in these lists, as `below` gives them."""
        for ports in lists:
            if ports is not None and ports[-1:] != [port]:
                ports.append(port)

    def leaning(self, parts: Sequence[Part], *, on_device: bool) -> list[list[str] | None]:
        """The lists of the blocks that a port is read from; of statements for the whole device only where it leans on those."""
        return [self.below(part.block, part.kind) if on_device or part.role != "device" else None for part in parts]

    def observations(self) -> Iterator[Seen]:
        """Each line, with the ports that lean on it."""
        lists = {id(ports): tuple(ports) for _, _, ports in self._lines}
        for place, text, ports in self._lines:
            if is_mark(text):
                continue  # that a part is left out there is told by itself
            yield seen("unread-line", text, UNREAD_LINE, place, text, lists[id(ports)])
