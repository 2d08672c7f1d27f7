"""What is no secret stays readable: a masked DSCP would be a lost finding."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from roce_audit.text.secrets.mask import Masker, Numbered
from roce_audit.text.secrets.redact import redact

ROOT = Path(__file__).parents[2]
CORPUS = ROOT.parent / "shared" / "corpus"
LOSSLESS = re.compile(
    r"pfc|priority-flow|dscp|\becn\b|wred|no-drop|lossless|headroom|traffic-class|dcqcn|\broce|qos|pause|\bmtu\b|xoff|buffer",
    re.I,
)


@pytest.mark.parametrize(
    "line",
    [
        "export IONIC_DCQCN_TOKEN_BUCKET_SIZE=800000",
        "IONIC_DCQCN_TOKEN_BUCKET_SIZE IONIC_DCQCN_AI_RATE",
        "nicctl update rdma --token-bucket-size 800000",
        "    community BLUE members [ 10:20007 21003:26000 ];",
        "        community add BLUE_COMMUNITY_V4;",
        "      community-list: BYOIP_LEAK_COMMUNITY_LIST",
        "qos map dscp 26 to traffic-class 3",
        "pass through dscp 26",
        "key-less entry for priority 3",
    ],
)
def test_words_that_look_like_secrets(line: str) -> None:
    assert redact(line) == line
    assert Masker(Numbered()).text(line) == line


def test_communities_that_are_secrets_still_go() -> None:
    assert "hunter2" not in redact("    community hunter2 {")
    assert "hunter2" not in redact("community hunter2;")
    assert "hunter2" not in redact("snmp-server community hunter2 members x")


def _masked(folder: Path) -> Iterator[tuple[str, str]]:
    """(`file:line`, the line) of what a snapshot or an evidence bundle would not keep as it is; big files are left out."""
    for path in sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and path.stat().st_size <= 50_000 and path.suffix not in (".tsv", ".md")
    ):
        text = path.read_bytes().decode("utf-8", "replace")
        for number, (before, after) in enumerate(
            zip(text.split("\n"), Masker(Numbered()).text(text).split("\n"), strict=True), 1
        ):
            if before != after:
                yield f"{path.relative_to(folder)}:{number}", before


def test_no_line_of_the_fixtures_is_masked_that_sets_anything_lossless() -> None:
    masked = dict(_masked(ROOT / "fixtures"))
    assert masked  # the fixtures have secrets of their own
    assert not {place: line for place, line in masked.items() if LOSSLESS.search(line)}


@pytest.mark.skipif(not CORPUS.exists(), reason="the collection of real files is not here")
def test_no_line_of_real_files_is_masked_that_sets_anything_lossless() -> None:
    assert not {place: line for place, line in _masked(CORPUS) if LOSSLESS.search(line)}
