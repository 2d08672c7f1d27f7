"""The command ends at once, and leaves nothing undone."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import atexit, threading, time
from roce_audit.cli import main
def verb():
    print("said", end=" ")
    threading.Thread(target=lambda: (time.sleep(0.2), print("thread"))).start()
    atexit.register(print, "at the end")
    {ends}
main.main = verb
main.program()
"""


def ended(how: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM.format(ends=how)], capture_output=True, text=True, timeout=60, check=False
    )


def test_threads_exit_functions_and_output_come_before_the_end() -> None:
    done = ended("return 4")
    assert (done.returncode, done.stdout.split("\n"), done.stderr) == (4, ["said thread", "at the end", ""], "")


def test_an_exception_is_told() -> None:
    done = ended("raise ValueError('on its way')")
    assert done.returncode == 1
    assert "ValueError: on its way" in done.stderr
    assert "at the end" in done.stdout
