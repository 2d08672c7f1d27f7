"""The text of single lines, for reports: files are read again only where a finding points at them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping

from roce_audit.text.decode import LIMIT_BYTES, decode
from roce_audit.values import Place

_KEPT_FILES = 64


class SourceLines:
    """Lines of the files of a run; `given` holds texts that no file has (standard input)."""

    def __init__(self, given: Mapping[str, str] | None = None) -> None:
        self._given = {path: text.split("\n") for path, text in (given or {}).items()}
        self._files: OrderedDict[str, list[str]] = OrderedDict()

    def __call__(self, place: Place) -> str:
        """The line at a place; "" where there is none."""
        lines = self._given.get(place.path) or self._of(place.path)
        return lines[place.line - 1] if 0 < place.line <= len(lines) else ""

    def _of(self, path: str) -> list[str]:
        found = self._files.get(path)
        if found is None:
            try:
                with open(path, "rb") as file:
                    found = decode(file.read(LIMIT_BYTES + 1)).text.split("\n")
            except OSError:
                found = []
            self._files[path] = found
            if len(self._files) > _KEPT_FILES:
                self._files.popitem(last=False)
        return found
