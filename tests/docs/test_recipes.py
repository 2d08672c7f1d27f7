"""The recipes for schedulers: what stands on the pages is read by the programs that it is for, and runs where they are."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from roce_audit.cli.arguments import parser
from roce_audit.cli.main import main
from roce_audit.report.deliver import outputs

ROOT = Path(__file__).parents[2]
LIVE, PROBE = ROOT / "docs/live.md", ROOT / "docs/host-probe.md"


def blocks(page: Path, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", page.read_text(encoding="utf-8"), re.S | re.M)


def named(kind: str) -> dict[str, str]:
    """Files on the page about live devices, by the name in the comment above each."""
    found: dict[str, str] = {}
    for block in blocks(LIVE, kind):
        parts = re.split(r"^# (\S*\.(?:service|timer|yml))\b[^\n]*\n", block, flags=re.M)
        found |= dict(zip(parts[1::2], parts[2::2], strict=True))
    return found


def yaml(text: str) -> Any:
    return YAML(typ="safe").load(text)


def shell(text: str) -> None:
    """What a shell thinks of it."""
    assert subprocess.run(["sh", "-n"], input=text, text=True, capture_output=True, check=False).stderr == ""


def command(line: str) -> None:
    """A call of the program in any of these files is one that it takes."""
    words = shlex.split(line.replace("\\%", "%").replace("$HISTORY_URL", "sqlite-file"))
    at = next(i for i, word in enumerate(words) if word.rpartition("/")[2] == "roce-audit")
    options = parser().parse_args(words[at + 1 :])
    assert options.verb == "audit"
    outputs([re.sub("=.*/", "=", name) for name in options.format])  # its folders are not here


@pytest.mark.parametrize("page", [LIVE, PROBE], ids=lambda page: page.name)
def test_shell_blocks_are_shell(page: Path) -> None:
    assert blocks(page, "sh")
    for block in blocks(page, "sh"):
        shell(block)


def test_the_units(tmp_path: Path) -> None:
    units = {Path(name).name: text for name, text in named("ini").items()}
    assert set(units) == {"roce-audit.service", "roce-audit.timer"}
    call = re.search(r"^ExecStart=((?:.*\\\n)*.*)$", units["roce-audit.service"], re.M)
    assert call is not None
    command(call[1].replace("\\\n", " "))
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd-analyze here")
    for name, text in units.items():
        (tmp_path / name).write_text(text.replace("/opt/roce-audit/bin/roce-audit", sys.executable))
    verified = ["systemd-analyze", "verify", *(str(tmp_path / name) for name in units)]
    done = subprocess.run(verified, capture_output=True, text=True, check=False)
    assert [line for line in done.stderr.splitlines() if str(tmp_path) in line] == []


def test_the_crontab() -> None:
    (line,) = "".join(blocks(LIVE, "crontab")).splitlines()
    *when, call = line.split(None, 5)
    assert len(when) == 5
    assert "%" not in call.replace("\\%", ""), "cron makes a newline of it"
    shell(call.replace("\\%", "%"))
    command(call[call.index("roce-audit audit") :])


def test_the_pipelines() -> None:
    found = {Path(name).name: yaml(text) for name, text in named("yaml").items()}
    assert set(found) == {".gitlab-ci.yml", "roce-audit-live.yml"}
    (job,) = found[".gitlab-ci.yml"].values()
    (action,) = found["roce-audit-live.yml"]["jobs"].values()
    calls = [*job["script"], *(step["run"] for step in action["steps"] if "run" in step)]
    audits = [call for call in calls if " audit " in call]
    assert len(audits) == 2
    for call in audits:
        command(call)


def test_the_manifest() -> None:
    (manifest,) = [text for text in map(yaml, blocks(PROBE, "yaml")) if "kind" in text]
    spec = manifest["spec"]
    assert spec["selector"]["matchLabels"] == spec["template"]["metadata"]["labels"]
    pod = spec["template"]["spec"]
    assert {m["name"] for c in pod["containers"] for m in c["volumeMounts"]} <= {v["name"] for v in pod["volumes"]}
    for container in pod["containers"]:
        interpreter, option, text = container["command"]
        assert (interpreter, option) == ("sh", "-c")
        shell(text)


def playbook() -> str:
    (text,) = [text for text in blocks(PROBE, "yaml") if "ansible.builtin" in text]
    return text


@pytest.mark.skipif(shutil.which("ansible-playbook") is None, reason="no Ansible here: pip install ansible-core")
def test_the_playbook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("play.yml").write_text(playbook())
    Path("hosts").mkdir()
    Path("inventory").write_text("[gpus]\ngpu1 ansible_connection=local ansible_become=false\n")
    assert main(["host-probe", "-o", "probe.sh"]) == 0
    for more in (["--syntax-check"], []):
        done = subprocess.run(
            ["ansible-playbook", "-i", "inventory", *more, "play.yml"], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout
    whole("hosts", capsys)


def whole(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What came is a bundle that holds all that the host sent."""
    capsys.readouterr()
    assert main(["check", folder, "-f", "concise", "--fail-on", "warning"]) == 0
    assert "no device recognised" not in capsys.readouterr().out


STUBS = {
    # as the real ones do: options go, what is left is run; pdsh's exec module fills in the host
    "srun": 'while case "$1" in -N) shift;; -*) ;; *) false;; esac; do shift; done\nexec "$@"\n',
    "pdsh": 'shift 4\nfor word; do shift; set -- "$@" "$(printf %s "$word" | sed s/%h/gpu1/)"; done\nexec "$@"\n',
    "ssh": 'shift\nexec sh -c "$1"\n',
    "sudo": 'shift\nexec "$@"\n',
}


@pytest.mark.probe
def test_slurm_and_pdsh_fill_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    programs = {**STUBS, "roce-audit": f'PYTHONPATH={ROOT} exec {sys.executable} -m roce_audit "$@"\n'}
    for name, text in programs.items():
        (tmp_path / "bin" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{text}")
        (tmp_path / "bin" / name).chmod(0o755)
    lines = [line for block in blocks(LIVE, "sh") for line in block.splitlines()]
    print_it = next(line for line in lines if line.startswith("roce-audit host-probe"))
    for start, folder in (("srun ", "shared/probe"), ("pdsh ", "probe")):
        Path(folder).mkdir(parents=True)
        line = next(line for line in lines if line.startswith(start)).replace("/shared", "shared")
        search = {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
        subprocess.run(["sh", "-ec", f"{print_it}\n{line}"], check=True, env=search)
        assert len(list(Path(folder).iterdir())) == 1
        whole(folder, capsys)
