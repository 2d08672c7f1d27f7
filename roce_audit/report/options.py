"""How a report is to be written."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """`verbosity`: -1 findings and summary alone, 0 folds what is many, 1 shows all. `width` in characters.

    `strict`: what could not be judged is shown like a finding.
    """

    verbosity: int = 0
    color: bool = False
    width: int = 100
    strict: bool = False
