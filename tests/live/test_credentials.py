"""Where secrets come from: the environment, a keyring, a prompt; and what is said where they are not to be had."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from roce_audit.sources.live.credentials import resolve
from roce_audit.sources.live.targets import InventoryError, Reference, Target
from roce_audit.values import Place


def wanting(text: str, name: str = "leaf1") -> Target:
    return Target(name, "eos", Place("inventory.yaml", 3), password=Reference(text))


class Keyring(ModuleType):
    """A keyring that holds one password."""

    def get_password(self, service: str, user: str) -> str | None:
        return "from-the-ring" if (service, user) == ("lab", "ops") else None


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    errors = ModuleType("keyring.errors")
    errors.KeyringError = RuntimeError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", Keyring("keyring"))
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)


def test_each_secret_is_fetched_once(keyring: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAF_PASSWORD", "from-the-environment")
    asked: list[str] = []
    texts = ("env:LEAF_PASSWORD", "keyring:lab/ops", "prompt", "prompt")
    found = resolve(map(wanting, texts), lambda words: asked.append(words) or "typed")
    assert [found.of(Reference(text)) for text in texts[:3]] == ["from-the-environment", "from-the-ring", "typed"]
    assert len(asked) == 1
    assert not [secret for secret in found.values() if secret in repr(found)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("env:NOBODY_SET_THIS", "the environment variable is not set"),
        ("keyring:lab/nobody", "the keyring holds nothing under this name"),
        ("prompt", "there is no terminal to ask at"),
    ],
)
def test_what_is_not_to_be_had_is_said_with_its_line(text: str, words: str, keyring: None) -> None:
    with pytest.raises(InventoryError) as caught:
        resolve([wanting(text), wanting(text, "leaf2")])
    assert [problem for problem in caught.value.problems if words in problem and "inventory.yaml:3" in problem]
    assert len(caught.value.problems) == 1


def test_without_the_package_of_keyrings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(InventoryError, match=r"pip install 'roce-audit\[keyring\]'"):
        resolve([wanting("keyring:lab/ops")])
