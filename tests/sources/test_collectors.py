"""Hosts as other collectors write them: prefixes, blocks, trees, facts."""

from __future__ import annotations

import pytest

from roce_audit.sources.devices import load
from roce_audit.sources.splitting import commandecho, multihost

from .conftest import Write

PAUSE = "Pause parameters for ens1:\nRX:\toff\nTX:\toff"

pytestmark = pytest.mark.usefixtures("two_platforms")


def prefixed(*hosts: str) -> str:
    """Lines of several hosts as they arrive."""
    return "".join(f"{host}: {line}\n" for line in PAUSE.split("\n") for host in hosts)


def test_lines_of_hosts_are_sorted_and_keep_their_numbers() -> None:
    found = multihost.split(prefixed("gpu1", "gpu2"))
    assert list(found) == ["gpu1", "gpu2"]
    line, text = found["gpu2"]
    assert line == 2
    assert text.split("\n") == ["Pause parameters for ens1:", "", "RX:\toff", "", "TX:\toff"]


@pytest.mark.parametrize(
    ("text", "hosts"),
    [
        pytest.param(
            f"----------------\ngpu[08-10],login1\n----------------\n{PAUSE}\n", "gpu08 gpu09 gpu10 login1", id="dshbak"
        ),
        pytest.param(f"=== gpu1 ===\n{PAUSE}\n=== gpu2 ===\n{PAUSE}\n", "gpu1 gpu2", id="a loop"),
        pytest.param(f">>> pod/train-0\n{PAUSE}\n", "train-0", id="a loop over pods"),
        pytest.param(f"gpu1 | CHANGED | rc=0 >>\n{PAUSE}\n", "gpu1", id="ansible -m command"),
        pytest.param(
            "".join(f"[pod/probe-x/c] {line}\n" for line in PAUSE.split("\n")), "probe-x", id="kubectl logs --prefix"
        ),
    ],
)
def test_blocks(text: str, hosts: str) -> None:
    found = multihost.split(text)
    assert " ".join(found) == hosts
    assert all(PAUSE in own for _, own in found.values())


@pytest.mark.parametrize(
    "text",
    [
        "driver: mlx5_core\nversion: 6.1\nfirmware-version: 20.1\nbus-info: 0000:3b:00.0\n",
        "hca_id:\tmlx5_0\n\ttransport:\tInfiniBand (0)\n",
        "network:\n  version: 2\n",
        "hostname leaf1\ninterface Ethernet1\n mtu 9214\n",
        "",
        PAUSE,
    ],
)
def test_other_texts_are_left_alone(text: str) -> None:
    assert multihost.split(text) == {}


def test_commands_that_a_loop_wrote_before_their_answers() -> None:
    text = (
        f"=== gpu1\n+ ethtool -a ens1\n{PAUSE}\n+ sudo mlnx_qos -i ens1\nDCBX mode: OS controlled\n=== gpu2\n{PAUSE}\n"
    )
    found = multihost.split(text)
    first, second = commandecho.split("all.txt", found["gpu1"][1], found["gpu1"][0])
    assert (first.command, first.first_line) == ("ethtool -a ens1", 3)
    assert first.text.startswith(PAUSE)
    assert second.command == "mlnx_qos -i ens1"
    assert text.split("\n")[second.first_line - 1] == "DCBX mode: OS controlled"
    assert commandecho.split("all.txt", found["gpu2"][1], found["gpu2"][0]) == ()


@pytest.mark.parametrize("head", ["# {}", "$ {}", "+ {}", "### {}", "=== {} ===", "-------- {} --------"])
@pytest.mark.parametrize("name", ["gpu7.txt", "sysfs_gpu7.txt"])
def test_a_host_in_one_file_with_each_command_before_its_answer(head: str, name: str, write: Write) -> None:
    write(name, f"{head.format('sysfs')}\n/sys/class/net/ens1/mtu:9000\n{head.format('ethtool -a ens1')}\n{PAUSE}\n")
    (device,) = load([name]).devices
    assert [(x.command, x.first_line) for x in device.documents] == [("sysfs", 2), ("ethtool -a ens1", 4)]


def test_a_script_that_writes_the_command_between_rulers() -> None:
    ruler = "*" * 40
    text = "".join(f"{ruler}\nCommand: {name}\n{ruler}\n{PAUSE}\n" for name in ("ethtool -a ens1", "ethtool -a ens2"))
    found = commandecho.split("gpu1.txt", text)
    assert [(one.command, one.first_line) for one in found] == [("ethtool -a ens1", 3), ("ethtool -a ens2", 9)]
    assert found[0].text.strip() == PAUSE
    assert commandecho.split("gpu1.txt", f"{ruler}\n# ethtool -a ens1\n{PAUSE}\n") == ()  # a script with a banner


def test_the_comments_of_a_script_are_no_commands() -> None:
    script = commandecho.split("roce.sh", "# mlnx_qos for the rails\nmlnx_qos -i ens1 --pfc 0,0,0,1,0,0,0,0\n")
    assert commandecho.is_script(script)
    answer = commandecho.split("gpu1.txt", "# dcb ets show dev ens1\ntc-bw 0:50 3:50\n")
    assert len(answer) == 1
    assert not commandecho.is_script(answer)


def test_too_many_hosts_in_one_file_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multihost, "_MOST_LINES", 4)
    with pytest.raises(ValueError, match="one file a host"):
        multihost.split(prefixed("many1", "many2"))


def test_a_prompt_without_a_command_that_shows_something_ends_an_answer() -> None:
    text = "$ mlnx_qos -i ens1\nPriority trust state: dscp\n$ date\nTue Nov  3\n$ mlnx_qos -i ens2\nPriority trust state: pcp\n$ \n"
    answers = commandecho.split("gpu1.log", text)
    assert [(one.command, one.first_line, one.text) for one in answers] == [
        ("mlnx_qos -i ens1", 2, "Priority trust state: dscp"),
        ("mlnx_qos -i ens2", 6, "Priority trust state: pcp"),
    ]
