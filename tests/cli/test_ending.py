"""The command ends at once, and leaves nothing undone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

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


CHECK = f"{sys.executable} -m roce_audit.cli.main"
FAULTY = Path(__file__).parents[2] / "fixtures" / "fabric-faulty"


def in_shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def test_a_reader_that_has_seen_enough_changes_neither_the_exit_code_nor_the_other_reports(tmp_path: Path) -> None:
    # the reader is gone before the first word
    done = in_shell(f"({{ sleep 0.3; {CHECK} check {FAULTY} -f text -f csv=x.csv; echo $? >code; }} | true)", tmp_path)
    assert done.stderr == ""
    assert (tmp_path / "code").read_text() == "1\n"
    assert "pfc/priority-off" in (tmp_path / "x.csv").read_text()


def test_an_answer_that_nobody_read_to_the_end_is_no_success(tmp_path: Path) -> None:
    done = in_shell(f"({{ sleep 0.3; {CHECK} rules; echo $? >code; }} | true)", tmp_path)
    assert done.stderr == ""
    assert (tmp_path / "code").read_text() == "141\n"


def test_a_closed_standard_output_is_no_fault(tmp_path: Path) -> None:
    done = in_shell(f"{CHECK} check {FAULTY} >&-", tmp_path)
    assert (done.returncode, done.stderr) == (1, "")


def test_a_closed_standard_error_is_no_fault_and_its_words_go_nowhere_else(tmp_path: Path) -> None:
    done = in_shell(f"{CHECK} check {FAULTY} -f concise 2>&-", tmp_path)
    assert done.returncode == 1
    assert "pfc/priority-off" in done.stdout
    done = in_shell(f"{CHECK} check nowhere 2>&-", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")


def test_a_closed_standard_input_is_an_empty_one(tmp_path: Path) -> None:
    done = in_shell(f"{CHECK} check - -f concise <&-", tmp_path)
    assert done.returncode == 3
    assert "internal" not in done.stdout + done.stderr


def test_an_interrupt_before_the_verb_begins_is_told_in_one_line() -> None:
    done = ended("raise KeyboardInterrupt")
    assert done.returncode == 130
    assert done.stderr == "roce-audit: interrupted\n"


def test_an_editor_that_leaves_sees_the_server_end_well() -> None:
    """The server's transport closes standard output: that is no fault."""
    words = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}},
        {"jsonrpc": "2.0", "method": "initialized", "params": {}},
        {"jsonrpc": "2.0", "id": 2, "method": "shutdown"},
        {"jsonrpc": "2.0", "method": "exit"},
    ]
    sent = b"".join(
        b"Content-Length: %d\r\n\r\n%s" % (len(one), one) for one in (json.dumps(w).encode() for w in words)
    )
    done = subprocess.run([*CHECK.split(), "lsp"], input=sent, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"Content-Length:") == 2
