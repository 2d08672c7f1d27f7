"""Host bundles."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.sources.splitting import bundle

_TEXT = """Welcome to gpu1
@@ ROCE-AUDIT-BUNDLE 1
@@ M uid=0
@@ B net_attr eth0 files
|/sys/class/net/eth0/mtu:9000
!/sys/class/net/eth0/speed:unreadable
@@ E 0
@@ B dcb_pfc eth0 dcb -j pfc show dev eth0
|{"pfc-cap":8,
|"x":1}
!a warning
@@ E 0
@@ B mlnx_qos eth0 mlnx_qos -i eth0 -a
!Permission denied
@@ E 1
@@ B modules - sh -c cut -d' ' -f1 /proc/modules
|@@ END
@@ E 0
@@ B slow - ethtool eth0
|Settings
@@ E 124
@@ S niccli - no-tool:niccli
@@ S bnxt_cc mlx5_0 no-file
@@ END
"""


def test_sections_become_documents_with_their_lines() -> None:
    (found,) = bundle.split(_TEXT, "gpu1.txt")
    assert found.problems == ()
    assert [(d.command, d.exit_status, d.first_line, d.truncated) for d in found.documents] == [
        ("sysfs", 0, 5, False),
        ("dcb -j pfc show dev eth0", 0, 9, False),
        ("mlnx_qos -i eth0 -a", 1, 14, False),
        ("modules", 0, 17, False),
        ("ethtool eth0", 124, 20, True),
        ("niccli", 127, 22, False),
    ]
    texts = [d.text for d in found.documents]
    assert texts[0] == "/sys/class/net/eth0/mtu:9000\n!/sys/class/net/eth0/speed:unreadable"
    assert texts[1] == '{"pfc-cap":8,\n"x":1}\n'
    assert texts[2] == "Permission denied"
    assert texts[3] == "@@ END"


@pytest.mark.parametrize("cut_at", ["@@ END\n", "@@ S niccli", "|Settings", "@@ E 1\n"])
def test_a_bundle_that_is_cut_off_is_complete_for_nothing(cut_at: str) -> None:
    (found,) = bundle.split(_TEXT[: _TEXT.rindex(cut_at)], "gpu1.txt")
    assert found.documents
    assert all(d.truncated for d in found.documents)
    assert any("cut off" in text for _, text in found.problems)


def test_a_section_without_end_is_told() -> None:
    (found,) = bundle.split(_TEXT.replace("@@ E 1\n", ""), "gpu1.txt")
    assert [line for line, _ in found.problems] == [15]
    assert [d.command for d in found.documents if d.truncated] == ["mlnx_qos -i eth0 -a", "ethtool eth0"]


def test_several_bundles_in_one_file() -> None:
    first, second = bundle.split(_TEXT + _TEXT, "all.txt")
    assert [d.first_line + _TEXT.count("\n") for d in first.documents] == [d.first_line for d in second.documents]


def test_a_newer_version_is_refused() -> None:
    (found,) = bundle.split("@@ ROCE-AUDIT-BUNDLE 3\n@@ END\n", "x")
    assert found.documents == ()
    assert "version 3" in found.problems[0][1]


_EXAMPLE = Path(__file__).parents[3] / "shared/corpus/hosts/linux/bundle_mlx5_one_good_one_bad.txt"


@pytest.mark.skipif(not _EXAMPLE.exists(), reason="the corpus is not here")
def test_lines_of_a_real_bundle_stay_where_they_are() -> None:
    text = _EXAMPLE.read_text()
    lines = text.split("\n")
    (found,) = bundle.split(text, "x")
    checked = 0
    for document in found.documents:
        for offset, line in enumerate(document.text.split("\n")):
            if line:
                assert lines[document.first_line - 1 + offset].endswith(line)
                checked += 1
    assert checked > 500


def test_blank_output_does_not_hide_the_error_text() -> None:
    text = (
        "@@ ROCE-AUDIT-BUNDLE 1\n@@ B mlnx_qos eth0 mlnx_qos -i eth0 -a\n|\n|  \n!Permission denied\n@@ E 1\n@@ END\n"
    )
    (found,) = bundle.split(text, "gpu1.txt")
    assert found.documents[0].text.strip() == "Permission denied"
