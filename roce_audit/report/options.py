"""How a report is to be written."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from roce_audit.records import dataclass

if TYPE_CHECKING:
    from roce_audit.report.drawing import SiteDrawing


@dataclass(frozen=True, slots=True)
class Options:
    """`verbosity`: -1 findings and summary alone, 0 folds what is many, 1 shows all. `color` holds on terminals; `width` in characters.

    `strict`: what could not be judged is shown like a finding. `fail_on`: the mildest severity that fails the run.
    """

    verbosity: int = 0
    terminal: bool = False
    """Laid out for a terminal, where the format has such a layout."""
    color: bool = False
    width: int = 100
    strict: bool = False
    fail_on: str = "error"
    now: datetime | None = None
    """When the run ended, for formats that say so."""
    previous: str = ""
    """What the file held before, for formats that carry something over."""
    site: SiteDrawing | None = None
    """The fabric as drawn, for formats with pictures."""
