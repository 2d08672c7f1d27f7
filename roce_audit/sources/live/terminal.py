"""The command line of a switch over SSH, through netmiko: nothing but the platform's own read-only commands is ever typed.

The only importer of netmiko. Its device types log in, switch paging off and find the prompt; the answers are read here,
because an answer that merely holds the prompt must not end early, and one that is cut must not look whole.
"""

from __future__ import annotations

import re
import time
from typing import Any

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.platforms.record import Platform
from roce_audit.sources.live.ssh import Limits
from roce_audit.sources.live.targets import Target
from roce_audit.sources.reading import (
    MAX_ANSWER_BYTES,
    Answer,
    Ended,
    Reading,
    judged,
    refusal,
    said,
)

_ENCODING = "latin-1"
"""Every byte is a character and comes back as the same byte; what it means is decided when the file is read."""
_MORE = lazy(r"(?:\A|(?<=[\r\n\x08]))[ \t]*(?:<?-{2,4} ?\(?more\b[^\n]{0,60}|lines \d+-\d+[^\n]{0,40})\s*\Z", re.I)
_ERASED = lazy(r"\A(?:[\r\n\x08]+ +[\r\n\x08]+|[\r\n\x08]+)")
"""How a pager wipes out its own line, once netmiko has made newlines of carriage returns."""
_STEP = 0.02
_PLAIN = r"(?: [^;&`$<>\x00-\x1f]*)?"
"""Behind the first words of a command: nothing that could begin another one or write a file."""
_LATE_SECONDS = 1.0
"""How long the echo of a command is waited for once prompts have come that belong to what was typed before."""
_TAIL = 2_000
_LONGEST_PAGER = 160


def permitted(command: str, platform: Platform) -> str:
    """The command, where the platform names it and it only reads. Raises ValueError for any other: it is never sent."""
    reads = platform.live is not None and re.fullmatch(f"(?:{platform.live.reads}){_PLAIN}", command) is not None
    if command not in platform.commands or not reads:
        raise ValueError(f"{command!r} is no read-only command of this platform: it is not sent")
    return command


def read(client: Any, target: Target, enable_password: str | None, limits: Limits) -> Reading:
    """Ask a switch everything that its platform asks for, over a connection that is logged in. Raises Ended before the first answer."""
    session = _Session(client, target, enable_password, limits)
    try:
        return _ask_all(session, target)
    finally:
        session.close()


def _ask_all(session: _Session, target: Target) -> Reading:
    answers: list[Answer] = []
    main, platform = target.live.configuration, platforms.platform(target.platform)
    try:
        for command in target.commands:
            answers.append(Answer(command, session.ask(permitted(command, platform))))
        first = next((a for a in answers if a.command == main), None)
        again = None
        if first is not None and not refusal(first):
            again = Answer(main, session.ask(permitted(main, platform)))
    except Ended as error:
        if session.partial:
            answers.append(Answer(session.asked, session.partial, truncated=True))
        return Reading(error.outcome, error.reason, tuple(answers))
    return judged(target.live, tuple(answers), again)


class _Opened:
    """A client that netmiko finds connected already: jumps, host keys and logins are those of `ssh`, for switches as for hosts."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def connect(self, **settings: Any) -> None:
        """Nothing is left to do."""

    def invoke_shell(self, **settings: Any) -> Any:
        """The interactive session."""
        return self._client.invoke_shell(**settings)

    def close(self) -> None:
        """The connection is closed by who opened it."""


class _Session:
    """An interactive session with its prompt. `asked` and `partial` tell what an answer that ended early consisted of."""

    def __init__(self, client: Any, target: Target, enable_password: str | None, limits: Limits) -> None:
        self.asked = ""
        self.partial = b""
        self._heard = ""
        self._limits = limits
        try:
            self._connection = _connection(client, target, enable_password, limits)
        except Ended:
            raise
        except Exception as error:  # netmiko raises many kinds of its own, paramiko's and Python's
            raise _ended(error) from None
        self._channel = self._connection.remote_conn
        try:
            self._prompt = self._find_prompt(target, enable_password)
        except BaseException:
            self.close()
            raise
        escaped = re.escape(self._prompt)
        self._at_prompt = re.compile(rf"{escaped}[ \t]*\Z")
        above = rf"(?:[ \t]*(?:{target.live.above_prompt})?[ \t]*[\r\n])*"
        self._twice = re.compile(rf"(?:(?:\A|[\r\n]){above})?{escaped}[ \t]*[\r\n]{above}{escaped}[ \t]*\Z")
        self._late = re.compile(rf"(?:{above}{escaped}[ \t]*)+")

    def close(self) -> None:
        """Leave politely; the connection itself is closed by who opened it."""
        self._connection.disconnect()

    def ask(self, command: str) -> bytes:
        """The raw answer of a command, without its echo and the prompt. Raises Ended."""
        self.asked, self.partial, self._heard = command, b"", ""
        try:
            left = self._receive().strip()
            if left:
                raise Ended("truncated", "text came after the prompt of the answer before")
            self._write(command + self._connection.RETURN)
            text = self._first_answered()
            # an answer may hold the prompt: only where an empty line brings nothing but a second one it was the end
            self._write(self._connection.RETURN)
            text = self._until(self._twice, text)
        except Ended as error:
            self.partial = self._without_echo(self._heard, command).encode(_ENCODING, "replace")
            raise Ended(error.outcome, f"{command}: {error.reason}") from None
        found = self._twice.search(text[-_TAIL:])
        if found is not None:  # the newline before the prompt ends the last line
            ends = found.group()[:1] in ("\r", "\n")
            text = text[: len(text) - len(found.string) + found.start()] + ("\n" if ends else "")
        return self._without_echo(text, command).encode(_ENCODING)

    def _first_answered(self) -> str:
        """What comes until the prompt, without prompts of what was typed before: on a slow device they come only now."""
        text = self._until(self._at_prompt, "")
        while self._late.fullmatch(text) is not None:
            more, until = "", time.monotonic() + _LATE_SECONDS
            while not more and time.monotonic() < until:
                time.sleep(_STEP)
                more = self._receive()
            if not more:
                return text  # no echo, and no answer
            text = more if self._at_prompt.search(more) else self._until(self._at_prompt, more)
        return text

    def _find_prompt(self, target: Target, enable_password: str | None) -> str:
        connection = self._connection
        try:
            if target.enable and not connection.check_enable_mode():
                _enable(connection)
            prompt = str(connection.find_prompt(pattern=r"[>#$%\]]\s*$"))
        except Exception as error:
            raise _ended(error) from None
        if re.fullmatch(target.live.prompt, prompt) is None:
            raise Ended("refused", f"this is no prompt to ask at: {said(prompt.encode(_ENCODING))}")
        return prompt

    def _write(self, text: str) -> None:
        try:
            self._connection.write_channel(text)
        except Exception as error:
            raise _ended(error, "truncated") from None

    def _receive(self) -> str:
        try:
            return str(self._connection.read_channel())
        except Exception as error:
            raise _ended(error, "truncated") from None

    def _until(self, wanted: re.Pattern[str], text: str) -> str:
        """Read on until the text ends as wanted; what came instead is left in `_heard`."""
        pieces, tail, size = [text], text[-_TAIL:], len(text)
        paged = ""
        started = heard = time.monotonic()
        try:
            while True:
                ended = self._channel.closed or self._channel.eof_received
                new = self._receive()
                now = time.monotonic()
                if new:
                    heard = now
                    size += len(new)
                    if paged:  # the rest of the pager's line comes in as many pieces as it likes
                        paged += new
                        new = "" if not paged.strip() else _ERASED.sub("", paged[1:])
                        paged = "" if new else paged
                    pieces.append(new)
                    tail = (tail + new)[-_TAIL:]
                    more = _MORE.search(tail, max(0, len(tail) - _LONGEST_PAGER))
                    if more is not None:
                        self._write(" ")
                        whole = "".join(pieces)
                        pieces, tail, paged = [whole[: len(whole) - len(tail) + more.start()]], "", " "
                    elif tail.rstrip().endswith(self._prompt) and wanted.search(tail) is not None:
                        return "".join(pieces)
                self._or_stop(heard == now, ended, size, now - heard, now - started)
                if heard != now:
                    time.sleep(_STEP)
        except Ended:
            self._heard = "".join(pieces)
            raise

    def _or_stop(self, new: bool, ended: bool, size: int, silent: float, whole: float) -> None:
        if size > MAX_ANSWER_BYTES:
            raise Ended("truncated", f"the answer is larger than {MAX_ANSWER_BYTES:,} bytes")
        if ended and not new:
            raise Ended("truncated", f"the device ended the session after {size:,} bytes")
        if silent > self._limits.silent:
            raise Ended("timed out", f"silent for {self._limits.silent:g} s after {size:,} bytes, without a prompt")
        if whole > self._limits.answer:
            raise Ended("timed out", f"not done after {self._limits.answer:g} s and {size:,} bytes")

    def _without_echo(self, text: str, command: str) -> str:
        """The text behind the line that repeats the command; devices repaint that line, with backspaces or in pieces."""
        late = self._late.match(text)
        head, newline, rest = text[late.end() if late is not None else 0 :].partition("\n")
        plain = "".join(c for c in head if c.isprintable())
        return rest if newline and (command in plain or command.replace(" ", "") in plain.replace(" ", "")) else text


def _connection(client: Any, target: Target, enable_password: str | None, limits: Limits) -> Any:
    from netmiko import ConnectHandler

    connection: Any = ConnectHandler(
        device_type=target.live.device_type,
        host=target.address or target.name,
        secret=enable_password or "",
        encoding=_ENCODING,
        auto_connect=False,
        read_timeout_override=limits.silent,
        blocking_timeout=limits.silent,
    )
    connection._build_ssh_client = lambda: _Opened(client)
    connection._open()
    return connection


def _enable(connection: Any) -> None:
    """netmiko tells a refusal from silence by luck; neither is tried again, for it may lock the account."""
    try:
        connection.enable()
    except Exception as error:
        ended = _ended(error)
        if ended.outcome == "timed out":
            ended = Ended("refused", "enable led to no privileged prompt (is `enable:` its password?)")
        raise ended from None


def _ended(error: Exception, otherwise: str = "timed out") -> Ended:
    """netmiko's errors in our words: its own are whole paragraphs of advice."""
    name = type(error).__name__
    first = next((line.strip() for line in str(error).splitlines() if line.strip()), name)
    if isinstance(error, Ended):
        return error
    if "closed" in str(error).lower() or isinstance(error, EOFError | ConnectionError):
        return Ended("truncated" if otherwise == "truncated" else "unreachable", "the device ended the session")
    if name in ("ReadTimeout", "NetmikoTimeoutException") or "Unable to find prompt" in first:
        return Ended("timed out", "no prompt came that is one of this platform's")
    return Ended("timed out" if otherwise == "timed out" else "truncated", first[:200])
