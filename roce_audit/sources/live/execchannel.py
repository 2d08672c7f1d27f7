"""One command on an exec channel of a connection: every byte of what it prints, and how it ended."""

from __future__ import annotations

import time

import paramiko

from roce_audit.records import dataclass
from roce_audit.sources.live.ssh import Limits, word
from roce_audit.sources.reading import MAX_ANSWER_BYTES, Ended

_STEP = 0.2
_CHUNK = 65_536


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command on an exec channel gave. `status` is None where the device did not say how it ended."""

    out: bytes
    err: bytes
    status: int | None
    failure: Ended | None = None
    """Why there is no more of it."""


def run(client: paramiko.SSHClient, command: str, given: bytes, limits: Limits) -> Ran:
    """One command on an exec channel, `given` on its standard input: every byte of both outputs, and the exit status."""
    transport = client.get_transport()
    out, err = bytearray(), bytearray()
    status = -1
    failure = None
    try:
        if transport is None:
            raise EOFError
        channel = transport.open_session(timeout=limits.connect)
        channel.settimeout(_STEP)
        _execute(channel, command)
        _read(channel, memoryview(given), out, err, limits)
        # the data end when the command closes its outputs, the status comes when it ends: seconds later on a busy host;
        # a channel that closes or breaks ends the wait too
        if not channel.status_event.wait(limits.silent):
            raise Ended("truncated", f"not told how the command ended after {len(out):,} bytes")
        status = channel.recv_exit_status()
    except Ended as error:
        failure = error
    except (paramiko.SSHException, OSError, EOFError) as error:
        failure = Ended("truncated" if out else "unreachable", f"the connection ended: {word(error)}")
    if status == -1 and failure is None:
        failure = Ended("truncated", f"the connection ended after {len(out):,} bytes")
    return Ran(bytes(out), bytes(err), None if status == -1 else status, failure)


def _execute(channel: paramiko.Channel, command: str) -> None:
    try:
        channel.exec_command(command)
    except paramiko.SSHException:
        transport = channel.get_transport()
        if transport is not None and transport.is_active():
            raise Ended("refused", "the device runs no commands on an exec channel") from None
        raise


def _read(channel: paramiko.Channel, given: memoryview, out: bytearray, err: bytearray, limits: Limits) -> None:
    started = heard = time.monotonic()
    said_all = False
    while True:
        left = len(given)
        given = _give(channel, given)
        if not given and not said_all:
            channel.shutdown_write()
            said_all = True
        data, ended = b"", False
        if said_all or channel.recv_ready() or len(given) == left:
            try:
                data = channel.recv(_CHUNK)
                ended = not data
            except TimeoutError:
                pass
        more = channel.recv_stderr(_CHUNK) if channel.recv_stderr_ready() else b""
        out += data
        err += more[: MAX_ANSWER_BYTES - len(err)]
        now = time.monotonic()
        heard = now if data or more or len(given) < left else heard
        if ended:
            break
        if len(out) > MAX_ANSWER_BYTES:
            raise Ended("truncated", f"the answer is larger than {MAX_ANSWER_BYTES:,} bytes")
        if now - heard > limits.silent:
            raise Ended("timed out", f"silent for {limits.silent:g} s after {len(out):,} bytes")
        if now - started > limits.answer:
            raise Ended("timed out", f"not done after {limits.answer:g} s and {len(out):,} bytes")
    while channel.recv_stderr_ready() and (more := channel.recv_stderr(_CHUNK)):
        err += more[: MAX_ANSWER_BYTES - len(err)]


def _give(channel: paramiko.Channel, given: memoryview) -> memoryview:
    """What is left to say; nothing where the other side has ended and does not listen: what it said is still to be read."""
    try:
        return given[channel.send(bytes(given[:_CHUNK])) :] if given else given
    except TimeoutError:
        return given
    except OSError:
        if channel.closed and channel.get_transport().is_active():
            return given[:0]
        raise
