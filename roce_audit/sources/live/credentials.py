"""From references to secrets: looked up once, before the first connection, and kept in memory alone."""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Callable, Iterable, Mapping

from roce_audit.sources.live.targets import InventoryError, Reference, Target


class Secrets:
    """The secrets of a run. Shows nothing of itself."""

    def __init__(self, found: Mapping[Reference, str]) -> None:
        self._found = dict(found)

    def __repr__(self) -> str:
        return f"Secrets({len(self._found)})"

    def of(self, reference: Reference | None) -> str | None:
        """The secret that a reference names; None for None."""
        return None if reference is None else self._found[reference]

    def values(self) -> tuple[str, ...]:
        """All of them, for masking what a device repeats."""
        return tuple(self._found.values())


def resolve(targets: Iterable[Target], ask: Callable[[str], str] = getpass.getpass) -> Secrets:
    """The secrets that the targets refer to. Raises InventoryError with a line for each that is not to be had."""
    wanted: dict[Reference, Target] = {}
    for target in targets:
        for one in (target.password, target.passphrase, target.enable_password):
            if one is not None:
                wanted.setdefault(one, target)
    found: dict[Reference, str] = {}
    problems: list[str] = []
    for one, target in wanted.items():
        try:
            found[one] = _secret(one, ask)
        except LookupError as error:
            problems.append(f"{target.place.path}:{target.place.line}: {error.args[0]}")
    if problems:
        raise InventoryError(tuple(problems))
    return Secrets(found)


def secret(reference: Reference) -> str:
    """One secret. Raises InventoryError where it is not to be had."""
    try:
        return _secret(reference, getpass.getpass)
    except LookupError as error:
        raise InventoryError((str(error.args[0]),)) from None


def _secret(reference: Reference, ask: Callable[[str], str]) -> str:
    if reference.env:
        value = os.environ.get(reference.env)
        if not value:
            raise LookupError(f"{reference.text}: the environment variable is not set")
        return value
    if reference.text == "prompt":
        if ask is getpass.getpass and not sys.stdin.isatty():
            raise LookupError("prompt: there is no terminal to ask at")
        return ask("Password for the devices: ")
    return _from_keyring(reference.text)


def _from_keyring(text: str) -> str:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        raise LookupError(f"{text}: needs the package keyring: pip install 'roce-audit[keyring]'") from None
    service, _, user = text.removeprefix("keyring:").partition("/")
    try:
        value = keyring.get_password(service, user)
    except KeyringError as error:
        raise LookupError(f"{text}: {error}") from None
    if not value:
        raise LookupError(f"{text}: the keyring holds nothing under this name")
    return str(value)
