"""Which host keys are trusted: OpenSSH's known_hosts files, never a key that changed or was revoked."""

from __future__ import annotations

import base64
import binascii
import hmac
import os
import threading
from collections import defaultdict
from collections.abc import Sequence
from fnmatch import fnmatchcase
from hashlib import sha1, sha256
from pathlib import Path

import paramiko

KNOWN_HOSTS = ("~/.ssh/known_hosts", "~/.ssh/known_hosts2", "/etc/ssh/ssh_known_hosts")


class HostKeyRefused(paramiko.SSHException):
    """The device's host key is not trusted; the connection ended before anything was sent."""


class Trust:
    """The known keys, and what is done with a key of a host that nobody knows."""

    def __init__(self, files: Sequence[str] = (), *, accept_new: bool = False) -> None:
        """`files` in place of the usual ones. New keys are written to the first, and only with `accept_new`."""
        self._files = [Path(os.path.expanduser(name)) for name in (files or KNOWN_HOSTS)]
        self._accept_new = accept_new
        self._lock = threading.Lock()
        self._exact: dict[str, list[tuple[str, bytes]]] = defaultdict(list)
        self._patterns: list[tuple[list[str], str, bytes]] = []
        self._hashed: list[tuple[bytes, bytes, str, bytes]] = []
        self._revoked: set[bytes] = set()
        self.accepted: list[str] = []
        """Words on the keys that were new and taken."""
        for file in self._files:
            self._read(file)

    def kinds(self, name: str) -> tuple[str, ...]:
        """The kinds of key that are known of a host: it is asked for one of these first."""
        return tuple(dict.fromkeys(kind for kind, _ in self._keys(name)))

    def meet(self, name: str, key: paramiko.PKey) -> None:
        """A host shows its key. Raises HostKeyRefused unless it is known, or new and may be taken."""
        shown = f"{key.get_name()} {fingerprint(key.asbytes())}"
        if key.asbytes() in self._revoked:
            raise HostKeyRefused(f"the host key {shown} is revoked")
        with self._lock:
            known = [blob for _, blob in self._keys(name)]
            if key.asbytes() in known:
                return
            if known:
                raise HostKeyRefused(f"the host key CHANGED: {shown} is none of those known for {name}")
            if not self._accept_new:
                raise HostKeyRefused(
                    f"the host key {shown} of {name} is not known; --accept-new takes and keeps new keys"
                )
            self._write(name, key)
            self._exact[name].append((key.get_name(), key.asbytes()))
            self.accepted.append(f"{name}: {shown}")

    def _keys(self, name: str) -> list[tuple[str, bytes]]:
        found = list(self._exact.get(name, ()))
        found += [(kind, blob) for patterns, kind, blob in self._patterns if _covers(patterns, name)]
        for salt, digest, kind, blob in self._hashed:
            if hmac.compare_digest(hmac.new(salt, name.encode(), sha1).digest(), digest):
                found.append((kind, blob))
        return [(kind, blob) for kind, blob in found if blob not in self._revoked]

    def _read(self, file: Path) -> None:
        try:
            text = file.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return
        for line in text.splitlines():
            words = line.split()
            marker = words.pop(0) if words and words[0].startswith("@") else ""
            if len(words) < 3 or words[0].startswith("#"):
                continue
            try:
                blob = base64.b64decode(words[2], validate=True)
            except (binascii.Error, ValueError):
                continue
            if marker == "@revoked":
                self._revoked.add(blob)
            elif not marker:  # keys of certificate authorities sign other keys; they are no host's own
                self._add(words[0], words[1], blob)

    def _add(self, names: str, kind: str, blob: bytes) -> None:
        if names.startswith("|1|"):
            try:
                salt, digest = (base64.b64decode(part) for part in names[3:].split("|"))
            except (binascii.Error, ValueError):
                return
            self._hashed.append((salt, digest, kind, blob))
            return
        listed = names.lower().split(",")
        if any(mark in names for mark in "*?!"):
            self._patterns.append((listed, kind, blob))
        else:
            for name in listed:
                self._exact[name].append((kind, blob))

    def _write(self, name: str, key: paramiko.PKey) -> None:
        file = self._files[0]
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(file, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(handle, "r+b") as stream:
            size = stream.seek(0, os.SEEK_END)
            if size:
                stream.seek(size - 1)
                start = b"" if stream.read(1) == b"\n" else b"\n"
            else:
                start = b""
            stream.write(start + f"{name} {key.get_name()} {key.get_base64()}\n".encode())


class Policy(paramiko.MissingHostKeyPolicy):
    """Asks the trust of the run about every key: a client that uses it holds none itself."""

    def __init__(self, trust: Trust) -> None:
        self._trust = trust

    def missing_host_key(self, client: paramiko.SSHClient, hostname: str, key: paramiko.PKey) -> None:
        self._trust.meet(hostname, key)


def known_name(host: str, port: int) -> str:
    """How known_hosts writes a host."""
    return host.lower() if port == 22 else f"[{host.lower()}]:{port}"


def fingerprint(blob: bytes) -> str:
    """The digest of a key as `ssh-keygen -l` shows it."""
    return "SHA256:" + base64.b64encode(sha256(blob).digest()).decode().rstrip("=")


def _covers(patterns: Sequence[str], name: str) -> bool:
    """As OpenSSH reads a list of patterns: one must cover the name, and none with `!` may."""
    if any(p.startswith("!") and fnmatchcase(name, p[1:]) for p in patterns):
        return False
    return any(not p.startswith("!") and fnmatchcase(name, p) for p in patterns)
