"""What all families of NICs do alike: single answers are read as those of one host, and their tools are the documentation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING

from roce_audit.platforms.record import Parts
from roce_audit.platforms.shared.host.answers import Family, Tool
from roce_audit.platforms.shared.host.boot import FamilyFile, KernelFile, Program
from roce_audit.platforms.shared.host.parts import HostParts
from roce_audit.platforms.shared.host.reader import read_host
from roce_audit.text.document import Document

if TYPE_CHECKING:
    from roce_audit.model.counts import Count, Gauge
    from roce_audit.platforms.shared.host.repair import HostRepairs
    from roce_audit.platforms.statement_docs import Documentation


def nic_family(
    family: Family,
    tables: ModuleType,
    tools: tuple[Tool, ...],
    changes: Callable[[], HostRepairs],
    counters: Mapping[str, str],
    *,
    programs: tuple[Program, ...] = (),
    kernel_files: tuple[KernelFile, ...] = (),
    files: tuple[FamilyFile, ...] = (),
    names_every_device: str = "",
    counted: Callable[[Document], Iterable[Count]] | None = None,
    gauges: Callable[[Document], Iterable[Gauge]] | None = None,
    log: Mapping[str, str] | None = None,
) -> Parts:
    """The parts of a family; `tables` is the module with its documented defaults, the rest is as in `HostParts`."""

    def documentation() -> Documentation:
        from roce_audit.platforms.statement_docs import Documentation, defaults_in, of_tools

        return Documentation(tuple(of_tools(tools)), defaults_in(tables))

    return Parts(
        read=read_host,
        hostname=_nameless,
        documentation=documentation,
        host=HostParts(
            tools=tools,
            families=(family,),
            programs=programs,
            kernel_files=kernel_files,
            files=files,
            counters=counters,
            names_every_device=names_every_device,
            counted=counted,
            gauges=gauges,
            log=log or {},
            changes=changes,
        ),
    )


def _nameless(document: Document) -> str | None:
    """These tools do not print the name of their host."""
    return None
