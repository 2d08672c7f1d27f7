"""Lines that were typed in the configuration mode."""

from __future__ import annotations

from roce_audit.sources.detect import choose
from roce_audit.text.document import Document


def test_lines_behind_prompts_are_recognised() -> None:
    text = (
        "user@leaf1# set class-of-service forwarding-classes class rdma queue-num 3 no-loss\n"
        "user@leaf1# set class-of-service interfaces et-0/0/1 unit 0 classifiers dscp roce\n"
    )
    assert choose((Document("page.txt", text),)).platform == "junos"
