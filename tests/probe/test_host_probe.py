"""The script of host-probe: what it gathers, that it only reads, and what a damaged bundle is worth."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from probe_host import NET, RDMA, SECRETS, SHELLS, basics, build, run, stubs

from roce_audit.audit import Request, check
from roce_audit.cli.main import main
from roce_audit.policy.values import Policy
from roce_audit.sources.live.probe import commands, is_plain, script
from roce_audit.sources.splitting import bundle

READS = [
    *("awk", "sort", "head", "true", "sleep", "env", "id", "date", "hostname", "uname", "grep", "systemd-detect-virt"),
    r"timeout(?: -k \d+)? \d+ (?P<inner>.+)",
    r"dash -s|busybox ash -s|bash --posix -s",
    r"systemctl is-(?:active|enabled) \S+",
    r"cat /\S+(?: /\S+)*",
    r"ls -l \S*/sys/bus/pci/devices",
    r"modinfo [a-z0-9_]+",
    r"ip -j (?:-d )?(?:link|addr|route|rule) show(?: table (?:main|all))?",
    r"rdma -j (?:link|dev|system|statistic) show",
    r"dcb -V|dcb -j -N [a-z]+ show dev \S+",
    r"ethtool(?: -[iaPS]|(?: -I)? --show-[a-z-]+)? \S+",
    r"ibv_devinfo(?: -v)?(?: -d \S+)?",
    r"ibdev2netdev(?: -v)?|show_gids(?: \S+)?|ibstat|lsmod",
    r"devlink -j (?:dev|port)(?: \S+)* show(?: \S+)*",
    r"lldpctl -f json0|lldptool -t (?:-n )?-i \S+(?: -V [A-Z-]+)?",
    r"mlnx_qos -i \S+(?: -a)?",
    r"m(?:lx|st)config -d \S+ -e q(?:uery)?",
    r"mlxlink -d \S+(?: -m)?|mlxreg -d \S+ --reg_name \S+ --get",
    r"(?:nicctl|niccli|bnxt\w*) (?:\S+ )*(?:show|--show|get\w*|--list\w*|--listdev|list\w*)(?: \S+)*",
]
"""Every command that may run, whole: all of them only read. `awk`, `sort` and so on are judged by what they open."""
NEVER = re.compile(r"\b(?:set|add|del|replace|write|apply|start|load|reset|mkdir)\b|lspci|\bmst (?!config)|-vv|>")
CHANGES = re.compile(
    r"\b(?:mkdir|mkdirat|rmdir|unlink|unlinkat|rename\w*|mount|link|linkat|symlink\w*|chmod|fchmod\w*|creat)\("
)
WRITES = re.compile(
    r"open(?:at)?\((?:AT_FDCWD, )?\"(?P<path>[^\"]*)\", (?P<how>[A-Z_|]*(?:O_WRONLY|O_RDWR|O_CREAT|O_TRUNC)[A-Z_|]*)"
)
SHELL = [
    pytest.param(name, marks=pytest.mark.skipif(shutil.which(words[0]) is None, reason=f"no {words[0]}"))
    for name, words in SHELLS.items()
]


def only_reads(command: str) -> bool:
    """Whether the allow-list has this command; what a wrapper runs counts as well."""
    for pattern in READS:
        found = re.fullmatch(pattern if "\\" in pattern or "(" in pattern else rf"{pattern}(?: .*)?", command, re.S)
        if found is not None:
            inner = found.groupdict().get("inner")
            return inner is None or only_reads(inner)
    return False


def test_every_command_of_every_host_platform_only_reads() -> None:
    assert [c for c in commands() if not only_reads(c) or NEVER.search(c)] == []


@pytest.mark.parametrize(
    "wrong", ["ethtool -A ens1 rx on", "mlnx_qos -i ens1 --pfc 0,0,0,0,0,0,0,0", "mst start", "lspci -vv"]
)
def test_the_allow_list_knows_what_changes_a_setting(wrong: str) -> None:
    assert not only_reads(wrong)


@pytest.mark.parametrize("wrong", ["a; b", "a | b", "a $(b)", "a `b`", "a > b", "Get-NetAdapter x", "a 'b'"])
def test_a_command_with_more_than_plain_words_is_no_part_of_the_script(wrong: str) -> None:
    assert not is_plain(wrong)


def test_the_verb_prints_the_script_with_its_budget(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["host-probe", "--budget", "17"]) == 0
    assert capsys.readouterr().out == script(17)
    assert "${ROCE_BUDGET:-17}" in script(17)
    assert main(["host-probe", "--budget", "0"]) == 2


def test_the_verb_writes_a_file(tmp_path: Path) -> None:
    assert main(["host-probe", "-o", str(tmp_path / "p.sh")]) == 0
    assert (tmp_path / "p.sh").read_text(encoding="utf-8") == script()


@pytest.mark.probe
@pytest.mark.parametrize("shell", SHELL)
def test_all_tools_answer(shell: str, tmp_path: Path) -> None:
    tools = stubs(tmp_path / "bin")
    text, found = run(shell, build(tmp_path / "host"), f"{tools}:{os.environ['PATH']}")
    assert found.problems == ()
    answers = {d.command: d for d in found.documents if d.command not in ("sysfs", "boot-places", "services")}
    for command in (
        "mlnx_qos -i ens1f0np0 -a",
        "mlxconfig -d 0000:18:00.0 -e query",
        "ibv_devinfo -d mlx5_0",
        "ethtool ens1f0np0",
    ):
        program, _, rest = command.partition(" ")
        assert answers[command].text.rstrip("\n") == f"answer of {tools}/{program} {rest}"
        assert not answers[command].truncated
    files = [line for d in found.documents if d.command == "sysfs" for line in d.text.split("\n")]
    for line in (
        f"/{NET}/mtu:9000",
        f"/{RDMA}/tc/1/traffic_class:",
        "/sys/bus/pci/devices/0000:19:00.0/class:0x030200",
        "/etc/netplan/50-rails.yaml:      mtu: 9000",
        "/etc/systemd/system/roce.service:ExecStart=/opt/site/roce.sh",
        "/opt/site/roce.sh:mlnx_qos -i ens1f0np0 --pfc 0,0,0,1,0,0,0,0",
        "/usr/libexec/site/trust:mlnx_qos -i ens1f0np0 --trust dscp",
        "/etc/nccl.conf:NCCL_IB_TC=106",
        '/etc/NetworkManager/dispatcher.d/50-roce:if [ "$2" = up ]; then',
        "/etc/NetworkManager/dispatcher.d/50-roce:fi",
        "/etc/default/roce:PFC=0,0,0,1,0,0,0,0",
        "!/etc/rc.local:the rest is left out",
        "/etc/modprobe.d/site.conf:options irdma roce_ena=1",
        "/etc/bnxt_re/bnxt_re.conf:ROCE_PRI=3",
        "/etc/environment:NCCL_IB_GID_INDEX=3",
    ):
        assert line in files
    assert not any(line.startswith(("/etc/default/other", "/usr/local/bin/other")) for line in files)
    assert not any("options snd" in line for line in files)
    assert len([line for line in files if line.startswith("/etc/rc.local:")]) < 6_000
    assert "ens1f0v0" not in text
    assert not any(line.startswith("/etc/environment:PATH") for line in files)
    assert [secret for secret in SECRETS if secret in text] == []


@pytest.mark.probe
@pytest.mark.parametrize("shell", SHELL)
def test_a_host_without_tools_is_said_so_command_by_command(shell: str, tmp_path: Path) -> None:
    _, found = run(shell, build(tmp_path / "host"), str(basics(tmp_path / "bin")))
    assert found.problems == ()
    status = {d.command: d.exit_status for d in found.documents}
    assert status["mlnx_qos -i ens1f0np0 -a"] == 127
    assert status["mlxconfig -d 0000:18:00.0 -e query"] == 127
    assert status["rdma-devices"] == 0


@pytest.mark.probe
@pytest.mark.skipif(shutil.which("busybox") is None, reason="no busybox")
def test_a_host_that_has_nothing_but_busybox(tmp_path: Path) -> None:
    tools = stubs(tmp_path / "bin", programs={"hostname": "echo gpu7"})
    root = build(tmp_path / "host")
    path = f"{tools}:{basics(tmp_path / 'basics', of='busybox')}"
    text, found = run("busybox", root, path)
    assert found.problems == ()
    usual, _ = run("busybox", root, f"{tools}:{os.environ['PATH']}")
    differs = re.compile(r"@@ [ME] |.* -> ")  # the date, and how `ls` fills its columns
    meant, same = ([line for line in t.split("\n") if not differs.match(line)] for t in (text, usual))
    assert sorted(meant) == sorted(same)


@pytest.mark.probe
@pytest.mark.parametrize("shell", SHELL)
@pytest.mark.parametrize("guard", ["timeout", "shell"])
def test_a_tool_that_hangs_is_stopped(shell: str, guard: str, tmp_path: Path) -> None:
    tools = stubs(tmp_path / "bin", programs={"mlnx_qos": "echo begun; exec sleep 60"})
    path = f"{tools}:{os.environ['PATH']}" if guard == "timeout" else f"{tools}:{basics(tmp_path / 'basics')}"
    _, found = run(shell, build(tmp_path / "host"), path, ROCE_TIMEOUT="1")
    (hung,) = [d for d in found.documents if d.command == "mlnx_qos -i ens1f0np0 -a"]
    assert hung.truncated
    assert hung.text.startswith("begun")
    assert found.problems == ()


@pytest.mark.probe
@pytest.mark.parametrize("shell", SHELL)
def test_no_time_left_is_an_incomplete_bundle(shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, found = run(shell, build(tmp_path / "host"), os.environ["PATH"], ROCE_BUDGET="0")
    assert [problem for _, problem in found.problems if "time for the whole run" in problem]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gpu7.txt").write_text(text, encoding="ascii")
    assert main(["check", "gpu7.txt"]) == 4


@pytest.mark.probe
@pytest.mark.parametrize("shell", SHELL)
def test_nothing_that_runs_can_change_a_setting(shell: str, tmp_path: Path) -> None:
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("no strace")
    log = tmp_path / "trace"
    tools = stubs(tmp_path / "bin", programs={"mlnx_qos": ":"})
    calls = "trace=execve,open,openat,creat,mkdir,mkdirat,rmdir,unlink,unlinkat,rename,renameat,renameat2,mount,link,linkat,symlink,chmod"
    before = (strace, "-f", "-qq", "-s", "20000", "-v", "-o", str(log), "-e", calls)
    _, found = run(shell, build(tmp_path / "host"), f"{tools}:{os.environ['PATH']}", before=before)
    assert found.problems == ()
    traced = log.read_text(encoding="utf-8", errors="replace")
    argvs = [re.findall(r'"((?:[^"\\]|\\.)*)"', m) for m in re.findall(r'execve\("[^"]*", \[(.*?)\], \[', traced)]
    commands_run = {" ".join([Path(argv[0]).name, *argv[1:]]) for argv in argvs}
    assert len(commands_run) > 30
    assert {c for c in commands_run if not only_reads(c)} == set()
    opened = {(m["path"], m["how"]) for m in WRITES.finditer(traced)}
    assert {path for path, _ in opened} <= {"/dev/null", "/dev/tty"}
    assert CHANGES.findall(traced) == []


@pytest.mark.probe
@pytest.mark.parametrize("shell", SHELL)
def test_this_machine_is_read_honestly(shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if Path("/sys/class/infiniband").is_dir() and any(Path("/sys/class/infiniband").iterdir()):
        pytest.skip("this machine has RDMA devices")
    text, _ = run(shell, None, os.environ["PATH"])
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here.txt").write_text(text, encoding="ascii")
    report = check(Request(paths=("here.txt",), policy=Policy.empty())).report
    assert report.coverage.devices == 1
    assert report.coverage.ports_roce["yes"] == 0
    assert [note for note in report.coverage.notes if note.endswith("no RDMA device, so no RoCE there")]
    assert [f.rule for f in report.counted() if f.severity in ("error", "warning")] == []
    assert main(["check", "here.txt"]) == 0


_WHOLE = """@@ ROCE-AUDIT-BUNDLE 2
@@ B dcb eth0 dcb -j -N pfc show dev eth0
|{"pfc_cap":8}
@@ E 0 15
@@ S mlnx_qos eth0 no-tool mlnx_qos -i eth0 -a
@@ END 2
"""


def test_a_whole_bundle_has_no_problem() -> None:
    (found,) = bundle.split(_WHOLE, "h.txt")
    assert found.problems == ()
    assert [(d.command, d.exit_status, d.truncated) for d in found.documents] == [
        ("dcb -j -N pfc show dev eth0", 0, False),
        ("mlnx_qos -i eth0 -a", 127, False),
    ]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("|{", "|{ ", "lines are missing or changed"),
        ('|{"pfc_cap":8}\n', "", "lines are missing or changed"),
        ("@@ S mlnx_qos eth0 no-tool mlnx_qos -i eth0 -a\n", "", "1 sections, the host sent 2"),
        ("@@ END 2\n", "", "no `@@ END`"),
        ("no-tool", "no-time", "before mlnx_qos -i eth0 -a"),
        ("@@ E 0 15\n", "", "has no end"),
    ],
)
def test_damage_is_noticed(old: str, new: str, said: str) -> None:
    (found,) = bundle.split(_WHOLE.replace(old, new), "h.txt")
    assert any(said in problem for _, problem in found.problems)


def test_an_incomplete_bundle_ends_with_exit_4_and_is_still_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    cut = _WHOLE.replace('|{"pfc_cap":8}', "|Pause parameters for eth0:\n|RX:\ton").replace(
        "dcb eth0 dcb -j -N pfc show dev", "ethtool eth0 ethtool -a"
    )
    (tmp_path / "gpu1.txt").write_text(cut.replace("@@ END 2\n", ""), encoding="ascii")
    assert main(["check", "gpu1.txt"]) == 4
    assert "input/truncated" in capsys.readouterr().out
    assert main(["show", "gpu1.txt"]) == 0
    assert "link_pause_rx" in capsys.readouterr().out
