"""What files of netplan, systemd-networkd, NetworkManager and ifcfg set of interfaces, as calls of a setup that has no host.

That RDMA is to run over an interface is known by its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from roce_audit.platforms.linux.boot import files as bootfiles
from roce_audit.platforms.linux.boot.calls import PlacedCall
from roce_audit.platforms.linux.boot.files import BootFile, Reader, is_comment, stanzas
from roce_audit.platforms.linux.boot.stanzas import Stanza
from roce_audit.platforms.shared.host.answers import Answer

_FOR_ROCE = re.compile(r"(?<![a-z])(?:rail|roce|rdma|gpu)(?![a-z])", re.IGNORECASE)
"""Words of names of NICs by which people tell that RoCE runs over them."""
_AGAINST = re.compile(r"mgmt|management|bmc|oob|ipmi", re.IGNORECASE)


def is_for_roce(name: str) -> bool:
    """Whether RoCE runs over a NIC by the words of its name."""
    return _FOR_ROCE.search(name) is not None and _AGAINST.search(name) is None


@lru_cache(maxsize=4_096)
def reader(path: str) -> Reader | None:
    """Who reads the lines of a file that sets interfaces up; None of another file, and of tables that run commands (interfaces(5))."""
    return None if path.startswith("/etc/network/") else bootfiles.reader(path)


def of_files(answer: Answer, lines: Iterable[tuple[str, int, str]]) -> Iterator[PlacedCall]:
    """What is set by files that another file writes; `lines`: (path, number, text) of theirs."""
    files: dict[str, BootFile] = {}
    for path, number, text in lines:
        read = reader(path)
        if read is not None and text.strip() and not is_comment(text):
            read(answer, files.setdefault(path, BootFile()), path, number, text)
    for file in files.values():
        for key, stanza in stanzas(file).items():
            yield from calls(key, stanza)


def calls(key: str, stanza: Stanza) -> Iterator[PlacedCall]:
    """What a stanza sets; `key`: how the file calls it."""
    name = stanza.names or "every NIC that the file fits"
    for answer, number, statement in stanza.settings:
        yield PlacedCall(number, "net", name, statement, answer=answer)
    said = f"{key} {stanza.label} {stanza.names}"
    if stanza.settings and is_for_roce(said):
        answer, number, _ = stanza.settings[0]
        yield PlacedCall(number, "net", name, "rdma", answer=answer)
