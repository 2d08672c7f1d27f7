"""ConfigMaps with variables of communication libraries, and pods in other files that take them by another name or namespace.

What stands in one file is compared where that is read. Source: Kubernetes, Configure a Pod to Use a ConfigMap: a pod takes one of
its own namespace, and does not start without one that is not optional.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from roce_audit.patterns import lazy
from roce_audit.sources.loaded import Problem
from roce_audit.sources.repository.cluster.files import ClusterFiles, Path
from roce_audit.text.statements.misspelling import meant
from roce_audit.text.structured.nested import text_at, value_at
from roce_audit.text.structured.yamltext import YamlText

_MAP = "ConfigMap"
_TAKES = ("configMapRef", "configMapKeyRef")
_VARIABLE = lazy(r"(?:NCCL|RCCL|UCX|NVSHMEM|GLOO)_[A-Z0-9_]{1,80}")
_RENAMES = lazy(r"^(?:namePrefix|nameSuffix|namespace|configMapGenerator):", re.MULTILINE)


def problems(files: ClusterFiles) -> Iterator[Problem]:
    """Pods that take such a ConfigMap otherwise than a file here has it."""
    having = [
        path for path in files.with_any(_MAP) if any(word in files.texts[path] for word in ("CCL_", "UCX_", "SHMEM_"))
    ]
    taking = files.with_any(*_TAKES)
    if not having or not taking or any(_RENAMES.search(text) for text in files.texts.values()):
        return
    maps = {path: dict(_maps(files, path)) for path in having}
    every: dict[str, set[str]] = {}
    for name, space in (one for its in maps.values() for one in its.items()):
        every.setdefault(name, set()).add(space)
    taken = [(path, *one) for path in taking if not maps.get(path) for one in _taken(files, path)]
    idle = every.keys() - {name for _, _, _, name, _ in taken}
    beside: dict[int, set[str]] = {}
    for _, document, _, name, _ in taken:
        beside.setdefault(id(document), set()).add(name)
    others = {text_at(one.value, "metadata", "name") for path in files.with_any(_MAP) for one in files.documents(path)}
    told: set[str] = set()
    for path, document, at, name, space in taken:
        words = (
            _wrong(name, space, every, idle | (beside[id(document)] & every.keys()))
            if name not in others - every.keys()
            else ""
        )
        if words and name not in told:
            told.add(name)
            yield Problem(path, document.nearest_line_of(at), words, "conflict")


def _wrong(name: str, space: str, every: Mapping[str, set[str]], idle: set[str]) -> str:
    if name not in every:
        other = meant(name, idle)
        said = f"no file here has a ConfigMap of the name {name}; that with the variables is {other}: the pod does not start"
        return said if other is not None else ""
    if space and not every[name] & {space, ""}:
        return (
            f"the ConfigMap {name} is in the namespace {', '.join(sorted(every[name]))}, and a pod takes those of its own, {space}: it "
            "does not start"
        )
    return ""


def _maps(files: ClusterFiles, path: str) -> Iterator[tuple[str, str]]:
    """(name, namespace) of the ConfigMaps of a file that have such variables."""
    for value in (one.value for one in files.documents(path)):
        data = value_at(value, "data")
        if (
            text_at(value, "kind") == _MAP
            and isinstance(data, dict)
            and any(_VARIABLE.fullmatch(str(one)) for one in data)
        ):
            yield text_at(value, "metadata", "name"), text_at(value, "metadata", "namespace")


def _taken(files: ClusterFiles, path: str) -> Iterator[tuple[YamlText, Path, str, str]]:
    """(document, path of the name, name, namespace) of the ConfigMaps that containers of a file may not do without."""
    for pod in files.pods(path):
        for at, container in pod.containers:
            for key, below in (("envFrom", (_TAKES[0],)), ("env", ("valueFrom", _TAKES[1]))):
                entries = value_at(container, key)
                for index, entry in enumerate(entries if isinstance(entries, list) else ()):
                    its = value_at(entry, *below)
                    if (name := text_at(its, "name")) and value_at(its, "optional") is not True:
                        yield pod.document, (*at, key, index, *below, "name"), name, pod.space
