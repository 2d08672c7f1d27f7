"""Reports: one module a format in `formats/`, found by its name; each gets findings already sorted and redacted."""

from roce_audit.report.options import Options
from roce_audit.report.registry import UnknownFormat, formats, render, write

__all__ = ["Options", "UnknownFormat", "formats", "render", "write"]
