"""Scripts that type commands at switches, over SSH or in loops of their own."""

from __future__ import annotations

from pathlib import Path

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy
from roce_audit.sources.repository.remote import sent
from roce_audit.sources.repository.templates.fragments import in_script

from .conftest import judged

SCRIPT = """#!/bin/bash
SWITCHES="leaf01 leaf02"
PFC=3
for sw in $SWITCHES; do
  ssh -o BatchMode=yes cumulus@"$sw" "nv set qos mapping default-global trust both && \
    nv set qos mapping default-global dscp 26 switch-priority 3"
  sshpass -p "$PW" ssh cumulus@$sw "sudo nv set qos egress-queue-mapping default-global switch-priority 3 traffic-class 3"
  ssh cumulus@$sw "nv set qos pfc default-global switch-priority $PFC; nv set qos pfc default-global rx enable"
  ssh cumulus@$sw nv set qos pfc default-global tx enable
  ssh cumulus@$sw nv set qos congestion-control default-global traffic-class 3 ecn enable
  ssh cumulus@$sw nv set qos congestion-control default-global traffic-class 3 min-threshold 150000
  ssh cumulus@$sw nv set qos congestion-control default-global traffic-class 3 max-threshold 1500000
  for p in swp1 swp2 swp3; do
    ssh cumulus@$sw "nv set interface $p link mtu 9216"
  done
done
"""
TYPED = """#!/bin/bash
for p in swp1 swp2; do
  nv set interface $p link mtu 9216
  sudo nv set interface $p qos pfc profile GPU
done
nv set qos pfc GPU switch-priority $(cat prio)
if [ -n "$1" ]; then
  nv set qos pfc GPU tx enable
fi
echo done
nv config apply -y
"""
HERE = """#!/bin/bash
for sw in leaf1 leaf2; do
ssh admin@$sw << 'EOF'
configure
qos map dscp 26 to traffic-class 3
interface Ethernet1
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 4 no-drop
EOF
done
ssh admin@spine1 <<EOF
configure
qos map dscp 26 to traffic-class 4
interface Ethernet1
   priority-flow-control on
EOF
"""


def told(folder: Path, text: str) -> list[tuple[str, int | None]]:
    (folder / "push.sh").write_text(text, encoding="utf-8")
    found = check(Request((str(folder),), Policy.empty())).report.findings
    failing = [one for one in found if one.verdict == "fails" and one.severity in ("error", "warning")]
    return [(one.rule, one.locations[0].line) for one in failing if not one.because_of]


def test_commands_over_ssh_are_the_switches_configuration(tmp_path: Path) -> None:
    (one,) = sent(SCRIPT)
    assert one.left_out == {}
    assert one.statements[2:5] == [
        "nv set qos egress-queue-mapping default-global switch-priority 3 traffic-class 3",
        "nv set qos pfc default-global switch-priority 3",
        "nv set qos pfc default-global rx enable",
    ]
    assert (one.lines[0], one.lines[1], one.lines[2], one.lines[-1]) == (5, 5, 6, 13)
    assert told(tmp_path, SCRIPT) == []


def test_a_fault_in_a_variable_of_the_script(tmp_path: Path) -> None:
    assert told(tmp_path, SCRIPT.replace("PFC=3", "PFC=4")) == [("marking/taken-out-of-lossless", 5)]
    swapped = SCRIPT.replace("min-threshold 150000", "min-threshold 15000000")
    assert told(tmp_path, swapped) == [("ecn/min-above-max", 10)]


def test_a_script_that_runs_on_the_switch(tmp_path: Path) -> None:
    (one,) = sent(TYPED)
    assert one.statements == [
        "nv set interface swp1 link mtu 9216",
        "nv set interface swp2 link mtu 9216",
        "nv set interface swp1 qos pfc profile GPU",
        "nv set interface swp2 qos pfc profile GPU",
        "nv set qos pfc GPU tx enable",
        "nv config apply -y",
    ]
    assert list(one.left_out) == [
        (6, "a value in it is made elsewhere, and it is not judged"),
        (8, "it stands under a condition, which is not known here: judged as if it holds"),
    ]
    (tmp_path / "push.sh").write_text(TYPED, encoding="utf-8")
    notes = check(Request((str(tmp_path),), Policy.empty())).report.coverage.notes
    assert any("push.sh:6: a value in it is made elsewhere" in note for note in notes)


def test_here_documents_are_typed_at_the_switch_before_them() -> None:
    leaf, spine = sent(HERE)
    assert leaf.statements[1:4] == ["qos map dscp 26 to traffic-class 3", "interface Ethernet1", "   qos trust dscp"]
    assert (leaf.lines[1], spine.lines[1]) == (5, 14)
    assert "qos map dscp 26 to traffic-class 4" in spine.statements


def test_scripts_for_hosts_are_none_of_these() -> None:
    assert in_script("run.sh", "for h in gpu1 gpu2; do\n  ssh $h mlnx_qos -i eth0 --trust dscp\ndone\n") == []
    assert sent("ssh -p 22\nssh\n") == ()


def test_what_takes_settings_away_under_a_condition_is_not_judged(tmp_path: Path) -> None:
    script = """#!/bin/bash
case "$1" in
  start) nv set qos roce mode lossless; nv set interface swp1-4 link mtu 9216 ;;
  stop) nv unset qos roce ;;
esac
"""
    assert told(tmp_path, script) == []
    plain = "#!/bin/bash\nnv set qos roce mode lossless\nnv set interface swp1-4 link mtu 9216\nnv unset qos roce\n"
    assert told(tmp_path, plain) == [("input/conflict", 4)]
    (one,) = sent(script)
    assert (4, "it takes settings away under a condition, which is not known here: it is not judged") in one.left_out


LOOPED = """#!/bin/bash
for sw in "$@"; do
  scp -q qos.json admin@"$sw":/tmp/qos.json
  ssh admin@"$sw" <<'EOF'
sudo sonic-cfggen -j /tmp/qos.json --write-to-db
for p in $(seq 0 8 16); do
  sudo config interface mtu Ethernet$p 9100
  sudo config interface pfc priority Ethernet$p 3 on
done
sudo pfcwd start --action drop all 200 --restoration-time 400
EOF
done
"""


def test_a_loop_within_what_is_typed_over_ssh(tmp_path: Path) -> None:
    (found,) = sent(LOOPED)
    assert found.statements[1:4] == [
        "config interface mtu Ethernet0 9100",
        "config interface mtu Ethernet8 9100",
        "config interface mtu Ethernet16 9100",
    ]
    assert found.lines[:5] == [5, 7, 7, 7, 8]
    for text, expected in ((LOOPED, []), (LOOPED.replace("3 on", "3 off"), [("pfc/no-port-pauses", 10)])):
        _, failing = judged(tmp_path, {"push.sh": text})
        assert [(one.rule, one.locations[0].line) for one in failing if not one.because_of] == expected
