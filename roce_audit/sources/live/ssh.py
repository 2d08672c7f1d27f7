"""SSH connections, the same for switches and hosts: addresses, jumps, host keys, logins."""

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
from roce_audit.sources.reading import Ended

_HOP = lazy(r"(?:ssh://)?(?:(?P<user>[^@\s]+)@)?(?P<host>\[[0-9A-Fa-f:.]+\]|[^:\s]+)(?::(?P<port>[0-9]{1,5}))?/?")
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
            raise Ended("unreachable", f"through {login.jump}: {word(error)}") from None

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
            "refused", f"login refused: {word(error)}" + (f" (accepted are {', '.join(kinds)})" if kinds else "")
        )
    if isinstance(error, TimeoutError):
        return Ended("unreachable", "no answer: the connection timed out")
    if isinstance(error, socket.gaierror):
        return Ended("unreachable", "no such host name")
    if isinstance(error, paramiko.SSHException | OSError | EOFError):
        return Ended("unreachable", word(error))
    if isinstance(error, ValueError):  # a private key that cannot be read
        return Ended("refused", word(error))
    raise error


def word(error: Exception) -> str:
    """What went wrong with a connection, as the other side or the system says it, on one line."""
    inner = getattr(error, "errors", None)
    if isinstance(inner, dict) and inner:  # each address with its error
        error = next(iter(inner.values()))
    text = str(getattr(error, "strerror", None) or error) or "the other side closed the connection"
    return "".join(c if c.isprintable() else " " for c in text).strip()[:200]
