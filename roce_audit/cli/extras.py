"""What the base installation leaves out: `check` needs none of it; a verb that does says so before it begins."""

from __future__ import annotations

from importlib.util import find_spec

from roce_audit.cli.errors import UsageError

_PACKAGES = {
    "cluster": ("distributed",),
    "history": ("sqlalchemy", "alembic"),
    "live": ("netmiko", "paramiko"),
    "lsp": ("pygls",),
    "watch": ("watchfiles",),
}


def require(doing: str, *extras: str) -> None:
    """Raise UsageError in one line that names the extras of which a package is not installed."""
    missing = {extra: [name for name in _PACKAGES[extra] if find_spec(name) is None] for extra in extras}
    wanted = [extra for extra, names in missing.items() if names]
    if wanted:
        packages = ", ".join(name for names in missing.values() for name in names)
        raise UsageError(
            f"{doing} needs more than is installed ({packages}): pip install 'roce-audit[{','.join(wanted)}]'"
        )
