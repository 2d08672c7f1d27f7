"""Rules of one's own: the text that a new one begins as, and the schema by which an editor completes and checks it."""

from __future__ import annotations

import json
from typing import Any

from roce_audit.engine.findings import SEVERITIES
from roce_audit.engine.rulefile import RuleForm

SCHEMA_NAME = ".roce-audit-rule.schema.json"
"""Beside the topics of a pack; hidden, so that it is taken for no rule."""
_EXPRESSION = {"anyOf": [{"type": "string", "minLength": 1}, {"type": "boolean"}, {"type": "number"}]}
_TEXT = """\
# yaml-language-server: $schema=../{schema}
title: The MTU of a RoCE port is below what this site wants
scope: port             # port, hop (a class at a port), link, nic, host, device, fabric
asks: absent            # absent, forbidden: of ports that carry RoCE; present: of every port
params:
  least: {{value: 9000, doc: "largest IP packet that every RoCE port carries, bytes"}}
when: port.nic is None
require: port.ip_mtu_bytes >= params.least
severity: warning       # error, warning or info
message: "carries IP packets of {{port.ip_mtu_bytes|bytes}}, wanted are {{params.least|bytes}}"
why: What happens to traffic where this fails, in two sentences.
source: [{{kind: definition, title: house rule of this site}}]
confidence: consensus   # consensus, vendor-specific, debated
owner: switch           # who fixes it: switch, host, app, plan
fix:
  path: port.ip_mtu_bytes
  value: params.least
  note: raise the MTU
examples:               # edits of the good network of a platform; `<-` marks the line that the finding points at
  eos: |
    == bad: one port was left small
    @ leaf1.cfg
    = interface Ethernet1/2
    -    mtu 9214
    +    mtu 8000  <-

    == unknown: a number that is none
    @ leaf1.cfg
    = interface Ethernet1/2
    -    mtu 9214
    +    mtu large  <-
  nxos: |
    == bad: one port was left small
    @ leaf1.cfg
    = interface Ethernet1/2
    -   mtu 9216
    +   mtu 8000  <-
"""


def skeleton() -> str:
    """A rule that loads and whose examples hold as they stand, to be made into another."""
    return _TEXT.format(schema=SCHEMA_NAME)


def schema() -> str:
    """The JSON schema of a rule file of this version."""
    found: dict[str, Any] = RuleForm.model_json_schema()
    fields: dict[str, Any] = found["properties"]
    levels = [level for level in SEVERITIES if level != "none"]
    for name in ("require", "when"):
        fields[name] = _EXPRESSION
    fields["let"] = {"type": "object", "additionalProperties": _EXPRESSION}
    conditions = {"type": "object", "minProperties": 1, "properties": dict.fromkeys(levels, _EXPRESSION)}
    fields["severity"] = {"anyOf": [{"enum": levels}, {**conditions, "additionalProperties": False}]}
    fields["points_at"] = {"type": "object", "maxProperties": 8, "additionalProperties": _EXPRESSION}
    fix: dict[str, Any] = found["$defs"]["FixForm"]["properties"]
    for name in ("path", "value"):
        fix[name] = _EXPRESSION
    return json.dumps(found, indent=2, sort_keys=True) + "\n"
