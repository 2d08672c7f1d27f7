"""Names that say nothing about which device it is: those that the factory wrote, and words for any device."""

from __future__ import annotations

from roce_audit import platforms

_FACTORY = frozenset(
    {
        "switch",
        "localhost",
        "localhost.localdomain",
        "router",
        "leaf",
        "spine",
        "tor",
        "host",
        "hostname",
        "device",
        "server",
        "node",
        "unknown",
        "default",
        "none",
        "(none)",
        "changeme",
        "template",
        "example",
    }
)
"""Names of any system that say nothing about which device it is, in lower case; each platform has its own besides."""


def is_factory(name: str) -> bool:
    """Whether a hostname is no identity."""
    plain = name.strip().lower()
    return plain in _FACTORY or any(plain in one.factory_names for one in platforms.every())
