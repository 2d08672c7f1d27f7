"""A host as NVIDIA's sysinfo-snapshot keeps it: a folder with answers under names of its own, some with those of many commands.

Source: sysinfo-snapshot.py of github.com/Mellanox/linux-sysinfo-snapshot (`add_txt_command_output` and the handlers it names).
"""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.patterns import lazy
from roce_audit.sources.commands import typed
from roce_audit.text.document import Document

FOLDER = "commands_txt_output"
"""The folder that each snapshot has."""
_READ = lazy(
    rf"{FOLDER}/[^/]+\.txt|ethtool_S/ethtool_S_(?P<port>[^/]+)|firmware/(?:mlx|mst)config_[^/]+|ecn/(?:config|debug)/[^/]+"
)
_INVOKED = "Invoked Command: "
_RULE = lazy(r"[_-]{8,}")
_FILE = lazy(r"(/(?:sys|proc)/\S{1,300}?) ?(?:= |:(?!\S)|=$)")
"""The path of a file of the kernel, and what stands between it and its value."""
_FILES = frozenset({"roce counters", "sys_class_net_ecn_ib"})
"""What sysinfo-snapshot calls the answers that show files of the kernel."""
_HOSTNAME = "hostname"
_END = "_" * 8
_PREAMBLE = 6
"""Lines of a text in which its first command stands."""


def is_read(inside: str) -> bool:
    """Whether a file of a snapshot, by its path below the snapshot, holds answers that hosts are read from."""
    return _READ.fullmatch(inside) is not None


def documents(inside: str, path: str, text: str) -> Iterator[Document]:
    """The answers that such a file holds."""
    from roce_audit.platforms.shared.host.tools import of_command  # the tools of all hosts: only where there are some

    port = _READ.fullmatch(inside)
    if port is not None and port["port"]:
        yield Document(path, text, f"ethtool -S {port['port']}")
        return
    if inside.startswith("ecn/"):
        yield Document(path, _as_files(text), "sysfs")
        return
    first, _, below = text.partition("\n")
    name = first.removeprefix(_INVOKED).strip()
    command = typed(name)
    if name in _FILES:
        yield Document(path, _as_files(below), "sysfs", 2)
    elif command == _HOSTNAME or of_command(command) is not None:
        yield Document(path, below, command, 2)
    else:
        yield from _sections(path, text)


def _as_files(text: str) -> str:
    """Lines like `/sys/class/net/ens1/ecn/roce_np/enable/3= 1` as `grep` prints them, each in its place."""
    return "\n".join(_FILE.sub(r"\1:", line, count=1) if line.startswith("/") else line for line in text.split("\n"))


def _sections(path: str, text: str) -> Iterator[Document]:
    """The answers of a text that has commands near its beginning and below rules, each above its answer."""
    from roce_audit.platforms.shared.host.tools import of_command

    lines = text.split("\n")
    begun: int | None = None
    may_begin = True
    for number, line in enumerate([*lines, _END]):
        if _RULE.fullmatch(line.strip()):
            if begun is not None:
                yield Document(path, "\n".join(lines[begun + 1 : number]), typed(lines[begun]), begun + 2)
            begun, may_begin = None, True
        elif may_begin and line.strip():
            begun = number if of_command(typed(line)) is not None else None
            # the first command stands below a word about the version of its tool
            may_begin = begun is None and number < _PREAMBLE
