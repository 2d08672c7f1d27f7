"""Variables of hosts that are the input of somebody's data model of a network, as the statements that they come to on each switch."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.platforms.record import Modelled
from roce_audit.sources.repository.ansible.playbooks import Files, Host, Played
from roce_audit.sources.repository.ansible.switchtasks import pieces_of
from roce_audit.sources.repository.ansible.tasktexts import Placed
from roce_audit.sources.repository.inventories import whose_file
from roce_audit.text.structured.positions import Path

_ENDS = lazy(r"[-_.]")
"""Where the name of a host may end in that of a file: `leaf1.cfg`, `leaf1-basic-configuration.txt`."""
_PAPERS = (".md", ".rst", ".csv", ".svg", ".png", ".drawio")
_MOST_HOSTS = 256
"""Switches of such a network that are judged: each asks what all others say of its ports."""
_FEWEST = 2
"""Lines without which a switch has nothing to judge: a port, and what stands on it."""


def written(hosts: Sequence[Host], files: Files) -> list[Played]:
    """What such variables come to; nothing for hosts whose configuration lies in the repository as well."""
    found: dict[tuple[object, ...], Played] = {}
    models = [(one.name, one.data_model) for one in platforms.every() if one.data_model is not None]
    names = (posixpath.basename(path) for path in files.known if not whose_file(path) and not path.endswith(_PAPERS))
    rendered = {name[: end.start()] for name in names for end in _ENDS.finditer(name)}
    capped_at = 0
    for host in hosts:
        for platform, model in models if host.name not in rendered else ():
            if len(found) >= _MOST_HOSTS:
                capped_at = _MOST_HOSTS
                continue
            rows = model(host.name, host.values)
            if len(rows) < _FEWEST:
                continue
            pieces = pieces_of(platform, list(_placed(rows, host.givers, files)))
            key = (platform, *((piece.path, piece.lines, piece.text) for piece in pieces))
            if pieces and key not in found:
                found[key] = Played(pieces[0].path, host.name, platform, pieces, host.files)
    return [replace(one, capped_at=capped_at) for one in found.values()]


def _placed(rows: Sequence[Modelled], givers: Mapping[str, str], files: Files) -> Iterator[Placed]:
    """The statements with their stanzas, each with the file and the line that say it."""
    around: list[tuple[int, str, str, int]] = []
    for (path, below, text), (_, _, after) in pairwise((*rows, ((), 0, ""))):
        depth, statement = _depth(text), text.strip()
        file = givers.get(str(path[0]), "") if path else ""
        line = _line(file, path, files) + below
        around = [one for one in around if one[0] < depth]
        above = tuple((header, at if where == file else line) for _, header, where, at in around)
        if _depth(after) > depth:
            around.append((depth, statement, file, line))
        elif file:
            yield file, (above, statement, line)


def _depth(text: str) -> int:
    return len(text) - len(text.lstrip())


def _line(file: str, path: Path, files: Files) -> int:
    found = files.documents(file) if file else ()
    return found[0].nearest_line_of(path) if found else 1
