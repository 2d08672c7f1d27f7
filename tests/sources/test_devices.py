"""From paths to devices."""

from __future__ import annotations

import io
import re
import sys
from types import SimpleNamespace

import pytest

from roce_audit import platforms
from roce_audit.platforms.record import Platform
from roce_audit.sources import detect
from roce_audit.sources.devices import load, settled
from roce_audit.sources.gathering import gathered
from roce_audit.sources.hints import PathHint
from roce_audit.sources.loaded import Loaded
from roce_audit.sources.planning import planned
from roce_audit.sources.topology.files import TopologyFile

from .conftest import Write, fake_platform

pytestmark = pytest.mark.usefixtures("two_platforms")


def _config(name: str = "", more: str = "") -> str:
    return "! alpha\n" + (f"hostname {name}\n" if name else "") + more


def _names(loaded: Loaded) -> dict[str, list[str]]:
    return {d.name: [x.path for x in d.documents] for d in loaded.devices}


def test_single_files_are_devices_with_their_own_names(write: Write) -> None:
    write("configs/a.cfg", _config("leaf1"))
    write("configs/leaf2.running.cfg", _config())
    loaded = load(["configs"])
    assert _names(loaded) == {"leaf1": ["configs/a.cfg"], "leaf2": ["configs/leaf2.running.cfg"]}
    assert [d.platform for d in loaded.devices] == ["alpha", "alpha"]
    assert [d.documents[0].state for d in loaded.devices] == [None, "running"]
    assert (loaded.problems, loaded.unrecognised, loaded.notes) == ((), (), ())


def test_standard_input(monkeypatch: pytest.MonkeyPatch, write: Write) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(_config("leaf1").encode())))
    assert _names(load(["-"])) == {"leaf1": ["-"]}
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(_config().encode())))
    assert _names(load(["-"])) == {"stdin": ["-"]}


def test_a_file_named_after_its_command_may_begin_with_the_prompt(write: Write) -> None:
    write("snap/leaf1/show_running-config.txt", _config())
    write("snap/leaf1/show_state.txt", "leaf1# show lldp neighbors detail\nx\nleaf1#\n")
    (device,) = load(["snap"]).devices
    assert [d.command for d in device.documents] == ["show running-config", "show lldp neighbors detail"]


@pytest.mark.parametrize(
    ("prompt", "is_own"),
    [
        *((prompt, True) for prompt in ("leaf1", "LEAF1.dc1", "dc1-leaf1", "leaf1..10", "bash-4.2", "10.0.0.1")),
        *((prompt, False) for prompt in ("leaf2", "leaf10")),
    ],
)
def test_an_answer_typed_at_another_prompt_is_none_of_the_folder_s_switch(
    write: Write, prompt: str, is_own: bool
) -> None:
    write("snap/a/show_running-config.txt", _config("leaf1"))
    write("snap/a/show_state.txt", f"{prompt}# show lldp neighbors detail\nalpha x\n{prompt}#\n")
    loaded = load(["snap"])
    named = {device.name: [document.command for document in device.documents] for device in loaded.devices}
    own, other = "show running-config", "show lldp neighbors detail"
    assert named["leaf1"] == ([own, other] if is_own else [own])
    assert any(f"typed at the prompt of {prompt}: no answer of leaf1" in one for one in loaded.notes) is not is_own


def test_a_folder_of_answers_is_one_device(write: Write) -> None:
    write("snap/leaf1/show_running-config.txt", _config())
    write("snap/leaf1/show_lldp_neighbors.txt", "x")
    write("snap/gpu1/hostname.txt", "gpu-a-1\n")
    write("snap/gpu1/sysfs.txt", "/sys/class/net/eth0/mtu:9000\n")
    loaded = load(["snap"])
    assert [(d.name, d.platform, [x.command for x in d.documents]) for d in loaded.devices] == [
        ("gpu-a-1", "hostos", ["hostname", "sysfs"]),
        ("leaf1", "alpha", ["show lldp neighbors", "show running-config"]),
    ]


@pytest.mark.parametrize("name", ["running-config.txt", "leaf1.cfg", "config.txt"])
def test_one_answer_beside_the_configuration_of_a_folder(write: Write, name: str) -> None:
    write(f"snap/leaf1/{name}", _config())
    write("snap/leaf1/show_lldp_neighbors.txt", "x")
    (device,) = load(["snap"]).devices
    assert [d.command for d in device.documents] == [None, "show lldp neighbors"]


def test_one_answer_among_configurations_is_of_nobody(write: Write) -> None:
    write("snap/leaf1/leaf1.cfg", _config("leaf1"))
    write("snap/leaf1/leaf2.cfg", _config("leaf2"))
    write("snap/leaf1/show_lldp_neighbors.txt", "x")
    write("configs/leaf9.cfg", _config("leaf9"))
    write("configs/show_lldp_neighbors.txt", "x")
    assert [len(device.documents) for device in load(["snap", "configs"]).devices] == [1, 1, 1]


def test_the_working_directory_may_be_the_device(
    write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    write("leaf9/show_running-config.txt", _config())
    write("leaf9/show_version.txt", "x")
    monkeypatch.chdir(f"{tmp_path}/leaf9")
    assert _names(load(["."])) == {"leaf9": ["show_running-config.txt", "show_version.txt"]}


def test_answers_of_several_devices_in_one_folder_stay_apart(write: Write) -> None:
    write("d/show_run_leaf1.txt", _config("leaf1"))
    write("d/show_run_leaf2.txt", _config("leaf2"))
    loaded = load(["d"])
    assert _names(loaded) == {"leaf1": ["d/show_run_leaf1.txt"], "leaf2": ["d/show_run_leaf2.txt"]}
    assert "leaf1, leaf2" in loaded.notes[0]


def test_a_bundle_and_one_that_is_cut_off(write: Write) -> None:
    whole = "@@ ROCE-AUDIT-BUNDLE 1\n@@ B uname - uname -a\n|Linux\n@@ E 0\n@@ END\n"
    write("gpu1.txt", whole)
    write("gpu2.txt", whole.replace("@@ END\n", ""))
    loaded = load(["."])
    assert [(d.name, d.platform, d.documents[0].truncated) for d in loaded.devices] == [
        ("gpu1", "hostos", False),
        ("gpu2", "hostos", True),
    ]
    assert [(p.path, p.line, p.kind) for p in loaded.problems] == [("gpu2.txt", 4, "truncated")]


def test_a_session_log(write: Write) -> None:
    write("ticket.log", "leaf7# show running-config\n! alpha\nhostname leaf7\nleaf7# show version\nV\nleaf7#\n")
    (device,) = load(["ticket.log"]).devices
    assert device.name == "leaf7"
    assert [(x.command, x.first_line) for x in device.documents] == [("show running-config", 2), ("show version", 5)]


@pytest.mark.parametrize("name", ["sonic", "localhost", "Switch"])
def test_factory_names_are_no_identity(write: Write, name: str) -> None:
    write("leaf1/config_db.json", _config(name))
    write("leaf2/config_db.json", _config(name))
    loaded = load(["."])
    assert _names(loaded) == {"leaf1": ["leaf1/config_db.json"], "leaf2": ["leaf2/config_db.json"]}
    assert len(loaded.notes) == 1
    assert name in loaded.notes[0]
    assert loaded.problems == ()


def test_states_of_one_device_are_joined(write: Write) -> None:
    write("running/leaf1.cfg", _config("leaf1"))
    write("startup/leaf1.cfg", _config("leaf1"))
    loaded = load(["."])
    (device,) = loaded.devices
    assert [(x.path, x.state) for x in device.documents] == [
        ("running/leaf1.cfg", "running"),
        ("startup/leaf1.cfg", "startup"),
    ]
    assert loaded.problems == ()


def test_a_copy_among_backups_is_no_second_device(write: Write) -> None:
    for path in ("backup/2026-10-01/leaf1.cfg", "configs/leaf1.cfg", "old/leaf1.cfg"):
        write(path, _config("leaf1"))
    loaded = load(["."])
    assert _names(loaded) == {"leaf1": ["configs/leaf1.cfg"]}
    assert not loaded.problems
    assert any("backup/2026-10-01/leaf1.cfg, old/leaf1.cfg" in note for note in loaded.notes)


def test_of_two_files_of_one_device_the_one_outside_the_backups_keeps_the_name(write: Write) -> None:
    write("backup/leaf1.cfg", _config("leaf1", "! before\n"))
    write("configs/leaf1.cfg", _config("leaf1"))
    loaded = load(["."])
    assert _names(loaded)["leaf1"] == ["configs/leaf1.cfg"]
    assert [problem.kind for problem in loaded.problems] == ["same-device-twice"]


def test_backups_alone_are_judged(write: Write) -> None:
    write("backup/leaf1.cfg", _config("leaf1"))
    write("backup/leaf2.cfg", _config("leaf2"))
    assert _names(load(["."])) == {"leaf1": ["backup/leaf1.cfg"], "leaf2": ["backup/leaf2.cfg"]}


def test_the_same_device_twice_is_one_problem(write: Write) -> None:
    for name in ("leaf1-new.cfg", "leaf1-old.cfg", "leaf1-older.cfg"):
        write(name, _config("leaf1"))
    loaded = load(["."])
    assert _names(loaded) == {
        "leaf1": ["leaf1-new.cfg"],
        "leaf1-old": ["leaf1-old.cfg"],
        "leaf1-older": ["leaf1-older.cfg"],
    }
    (problem,) = loaded.problems
    assert problem.kind == "same-device-twice"
    assert problem.device == "leaf1"
    assert all(name in problem.text for name in ("leaf1-new.cfg", "leaf1-old.cfg", "leaf1-older.cfg"))


def test_copies_with_the_same_file_name_get_names_with_their_folder(write: Write) -> None:
    for folder in ("a", "b", "c"):
        write(f"{folder}/leaf1.cfg", _config("leaf1"))
    loaded = load(["."])
    assert list(_names(loaded)) == ["leaf1", "b/leaf1", "c/leaf1"]
    assert [p.kind for p in loaded.problems] == ["same-device-twice"]


def test_a_name_claimed_in_several_folders_identifies_nothing(write: Write) -> None:
    write("r1/leaf-a.cfg", _config("LEAF-COPY"))
    write("r2/leaf-b.cfg", _config("LEAF-COPY"))
    assert list(_names(load(["."]))) == ["leaf-a", "leaf-b"]


def test_the_policy_decides_who_has_a_name(write: Write) -> None:
    for name in ("a.cfg", "b.cfg", "c.cfg"):
        write(name, _config("leaf1"))
    hints = [PathHint("b.cfg", device="leaf1"), PathHint("c.cfg", device="leaf1")]
    loaded = load(["."], hints=hints)
    assert _names(loaded) == {"a": ["a.cfg"], "leaf1": ["b.cfg", "c.cfg"]}
    assert [p.kind for p in loaded.problems] == ["same-device-twice"]


def test_hints_of_the_policy(write: Write) -> None:
    write("hosts/x.txt", "nobody knows this")
    write("configs/y.cfg", _config("leaf1"))
    write("configs/z.cfg", _config())
    hints = [
        PathHint("hosts/*.txt", platform="hostos", device="gpu7"),
        PathHint("configs/*", complete=True, state="intended", rendered_from="t/leaf.j2"),
        PathHint("configs/z.cfg", complete=False),
        PathHint("nothing/**", platform="alpha"),
    ]
    loaded = load(["."], hints=hints)
    found = {
        d.name: (d.platform, d.named_by_policy, d.documents[0].state, d.documents[0].declared_complete)
        for d in loaded.devices
    }
    assert found == {
        "leaf1": ("alpha", False, "intended", True),
        "z": ("alpha", False, "intended", False),
        "gpu7": ("hostos", True, None, None),
    }
    assert loaded.rendered_from == {"configs/y.cfg": "t/leaf.j2", "configs/z.cfg": "t/leaf.j2"}
    assert loaded.unused_hints == (hints[3],)
    with pytest.raises(ValueError, match="no platform is called 'alhpa'"):
        load(["."], hints=[PathHint("*", platform="alhpa")])


def test_a_hint_that_names_another_platform_than_the_text_is_told(
    write: Write, two_platforms: dict[str, Platform]
) -> None:
    write("x.cfg", _config("leaf1"))
    write("y.cfg", "nobody knows this")
    two_platforms["gamma"] = fake_platform("gamma")
    (problem,) = load(["."], hints=[PathHint("*", platform="gamma")]).problems
    assert (problem.path, problem.kind) == ("x.cfg", "unreadable")
    assert problem.text == "not read: it is of alpha, and `paths:` in the policy says gamma"


def test_a_hint_names_a_whole_folder(write: Write) -> None:
    write("snap/x/show_a.txt", "1")
    write("snap/x/show_b.txt", "2")
    (device,) = load(["."], hints=[PathHint("snap/*", platform="alpha", device="leaf5")]).devices
    assert (device.name, device.platform, len(device.documents)) == ("leaf5", "alpha", 2)


def test_equal_scores_go_by_name_and_are_noted(write: Write, two_platforms: dict[str, Platform]) -> None:
    two_platforms["beta"] = fake_platform("beta")
    write("x.cfg", "! beta\n! alpha\n")
    loaded = load(["x.cfg"])
    assert loaded.devices[0].platform == "alpha"
    assert "alpha or beta" in loaded.notes[0]


def test_a_weak_score_is_no_recognition(write: Write, two_platforms: dict[str, Platform]) -> None:
    two_platforms["alpha"] = fake_platform("alpha", 19)
    write("x.cfg", _config("leaf1"))
    assert load(["x.cfg"]).devices == ()
    two_platforms["alpha"] = fake_platform("alpha", 20)
    detect.remembered.cache_clear()
    assert len(load(["x.cfg"]).devices) == 1


@pytest.mark.parametrize("lines", ["hostname {{ inventory_hostname }}\n", "{% for x in y %}\n{% endfor %}\n"])
def test_a_template_is_a_part_of_a_configuration(two_platforms: dict[str, Platform], write: Write, lines: str) -> None:
    write("a.cfg", f"! alpha\n{lines}")
    loaded = load(["a.cfg"])
    (device,) = loaded.devices
    assert (device.name, device.documents[0].declared_complete) == ("a", False)
    assert any("template" in note for note in loaded.notes)


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        ("a.cfg", "", "empty"),
        ("a.cfg", "  \n", "empty"),
        ("a.cfg.j2", "{{ x }}", "template"),
        ("a.cfg", "hostname {{ inventory_hostname }}\n", "template"),
        ("a.cfg", "{% if z %}\n! alpha\n{% endif %}\n", "Jinja template"),
        ("a.py", "! alpha", "Python source"),
        ("a.txt", "import os\n\ndef main():\n    pass\n", "Python source"),
        ("README.md", "! alpha", "Markdown"),
        ("a.png", "x", "picture"),
        ("ci.yml", "on: push\njobs:\n  a: 1\n", "YAML that is not a device's"),
        ("a.json", '{"x": 1}', "JSON that is not a device's"),
        (
            "a.json",
            '{"x": {"running": "! alpha\\n1\\n2\\n3\\n4\\n5\\n6\\n"}}',
            "JSON around a configuration of alpha (`running`): give that as a text of its own",
        ),
        ("a.json", '{"x": "1\\n2\\n3\\n4\\n5\\n6\\n7\\n"}', "JSON that is not a device's"),
        ("a.toml", "[build-system]\nrequires = []\nx = [\n]", "settings (INI or TOML)"),
        ("a.html.txt", "<html>", "XML or HTML"),
        ("a.txt", "dear diary", "text"),
    ],
)
def test_the_clear_word_for_what_is_no_device(write: Write, name: str, text: str, word: str) -> None:
    write(f"d/{name}", text)
    loaded = load(["d"])
    assert loaded.devices == ()
    ((path, found),) = loaded.unrecognised
    assert path == f"d/{name}"
    assert word in found


def test_placeholders_within_json_strings_are_values(write: Write) -> None:
    write("config_db.json", '{"a": "{% if x %}{{ y }}{% endif %}",\n"b": "\n! alpha\n"}')
    assert len(load(["config_db.json"]).devices) == 1


def test_a_file_that_was_named_is_opened_whatever_its_extension(write: Write) -> None:
    write("leaf1.example.py", _config("leaf1"))
    assert list(_names(load(["leaf1.example.py"]))) == ["leaf1"]


def test_prose_is_no_device_even_where_a_hook_names_it_but_the_policy_may_say_so(write: Write) -> None:
    write("design.md", _config("leaf1"))
    loaded = load(["design.md"])
    assert (loaded.devices, loaded.unrecognised) == ((), (("design.md", "Markdown"),))
    assert list(_names(load(["design.md"], hints=[PathHint("*.md", platform="alpha")]))) == ["leaf1"]


def test_binary_and_missing_files_are_told(write: Write, tmp_path: object) -> None:
    write("x.cfg", "\x00" * 50)
    loaded = load(["x.cfg", "missing.cfg"])
    assert [(p.path, p.kind) for p in loaded.problems] == [("missing.cfg", "unreadable"), ("x.cfg", "unreadable")]


@pytest.fixture
def a_switch_that_shows_its_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of `alpha` is known with which command it shows its configuration."""
    monkeypatch.setattr(platforms, "configurations", lambda: {"alpha": "show running-config"})


REFUSED = "% Authorization denied for command 'show running-config'\n"


@pytest.mark.usefixtures("a_switch_that_shows_its_configuration")
@pytest.mark.parametrize("answer", [REFUSED, "", "\n"])
@pytest.mark.parametrize("others", [{}, {"show_version.txt": "! alpha\n"}])
def test_a_device_that_does_not_show_its_configuration_is_told(
    write: Write, answer: str, others: dict[str, str]
) -> None:
    for name, text in {"show_running-config.txt": answer, **others}.items():
        write(f"snap/leaf3/{name}", text)
    (problem,) = load(["snap"]).problems
    assert (problem.path, problem.kind) == ("snap/leaf3/show_running-config.txt", "unreadable")
    assert problem.text.startswith("no configuration in the answer of show running-config: ")


@pytest.mark.usefixtures("a_switch_that_shows_its_configuration")
@pytest.mark.parametrize("path", ["leaf3/show_running-config.txt", "leaf3/show_startup-config.txt"])
def test_one_answer_that_shows_the_configuration_is_enough(write: Write, path: str) -> None:
    write("leaf3/show_running-config.txt", REFUSED)
    write(path, _config("leaf3"))
    assert load(["leaf3"]).problems == ()


@pytest.mark.usefixtures("a_switch_that_shows_its_configuration")
def test_other_answers_may_be_empty(write: Write) -> None:
    write("snap/leaf3/show_running-config.txt", _config("leaf3"))
    write("snap/leaf3/show_lldp_neighbors_detail.txt", "")
    write("snap/leaf3/show_qos_profile.txt", "% Invalid input\n")
    assert load(["snap"]).problems == ()


def test_a_cut_line_makes_its_document_truncated(write: Write) -> None:
    write("x.cfg", _config("leaf1", "x" * 30_000 + "\n"))
    loaded = load(["x.cfg"])
    assert loaded.devices[0].documents[0].truncated
    assert [(p.line, p.kind) for p in loaded.problems] == [(3, "truncated")]


@pytest.mark.usefixtures("a_switch_that_shows_its_configuration")
def test_a_cut_line_of_a_file_beside_the_answers_of_a_device_is_nobodys(write: Write) -> None:
    entries = "<Entry>1</Entry>" * 3_000
    write("snap/leaf3/show_running-config.txt", _config("leaf3"))
    write("snap/leaf3/show_lldp_neighbors_detail.txt", "")
    write("snap/leaf3/statistics.rpc", f"<Response><Operational>{entries}</Operational></Response>\n")
    loaded = load(["snap"])
    assert [device.name for device in loaded.devices] == ["leaf3"]
    assert loaded.problems == ()
    write("snap/leaf3/show_running-config.txt", _config("leaf3", "x" * 30_000 + "\n"))
    assert [(one.path, one.kind) for one in load(["snap"]).problems] == [
        ("snap/leaf3/show_running-config.txt", "truncated")
    ]


def test_topology_beside_the_inputs_and_the_policy_file(write: Write) -> None:
    write("c/leaf1.cfg", _config("leaf1"))
    write("c/topology.yaml", "links: []\n")
    write("c/roce-audit.yaml", "profile: base\n")
    for paths in (["c"], ["c/leaf1.cfg"], ["c/leaf1.cfg", "c/topology.yaml"]):
        loaded = load(paths)
        assert loaded.topology_files == (TopologyFile("c/topology.yaml"),)
        assert list(_names(loaded)) == ["leaf1"]
        assert loaded.unrecognised == ()


def test_excluded_files_are_counted(write: Write) -> None:
    write("a.cfg", _config("leaf1"))
    write("backup/a.cfg", _config("leaf1"))
    loaded = load(["."], exclude=["backup/**"])
    assert (len(loaded.devices), loaded.excluded, loaded.problems) == (1, 1, ())


def test_the_order_of_paths_does_not_matter(write: Write) -> None:
    for name in ("a", "b", "c"):
        write(f"{name}.cfg", _config("leaf1"))
    assert load(["c.cfg", "a.cfg", "b.cfg"]) == load(["."])


def test_files_over_which_a_platform_spreads_one_device_are_one_device(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platforms, "sibling_files", lambda: (re.compile(r"chip[0-9]\.cfg|table\.ini"),))
    write("leaf1/chip0.cfg", _config())
    write("leaf1/chip1.cfg", _config())
    write("leaf1/other.cfg", _config("leaf2"))
    write("leaf3/chip0.cfg", _config())
    write("leaf3/show_version.txt", "x")
    write("leaf4/chip0.cfg", _config("leaf5"))
    write("leaf4/note.cfg", _config("leaf6"))
    assert _names(load(["."])) == {
        "leaf1": ["leaf1/chip0.cfg", "leaf1/chip1.cfg"],
        "leaf2": ["leaf1/other.cfg"],
        "leaf3": ["leaf3/chip0.cfg", "leaf3/show_version.txt"],
        "leaf5": ["leaf4/chip0.cfg"],
        "leaf6": ["leaf4/note.cfg"],
    }


def test_folders_of_a_device_s_own_file_system_belong_to_the_device_above_them(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platforms, "sibling_files", lambda: (re.compile(r"table\.ini|ports\.cfg"),))
    monkeypatch.setattr(platforms, "inner_folders", lambda: (re.compile(r"etc/(?:net|chip(?:/qos)?)"),))
    for leaf in ("leaf1", "leaf2"):
        write(f"{leaf}/etc/chip/qos/table.ini", _config())
        write(f"{leaf}/etc/net/ports.cfg", _config())
    write("leaf3/etc/other/ports.cfg", _config())
    assert _names(load(["."])) == {
        "leaf1": ["leaf1/etc/chip/qos/table.ini", "leaf1/etc/net/ports.cfg"],
        "leaf2": ["leaf2/etc/chip/qos/table.ini", "leaf2/etc/net/ports.cfg"],
        "other": ["leaf3/etc/other/ports.cfg"],
    }


def _beside(paths: list[str], beside: list[str]) -> Loaded:
    plan = planned(paths, beside=beside)
    return settled(plan, [gathered(batch, plan) for batch in plan.batches])


def test_what_was_asked_for_takes_the_place_of_another_day_beside_it(write: Write) -> None:
    for day in ("2026-11-27", "2026-11-28T0230"):
        write(f"nightly/{day}/leaf1.cfg", _config("leaf1", f"! {day}\n"))
    write("nightly/2026-11-27/leaf2.cfg", _config("leaf2"))
    loaded = _beside(["nightly/2026-11-28T0230"], ["nightly"])
    assert _names(loaded) == {"leaf1": ["nightly/2026-11-28T0230/leaf1.cfg"], "leaf2": ["nightly/2026-11-27/leaf2.cfg"]}
    assert not loaded.problems
    assert any("nightly/2026-11-27/leaf1.cfg" in note for note in loaded.notes)


def test_without_a_date_two_folders_are_two_places(write: Write) -> None:
    for folder in ("site-a", "site-b"):
        write(f"{folder}/leaf1.cfg", _config("leaf1"))
    assert _names(_beside(["site-b"], ["."])) == {"leaf1": ["site-a/leaf1.cfg"], "site-b/leaf1": ["site-b/leaf1.cfg"]}


def test_standard_input_takes_the_place_of_the_same_device_beside_it(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("leaf1.cfg", _config("leaf1", "! as it was\n"))
    write("leaf2.cfg", _config("leaf2"))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(_config("leaf1").encode())))
    assert _names(_beside(["-"], ["."])) == {"leaf1": ["-"], "leaf2": ["leaf2.cfg"]}
