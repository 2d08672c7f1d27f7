"""What a platform adds to the reading of hosts: its tools, and for a family of NICs what they mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from roce_audit.platforms.shared.host.answers import Family, Tool
from roce_audit.platforms.shared.host.boot import FamilyFile, KernelFile, Program
from roce_audit.records import dataclass

if TYPE_CHECKING:
    from roce_audit.platforms.shared.host.repair import HostRepairs


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HostParts:
    """Readers of answers and files, and what follows from them."""

    tools: tuple[Tool, ...]
    """Readers of commands or of files."""
    families: tuple[Family, ...] = ()
    """The meaning that a family of NICs gives to what the tools say."""
    programs: tuple[Program, ...] = ()
    """Programs that scripts call to set NICs up."""
    kernel_files: tuple[KernelFile, ...] = ()
    """Files of the kernel that scripts write to."""
    files: tuple[FamilyFile, ...] = ()
    """Files that set the NICs of a family up."""
    counters: Mapping[str, str] = field(default_factory=dict)
    """Pattern of a counter's name -> its path in `model.counters.Counters`; `{n}` stands for the number in group `n`."""
    names_every_device: str = ""
    """Pattern of the commands whose answer names every RDMA device of a host."""
    changes: Callable[[], HostRepairs] | None = None
    """What a family of NICs adds to the changes that its host can make."""
