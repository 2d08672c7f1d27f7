"""SSH connections, the same for switches and hosts: addresses, jumps, host keys, logins; and commands on an exec channel."""

from __future__ import annotations

import logging
import os
import random
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import paramiko

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.sources.live.credentials import Secrets
from roce_audit.sources.live.targets import Target
from roce_audit.sources.live.trust import HostKeyRefused, Policy, Trust, known_name
from roce_audit.sources.reading import MAX_ANSWER_BYTES, Ended

_HOP = lazy(r"(?:ssh://)?(?:(?P<user>[^@\s]+)@)?(?P<host>\[[0-9A-Fa-f:.]+\]|[^:\s]+)(?::(?P<port>[0-9]{1,5}))?/?")
_STEP = 0.2
_CHUNK = 65_536
for _noisy in ("paramiko", "netmiko"):
    # what goes wrong is an outcome with words; their own lines would run through the progress
    logging.getLogger(_noisy).addHandler(logging.NullHandler())
_JUMP_REST = 30.0
"""Seconds in which a jump host that failed is not tried again."""
_DROP_RESTS = (0.5, 1.0, 2.0, 4.0)
"""Seconds to wait, up to twice as long, before a server that dropped a connection unheard is tried again: sshd does so by chance while
many logins are under way (`MaxStartups`), and says nothing of it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds: to connect, that a device may be silent, and that one answer may take altogether."""

    connect: float = 15.0
    silent: float = 60.0
    answer: float = 600.0


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command on an exec channel gave. `status` is None where the device did not say how it ended."""

    out: bytes
    err: bytes
    status: int | None
    failure: Ended | None = None
    """Why there is no more of it."""


@dataclass(frozen=True, slots=True)
class _Login:
    host: str
    port: int
    user: str | None
    jump: str
    settings: Mapping[str, Any]


class _Dropped(Ended):
    """The server ended a connection before it said who it is."""


class Connector:
    """Opens connections for one run, and can break all of them at once."""

    def __init__(self, trust: Trust, secrets: Secrets, limits: Limits, config: str | None = "~/.ssh/config") -> None:
        """`config` is the path of OpenSSH's configuration; None: none is read. Raises OSError and ValueError for it."""
        self.trust = trust
        self.secrets = secrets
        self.limits = limits
        self._config = _config(config)
        self._open: set[paramiko.SSHClient] = set()
        self._jumps: dict[str, paramiko.SSHClient] = {}
        self._gates: dict[str, threading.Lock] = {}
        self._failed: dict[str, tuple[float, Ended]] = {}
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._dropped: dict[str, int] = {}

    @contextmanager
    def client(self, target: Target) -> Iterator[paramiko.SSHClient]:
        """A connection to a device, logged in. Raises Ended."""
        client = self._connect(self._login(target), target.name)
        try:
            yield client
        finally:
            self._forget(client)

    def drops(self, name: str) -> int:
        """How many connections to a device its server has dropped so far before the login began."""
        return self._dropped.get(name, 0)

    def close(self) -> None:
        """Break all connections; whoever reads from one sees it end."""
        with self._lock:
            self._stopped.set()
            clients = list(self._open)
        for client in clients:
            client.close()

    def _login(self, target: Target) -> _Login:
        found = self._config.lookup(target.address or target.name)
        settings: dict[str, Any] = {"passphrase": self.secrets.of(target.passphrase)}
        if target.password is not None and not target.key:
            # offering keys first would use up the tries that the device grants
            settings |= {"password": self.secrets.of(target.password), "allow_agent": False, "look_for_keys": False}
        elif target.key:
            settings |= {"key_filename": [os.path.expanduser(target.key)], "allow_agent": False, "look_for_keys": False}
        else:
            settings |= _keys(found)
        return _Login(
            found.get("hostname", target.address or target.name),
            target.port or int(found.get("port", 22)),
            target.user or found.get("user"),
            target.jump or _jump(found),
            settings,
        )

    def _connect(self, login: _Login, name: str) -> paramiko.SSHClient:
        """A connection, logged in; one that the server drops before the login is tried again. Raises Ended."""
        for rest in _DROP_RESTS:
            try:
                return self._connected(login)
            except _Dropped:
                self._dropped[name] = self._dropped.get(name, 0) + 1
                self._stopped.wait(rest * (1 + random.random()))  # not all of them at once
        try:
            return self._connected(login)
        except _Dropped as error:
            self._dropped[name] = self._dropped.get(name, 0) + 1
            raise Ended("unreachable", error.reason) from None

    def _connected(self, login: _Login) -> paramiko.SSHClient:
        client = paramiko.SSHClient()
        client.set_missing_host_key_policy(Policy(self.trust))
        with self._lock:
            if self._stopped.is_set():
                raise Ended("interrupted", "the run was broken off")
            self._open.add(client)
        kinds = self.trust.kinds(known_name(login.host, login.port))
        try:
            client.connect(
                login.host.lower(),
                login.port,
                login.user,
                sock=self._way(login),
                timeout=self.limits.connect,
                banner_timeout=self.limits.connect,
                auth_timeout=self.limits.connect * 2,
                channel_timeout=self.limits.connect,
                transport_factory=lambda sock, **more: _transport(sock, kinds, **more),
                **login.settings,
            )
        except BaseException as error:
            heard = _was_heard(client)
            self._forget(client)
            if self._stopped.is_set():
                raise Ended("interrupted", "the run was broken off") from None
            if isinstance(error, Exception):
                ended = _ended(error)
                raise ended if heard or not _is_drop(error) else _Dropped(ended.outcome, ended.reason) from None
            raise
        return client

    def _way(self, login: _Login) -> Any:
        """The channel through the last jump; None for a straight connection."""
        if not login.jump or login.jump == "none":
            return None
        jump = self._jump_client(login.jump)
        transport = jump.get_transport()
        try:
            if transport is None:
                raise paramiko.SSHException("the connection is gone")
            return transport.open_channel(
                "direct-tcpip", (login.host, login.port), ("127.0.0.1", 0), timeout=self.limits.connect
            )
        except (paramiko.SSHException, OSError, EOFError) as error:
            raise Ended("unreachable", f"through {login.jump}: {_word(error)}") from None

    def _jump_client(self, jump: str) -> paramiko.SSHClient:
        """One connection to a jump host serves all devices behind it; one that failed is not tried for each of them."""
        with self._lock:
            gate = self._gates.setdefault(jump, threading.Lock())
        with gate:
            client = self._jumps.get(jump)
            transport = None if client is None else client.get_transport()
            if client is not None and transport is not None and transport.is_active():
                return client
            when, failure = self._failed.get(jump, (0.0, None))
            if failure is not None and time.monotonic() - when < _JUMP_REST:
                raise failure
            before, _, last = jump.rpartition(",")
            try:
                client = self._connect(self._hop(last.strip(), before), last.strip())
            except Ended as error:
                failure = Ended(error.outcome, f"jump host {last.strip()}: {error.reason}")
                self._failed[jump] = (time.monotonic(), failure)
                raise failure from None
            self._jumps[jump] = client
            return client

    def _hop(self, text: str, before: str) -> _Login:
        hop = _HOP.fullmatch(text)
        if hop is None:
            raise Ended("unreachable", "write [user@]host[:port]")
        name = hop["host"].strip("[]")
        found = self._config.lookup(name)
        port = int(hop["port"] or found.get("port", 22))
        return _Login(
            found.get("hostname", name), port, hop["user"] or found.get("user"), before or _jump(found), _keys(found)
        )

    def _forget(self, client: paramiko.SSHClient) -> None:
        with self._lock:
            self._open.discard(client)
        client.close()


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
        failure = Ended("truncated" if out else "unreachable", f"the connection ended: {_word(error)}")
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


def _was_heard(client: paramiko.SSHClient) -> bool:
    """Whether the other side said its version."""
    transport = client.get_transport()
    return transport is not None and bool(transport.remote_version)


def _is_drop(error: BaseException) -> bool:
    """Whether the other side ended the connection, and did not merely say nothing."""
    if isinstance(error, paramiko.SSHException):
        error = error.__context__ or error
    return isinstance(error, ConnectionResetError | EOFError)


def _transport(sock: Any, kinds: tuple[str, ...], **more: Any) -> paramiko.Transport:
    """A transport that asks the host for a key of a kind that is known of it."""
    transport = paramiko.Transport(sock, **more)
    options = transport.get_security_options()
    wanted = [name for kind in kinds for name in (("rsa-sha2-512", "rsa-sha2-256") if kind == "ssh-rsa" else (kind,))]
    first = [name for name in wanted if name in options.key_types]
    options.key_types = (*first, *(name for name in options.key_types if name not in first))
    return transport


def _config(path: str | None) -> paramiko.SSHConfig:
    if path is None or (path == "~/.ssh/config" and not os.path.exists(os.path.expanduser(path))):
        return paramiko.SSHConfig()
    try:
        return paramiko.SSHConfig.from_path(os.path.expanduser(path))
    except (paramiko.ConfigParseError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: {error}") from None


def _keys(found: Mapping[str, Any]) -> dict[str, Any]:
    """Which keys OpenSSH's configuration offers to a host."""
    files = [name for name in map(os.path.expanduser, found.get("identityfile", ())) if os.path.exists(name)]
    only = str(found.get("identitiesonly", "no")).lower() == "yes"
    return {"key_filename": files or None, "allow_agent": not (only and files), "look_for_keys": not files}


def _jump(found: Mapping[str, Any]) -> str:
    if str(found.get("proxycommand", "none")).lower() != "none":
        raise Ended("unreachable", "ProxyCommand is not run; write ProxyJump")
    jump = str(found.get("proxyjump", ""))
    return "" if jump.lower() == "none" else jump


def _ended(error: Exception) -> Ended:
    """A failed connection in our words and the other side's."""
    if isinstance(error, Ended):
        return error
    if isinstance(error, HostKeyRefused):
        return Ended("refused", str(error))
    if isinstance(error, paramiko.AuthenticationException):
        kinds = getattr(error, "allowed_types", None)
        return Ended(
            "refused", f"login refused: {_word(error)}" + (f" (accepted are {', '.join(kinds)})" if kinds else "")
        )
    if isinstance(error, TimeoutError):
        return Ended("unreachable", "no answer: the connection timed out")
    if isinstance(error, socket.gaierror):
        return Ended("unreachable", "no such host name")
    if isinstance(error, paramiko.SSHException | OSError | EOFError):
        return Ended("unreachable", _word(error))
    if isinstance(error, ValueError):  # a private key that cannot be read
        return Ended("refused", _word(error))
    raise error


def _word(error: Exception) -> str:
    inner = getattr(error, "errors", None)
    if isinstance(inner, dict) and inner:  # each address with its error
        error = next(iter(inner.values()))
    text = str(getattr(error, "strerror", None) or error) or "the other side closed the connection"
    return "".join(c if c.isprintable() else " " for c in text).strip()[:200]
