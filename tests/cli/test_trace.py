"""`trace` as a user runs it: the table, the exit codes, names that are wrong, and JSON."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import jsonschema
import pytest

from roce_audit.cli.main import main

Capture = pytest.CaptureFixture[str]
FIXTURES = Path(__file__).parents[2] / "fixtures"
SCHEMA = Path(__file__).parents[2] / "docs" / "trace.schema.json"


def run(capsys: Capture, *words: str, code: int = 0) -> str:
    assert main(["trace", *words]) == code
    captured = capsys.readouterr()
    return captured.err if code == 2 else captured.out


def spoiled(tmp_path: Path, fixture: str, file: str, old: str, new: str) -> str:
    """A copy of a fixture with one text replaced."""
    folder = tmp_path / fixture
    shutil.copytree(FIXTURES / fixture, folder)
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))
    return str(folder)


def test_a_path_over_four_vendors_holds(capsys: Capture) -> None:
    text = run(capsys, "gpu1:mlx5_0", "gpu3:ens1f0np0", str(FIXTURES / "mixed-vendors"))
    lines = text.splitlines()
    assert lines[0] == "gpu1:ens11np0 -> gpu3:ens1f0np0   class roce: DSCP 26 -> priority 3, lossless"
    assert "forced by the driver" in lines[1]
    assert "up and then down" in lines[2]
    table = [line.split()[:3] for line in lines[4:14]]
    assert table[1:5] == [
        ["1", "gpu1:ens11np0", "out"],
        ["2", "leaf1:et-0/0/0", "in"],
        ["3", "leaf1:et-0/0/56-57", "out"],
        ["4", "spine1:Ethernet1/1", "in"],
    ]
    assert "The chain holds: protected at every hop." in lines
    assert any(line.startswith("     Kmin 150,000 B ") and "spine2.cfg:38  random-detect" in line for line in lines)


def test_the_first_break_is_named_with_its_owner(capsys: Capture, tmp_path: Path) -> None:
    folder = spoiled(tmp_path, "mixed-vendors", "spine2.cfg", "  pause pfc-cos 3\n", "")
    text = run(capsys, "gpu1:mlx5_0", "gpu3:ens1f0np0", folder, code=1)
    (first,) = (line for line in text.splitlines() if line.startswith("The chain first breaks"))
    assert first.startswith("The chain first breaks at hop 4, spine2:Ethernet1/1: PFC is off for priority 3")
    assert "(network)" in first
    assert "\n4*  spine2:Ethernet1/1" in text
    assert "Findings about the ports on the way" in text


def test_a_job_of_another_class_is_the_applications(capsys: Capture) -> None:
    text = run(capsys, "gpu2:ens11np0", "gpu1:ens11np0", str(FIXTURES / "fabric-faulty"), code=1)
    assert "The chain first breaks at the sender: sends DSCP 6 (ToS byte 26, NCCL_IB_TC)" in text
    assert "(application)" in text
    ucx = run(capsys, "gpu2:ens11np0", "gpu1:ens11np0", str(FIXTURES / "fabric-faulty"), "--app", "ucx", code=1)
    assert "The chain holds" in ucx, "what is wrong with NCCL stays a finding about the host"


def test_hosts_are_paired_nic_by_nic(capsys: Capture) -> None:
    text = run(capsys, "gpu1", "gpu3", str(FIXTURES / "fabric"), "-q")
    assert [line.split("   ")[0] for line in text.splitlines() if " class roce:" in line] == [
        "gpu1:ens11np0 -> gpu3:ens11np0",
        "gpu1:ens12np0 -> gpu3:ens12np0",
    ]


def test_without_hosts_from_switch_port_to_switch_port(capsys: Capture, tmp_path: Path) -> None:
    folder = tmp_path / "switches"
    folder.mkdir()
    for file in (FIXTURES / "mixed-vendors").iterdir():
        if file.is_file():
            shutil.copy(file, folder)
    ends = "leaf1:et-0/0/0", "leaf3:FourHundredGigE1/0/2"
    text = run(capsys, *ends, str(folder), "-q")
    assert "assumed to be sent: nothing read of this port says what is, and jobs are not asked" in text
    assert "The chain holds" in text
    (folder / "topology.yaml").unlink()
    assert "The chain holds" in run(capsys, *ends, str(folder), "-q")  # by the descriptions, which name each other
    for file in folder.iterdir():
        lines = file.read_text().splitlines(keepends=True)
        file.write_text("".join(line for line in lines if "description" not in line))
    assert "The chain holds" in run(capsys, *ends, str(folder), "-q")  # by the addresses at both ends
    for file in folder.iterdir():
        lines = file.read_text().splitlines(keepends=True)
        file.write_text("".join(line for line in lines if "address" not in line))
    assert "no cables between their switches are known" in run(capsys, *ends, str(folder), "-q", code=4)


def test_a_line_that_is_not_understood_is_incomplete(capsys: Capture, tmp_path: Path) -> None:
    folder = spoiled(tmp_path, "mixed-vendors", "spine1.cfg", "priority 3 no-drop", "priority 3 no-dropp")
    text = run(capsys, "gpu1:mlx5_0", "gpu3:ens1f0np0", folder, "-q", code=4)
    assert "No break is seen, but not all of the chain is." in text
    assert "not seen at spine1:Ethernet1/1" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("gpu1:mlx5_9", "gpu3"), "there is no port 'gpu1:mlx5_9', did you mean 'gpu1:mlx5_"),
        (("gpu9", "gpu3"), "there is no device 'gpu9', did you mean"),
        (("gpu*", "gpu3"), "'gpu*' is gpu1, gpu2, gpu3, gpu4: name one of them"),
        (("leaf1", "gpu3"), "leaf1 is a switch: say by which port the packets go (leaf1:et-0/0/0, leaf1:et-0/0/1)"),
        (("leaf1:et-*", "gpu3"), "name one of them"),
        (("leaf1:lo0", "gpu3"), "leaf1:lo0 is no port that carries data"),
        (("gpu1:mlx5_0", "gpu1:ens11np0"), "gpu1:ens11np0 is both ends"),
        (("gpu1", "gpu3", "--dscp", "104"), "--dscp 104: code points are 0 to 63"),
    ],
)
def test_names_that_cannot_be_meant(capsys: Capture, words: tuple[str, ...], said: str) -> None:
    source, target, *more = words
    assert said in run(capsys, source, target, str(FIXTURES / "mixed-vendors"), *more, code=2)


def test_nothing_recognised(capsys: Capture, tmp_path: Path) -> None:
    assert main(["trace", "gpu1", "gpu2", str(tmp_path)]) == 3
    assert capsys.readouterr().err == "roce-audit: no device was recognised\n"


def test_a_code_point_of_no_class(capsys: Capture) -> None:
    text = run(capsys, "gpu1:mlx5_0", "gpu3:ens1f0np0", str(FIXTURES / "mixed-vendors"), "-q", "--dscp", "0")
    assert "DSCP 0: no class of the fabric, so nothing is demanded" in text
    assert "CNPs" not in text


def test_json(capsys: Capture, tmp_path: Path) -> None:
    folder = spoiled(tmp_path, "mixed-vendors", "spine2.cfg", "  pause pfc-cos 3\n", "")
    form = json.loads(run(capsys, "gpu1:mlx5_0", "gpu3:ens1f0np0", folder, "-f", "json", code=1))
    jsonschema.validate(form, json.loads(SCHEMA.read_text(encoding="utf-8")))
    (trace,) = form["traces"]
    assert (form["schema"], trace["holds"], trace["sent"]["mark"]) == ("roce-audit/trace/1", False, "DSCP 26")
    broken = [hop for hop in trace["way"]["hops"] if hop["breaks"]]
    assert next((hop["step"], hop["owner"]) for hop in broken) == (4, "network")
    kmin = [cell for hop in trace["way"]["hops"] for cell in hop["cells"] if cell["name"] == "queue.ecn.min_bytes"]
    assert {cell["value"] for cell in kmin} == {None, 150_000, 400_000}
    assert form["findings"]


def test_html_draws_the_hops_and_names_the_line_of_the_break(capsys: Capture, tmp_path: Path) -> None:
    folder = spoiled(tmp_path, "mixed-vendors", "spine2.cfg", "  pause pfc-cos 3\n", "")
    page = run(capsys, "gpu1:mlx5_0", "gpu3:ens1f0np0", folder, "-f", "html", code=1)
    devices = re.findall(r'<li class="device( bad)?"><h3>([^<]+)</h3>', page)
    there = [("", "gpu1"), ("", "leaf1"), (" bad", "spine1, spine2"), ("", "leaf2"), ("", "gpu3")]
    assert devices[: len(there)] == there
    text = run(capsys, "gpu1:mlx5_0", "gpu3:ens1f0np0", folder, code=1)
    first = next(line for line in text.splitlines() if line.startswith("The chain first breaks"))
    assert first.partition("(network)")[2].strip() in re.findall(
        r'<p class="break">[^/]*</span><br><code>([^<]*)</code>', page
    )
    assert re.search(r'title="[^"]*spine2\.cfg:37 random-detect[^"]*">Kmin 150,000 B', page)
    assert "<h2>CNPs back</h2>" in page
    assert "<script" not in page
    assert "http" not in page.split("</head>")[1]


def test_html_draws_each_pair_of_nics(capsys: Capture) -> None:
    page = run(capsys, "gpu1", "gpu3", str(FIXTURES / "fabric"), "-f", "html")
    assert re.findall("<h1>(.*?)</h1>", page) == ["gpu1:ens11np0 → gpu3:ens11np0", "gpu1:ens12np0 → gpu3:ens12np0"]


def test_html_holds_against_hostile_names(capsys: Capture, tmp_path: Path) -> None:
    evil = "</title><img src=x onerror=alert(1)>"
    folder = Path(spoiled(tmp_path, "mixed-vendors", "spine2.cfg", "random-detect", "random-detect"))
    (folder / evil.replace("/", "\u2215")).mkdir()
    moved = folder / evil.replace("/", "\u2215") / "spine2.cfg"
    (folder / "spine2.cfg").rename(moved)
    page = run(capsys, "gpu1:mlx5_0", "gpu3:ens1f0np0", str(folder), "-f", "html")
    assert "onerror=alert(1)&gt;" in page
    assert "<img" not in page


VXLAN = "interface Vxlan1\n   vxlan source-interface Loopback1\n"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            "",
            "its outer DSCP is made from its traffic class, so hops after the first tunnel end may differ   default: Arista",
        ),
        ("   vxlan qos dscp propagation encapsulation\n", "its outer DSCP is that of the packet inside   "),
    ],
)
def test_the_outer_mark_of_a_tunnel_is_told_with_who_says_so(
    capsys: Capture, tmp_path: Path, more: str, said: str
) -> None:
    folder = spoiled(
        tmp_path, "fabric", "backend/leaf1.cfg", "interface Ethernet1/1\n", f"{VXLAN}{more}!\ninterface Ethernet1/1\n"
    )
    text = run(capsys, "gpu1:mlx5_0", "gpu3:ens12np0", folder)
    (line,) = (line for line in text.splitlines() if "outer DSCP" in line)
    assert said in line
    assert ("backend/leaf1.cfg:" in line) == bool(more)


@pytest.mark.parametrize(
    ("more", "value", "line"),
    [
        ("", "class", None),
        ("   vxlan qos dscp propagation encapsulation\n", "packet", "vxlan qos dscp propagation encapsulation"),
    ],
)
def test_json_tells_of_a_tunnel_what_the_text_does(
    capsys: Capture, tmp_path: Path, more: str, value: str, line: str | None
) -> None:
    folder = spoiled(
        tmp_path, "fabric", "backend/leaf1.cfg", "interface Ethernet1/1\n", f"{VXLAN}{more}!\ninterface Ethernet1/1\n"
    )
    data = json.loads(run(capsys, "gpu1:mlx5_0", "gpu3:ens12np0", folder, "-f", "json"))
    jsonschema.validate(data, json.loads(SCHEMA.read_text()))
    tunnel = data["traces"][0]["way"]["tunnel"]
    assert "50 bytes larger" in tunnel["text"]
    assert [at["text"] for at in tunnel["lines"]] == ["vxlan source-interface Loopback1"]
    outer = tunnel["outer_dscp"]
    assert (outer["value"], [at["text"] for at in outer["lines"]]) == (value, [line] if line else [])
    assert bool(outer["default"]) != bool(line)
    plain = json.loads(run(capsys, "gpu1:mlx5_0", "gpu3:ens12np0", str(FIXTURES / "fabric"), "-f", "json"))
    assert plain["traces"][0]["way"]["tunnel"] is None
    shares = [
        cell["text"]
        for hop in plain["traces"][0]["way"]["hops"]
        for cell in hop["cells"]
        if cell["name"] == "queue.share"
    ]
    assert {"share 80 %", "share weight 80"} <= set(shares)


def test_a_class_known_by_its_tag_is_named_by_it(capsys: Capture) -> None:
    text = run(capsys, "tor1:Ethernet1/1", "tor1:Ethernet1/2", str(FIXTURES / "fabric"), "-q")
    assert text.splitlines()[0].endswith("class nvme: PCP 4 -> priority 4, lossless")
    assert "path      both ports are on one switch" in text
    assert "assumed   both" not in text
