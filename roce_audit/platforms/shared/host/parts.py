"""What a platform adds to the reading of hosts: its tools, and for a family of NICs what they mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from roce_audit.platforms.shared.host.answers import Family, Tool
from roce_audit.platforms.shared.host.boot import FamilyFile, KernelFile, Program
from roce_audit.records import dataclass
from roce_audit.text.document import Document

if TYPE_CHECKING:
    from roce_audit.model.counts import Count, Gauge
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
    counted: Callable[[Document], Iterable[Count]] | None = None
    """The counters in answers of its own tools; nothing for other documents."""
    gauges: Callable[[Document], Iterable[Gauge]] | None = None
    """Levels in answers that tell something by themselves; nothing for other documents."""
    log: Mapping[str, str] = field(default_factory=dict)
    """Pattern of a message of its driver in the kernel's log -> what is told; `{}` stands for its first group."""
    names_every_device: str = ""
    """Pattern of the commands whose answer names every RDMA device of a host."""
    changes: Callable[[], HostRepairs] | None = None
    """What a family of NICs adds to the changes that its host can make."""
