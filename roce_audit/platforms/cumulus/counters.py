"""Counters of Cumulus Linux: `nv show interface PORT counters qos`, `... counters errors` and `... qos roce counters`.

NVIDIA Cumulus Linux User Guide, Quality of Service, and RDMA over Converged Ethernet. Amounts that are rounded (`9.10 MB`) are no
counters: only exact ones are taken. The counters of RoCE name no priority: they are of what the switch itself takes for RoCE.
"""

from __future__ import annotations

from collections.abc import Iterable

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.counterforms import Form, Row, reader

_ASKED = r"nv show interface (?P<port>swp\S{1,12})"


def _names(text: str) -> Iterable[str]:
    return (text,)


read = reader(
    (
        Form(
            command=lazy(rf"{_ASKED} counters(?: qos(?: \S{{1,30}})?| errors)?"),
            source="nv show interface counters",
            headings=(
                lazy(r"(?P<table>PFC Statistics|Egress Queue Statistics|[A-Z][A-Za-z ]{2,40} (?:Statistics|Counters))"),
            ),
            rows=(
                Row(
                    lazy(r"(?P<n>[0-7]) (?P<rx>[0-9]{1,20}) (?P<us>[0-9]{1,20}) (?P<tx>[0-9]{1,20}) [0-9]{1,20}"),
                    {"priorities.{n}.pause_received": "rx", "priorities.{n}.pause_sent": "tx"},
                    below={"table": "PFC Statistics"},
                ),
                Row(
                    lazy(
                        r"(?P<n>[0-7]) [0-9]{1,20} \S{1,12} [A-Za-z]{1,5} \S{1,12} [A-Za-z]{1,5} (?P<drops>[0-9]{1,20})"
                    ),
                    {"queues.{n}.drops": "drops"},  # by WRED: what the buffer did not take is rounded
                    below={"table": "Egress Queue Statistics"},
                ),
                Row(lazy(r"FCS Errors (?P<crc>[0-9]{1,20}) n/a"), {"crc_errors": "crc"}),
            ),
        ),
        Form(
            command=lazy(rf"{_ASKED} qos roce counters"),
            source="nv show interface qos roce counters",
            headings=(lazy(r"(?P<part>[rt]x-(?:non-)?[a-z]{3,4}-stats)"),),
            rows=(
                Row(
                    lazy(r"no-buffer-discard (?P<drops>[0-9]{1,20})(?: .{1,80})?"),
                    {"lossless_ingress_drops": "drops"},
                    below={"part": "rx-roce-stats"},
                ),
                Row(
                    lazy(r"unicast-no-buffer-discard (?P<drops>[0-9]{1,20})(?: .{1,80})?"),
                    {"lossless_egress_drops": "drops"},
                    below={"part": "tx-roce-stats"},
                ),
            ),
        ),
    ),
    _names,
)
