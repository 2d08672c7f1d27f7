"""Devices whose login is a shell: a host runs one script on one exec channel, a Linux switch each command on its own.

netmiko's types for Linux read a terminal: they lose an answer without a final newline, and one that holds the prompt's
character. An exec channel gives every byte, both outputs apart, and the exit status.
"""

from __future__ import annotations

from typing import Any

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.sources.live import probe
from roce_audit.sources.live.execchannel import Ran, run
from roce_audit.sources.live.ssh import Limits
from roce_audit.sources.live.targets import Target
from roce_audit.sources.live.terminal import permitted
from roce_audit.sources.reading import Answer, Ended, Reading, judged, refusal, said
from roce_audit.sources.splitting import bundle

PROBE = "bundle"
"""The name under which a host's bundle is kept: a file of this name is called after its folder."""
_BUDGET_SECONDS = 60
_PLAIN = lazy(r"[a-z][a-z0-9_.+-]{0,40}(?: [A-Za-z0-9_./:,=+@%-]{1,300}){0,40}")


def read(client: Any, target: Target, limits: Limits) -> Reading:
    """Read a device whose login is a shell. Raises Ended."""
    sudo = "sudo -n " if target.become == "sudo -n" else ""
    return _read_host(client, sudo, limits) if target.access == "probe" else _read_switch(client, target, sudo, limits)


def _read_host(client: Any, sudo: str, limits: Limits) -> Reading:
    ran = run(client, f"{sudo}sh -s", script().encode(), limits)
    if ran.failure is not None:
        kept = (Answer(PROBE, ran.out, truncated=True),) if bundle.is_bundle(ran.out.decode("latin-1")) else ()
        return Reading(ran.failure.outcome, _with_words(ran.failure.reason, ran), kept)
    text = ran.out.decode("latin-1")
    if not bundle.is_bundle(text):
        return Reading("refused", _with_words(f"{sudo}sh: exit status {ran.status}", ran))
    damage = next((found.damage for found in bundle.split(text, PROBE) if found.damage), "")
    if damage:
        reason = f"{damage} ({len(ran.out):,} bytes, exit status {ran.status})"
        reason = ": ".join(filter(None, (reason, said(ran.err))))
        return Reading("truncated", reason, (Answer(PROBE, ran.out, ran.status, truncated=True),))
    return Reading("collected", "", (Answer(PROBE, ran.out, ran.status),))


def _read_switch(client: Any, target: Target, sudo: str, limits: Limits) -> Reading:
    main, platform = target.live.configuration, platforms.platform(target.platform)
    answers: list[Answer] = []
    for command in target.commands:
        ran = run(client, sudo + _plain(permitted(command, platform)), b"", limits)
        if ran.failure is not None:
            kept = [*answers, Answer(command, ran.out, truncated=True)] if ran.out else answers
            return Reading(ran.failure.outcome, f"{command}: {ran.failure.reason}", tuple(kept))
        # what a failed command says stands on its standard error
        answers.append(Answer(command, ran.out if ran.status == 0 or ran.out.strip() else ran.err, ran.status))
    first = next((a for a in answers if a.command == main), None)
    again = None
    if first is not None and not refusal(first):
        ran = run(client, sudo + _plain(permitted(main, platform)), b"", limits)
        if ran.failure is not None:
            raise Ended(ran.failure.outcome, f"{main}: {ran.failure.reason}")
        again = Answer(main, ran.out, ran.status)
    return judged(target.live, tuple(answers), again)


def _plain(command: str) -> str:
    """The command, where a shell takes it for one program and its words. Raises ValueError."""
    if _PLAIN.fullmatch(command) is None:
        raise ValueError(f"{command!r} is more than one program with plain words: it is not sent")
    return command


def _with_words(reason: str, ran: Ran) -> str:
    words = said(ran.err or ran.out[:2_000])
    return f"{reason}: {words}" if words else reason


def script() -> str:
    """What a host runs: the script of `host-probe`."""
    return probe.script(_BUDGET_SECONDS)
