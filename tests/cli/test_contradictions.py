"""Options that contradict each other, or say something to nobody, are refused; what was probably meant is said."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest

from roce_audit.cli.main import main

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ROOT / "fixtures/fabric-faulty", tmp_path / "net")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(words: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(words.split()) == 2
    said = capsys.readouterr()
    assert said.out == ""
    return said.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("check net -q -v", "-v/--verbose: not allowed with argument -q/--quiet"),
        ("show net --roce --effective", "not allowed with argument"),
        ("fix net --write --diff", "not allowed with argument"),
        ("fix net --diff -f json", "--diff is text"),
        ("check net --shard 1/2=part --watch", "cannot be used with --watch"),
        ("check net --shard 1/2=part -f json", "cannot be used with -f: -f goes with `merge`"),
        ("check net --shard 1/2=part --baseline net/topology.yaml", "--baseline goes with `merge`"),
        ("check net --shard 1/2=-", "say where to write it"),
        ("audit net --resume", "--resume goes with -i"),
        ("audit net --snapshots there", "--snapshots goes with -i"),
        ("audit net --webhook chat", "--webhook: the address of one"),
        ("selftest --numbers", "--numbers is about configurations of yours"),
        ("selftest -f json", "-f json is about configurations of yours"),
        ("selftest net --seconds 0", "'0' is no number above 0"),
        ("history --limit 0", "'0' is no whole number above 0"),
        ("history --keep-runs 0", "'0' is no whole number above 0"),
        ("history --keep-days -1", "no whole number above 0"),
        ("evidence pfc/priority-off net -o case.zip", "name it FILE.tar.gz"),
        ("rules --new pfc/priority-off", "is a rule of roce-audit"),
        ("rules --test nowhere", "roce-audit: nowhere: no such folder of rules"),
        ("fix -", "fix looks at files: it cannot be used with standard input"),
        ("selftest -", "selftest looks at files"),
        ("check - --shard 1/1=part", "--shard looks at files"),
        ("check nett", "nett: no such file or folder, did you mean 'net'?"),
        ("explain pfc", "`roce-audit rules --select pfc` lists the topic"),
        ("check net --select pfc --ignore pfc", "no rule is left"),
        ("check net --select pfc,enc", "is called 'enc'"),
        ("explain mtu/below-roce leaf1 net", "name one of leaf1:Ethernet1/1"),
        ("explain mtu/below-roce leaf9 net", "did you mean 'leaf"),
        ("explain mtu/below-roce net", "a path stands behind DEVICE:SUBJECT"),
    ],
)
def test_it_is_refused_with_the_reason(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said in refused(words, capsys)


def test_selectors_may_stand_in_one_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "net", "--select", "buffer,mtu/below-roce", "-q", "-f", "concise"]) == 1
    out = capsys.readouterr().out
    assert "error[buffer/headroom-below-floor]" in out
    assert "error[mtu/below-roce]" in out
    assert "pfc/" not in out


@pytest.mark.parametrize("value", ["-4", "0", ".nan", ".inf"])
def test_a_parameter_that_no_number_can_fail_is_refused(
    value: str, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = f"rules: {{ecn/marks-after-pfc: {{params: {{incast: {value}}}}}}}\n"
    (site / "policy.yaml").write_text(policy)
    assert "policy.yaml:1: parameter 'incast'" in refused("check net --policy policy.yaml", capsys)


def test_nothing_is_written_where_it_is_refused(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused("check net --shard 1/1=-", capsys)
    refused("evidence pfc/priority-off net -o case.zip", capsys)
    assert [path.name for path in site.iterdir()] == ["net"]


@pytest.mark.parametrize(("words", "begins"), [("baseline net", "{"), ("host-probe", "#!/bin/sh")])
def test_a_dash_is_standard_output_for_every_file(
    words: str, begins: str, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words.split(), "-o", "-"]) == 0
    assert capsys.readouterr().out.startswith(begins)
    assert [path.name for path in site.iterdir()] == ["net"]


def test_a_baseline_says_where_it_is_and_how_to_judge_with_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["baseline", "net"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("net/roce-audit-baseline.json: ")
    command = said.splitlines()[1].partition("roce-audit ")[2]
    assert main(command.split()) == 0


def test_a_history_that_lies_elsewhere_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    main(["audit", "net", "-q"])
    assert "kept in net/roce-audit-history.sqlite" in capsys.readouterr().err
    said = refused("history", capsys)
    option = said.partition("--history ")[2].strip().rstrip(")")
    assert main(["history", "--history", option]) == 0
    assert main(["history", "--history", option, "--keep-runs", "1"]) == 0
    assert "0 runs forgotten" in capsys.readouterr().out


def test_standard_input_is_judged_as_often_as_a_verb_needs(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The proof of `init` judges a second time: it read an empty input then, and said that 38 verdicts change."""
    typed = io.TextIOWrapper(io.BytesIO((site / "net/backend/leaf1.cfg").read_bytes()))
    monkeypatch.setattr("sys.stdin", typed)
    assert main(["init", "-", "-o", "-"]) == 0
    assert "proved: with it every verdict is as without it" in capsys.readouterr().err


def test_what_devices_agree_on_is_no_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "mtu/below-roce", "leaf1:Ethernet3/1", "net"]) == 0
    (line,) = [one for one in capsys.readouterr().out.splitlines() if one.strip().startswith("roce.mtu_bytes")]
    assert line.endswith("    inferred: 4 of 4 devices")


INVENTORY = "devices: {leaf1: {platform: eos, address: 127.0.0.1, port: 9, user: a, password: agent}}\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--limit leaf2", "--limit leaf2: no device or group of the inventory is called so, did you mean 'leaf1'?"),
        ("--key nowhere", "--key nowhere: no such file"),
        ("--ssh-config nowhere", "--ssh-config nowhere: no such file"),
        ("--timeout 0", "'0' is no number above 0"),
    ],
)
def test_what_live_devices_are_read_with_is_there(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("inventory.yaml").write_text(INVENTORY)
    assert said in refused(f"collect -i inventory.yaml -o snapshot --retries 0 {words}", capsys)
    assert not Path("snapshot").exists()


def test_one_device_is_no_devices(capsys: pytest.CaptureFixture[str]) -> None:
    Path("inventory.yaml").write_text(INVENTORY)
    assert main(["collect", "-i", "inventory.yaml", "-o", "snapshot", "--retries", "0", "--connect-timeout", "2"]) == 3
    assert "snapshot: 1 device: 1 unreachable" in capsys.readouterr().out


def test_explain_says_that_nothing_was_recognised(capsys: pytest.CaptureFixture[str]) -> None:
    Path("empty").mkdir()
    assert main(["explain", "mtu/below-roce", "leaf1:Ethernet1/1", "empty"]) == 3
    assert "no device was recognised" in capsys.readouterr().err
