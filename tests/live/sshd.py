"""OpenSSH servers of our own on loopback, with keys and configuration in a folder of their own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path


class Sshd:
    """One server on a port of 127.0.0.1 that lets the user who runs it in by key.

    Logins have a home without files: bash reads ~/.bashrc for each command over SSH, and that of a developer takes its time.
    """

    def __init__(self, folder: Path, more: str = "") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.key = folder / "id_ed25519"
        for file in (self.key, folder / "host_key"):
            if not file.exists():
                subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(file)], check=True)
        shutil.copy(f"{self.key}.pub", folder / "authorized_keys")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        os.makedirs("/run/sshd", exist_ok=True)  # where OpenSSH's own unprivileged half lives
        (folder / "sshd_config").write_text(
            f"ListenAddress 127.0.0.1:{self.port}\nHostKey {folder}/host_key\nAuthorizedKeysFile {folder}/authorized_keys\n"
            f"PidFile {folder}/pid\nStrictModes no\nUsePAM no\nPermitRootLogin yes\nPasswordAuthentication no\n"
            f"MaxStartups 500\nMaxSessions 100\nLogLevel ERROR\nPrintMotd no\nSetEnv HOME={folder}\n{more}"
        )
        self._process = subprocess.Popen(
            ["/usr/sbin/sshd", "-D", "-e", "-f", str(folder / "sshd_config")], stderr=subprocess.PIPE
        )
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError("sshd did not start")

    @property
    def pid(self) -> int:
        """Of the server that listens."""
        return self._process.pid

    def known_hosts(self) -> str:
        """The line of a known_hosts file."""
        return f"[127.0.0.1]:{self.port} " + (self.folder / "host_key.pub").read_text()

    def close(self) -> None:
        """Stop listening."""
        self._process.terminate()
        self._process.wait()
