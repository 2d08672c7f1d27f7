"""Reports: one module a format in `formats/`, found by its name; each gets findings already sorted and redacted."""

from roce_audit.report.options import Options
from roce_audit.report.registry import UnknownFormat, format_names, render, write

__all__ = ["Options", "UnknownFormat", "format_names", "render", "write"]
