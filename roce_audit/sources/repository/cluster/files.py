"""The manifests of a cluster among the files of a repository, each read once, and what the pods in them ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from roce_audit.records import dataclass
from roce_audit.sources.files import Candidate
from roce_audit.text.structured.nested import text_at, value_at
from roce_audit.text.structured.yamltext import YamlError, YamlText, documents

ASKS = "k8s.v1.cni.cncf.io/networks"
"""The annotation by which a pod asks for networks."""
_MOST_FILES = 1_500
_MOST_CHARACTERS = 200_000
_DEPTH = 40
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Pod:
    """A pod, or what a job makes pods by."""

    path: str
    document: YamlText
    at: Path
    """Where it stands: its `metadata` and `spec` are below."""
    space: str
    """Its namespace; "" where whoever applies the file says it."""

    @property
    def containers(self) -> Sequence[tuple[Path, Any]]:
        """(path, container) of each."""
        at = (*self.at, "spec", "containers")
        listed = value_at(self.document.value, *at)
        return [((*at, index), one) for index, one in enumerate(listed)] if isinstance(listed, list) else []

    def line_of(self, *path: str | int) -> int:
        """The line of something in it, or of what holds it."""
        return self.document.nearest_line_of((*self.at, *path))


class ClusterFiles:
    """The YAML files that are looked through; none where there are too many."""

    def __init__(self, candidates: Iterable[Candidate], text_of: Callable[[Candidate], str]) -> None:
        files = [one for one in candidates if one.name.endswith((".yaml", ".yml"))]
        self._files = files if len(files) <= _MOST_FILES else []
        self._text_of = text_of
        self._parsed: dict[str, Sequence[YamlText]] = {}

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """Path -> what the file holds, or its beginning."""
        return {one.path: self._text_of(one)[:_MOST_CHARACTERS] for one in self._files}

    def with_any(self, *words: str) -> Sequence[str]:
        """The files in which one of these words stands."""
        return [path for path, text in self.texts.items() if any(word in text for word in words)]

    def documents(self, path: str) -> Sequence[YamlText]:
        """The documents of a file; none of a template, or of one that is broken."""
        if path not in self._parsed:
            try:
                self._parsed[path] = tuple(documents(self.texts[path]))
            except YamlError:
                self._parsed[path] = ()
        return self._parsed[path]

    def pods(self, path: str) -> Iterator[Pod]:
        """All pods of a file."""
        for document in self.documents(path):
            yield from _within(document.value, (), path, document, text_at(document.value, "metadata", "namespace"))


def _within(value: Any, at: Path, path: str, document: YamlText, space: str) -> Iterator[Pod]:
    if len(at) > _DEPTH:
        return
    if isinstance(value, dict):
        if isinstance(value_at(value, "spec", "containers"), list):
            yield Pod(path, document, at, text_at(value, "metadata", "namespace") or space)
            return
        for key, inner in value.items():
            yield from _within(inner, (*at, key), path, document, space)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _within(inner, (*at, index), path, document, space)
