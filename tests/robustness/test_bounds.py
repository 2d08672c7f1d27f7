"""What a hostile file may cost: limits are held, and what they leave out is told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from roce_audit.cli.main import main
from roce_audit.platforms import bounds
from roce_audit.platforms.shared.cli import gathering
from roce_audit.readings.shards import ShardError, joined
from roce_audit.text.cachefiles import read_own, write_whole
from roce_audit.text.wholefile import read_plain, replace_file

_HEAD = "! device: leaf1 (DCS-7060DX5-64S, EOS-4.31.2F)\nhostname leaf1\n"
_PORT = "interface Ethernet{n}\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"


def _check(folder: Path, text: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    (folder / "leaf1.cfg").write_text(text)
    code = main(["check", "--no-cache", "-v", str(folder)])
    return code, capsys.readouterr().out


@pytest.mark.parametrize(("ports", "is_told"), [(4, False), (5, True)])
def test_ports_beyond_the_limit_are_not_read_and_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], ports: int, is_told: bool
) -> None:
    monkeypatch.setattr(gathering, "MOST_PORTS", 4)
    monkeypatch.setattr(bounds, "MOST_PORTS", 4)
    text = _HEAD + "".join(_PORT.format(n=n) for n in range(1, ports + 1)) + "end\n"
    code, out = _check(tmp_path, text, capsys)
    assert ("more than 4 ports" in " ".join(out.split())) is is_told
    assert ("[input/truncated]" in out) is is_told
    assert out.splitlines()[0].startswith("1 device, 4 RoCE ports")
    assert code == (4 if is_told else 0) or " error" in out


@pytest.mark.parametrize(("lines", "told"), [(3, 3), (8, 4)])
def test_unread_lines_beyond_the_limit_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lines: int, told: int
) -> None:
    monkeypatch.setattr(bounds, "MOST_UNREAD", 3)
    odd = "".join(f"priority-flow-contrl foo {n}\n" for n in range(lines))
    code, out = _check(tmp_path, _HEAD + odd + _PORT.format(n=1) + "end\n", capsys)
    assert code != 0
    assert f"{lines} lines unread" in out
    assert ("this line and 4 behind it" in " ".join(out.split())) is (lines == 8)
    assert f" {told} failed" in out


def test_nothing_is_waited_for_and_no_more_is_read_than_the_limit(tmp_path: Path) -> None:
    pipe, large, file = tmp_path / "pipe", tmp_path / "large", tmp_path / "file"
    os.mkfifo(pipe)
    with large.open("wb") as stream:
        stream.truncate(1 << 40)
    file.write_bytes(b"four")
    assert read_plain(file, 4) == b"four"
    with pytest.raises(OSError, match="too large: 4 bytes"):
        read_plain(file, 3)
    with pytest.raises(OSError, match="no plain file"):
        read_plain(pipe, 4)
    for odd in (pipe, large):
        with pytest.raises(ShardError):
            joined([odd])
        with pytest.raises(OSError, match=r"no plain file|too large"):
            read_own(odd)


def test_a_link_in_the_cache_leads_nowhere(tmp_path: Path) -> None:
    victim, cached = tmp_path / "victim", tmp_path / "cache" / "x"
    victim.write_bytes(b"precious")
    cached.parent.mkdir()
    cached.symlink_to(victim)
    with pytest.raises(OSError, match="symbolic links"):
        read_own(cached)
    write_whole(cached, b"new")
    assert victim.read_bytes() == b"precious"
    assert read_own(cached) == b"new"


def test_a_pipe_is_not_put_aside_for_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(PermissionError):
        replace_file(pipe, (b"text",))
    assert pipe.is_fifo()


def test_a_document_type_before_a_junos_answer_is_refused_aloud(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "j.xml").write_text(
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<rpc-reply><configuration><system>'
        "<host-name>&x;</host-name></system></configuration></rpc-reply>\n"
    )
    code = main(["check", "--no-cache", str(tmp_path)])
    assert code != 0
    assert "document type" in capsys.readouterr().out
