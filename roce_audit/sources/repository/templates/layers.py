"""Templates of switches' configurations in which others stand (`{% include 'qos.j2' %}`), outside of playbooks: each with those is read as
one, with the variables of the hosts that have all of its values."""

from __future__ import annotations

import json
import posixpath
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.sources import detect
from roce_audit.sources.files import YAML, template_by_name
from roce_audit.sources.repository.ansible.playbooks import MOST_HOSTS, Files, Host, Played
from roce_audit.sources.repository.ansible.switchtasks import ELSEWHERE, MATTERS, NOT_HERE, Written
from roce_audit.sources.repository.programs import Rendered
from roce_audit.sources.repository.templates import fragments
from roce_audit.sources.repository.templates.composed import Row, composed, is_taking_in
from roce_audit.text.jinja.lines import rendered

_NAMELESS = Host("", (), {}, {})
_MARKS = ("{% include", "{% extends", "{% import", "{% from", "{%- include", "{%- extends", "{%- import", "{%- from")
_OF_NORNIR = "host."
_MOST = 256
"""Templates in which others stand."""

_PAUSES = lazy(r"(?i)priority-flow-control|\bpfc|no-drop|no-loss|\bpause\b")
_OPEN_INCLUDE = lazy(r"\{%[-+]?\s{0,8}(?:include|extends|from|import)\s{1,8}(?:[^\"'\s]|[^%\n]{0,200}~)")
"""A template that takes in what a variable names."""
_NAMES = (*YAML, ".py", ".sh", ".j2", ".jinja", ".jinja2")
_FEWEST_PARTS = 2

Layers = tuple[list[Row], frozenset[str]]
"""The rows of a template with those of the others, and the files of these."""


def written(hosts: Sequence[Host], files: Files, played: Collection[str]) -> list[Played]:
    """What such templates come to; none of those that playbooks type (`played`)."""
    found: dict[str, Layers] = {}
    for path in sorted(files.known):
        if template_by_name(path) and path not in played and len(found) < _MOST:
            text = files.text(path)
            if any(mark in text for mark in _MARKS):
                found[path] = _layers(path, text, files)
    inner = {taken for _, those in found.values() for taken in those}
    return [
        one for path, layers in found.items() if layers[1] and path not in inner for one in _of(path, layers, hosts)
    ]


def rendered_by_programs(renders: Iterable[Rendered], files: Files, played: Collection[str]) -> list[Played]:
    """The same of those that programs render, with the values that these give them."""
    by_path: dict[str, list[Host]] = defaultdict(list)
    for path, host, values, program in renders:
        if path not in played and any(mark in files.text(path) for mark in _MARKS):
            known = json.loads(values)
            by_path[path].append(Host(host or f"{len(by_path[path]) + 1}", (), known, dict.fromkeys((program,), "")))
    found = ((path, _layers(path, files.text(path), files), hosts) for path, hosts in sorted(by_path.items()))
    return [one for path, layers, hosts in found if layers[1] for one in _of(path, layers, hosts)]


def untaken(found: Iterable[Played], files: Files) -> Iterator[str]:
    """Templates that make something lossless and that nothing names, in folders of others that templates take in."""
    by_folder: dict[str, set[str]] = defaultdict(set)
    roots = {posixpath.dirname(one.root) for one in found}
    for path in (piece.path for one in found for piece in one.pieces if template_by_name(piece.path)):
        by_folder[posixpath.dirname(path)].add(path)
    folders = {one for one, taken in by_folder.items() if one not in roots and len(taken) >= _FEWEST_PARTS}
    left = [one for one in sorted(files.known) if posixpath.dirname(one) in folders and template_by_name(one)]
    left = [one for one in left if one not in by_folder[posixpath.dirname(one)] and _PAUSES.search(files.text(one))]
    texts = [files.text(one) for one in files.known if one.endswith(_NAMES)] if left else []
    if any(_OPEN_INCLUDE.search(text) is not None for text in texts):
        return
    tasks = [files.text(one) for one in files.known if one.endswith(YAML)] if left else []
    for path in left:
        beside = map(posixpath.basename, by_folder[posixpath.dirname(path)])
        is_of_parts = not any(name in text for name in beside for text in tasks)  # none is typed by itself
        if is_of_parts and not any(posixpath.basename(path) in text for text in texts):
            yield path


def _layers(path: str, text: str, files: Files) -> Layers:
    held = files.held(path)
    taken: set[str] = set()

    def noted(at: str, named: str) -> tuple[str, str]:
        found = held(at, named)
        taken.update({found[0]} if found[1] else ())
        return found

    rows = composed(path, text, noted)
    return rows, frozenset(taken - {path})


def _of(root: str, layers: Layers, hosts: Sequence[Host]) -> Iterator[Played]:
    """What a template is for each of the hosts that have all its values and differ; once with none where no host has."""
    found: dict[tuple[str, ...], Played] = {}
    for host in _meant(root, hosts)[: MOST_HOSTS * 10]:
        if len(found) == MOST_HOSTS:
            break
        made = _made(root, layers, host)
        if made is not None and not any(words == ELSEWHERE for piece in made.pieces for _, words in piece.left_out):
            found.setdefault(fragments.what_matters(piece.text for piece in made.pieces), made)
    if not found and (made := _made(root, layers, _NAMELESS)) is not None:
        yield made
    yield from found.values()


def _meant(root: str, hosts: Sequence[Host]) -> Sequence[Host]:
    """The hosts that have the name of a template as a group or a value, which names it for a program; all where none has."""
    name = posixpath.basename(root).partition(".")[0]
    return [one for one in hosts if name in one.groups or name in one.values.values()] or hosts


def _made(root: str, layers: Layers, host: Host) -> Played | None:
    """What a template is for a host; None where it is no configuration of a switch."""
    rows, taken = layers
    lines = rendered("\n".join(said for _, _, said in rows), _variables(host))
    plain = fragments.of_template(root, "\n".join(line for _, line in lines) + "\n")
    if not plain or not detect.is_of_switch(root, plain):
        return None
    platform = fragments.platform_of(root, plain)
    kept = list(zip((rows[number] for number, _ in lines), lines, plain.split("\n"), strict=False))
    pieces = []
    for path, those in groupby(kept, key=lambda one: one[0][0]):
        its = list(those)
        numbers = [row[1] for row, _, _ in its]
        lost = dict.fromkeys(row[1] for row, (_, line), says in its if not says.strip() and MATTERS.search(line))
        text = "\n".join(says for _, _, says in its) + "\n"
        missing = {row[1] for row, _, _ in its if is_taking_in(row[2])}
        left_out = tuple(
            (line, NOT_HERE if line in missing else ELSEWHERE) for line in dict.fromkeys((*lost, *missing))
        )
        pieces.append(Written(platform, text, (*numbers, numbers[-1]), left_out, path))
    told = {piece.path for piece in pieces}
    pieces += [Written(platform, "", (), (), path) for path in sorted(taken - told)]
    return Played(root, host.name, platform, tuple(pieces), host.files)


def _variables(host: Host) -> Mapping[str, Any]:
    """The variables of a host; Nornir gives templates the host itself, or what its data are."""
    if not host.name:
        return {}
    own = {name.removeprefix(_OF_NORNIR): value for name, value in host.values.items()}
    return {_OF_NORNIR[:-1]: {**own, "data": own, "name": host.name}, **own, "inventory_hostname": host.name}
