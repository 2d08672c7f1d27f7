"""Switches over their own command line: whole answers, whatever happens; and nothing is typed but read-only commands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from roce_audit import platforms
from roce_audit.sources.commands import command_of, file_name, typed
from roce_audit.sources.live.terminal import permitted
from roce_audit.text.decode import decode
from tests.live import samples
from tests.live.conftest import PATIENT, Collect, Start, target
from tests.live.fake_switch import Faults

CONFIGURES = ("conf", "system-view", "edit", "enter candidate", "nv set", "config ", "write", "copy", "set qos")
LEAVES = {"exit", "quit", "logout"}


@pytest.mark.parametrize("platform", samples.SPEAKING)
def test_what_is_typed_and_what_is_kept(platform: str, start: Start, gather: Collect, tmp_path: Path) -> None:
    fake = start(samples.device(platform))
    record = gather([target("leaf1", fake, platform)], [fake])["leaf1"]
    assert (record.outcome, record.reason) == ("collected", "")
    commands = platforms.platform(platform).commands
    allowed = {*commands, *samples.SESSION[platform], *LEAVES}
    heard = fake.device.typed
    assert set(heard) <= allowed
    assert set(commands) <= set(heard)
    assert not [line for line in heard if line.startswith(CONFIGURES)]
    assert fake.device.executed == []
    for command in commands:
        # prompts stand within this configuration, and as lines of it: none of them ended the reading
        assert (tmp_path / "snapshot/leaf1" / file_name(command)).read_bytes() == fake.device.answers[command]


LIVE = [one.name for one in platforms.every() if one.kind == "switch" and one.live]


@pytest.mark.parametrize("name", LIVE)
def test_file_names_say_their_command(name: str) -> None:
    assert platforms.platform(name).commands
    for command in platforms.platform(name).commands:
        assert command_of(file_name(command)) == typed(command), file_name(command)
        assert permitted(command, platforms.platform(name)) == command


@pytest.mark.parametrize("name", LIVE)
def test_every_switch_shows_its_configuration(name: str) -> None:
    assert samples.live(name).configuration in platforms.platform(name).commands


@pytest.mark.parametrize(
    "command",
    [
        "configure terminal",
        "show version; reload",
        "show version\nconfigure",
        "reload",
        "show x > flash:y",
        "show `x`",
        "",
    ],
)
def test_nothing_else_can_be_sent(command: str) -> None:
    with pytest.raises(ValueError, match="not sent"):
        permitted(command, platforms.platform("eos"))
    with pytest.raises(ValueError, match="not sent"):  # not even where a platform lists it by mistake
        permitted(command, replace(platforms.platform("eos"), commands=(command,)))


@pytest.mark.parametrize(
    ("faults", "outcome", "words", "files"),
    [
        (Faults(refuse_login=True), "refused", "login refused", 0),
        (Faults(refuse_connections=99), "unreachable", "", 0),
        (Faults(hang_at="show running-config"), "timed out", "show running-config: silent for 4 s", 2),
        (Faults(hang_at="terminal length 0"), "timed out", "no prompt", 0),
        (Faults(cut_at="show running-config", cut_after=1_000), "truncated", "ended the session", 2),
        (Faults(cut_at="show lldp neighbors detail", cut_after=5), "truncated", "ended the session", None),
        (Faults(changes=99), "changed", "another one at the end", None),
        (Faults(page_lines=20), "collected", "", None),
        (Faults(page_lines=100, page_seconds=0.3), "collected", "", None),
        (Faults(drip=500), "collected", "", None),
        (Faults(late_prompts=1), "collected", "", None),
        (Faults(late_prompts=1, late_seconds=0), "collected", "", None),
        (Faults(late_prompts=3), "collected", "", None),
        (Faults(banner="leaf1# is monitored!\nAuthorized use only > all is logged #\n"), "collected", "", None),
    ],
    ids=lambda v: None,
)
def test_faults(
    faults: Faults, outcome: str, words: str, files: int | None, start: Start, gather: Collect, tmp_path: Path
) -> None:
    fake = start(samples.device("eos", faults))
    good = start(samples.device("eos"))
    limits = replace(PATIENT, silent=4) if faults.hang_at else PATIENT
    records = gather([target("leaf1", fake), target("leaf2", good)], [fake, good], limits=limits)
    record = records["leaf1"]
    everything = len(fake.device.answers) if files is None else files
    assert (record.outcome, len(record.files)) == (outcome, everything), record.reason
    assert words in record.reason
    assert records["leaf2"].outcome == "collected", "the fleet goes on"
    whole = {"show_lldp_neighbors_detail.txt"} if outcome == "collected" else set()
    assert whole <= set(record.files)
    for name, file in record.files.items():
        data = (tmp_path / "snapshot/leaf1" / name).read_bytes()
        assert len(data) == file.bytes
        if not file.truncated and not faults.changes:
            # what a pager leaves is taken away when the file is read
            assert decode(data).text == fake.device.answers[file.command].decode()
    cut = [name for name, file in record.files.items() if file.truncated]
    assert bool(cut) == (everything > 0 and outcome in ("truncated", "timed out"))


def test_a_configuration_without_its_end_is_cut(start: Start, gather: Collect) -> None:
    device = samples.device("eos")
    device.answers = {**device.answers, "show running-config": b"! device: leaf1\nhostname leaf1\n"}
    fake = start(device)
    record = gather([target("leaf1", fake)], [fake])["leaf1"]
    assert record.outcome == "truncated"
    assert "has no `end`" in record.reason
    assert record.files["show_running-config.txt"].truncated


def test_refused_commands_keep_the_devices_words(start: Start, gather: Collect) -> None:
    device = samples.device("eos")
    device.answers = {c: a for c, a in device.answers.items() if c != "show qos maps"}
    some = start(device)
    device = samples.device("eos")
    device.answers = {}
    device.unknown = b"% Invalid input (privileged mode required)"
    nothing = start(device)
    records = gather([target("leaf1", some), target("leaf2", nothing)], [some, nothing])
    assert records["leaf1"].outcome == "collected"
    assert records["leaf1"].files["show_qos_maps.txt"].refused.startswith("% Invalid input")
    assert records["leaf2"].outcome == "refused"
    assert "privileged mode required" in records["leaf2"].reason


def test_bytes_that_are_no_utf8_are_kept(start: Start, gather: Collect, tmp_path: Path) -> None:
    device = samples.device("nxos")
    config = b"hostname leaf1\ninterface Ethernet1/1\n  description caf\xe9 \xff\xfe\n"
    device.answers = {**device.answers, "show running-config": config}
    fake = start(device)
    assert gather([target("leaf1", fake, "nxos")], [fake])["leaf1"].outcome == "collected"
    assert (tmp_path / "snapshot/leaf1/show_running-config.txt").read_bytes() == config


def test_a_prompt_that_is_none_is_refused(start: Start, gather: Collect) -> None:
    for prompt, outcome, silent in (("leaf1(config)#", "refused", PATIENT.silent), ("press any key", "timed out", 1)):
        device = samples.device("nxos")
        device.prompt = prompt
        fake = start(device)
        name = prompt.partition("(")[0].replace(" ", "-")
        record = gather([target(name, fake, "nxos")], [fake], resume=True, limits=replace(PATIENT, silent=silent))[name]
        assert record.outcome == outcome, record.reason
        assert not [line for line in fake.device.typed if line.startswith(CONFIGURES)]


def test_what_fails_is_tried_again_but_logins_are_not(start: Start, gather: Collect) -> None:
    late = start(samples.device("eos", Faults(refuse_connections=1)))
    cut = start(samples.device("eos", Faults(cut_at="show running-config", cut_after=10, cuts=1)))
    locked = start(samples.device("eos", Faults(refuse_login=True)))
    fakes = [late, cut, locked]
    records = gather([target(f"leaf{n}", fake) for n, fake in enumerate(fakes)], fakes, retries=2)
    assert [records[f"leaf{n}"].outcome for n in range(3)] == ["collected", "collected", "refused"]
    assert [records[f"leaf{n}"].attempts for n in range(3)] == [1, 2, 1]
    assert records["leaf0"].reason == "connections that were dropped before the login: 1"
    assert locked.device.connections == 1, "tries lock accounts"
