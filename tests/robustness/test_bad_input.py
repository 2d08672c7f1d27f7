"""Bad input: each gives a finding or an error with the file's name; the other files are still judged; nothing raw is printed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

GOOD = """! Command: show running-config
! device: leaf1 (DCS-7060X6-64PE, EOS-4.33.1F)
hostname leaf1
qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
!
interface Ethernet1/1
   mtu 9214
   no switchport
   service-profile ROCE
!
end
"""


def run(folder: Path, *arguments: str, timeout: float = 300) -> subprocess.CompletedProcess[str]:
    """The program as a user runs it, with a limit on memory of 1 GiB."""
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30));"
        "from roce_audit.cli.main import main; sys.exit(main())"
    )
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=timeout,
        env={
            **os.environ,
            "XDG_CACHE_HOME": str(folder.parent / "cache"),
            "PYTHONPATH": str(Path(__file__).parents[2]),
        },
        check=False,
    )


def check(folder: Path) -> tuple[dict[str, object], str, int]:
    done = run(folder, "check", ".", "-f", "json=.report.json", "-f", "text")
    assert (folder / ".report.json").exists(), done.stderr
    return json.loads((folder / ".report.json").read_text()), done.stdout + done.stderr, done.returncode


def told_about(report: dict[str, object], name: str) -> bool:
    """Whether the report says anything of the file: as a finding, as unrecognised, or as unread."""
    return name in json.dumps([report["findings"], report["coverage"]])


BAD: dict[str, Callable[[Path], None]] = {
    "empty.cfg": lambda p: p.write_bytes(b""),
    "binary.cfg": lambda p: p.write_bytes(bytes(range(256)) * 64),
    "latin1.cfg": lambda p: p.write_bytes(
        GOOD.replace("leaf1", "leaf9").encode().replace(b"no switchport", b"description caf\xe9")
    ),
    "long_line.cfg": lambda p: p.write_text(GOOD.replace("leaf1", "leaf2") + "qos map dscp " + "1 " * 500_000 + "\n"),
    "deep.json": lambda p: p.write_text('{"PORT": ' + '{"a":' * 10_000 + "1" + "}" * 10_001),
    "bomb.yaml": lambda p: p.write_text(
        "a: &a [x,x,x,x,x,x,x,x,x]\n"
        + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(20))
    ),
    "truncated.json": lambda p: p.write_text(
        '{"DEVICE_METADATA": {"localhost": {"hostname": "s1"}},\n "PORT": {"Ethernet0": {"speed"'
    ),
    "duplicate.json": lambda p: p.write_text(
        '{"DEVICE_METADATA": {"localhost": {"hostname": "s2"}}, "PORT": {"Ethernet0": {"speed": "1", "speed": "2", "lanes": "1"}}}'
    ),
    "mixed_ends.cfg": lambda p: p.write_bytes(GOOD.replace("leaf1", "leaf3").replace("\n", "\r\n", 5).encode()),
    "escapes.cfg": lambda p: p.write_text(
        GOOD.replace("leaf1", "leaf4").replace(
            "mtu 9214", "description \x1b]0;owned\x07\x1b[2J\n --More-- \x08\x08\x08   mtu 9214x\x1b[31m"
        )
    ),
    "bom.cfg": lambda p: p.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("leaf1", "leaf5").encode()),
    "same_a.cfg": lambda p: p.write_text(GOOD.replace("leaf1", "twice")),
    "same_b.cfg": lambda p: p.write_text(GOOD.replace("leaf1", "twice").replace("9214", "1500")),
}
HARMLESS = {"bom.cfg", "mixed_ends.cfg", "latin1.cfg", "same_a.cfg"}


@pytest.mark.parametrize("name", sorted(BAD))
def test_bad_file_is_told_and_the_good_one_is_judged(name: str, tmp_path: Path) -> None:
    (tmp_path / "good.cfg").write_text(GOOD)
    BAD[name](tmp_path / name)
    report, printed, code = check(tmp_path)
    assert code in (0, 1, 4), printed
    assert any(member["id"].startswith("leaf1") for f in report["findings"] for member in f["members"]) or (
        report["checks"]["passed"] > 0  # type: ignore[index]
    )
    if name not in HARMLESS:
        assert told_about(report, name), printed
    assert not [c for c in printed if ord(c) < 32 and c != "\n"]
    assert "Traceback" not in printed


def test_all_of_them_at_once(tmp_path: Path) -> None:
    for name, write in BAD.items():
        write(tmp_path / name)
    (tmp_path / "good.cfg").write_text(GOOD)
    (tmp_path / "loop").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe.cfg")
    report, printed, code = check(tmp_path)
    assert code in (1, 4), printed
    assert report["coverage"]["devices"] >= 6  # type: ignore[index]
    assert "same-device-twice" in json.dumps(report["findings"])


def test_two_hundred_megabytes_are_refused_unread(tmp_path: Path) -> None:
    (tmp_path / "good.cfg").write_text(GOOD)
    with (tmp_path / "huge.cfg").open("wb") as file:
        file.truncate(200 * 1024 * 1024)
    report, printed, code = check(tmp_path)
    assert code in (0, 1, 4), printed
    assert told_about(report, "huge.cfg")


def test_truncated_capture_is_no_evidence_of_absence(tmp_path: Path) -> None:
    whole = GOOD.replace("   service-profile ROCE\n", "")
    (tmp_path / "cut.cfg").write_text(whole[: whole.index("end")])
    report, printed, _ = check(tmp_path)
    failing = [
        f["rule"] for f in report["findings"] if f["verdict"] == "fails" and f["topic"] not in ("input", "fabric")
    ]
    assert failing == [], printed


def test_nothing_recognised(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello\n")
    done = run(tmp_path, "check", ".")
    assert done.returncode == 3
    assert "notes.txt" in done.stdout + done.stderr


def test_standard_input(tmp_path: Path) -> None:
    code = "from roce_audit.cli.main import main; import sys; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, "check", "-", "-f", "json"],
        input=GOOD,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert json.loads(done.stdout)["coverage"]["devices"] == 1, done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_file(tmp_path: Path) -> None:
    (tmp_path / "good.cfg").write_text(GOOD)
    (tmp_path / "closed.cfg").write_text(GOOD)
    (tmp_path / "closed.cfg").chmod(0)
    report, printed, _ = check(tmp_path)
    assert told_about(report, "closed.cfg"), printed


@pytest.mark.parametrize(
    "condition",
    [
        "len(port.queues, key=1) > 0",
        "port.__class__ is None",
        "9 ** 9 ** 9 > 0",
        " + ".join(["1"] * 450) + " > 0",
        "'{0.__class__}'.format(port) == ''",
        "(lambda: 1)() > 0",
        "__import__('os').system('true') == 0",
        "port.ip_mtu_bytes > 10 ** 400",
    ],
)
def test_hostile_rule_is_refused_with_its_line(condition: str, tmp_path: Path) -> None:
    (tmp_path / "good.cfg").write_text(GOOD)
    (tmp_path / "roce-audit.yaml").write_text("rules_path: [ours]\n")
    (tmp_path / "ours" / "mtu").mkdir(parents=True)
    (tmp_path / "ours" / "mtu" / "odd.yaml").write_text(
        "title: Something is odd\nscope: port\nasks: present\n"
        f"require: {json.dumps(condition)}\n"
        "severity: warning\nmessage: odd\nwhy: a test\nsource: [{kind: definition, title: test}]\nconfidence: consensus\nowner: switch\n"
    )
    done = run(tmp_path, "check", "good.cfg")
    assert done.returncode == 2, done.stdout
    assert "odd.yaml:4" in done.stderr
    assert "Traceback" not in done.stderr


def test_unknown_policy_key_has_line_and_suggestion(tmp_path: Path) -> None:
    (tmp_path / "good.cfg").write_text(GOOD)
    (tmp_path / "roce-audit.yaml").write_text("profile: base\nfabrcs: {}\n")
    done = run(tmp_path, "check", "good.cfg")
    assert done.returncode == 2
    assert "roce-audit.yaml:2" in done.stderr
    assert "fabrics" in done.stderr
