"""The policy file: what it means, where each value was said, and how wrong files are refused."""

import errno
import os
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from roce_audit.policy import FILE_NAME, Policy, PolicyError, find, load, load_text
from roce_audit.values import Place, Why

FULL = """\
profile: base
roce:  {dscp: [26], priority: [3]}
cnp:   {dscp: [48], priority: [6]}
mtu:   {roce: 4096}
lossless: true
classes:
  - {name: train,   dscp: [26], priority: 3, lossless: true}
  - {name: storage, pcp: [4], priority: 4, lossless: false}
fabrics:
  backend:  {devices: ["leaf-b*", "spine-b*", "gpu*"]}
  frontend: {devices: ["fe-*"], roce: none}
  smb:
    devices: ["leaf-s*"]
    profile: azure-local
    mtu: {roce: 1024}
    classes: [{name: smb, pcp: 3, priority: 3}]
ports:
  - {match: "*:mgmt*", roce: false}
  - {match: "leaf-b*:Ethernet1/33-36", roce: false, because: border}
  - {description: "*GPU*", roce: true}
cables:
  - {between: [host, leaf], length_m: 5}
  - {between: [leaf, "spine-*"], length_m: 50.5}
exclude: ["backup/**", "**/*.j2"]
maintenance: ["leaf-b17"]
paths:
  "hosts/*.txt": {platform: linux}
  "configs/*": {complete: true, state: intended, rendered_from: "templates/leaf.j2"}
rules:
  pfc/watchdog-off: {severity: warning}
  ecn/marks-after-pfc: {params: {incast: 4}}
ignore:
  - {rule: mtu/below-roce, device: "oob-*", reason: "out-of-band, no RDMA", until: 2027-01-31}
  - {tag: lab, class: train, reason: "lab only"}
rules_path: ["our-rules"]
"""


@pytest.fixture
def policy() -> Policy:
    return load_text(FULL, "roce-audit.yaml")


def refused(text: str) -> list[str]:
    with pytest.raises(PolicyError) as caught:
        load_text(text, "p.yaml")
    return str(caught.value).splitlines()


def test_classes_short_and_long_are_one_list(policy: Policy) -> None:
    assert [(c.name, c.role) for c in policy.classes] == [("train", "roce"), ("storage", "roce"), ("cnp", "cnp")]
    train, storage, cnp = policy.classes
    assert train.dscp.get() == frozenset({26})
    assert train.pcp.is_absent
    assert train.mtu_bytes.get() == 4096
    assert train.mtu_bytes.at == (Place("roce-audit.yaml", 4),)
    assert storage.dscp.is_absent
    assert storage.lossless.get() is False
    assert storage.lossless.at == (Place("roce-audit.yaml", 8),)
    assert cnp.priority.get() == frozenset({6})
    assert cnp.lossless.why is Why.NOT_VISIBLE


def test_a_short_form_alone_is_one_class() -> None:
    policy = load_text("lossless: false\nroce:\n  dscp: [26, 28]\n  priority: 3\n", "p.yaml")
    (only,) = policy.classes
    assert (only.name, only.dscp.get(), only.priority.get()) == ("roce", frozenset({26, 28}), frozenset({3}))
    assert only.priority.at == (Place("p.yaml", 4),)
    assert only.lossless.get() is False
    assert only.mtu_bytes.is_unknown


def test_a_class_may_leave_its_marks_to_be_inferred() -> None:
    (only,) = load_text("roce: {priority: 3}", "p.yaml").classes
    assert only.dscp.is_unknown
    assert only.pcp.is_unknown


def test_a_short_form_that_says_more_is_a_class_of_its_own() -> None:
    policy = load_text("roce: {dscp: 26}\nclasses: [{name: storage, dscp: 34, priority: 4}]", "p.yaml")
    assert [c.name for c in policy.classes] == ["storage", "roce"]


def test_mtu_without_a_class_waits_for_the_inferred_one() -> None:
    policy = load_text("mtu: {roce: 2048}", "p.yaml")
    assert policy.classes == ()
    assert policy.mtu_bytes.get() == 2048


def test_fabrics(policy: Policy) -> None:
    backend, frontend, smb = policy.fabrics
    assert policy.fabric("SPINE-B3") is backend
    assert policy.fabric("fe-1") is frontend
    assert policy.fabric("other") is None
    assert policy.classes_of(frontend) == ()
    assert policy.classes_of(backend) == policy.classes == policy.classes_of(None)
    assert [c.name for c in policy.classes_of(smb)] == ["smb"]
    assert smb.classes[0].mtu_bytes.get() == 1024
    assert smb.profile.get() == "azure-local"
    assert smb.at.line == 12
    assert backend.devices[1].at.line == 10


def test_the_last_port_entry_wins(policy: Policy) -> None:
    def answer(device: str, *names: str, description: str = "") -> tuple[bool, int] | None:
        entry = policy.port(device, names, description)
        return None if entry is None else (entry.roce, entry.at.line)

    assert answer("leaf-b1", "Ethernet1/34") == (False, 19)
    assert answer("leaf-b1", "Ethernet1/34", description="GPU 12") == (True, 20)
    assert answer("leaf-b1", "Ethernet1/37") is None
    assert answer("any", "x9", "mgmt0") == (False, 18)


def test_both_patterns_of_an_entry_must_match() -> None:
    policy = load_text('ports: [{match: "a:*", description: "*x*", roce: true}]', "p.yaml")
    assert policy.port("a", ["e1"], "x") is not None
    assert policy.port("a", ["e1"], "y") is None
    assert policy.port("b", ["e1"], "x") is None


def test_cables_hold_in_both_directions(policy: Policy) -> None:
    for a, b in ((("spine-1",), ("l1", "leaf")), (("l1", "leaf"), ("spine-1",))):
        cable = policy.cable(a, b)
        assert cable is not None
        assert cable.length_m == 50.5
    assert policy.cable(("leaf",), ("leaf",)) is None


def test_maintenance_rules_and_paths(policy: Policy) -> None:
    entry = policy.in_maintenance("leaf-b17")
    assert entry is not None
    assert entry.at.line == 25
    assert policy.in_maintenance("leaf-b1") is None
    assert [(r.rule, r.severity, dict(r.params)) for r in policy.rules] == [
        ("pfc/watchdog-off", "warning", {}),
        ("ecn/marks-after-pfc", None, {"incast": 4}),
    ]
    assert policy.rules[1].param_places["incast"].line == 31
    assert [entry.text for entry in policy.rules_paths] == ["our-rules"]


def test_a_suppression_needs_all_its_selectors(policy: Policy) -> None:
    first, second = policy.ignores
    assert first.covers(rule="mtu/below-roce", device="oob-1")
    assert not first.covers(rule="mtu/below-roce", device="leaf1")
    assert second.covers(rule="any/rule", device="x", class_name="train", tags=["lab", "eu"])
    assert not second.covers(rule="any/rule", device="x", class_name="train")
    assert first.until == date(2027, 1, 31)


def test_an_empty_file_says_nothing() -> None:
    policy = load_text("# nothing yet\n", "p.yaml")
    assert (policy.profile, policy.classes, policy.ports) == (Policy.empty().profile, (), ())


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\nprofle: base", "p.yaml:2: profle: unknown key; did you mean 'profile'?"),
        ("roce:\n  dscp: 1\n  priorty: 3", "p.yaml:3: roce.priorty: unknown key; did you mean 'priority'?"),
        ("roce:\n  dscp:\n  - 26\n  - 64", "p.yaml:4: roce.dscp[2]: must be at most 63, not 64"),
        ("cnp: {priority: 8}", "p.yaml:1: cnp.priority[1]: must be at most 7, not 8"),
        ("roce: {priority: true}", "p.yaml:1: roce.priority[1]: must be a whole number, not True"),
        ("roce: {dscp: []}", "p.yaml:1: roce.dscp: needs at least 1 entries, not 0"),
        (
            "mtu: {roce: 9000}",
            "p.yaml:1: mtu.roce: an RDMA path MTU is one of 256, 512, 1024, 2048, 4096 bytes, not 9000",
        ),
        (
            "paths:\n  a:\n    state: intendet",
            "p.yaml:3: paths.a.state: must be 'running', 'startup', 'intended' or 'candidate', not 'intendet'; did you",
        ),
        ("ignore:\n- rule: a/b\n", "p.yaml:2: ignore[1].reason: is missing"),
        ("ignore:\n- rule: a/b\n  reason: ' '", "p.yaml:3: ignore[1].reason: a suppression needs a reason"),
        (
            "ignore: [{reason: why}]",
            "p.yaml:1: ignore[1]: says not what to ignore: needs rule, device, port, fabric, class or tag",
        ),
        (
            "ignore: [{rule: a/b, reason: x, until: soon}]",
            "p.yaml:1: ignore[1].until: must be a day like 2027-01-31, not 'soon'",
        ),
        ("ports: [{roce: true}]", "p.yaml:1: ports[1]: needs `match:` (device:port) or `description:`"),
        (
            "ports: [{match: leaf1, roce: true}]",
            "p.yaml:1: ports[1].match: 'leaf1' is not of the form device:port",
        ),
        (
            "cables: [{between: [a, b], length_m: 0}]",
            "p.yaml:1: cables[1].length_m: must be above 0.0, not 0",
        ),
        ("rules: {Pfc: {}}", "p.yaml:1: rules.Pfc: 'Pfc' is no rule id like pfc/priority-off"),
        ("fabrics: {a: {roce: none}}", "p.yaml:1: fabrics.a.devices: is missing"),
        (
            "fabrics: {a: {devices: x, roce: none, cnp: {dscp: 48}}}",
            "p.yaml:1: fabrics.a: `roce: none` contradicts the classes given here",
        ),
        ("cnp: {}", "p.yaml:1: the class 'cnp' gives neither dscp nor pcp nor priority"),
        (
            "classes:\n- {name: a, dscp: 26}\n- {name: b, dscp: [26]}",
            "p.yaml:3: dscp 26 is in the classes 'a' and 'b'",
        ),
        ("classes:\n- {name: a, dscp: 1}\n- {name: a, dscp: 2}", "p.yaml:3: the class 'a' is given twice"),
        (
            "roce: {dscp: 1}\nclasses: [{name: roce, dscp: 2}]",
            "p.yaml:1: the class 'roce' is given in short and in `classes:`",
        ),
        ("1: a", "p.yaml:1: 1: keys should be strings"),
        ("rules: {1: {}}", "p.yaml:1: rules.1: must be text"),
        ("- a", "p.yaml:1: policy: must be a mapping (key: value), not ['a']"),
        ('"a\\e[31m": 1', "p.yaml:1: a\ufffd[31m: unknown key"),
    ],
)
def test_refused_with_line_and_hint(text: str, line: str) -> None:
    (only,) = refused(text)
    assert only.startswith(line)


def test_all_problems_are_told_at_once() -> None:
    assert len(refused("profle: x\nmtu: {roce: 1}\nlossless: maybe\n")) == 3


@pytest.mark.parametrize("text", ["a: [", "a: {b: 1, b: 2}", "!!python/object:os.system x", "a: &x [*x]"])
def test_bad_yaml_is_refused_with_a_line(text: str) -> None:
    assert refused(text)[0].startswith("p.yaml:1: ")


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / FILE_NAME
    with pytest.raises(PolicyError, match="No such file"):
        load(file)
    file.write_bytes(b"profile: base\n# \xff\n")
    with pytest.raises(PolicyError, match=":2: is not UTF-8"):
        load(file)
    file.write_bytes(b"#" * 1_000_001)
    with pytest.raises(PolicyError, match="larger than"):
        load(file)


def test_the_working_directory_does_not_decide_about_what_lies_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("here", "beside"):
        (tmp_path / name).mkdir()
    (tmp_path / "here" / FILE_NAME).touch()
    monkeypatch.chdir(tmp_path / "here")
    assert find(Path("../beside")) is None
    assert find(Path("../here")) == tmp_path / "here" / FILE_NAME
    assert find(Path("../beside/../here/leaf1.cfg")) == tmp_path / "here" / FILE_NAME


def test_a_folder_that_nobody_may_look_into_has_no_policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / FILE_NAME).touch()
    closed = tmp_path / "closed"
    closed.mkdir()
    real = os.stat

    def stat(path: Any, **more: Any) -> os.stat_result:
        if os.path.dirname(os.fspath(path)) == str(closed):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return real(path, **more)

    monkeypatch.setattr(os, "stat", stat)
    assert find(closed) == tmp_path / FILE_NAME


def test_found_upward_until_a_repository_ends(tmp_path: Path) -> None:
    inner = tmp_path / "repository" / "configs"
    inner.mkdir(parents=True)
    (tmp_path / FILE_NAME).write_text("profile: base\n")
    device = inner / "leaf1.cfg"
    device.write_text("hostname leaf1\n")
    assert find(device) == tmp_path / FILE_NAME
    (tmp_path / "repository" / ".git").mkdir()
    assert find(device) is None
    own = tmp_path / "repository" / FILE_NAME
    own.write_text("profile: base\n")
    assert find(device) == own
    assert load(own).folder == str(tmp_path / "repository")


def test_no_policy_file_no_heavy_imports(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from roce_audit.policy import Policy, find; "
        "assert find(Path(sys.argv[1])) is None; Policy.empty().port('a', ['b']); "
        "print([m for m in ('pydantic', 'ruamel.yaml') if m in sys.modules])"
    )
    (tmp_path / ".git").mkdir()
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
