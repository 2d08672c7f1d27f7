"""`show`, `explain`, `rules` and `selftest` as a user runs them, on a copy of the good network of EOS."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roce_audit.cli.main import main
from roce_audit.proof import examples

FABRIC = Path(__file__).parents[2] / "fixtures" / "fabric-faulty"

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in examples.base("eos").items():
        (tmp_path / name).write_text(text)
    return tmp_path


def run(capsys: Capture, *words: str) -> list[str]:
    assert main(words) == 0
    return capsys.readouterr().out.splitlines()


def spoil(old: str, new: str) -> None:
    file = Path("leaf1.cfg")
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def line_of(text: str) -> int:
    return Path("leaf1.cfg").read_text().splitlines().index(text) + 1


def test_show_gives_each_value_with_its_line_citation_or_reason(capsys: Capture) -> None:
    lines = run(capsys, "show", "leaf1:Ethernet1/1")
    assert f"  ip_mtu_bytes = 9214    leaf1.cfg:{line_of('   mtu 9214')}  mtu 9214" in lines
    assert any(line.startswith("  link_pause_rx = no    default: Arista") for line in lines)
    assert any(line.startswith("  unknown (no documented default): ") for line in lines)
    assert any(line.startswith("  dscp[24-25,27-31] = 3    default: ") for line in lines)


def test_show_gives_code_points_that_are_mapped_alike_as_runs_with_runs_of_lines(capsys: Capture) -> None:
    lines = run(capsys, "show", "leaf2:Ethernet256", str(FABRIC))
    told = [line.partition("config_db.json:")[::2] for line in lines if line.startswith("  dscp[")]
    assert [(head.split("    ")[0], at) for head, at in told] == [
        ("  dscp[0] = 0", "145, 264"),
        ("  dscp[1-25,27-47,49-63] = 0", "146-170, 172-192, 194-208, 264"),
        ("  dscp[26] = 3", "171, 264"),
        ("  dscp[48] = 6", "193, 264"),
    ]


def test_show_names_equal_ports_once(capsys: Capture) -> None:
    lines = run(capsys, "show", "leaf1")
    assert "leaf1:Ethernet1/2-6: same as Ethernet1/1" in lines
    assert not any(line.startswith("leaf2") for line in lines)


def test_show_roce_says_on_what_evidence(capsys: Capture) -> None:
    lines = run(capsys, "show", "--roce")
    assert any(
        line.startswith("leaf1:Ethernet1/1-4  yes  by their own configuration  its configuration has PFC")
        for line in lines
    )
    assert any(line.startswith("leaf1:Ethernet1/8  no  by description  'oob' names oob") for line in lines)
    assert any(line.startswith("leaf1:Management1  -  not a data port") for line in lines)


def test_show_effective_is_the_way_inside_the_box(capsys: Capture) -> None:
    lines = run(capsys, "show", "--effective", "leaf2")
    assert lines[0] == (
        "leaf2:Ethernet1/1-6  roce: DSCP 26 -> class 3 -> queue 3 (ECN 500,000..2,000,000 B) / group 3 "
        "-> PFC priority 3 on; MTU 9214"
    )
    assert lines[1].startswith("leaf2:Ethernet1/1-6  cnp: DSCP 48 -> class 6 -> queue 6 (strict, no ECN)")


def test_show_takes_a_path_for_a_path(capsys: Capture) -> None:
    assert run(capsys, "show", "--roce", "leaf2.cfg")
    assert main(("show", "leaf9")) == 2
    assert "did you mean 'leaf" in capsys.readouterr().err


def test_what_is_shown_is_harmless_and_holds_no_secret(capsys: Capture) -> None:
    spoil("description gpu host1 rail1", "description \x1b[31mred\x1b[0m \x07bell")
    spoil("   mtu 9214\n", "   mtu 9214 key 7 0123456789ABCDEF\n")
    text = "\n".join(run(capsys, "show", "leaf1:Ethernet1/1"))
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "ip_mtu_bytes = unknown (not parsed)" in text
    assert "<redacted>" in text
    assert "0123456789ABCDEF" not in text


def test_explain_tells_a_rule_and_shows_bad_and_good(capsys: Capture) -> None:
    lines = run(capsys, "explain", "mtu/below-roce")
    text = "\n".join(lines)
    assert lines[0].startswith("mtu/below-roce: ")
    assert "\nseverity    error\n" in text
    assert "\nrequire     port.ip_mtu_bytes >= needed_bytes\n" in text
    assert "  good |    mtu 9214" in lines
    assert "       | interface Ethernet1/5" in lines


def test_explain_says_why_it_holds_and_why_it_fires(capsys: Capture) -> None:
    held = run(capsys, "explain", "mtu/below-roce", "leaf1:Ethernet1/1")
    assert held[0] == "mtu/below-roce on leaf1:Ethernet1/1, class roce: holds"
    place = f"leaf1.cfg:{line_of('   mtu 9214')}  mtu 9214"
    assert f"    port.ip_mtu_bytes = 9214    {place}" in held
    spoil("   mtu 9214\n", "   mtu 2000\n")
    fails = run(capsys, "explain", "below-roce", "leaf1:ethernet1/1")
    assert fails[0].endswith(": fails")
    assert any("port.ip_mtu_bytes = 2000    leaf1.cfg:" in line for line in fails)


def test_explain_says_why_it_was_not_asked(capsys: Capture) -> None:
    lines = run(capsys, "explain", "mtu/below-roce", "leaf1:Ethernet1/8")
    assert lines[0].endswith(": not applicable")
    assert any("leaf1:Ethernet1/8 carries no RoCE: 'oob' names oob" in line for line in lines)
    assert "not a data port" in "\n".join(run(capsys, "explain", "mtu/below-roce", "leaf1:Management1"))


def test_explain_says_why_nobody_can_judge(capsys: Capture) -> None:
    spoil("   mtu 9214\n", "   mtu lots\n")
    lines = run(capsys, "explain", "mtu/below-roce", "leaf1:Ethernet1/1")
    assert lines[0].endswith(": undetermined")
    assert any("port.ip_mtu_bytes = unknown (not parsed)    leaf1.cfg:" in line for line in lines)


def test_explain_suggests_names(capsys: Capture) -> None:
    assert main(("explain", "mtu/below-rose")) == 2
    assert "did you mean 'mtu/below-roce'?" in capsys.readouterr().err
    assert main(("explain", "mtu/below-roce", "leaf1:Ethernet1/11")) == 2
    assert "has no subject 'leaf1:Ethernet1/11', did you mean 'leaf1:Ethernet1/1'?" in capsys.readouterr().err


def test_the_catalogue_for_programs_has_the_fields_of_the_contract(capsys: Capture) -> None:
    assert main(("rules", "-f", "json", "--select", "mtu/below-roce")) == 0
    (rule,) = json.loads(capsys.readouterr().out)["rules"]
    fields = "id topic title severity scope asks confidence source owner tags platforms profiles needs fixable"
    assert list(rule) == fields.split()
    assert rule["id"] == "mtu/below-roce"
    assert rule["severity"] == "error"
    assert "eos" in rule["platforms"]
    assert rule["fixable"] is True


def test_the_catalogue_follows_selectors_and_policy(capsys: Capture) -> None:
    Path("roce-audit.yaml").write_text("rules: {mtu/below-roce: {severity: info}}\n")
    lines = run(capsys, "rules", "--select", "mtu", "--ignore", "mtu/uneven-rdma-mtu")
    assert any(line.split()[:2] == ["mtu/below-roce", "info"] for line in lines)
    assert all(line.startswith("mtu/") for line in lines[:-1])
    assert lines[-1] == f"{len(lines) - 1} rules"


def test_selftest_prints_a_table_and_fails_for_a_rule_without_examples(capsys: Capture) -> None:
    lines = run(capsys, "selftest", "--select", "mtu/below-roce")
    assert lines[0].split()[0] == "rule"
    assert lines[1].split()[0] == "mtu/below-roce"
    assert lines[1].split()[1 + lines[0].split()[1:].index("eos")] == "3/3"
    rule = Path("ours/mtu/ours.yaml")
    rule.parent.mkdir(parents=True)
    rule.write_text(
        "title: t\nscope: port\nasks: present\nrequire: port.ip_mtu_bytes > 0\nseverity: info\nmessage: m\nwhy: w\n"
        "source: [{kind: definition, title: d}]\nconfidence: consensus\nowner: switch\n"
    )
    Path("roce-audit.yaml").write_text("rules_path: [ours]\n")
    assert main(("selftest", "--select", "mtu/ours")) == 1
    assert "WRONG mtu/ours: no example on any platform" in capsys.readouterr().out
