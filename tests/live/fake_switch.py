"""A switch's command line behind a real SSH server on loopback, with faults; and a host whose exec channel runs a real shell."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import paramiko

USER, PASSWORD = "audit", "correct-horse-battery"


@dataclass
class Faults:
    """What goes wrong. Seconds and counts of bytes or connections."""

    refuse_login: bool = False
    refuse_connections: int = 0
    """So many connections are closed at once."""
    hang_at: str = ""
    """A command that is never answered."""
    cut_at: str = ""
    cut_after: int = 0
    """Of the answer to this command only so many bytes are sent; then the session ends."""
    cuts: int = 1_000
    page_lines: int = 0
    """Lines a page; whatever is said about paging is ignored."""
    page_seconds: float = 0.0
    drip: int = 0
    """The answer comes in pieces of so many bytes."""
    banner: str = ""
    late_prompts: int = 0
    """So many prompts of what was typed before come only once the first of `answers` was asked for, and so long before its echo."""
    late_seconds: float = 0.1
    changes: int = 0
    """So many configurations are another one at each asking."""
    exec_cut: bool = False
    """An exec channel ends without an exit status, in the middle of the answer."""


@dataclass
class Device:
    """What the fake is, and what it heard."""

    prompt: str = "leaf1#"
    answers: Mapping[str, bytes] = field(default_factory=dict)
    configuration: str = "show running-config"
    """The command of which `Faults.changes` speaks."""
    unknown: bytes = b"% Invalid input (at token 0: 'x')"
    session_answers: Mapping[str, bytes] = field(default_factory=dict)
    """What is said to words that prepare the session (`terminal length 0`)."""
    before_prompt: bytes = b""
    enable: str | None = None
    """The password that `enable` wants at a prompt with `>`; "" for none, None where there is no such word."""
    faults: Faults = field(default_factory=Faults)
    shell: bool = False
    """Exec channels run a real `sh`; else they are refused."""
    exec_answers: Mapping[str, tuple[int, bytes]] = field(default_factory=dict)
    typed: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    """What was typed without a newline."""
    executed: list[str] = field(default_factory=list)
    connections: int = 0
    asked: dict[str, int] = field(default_factory=dict)


class FakeDevice:
    """Serves one Device on a port of 127.0.0.1 until it is closed."""

    def __init__(self, device: Device, key: paramiko.PKey | None = None) -> None:
        self.device = device
        self.key = key or paramiko.ECDSAKey.generate()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self._transports: list[paramiko.Transport] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def known_hosts(self) -> str:
        """The line of a known_hosts file."""
        return f"[127.0.0.1]:{self.port} {self.key.get_name()} {self.key.get_base64()}\n"

    def close(self) -> None:
        """Stop listening and drop all sessions."""
        self._socket.close()
        for transport in self._transports:
            transport.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.device.connections += 1
            if self.device.connections <= self.device.faults.refuse_connections:
                connection.close()
                continue
            threading.Thread(target=self._one, args=(connection,), daemon=True).start()

    def _one(self, connection: socket.socket) -> None:
        transport = _Transport(connection)
        self._transports.append(transport)
        transport.add_server_key(self.key)
        try:
            transport.start_server(server=_Server(self.device, transport))
        except (paramiko.SSHException, EOFError, OSError):
            transport.close()


class _Transport(paramiko.Transport):
    """Does what a request asks for when the answer to the request has gone: an end that came before it would be a refusal."""

    then: threading.Thread | None = None

    def _send_user_message(self, data: paramiko.Message) -> None:
        super()._send_user_message(data)
        if self.then is not None and threading.current_thread() is self:  # it is this thread that answers requests
            ready, self.then = self.then, None
            ready.start()


class _Server(paramiko.ServerInterface):
    def __init__(self, device: Device, transport: _Transport) -> None:
        self._device = device
        self._transport = transport

    def get_allowed_auths(self, username: str) -> str:
        return "password"

    def check_auth_password(self, username: str, password: str) -> int:
        good = (username, password) == (USER, PASSWORD) and not self._device.faults.refuse_login
        return paramiko.AUTH_SUCCESSFUL if good else paramiko.AUTH_FAILED

    def check_channel_request(self, kind: str, chanid: int) -> int:
        return paramiko.OPEN_SUCCEEDED if kind == "session" else paramiko.OPEN_FAILED_ADMINISTRATIVELY_PROHIBITED

    def check_channel_pty_request(self, *arguments: Any) -> bool:
        return True

    def check_channel_shell_request(self, channel: paramiko.Channel) -> bool:
        return self._later(_Terminal(self._device, channel).run)

    def check_channel_exec_request(self, channel: paramiko.Channel, command: bytes) -> bool:
        device = self._device
        device.executed.append(command.decode())
        if not device.shell and not device.exec_answers:
            return False
        return self._later(lambda: _execute(device, channel, command.decode()))

    def _later(self, work: Callable[[], None]) -> bool:
        self._transport.then = threading.Thread(target=_guarded, args=(work,), daemon=True)
        return True


def _guarded(work: Callable[[], None]) -> None:
    with contextlib.suppress(OSError, EOFError, paramiko.SSHException):  # the other side has gone
        work()


def _execute(device: Device, channel: paramiko.Channel, command: str) -> None:
    if device.shell:
        given = b"".join(iter(lambda: channel.recv(65_536), b""))
        done = subprocess.run(["sh", "-c", command], input=given, capture_output=True, check=False)
        status, out = done.returncode, done.stdout
        channel.sendall_stderr(done.stderr)
    else:
        status, out = device.exec_answers.get(command, (127, b""))
        if status == 127:
            channel.sendall_stderr(f"sh: {command.split()[0]}: not found\n".encode())
        count = device.asked[command] = device.asked.get(command, 0) + 1
        if command == device.configuration and count <= device.faults.changes:
            out = f"vlan {count}\n".encode() + out
    if device.faults.hang_at and device.faults.hang_at in command:
        channel.sendall(out[:20])
        time.sleep(60)
    if device.faults.exec_cut:
        channel.sendall(out[: len(out) // 2])
        channel.close()
        return
    channel.sendall(out)
    channel.send_exit_status(status)
    channel.close()


class _Terminal:
    """Echoes, answers, prompts."""

    def __init__(self, device: Device, channel: paramiko.Channel) -> None:
        self._device = device
        self._channel = channel

    def run(self) -> None:
        device = self._device
        if device.faults.banner:
            self._say(device.faults.banner.encode())
        self._prompt()
        line = b""
        while data := self._channel.recv(4_096):
            if data.decode().strip() in device.answers and not device.asked.keys() & device.answers.keys():
                for _ in range(device.faults.late_prompts):
                    self._say(b"\n")
                    self._prompt()
                    time.sleep(device.faults.late_seconds)
            for byte in data:
                char = bytes([byte])
                if char in b"\r\n":
                    self._say(b"\n")
                    if not self._answer(line.decode().strip()):
                        return
                    line = b""
                else:
                    self._channel.sendall(char)
                    line += char

    def _answer(self, command: str) -> bool:
        device, faults = self._device, self._device.faults
        if command:
            device.typed.append(command)
        if command in ("exit", "quit", "logout"):
            self._channel.close()
            return False
        if command == "enable" and device.enable is not None:
            if not device.enable or self._asked_password() == device.enable:
                device.prompt = device.prompt.replace(">", "#")
            else:
                self._say(b"% Bad secrets\n")
            self._prompt()
            return True
        if faults.hang_at and command == faults.hang_at:
            self._say(b"Building")
            time.sleep(60)
        count = device.asked[command] = device.asked.get(command, 0) + 1
        body = device.session_answers.get(command)
        if body is None:
            body = device.answers.get(command, device.unknown if command else b"")
        if command == device.configuration and count <= faults.changes:
            body = f"vlan {count}\n".encode() + body
        if faults.cut_at and command == faults.cut_at and count <= faults.cuts:
            self._say(body[: faults.cut_after])
            self._channel.close()
            return False
        self._page(body)
        if body and not body.endswith(b"\n"):
            self._say(b"\n")
        self._prompt()
        return True

    def _asked_password(self) -> str:
        """What is typed behind `Password: `, which is not echoed."""
        self._say(b"Password: ")
        line = b""
        while (char := self._channel.recv(1)) not in (b"\r", b"\n", b""):
            line += char
        self._say(b"\n")
        return line.decode()

    def _page(self, body: bytes) -> None:
        faults = self._device.faults
        lines = body.split(b"\n")
        if not faults.page_lines or len(lines) <= faults.page_lines:
            self._send(body)
            return
        for start in range(0, len(lines), faults.page_lines):
            self._send(b"\n".join(lines[start : start + faults.page_lines]) + b"\n")
            if start + faults.page_lines < len(lines):
                time.sleep(faults.page_seconds)
                self._say(b"--More--")
                self._device.keys.append(self._channel.recv(1).decode())
                self._channel.sendall(b"\r        \r")

    def _send(self, body: bytes) -> None:
        step = self._device.faults.drip or max(1, len(body))
        for start in range(0, len(body), step):
            self._say(body[start : start + step])
            if self._device.faults.drip:
                time.sleep(0.01)

    def _prompt(self) -> None:
        self._say(self._device.before_prompt)
        self._channel.sendall(self._device.prompt.encode() + b" ")

    def _say(self, text: bytes) -> None:
        self._channel.sendall(text.replace(b"\n", b"\r\n"))
