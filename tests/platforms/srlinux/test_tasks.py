"""Tasks of Ansible for SR Linux: paths with values, as the commands that they come to."""

from __future__ import annotations

from pathlib import Path

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy
from roce_audit.sources.repository.ansible.switchtasks import written

PLAY = """- hosts: leaves
  tasks:
    - nokia.srlinux.config:
        update:
          - path: /qos
            value:
              srl_nokia-qos:classifiers:
                dscp-policy:
                  - dscp-policy-id: backend
                    dscp:
                      - {dscp-value: 26, forwarding-class: fc3}
              buffer-management:
                queue-management-profile:
                  - name: ecn
                    wred:
                      wred-slope:
                        - {traffic-type: all, drop-probability: all, enable-ecn: true, min-threshold-percent: 5}
              forwarding-classes:
                forwarding-class:
                  - {name: fc3, output: {unicast-queue: roce}}
          - path: /interface[name=ethernet-1/1]
            value: {admin-state: enable, mtu: 9412}
          - path: /interface[name=ethernet-1/2]/mtu
            value: "{{ mtu }}"
        delete:
          - path: /interface[name=ethernet-1/3]/subinterface[index=0]
"""


def test_paths_are_commands() -> None:
    (one,) = written(PLAY)
    assert one.platform == "srlinux"
    said = dict(zip(one.text.rstrip("\n").split("\n"), one.lines, strict=False))
    assert said["delete / interface ethernet-1/3 subinterface 0"] == 26
    assert said["set / qos classifiers dscp-policy backend dscp 26 forwarding-class fc3"] == 11
    wred = "set / qos buffer-management queue-management-profile ecn wred wred-slope all all true"
    assert said[f"{wred} min-threshold-percent 5"] == 17
    assert said["set / qos forwarding-classes forwarding-class fc3 output unicast-queue roce"] == 20
    assert said["set / interface ethernet-1/1 mtu 9412"] == 22
    assert [line for line, _ in one.left_out] == [24]


def test_findings_stand_on_the_lines_of_the_playbook(tmp_path: Path) -> None:
    (tmp_path / "play.yml").write_text(
        PLAY.replace("forwarding-class: fc3}", "forwarding-class: fc3, pfc: 3}"), encoding="utf-8"
    )
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    assert [(one.rule, one.locations[0].line) for one in found if one.rule == "input/unread-line"] == [
        ("input/unread-line", 11)
    ]
