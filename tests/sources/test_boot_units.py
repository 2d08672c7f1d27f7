"""Units of a repository that set NICs up: what starts them at boot, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.sources.devices import load

SCRIPT = "#!/bin/sh\nmlnx_qos -i ens1 --trust dscp --pfc 0,0,0,1,0,0,0,0\n"
UNIT = "[Unit]\nDescription=QoS\n\n[Service]\nType=oneshot\nExecStart={}\n\n[Install]\nWantedBy=multi-user.target\n"
FILES = {
    "files/usr/local/sbin/roce.sh": SCRIPT,
    "files/etc/systemd/system/roce.service": UNIT.format("/usr/local/sbin/roce.sh"),
    "install.sh": "#!/bin/sh\ncp -r files/* /\nsystemctl daemon-reload\nsystemctl enable --now roce.service\n",
}
STARTED = FILES | {"install.sh": FILES["install.sh"].replace("enable --now", "start")}
PLAIN = FILES["files/etc/systemd/system/roce.service"].partition("\n[Install]")[0]


def told(folder: Path, files: dict[str, str]) -> list[tuple[str, int]]:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    found = load([str(folder)]).problems
    return [(Path(one.path).name, one.line) for one in found if one.kind == "conflict"]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(FILES, [], id="enabled"),
        pytest.param(STARTED, [("install.sh", 4)], id="started"),
        pytest.param(
            STARTED | {"more.sh": 'for one in $UNITS; do systemctl enable "$one"; done\n'},
            [],
            id="a name that is computed",
        ),
        pytest.param(
            STARTED | {"play.yml": "- systemd:\n    name: roce.service\n    enabled: yes\n"}, [], id="a playbook"
        ),
        pytest.param(STARTED | {"files/etc/systemd/system/roce.timer": "[Timer]\nOnBootSec=30\n"}, [], id="a timer"),
        pytest.param(
            STARTED | {"files/etc/systemd/system/x.target": "[Unit]\nWants=roce.service\n"}, [], id="another unit"
        ),
        pytest.param(STARTED | {"README": "# systemctl enable roce\n"}, [], id="people are told to enable it"),
        pytest.param(STARTED | {"files/usr/local/sbin/roce.sh": "#!/bin/sh\nmount -a\n"}, [], id="another subject"),
        pytest.param(
            FILES | {"files/etc/systemd/system/roce.service": PLAIN}, [("install.sh", 4)], id="nothing to enable"
        ),
        pytest.param(
            STARTED | {"files/etc/systemd/system/roce.service": PLAIN}, [], id="nothing that could be enabled"
        ),
        pytest.param(
            FILES | {"files/etc/systemd/system/roce.service": UNIT.format("/usr/local/bin/roce.sh")},
            [("roce.service", 6)],
            id="a script that lies elsewhere",
        ),
        pytest.param(
            FILES
            | {
                "files/etc/systemd/system/roce.service": UNIT.format("/usr/bin/roce.sh"),
                "install.sh": f"{FILES['install.sh']}ln -s /usr/local/sbin/roce.sh /usr/bin/roce.sh\n",
            },
            [],
            id="a link to it",
        ),
    ],
)
def test_units_that_set_nics_up(tmp_path: Path, files: dict[str, str], expected: list[tuple[str, int]]) -> None:
    assert told(tmp_path, files) == expected


def test_of_what_is_too_large_to_be_looked_through_nothing_is_told(tmp_path: Path) -> None:
    """What enables the unit may stand where nobody looked."""
    many = {f"docs/{number}.md": "unread\n" * 28_000 for number in range(50)}
    assert told(tmp_path, STARTED | many) == []


TAKES = '#!/bin/bash\nnic=$1\n{}mlnx_qos -i "$nic" --trust dscp\n'
RULE = 'ACTION=="add", SUBSYSTEM=="net", RUN+="/usr/local/sbin/nic.sh{}"\n'


@pytest.mark.parametrize(
    ("script", "rule", "expected"),
    [
        (TAKES.format(""), RULE.format(" %k"), []),
        (TAKES.format(""), RULE.format(""), [("9.rules", 1)]),
        (TAKES.format('[ -n "$nic" ] || exit 1\n'), RULE.format(""), [("9.rules", 1)]),
        (TAKES.format('if [ -z "$nic" ]; then nic=ens1; fi\n'), RULE.format(""), []),
        (TAKES.format("").replace("$1", "${1:-ens1}"), RULE.format(""), []),
        (TAKES.format("nic=$INTERFACE\n").replace("nic=$1\n", ""), RULE.format(""), []),
    ],
)
def test_a_script_that_is_handed_no_name(
    tmp_path: Path, script: str, rule: str, expected: list[tuple[str, int]]
) -> None:
    files = {"usr/local/sbin/nic.sh": script, "etc/udev/rules.d/9.rules": rule}
    assert told(tmp_path, files) == expected
    unit = UNIT.format("/usr/local/sbin/nic.sh" + (" ens1" if "%k" in rule else ""))
    found = told(tmp_path / "unit", {"usr/local/sbin/nic.sh": script, "etc/systemd/system/nic.service": unit})
    assert found == [("nic.service", 6)] * len(expected)
