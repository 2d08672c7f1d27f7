"""Sections of a bundle that are cut out once: the same documents as when each line is looked at."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy
from roce_audit.sources.splitting import bundle, bundlesection

_BODIES = {
    "plain": "|one\n|two",
    "empty": "",
    "a blank line of the answer": "|\n|two",
    "standard error between": "|one\n!a warning\n|two",
    "standard error alone": "!Permission denied",
    "more bytes than characters": "|größe",
    "a mark of the answer's own": "|@@ E 0 7\n|@@ END",
    "a line that was lost its sign": "|one\ntwo",
    "a blank line that the host did not send": "|one\n\n|two",
}


def _text(body: str, length: int) -> str:
    section = f"@@ B some eth0 ethtool eth0\n{body}{chr(10) if body else ''}@@ E 0 {length}\n"
    return f"@@ ROCE-AUDIT-BUNDLE 2\n@@ M uid=0\n{section}@@ B two - hostname\n|gpu7\n@@ E 0 6\n@@ END 2\n"


def _line_by_line(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[bundle.Bundle, ...]:
    with monkeypatch.context() as patch:
        patch.setattr(bundle, "_whole_section", lambda *_: None)
        return bundle.split(text, "gpu7.txt")


@pytest.mark.parametrize("body", _BODIES.values(), ids=_BODIES)
@pytest.mark.parametrize("more", [0, 1])
def test_a_whole_section_is_what_its_lines_are(body: str, more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = _text(body, len(body.encode()) + 1 + more if body else more)
    assert bundle.split(text, "gpu7.txt") == _line_by_line(text, monkeypatch)


@pytest.mark.parametrize("cut", range(1, 90))
def test_a_bundle_that_ends_anywhere_is_what_its_lines_are(cut: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = _text("|one\n!two\n|three", 17)[:-cut]
    assert bundle.split(text, "gpu7.txt") == _line_by_line(text, monkeypatch)


def test_sections_that_are_alike_are_cut_once() -> None:
    piece = "some eth0 ethtool eth0\n|one\n@@ E 0 5"
    assert bundlesection.whole(piece) is bundlesection.whole("".join(piece))


def test_what_stands_in_a_hosts_files_makes_no_template_of_its_bundle(tmp_path: Path) -> None:
    script = "|/usr/local/bin/up:docker ps --format '{{ .Names }}'"
    (tmp_path / "gpu7.txt").write_text(
        "@@ ROCE-AUDIT-BUNDLE 2\n@@ M uid=0\n@@ B hostname - hostname\n|gpu7\n@@ E 0 6\n"
        f"@@ B sysfs eth0 files\n|/sys/class/net/eth0/mtu:9000\n{script}\n@@ E 0 {len(script) + 31}\n@@ END 2\n"
    )
    (device,) = check(Request((str(tmp_path),), Policy.empty())).devices
    assert device.name == "gpu7"
