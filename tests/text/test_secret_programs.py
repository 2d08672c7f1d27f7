"""Secrets that stand in arguments of programs, in manifests and in addresses; and what only looks alike stays evidence."""

from __future__ import annotations

import json

import pytest

from roce_audit.text.secrets.mask import Masker, Numbered
from roce_audit.text.secrets.redact import redact

SECRET = "planet9planet9"
FORMS = (
    "   exec /usr/bin/TerminAttr -ingestgrpcurl=10.0.0.8:9910 -ingestauth=key,{} -taillogs",
    "curl -s -u ops:{} https://10.0.0.1/nvue_v1/qos",
    "curl --user 'ops:{}' https://10.0.0.1/",
    "sshpass -p {} ssh leaf1 show running-config",
    "sshpass -p'{}' ssh leaf1",
    "curl -k -uops:{} https://10.0.0.1/",
    "gnmic -a leaf1 -u admin -p {} get --path /",
    "ipmitool -H gpu1-bmc -U admin -P {} chassis status",
    "docker login -u ops -p {} registry.example.net",
    "snmpwalk -v2c -c {} leaf1",
    "echo {} | sudo -S mlnx_qos -i ens1f0np0 --pfc 0,0,0,1,0,0,0,0",
    "echo '{}' | sudo -u root -S sh -c 'echo 106 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class'",
    "printf '%s\\n' {} | sudo -S cma_roce_tos -d mlx5_0 -t 106",
    "sudo -S mlnx_qos -i ens1f0np0 --trust dscp <<< '{}'",
    "echo root:{} | chpasswd",
    "export SSHPASS={}",
    "leaf_pw: {}",
    "snmp_rocommunities: [{}]",
    '"password": ["{}"]',
    "nvme connect -t rdma -a 10.0.0.1 -S DHHC-1:00:{}:",
    "    key-octet-string 7 {} cryptographic-algorithm AES_128_CMAC",
    'ConvertTo-SecureString "{}" -AsPlainText -Force',
    "bindpw {}",
    "mpirun -x TOKEN={} -x NCCL_IB_TC=106 ./all_reduce",
    '  "token": "{}",',
    "token: {}",
    "OPENAI_KEY={}",
    "export OPENAI_KEY='{}'",
    "nv set service ntp default key 1 value {}",
    "url: https://hooks.slack.com/services/T000/B000/{}",
    "post https://discord.com/api/webhooks/123/{}",
    "mysql -uroot -p{} -h db",
    "mysqldump -p{} qos",
    "redis-cli -a {} ping",
    "redis-cli -h 127.0.0.1 -a '{}' ping",
    "ldapsearch -x -w {} -D cn=ops",
    "openssl enc -aes-256-cbc -k {} -in leaf1.cfg",
    r"net use \\nas\configs {} /user:ops",
    "vault login {}",
    "etcdctl --user root:{} get /qos",
    "gnmic -p {} get --path /",
    "snmpwalk -v3 -u ops -A short -X {} leaf1",
    "srun --token {} -x NCCL_IB_TC=106 train",
    "python train.py --hf-token '{}'",
    "requests.get(url, auth=('ops', '{}'))",
    r'  "*?assword*" { send "{}\r" }',
    "REDISCLI_AUTH={}",
    "tacacs_key: {}",
    "snmp_ro: {}",
    "  client-key-data: {}",
    "  pw: {}",
    '"snmpCommunity": "{}"',
    '  "Authorization": "Basic {}",',
    "\tkey = AQB{}abcdefghijklmnopqrs0==",
)
EVIDENCE = (
    "mpirun -x NCCL_IB_TC=106 -x NCCL_IB_GID_INDEX=3 ./all_reduce",
    "ib_write_bw -d mlx5_0 --tclass=106 -x 3",
    "   qos map dscp 26 to traffic-class 3",
    '  "key": "DSCP_TO_TC_MAP|AZURE"',
    "mlnx_qos -i ens1f0np0 --trust dscp -p 0,1,2,3,4,5,6,7",
    "nv set qos roce mode lossless",
    "   random-detect ecn minimum-threshold 150 kbytes maximum-threshold 1500 kbytes",
    "curl -s https://10.0.0.1/nvue_v1/qos",
    "echo 106 | sudo tee /sys/class/infiniband/mlx5_0/tc/1/traffic_class",
    "docker run -p 80:80 -e NCCL_IB_TC=106 image",
    "iscsiadm -m node -p 10.1.1.1 --login",
    "BYPASS=3",
    "python train.py --max-token 4096 --num-tokens 2 --tokens 3",
    "PWD=/root/roce",
    "mysql_port: 3306",
    "redis-cli -n 4 hgetall 'PORT_QOS_MAP|Ethernet0'",
    "openssl version",
    "vault login -method=ldap",
    "the basic: qos map dscp 26 to traffic-class 3",
    "pwm: 3",
    "upward: 4",
)
SECRET_MANIFEST = """\
apiVersion: v1
stringData:
  hf: {}
  config.ini: |
    user = ops
    door = {}
data: {{wandb: {}}}
kind: Secret
metadata:
  name: keys
---
apiVersion: v1
kind: ConfigMap
data:
  NCCL_IB_TC: "106"
"""


@pytest.mark.parametrize("form", FORMS)
def test_no_secret_of_a_line_survives(form: str) -> None:
    line = form.replace("{}", SECRET)
    for shown in (redact(line), Masker(Numbered()).text(line)):
        assert SECRET not in shown
        assert shown.startswith(form[:4])
    assert "NCCL_IB_TC=106" in redact(line) or "NCCL" not in line


@pytest.mark.parametrize("line", EVIDENCE)
def test_evidence_stays(line: str) -> None:
    assert redact(line) == line
    assert Masker(Numbered()).text(line) == line


def test_what_a_script_sends_when_it_is_asked_for_a_password() -> None:
    script = f'expect "*assword:"\nsend "{SECRET}\\r"\nexpect "#"\nsend "show running-config\\r"\n'
    assert Masker(Numbered()).text(script) == script.replace(f"{SECRET}\\r", "<secret-1>\\<secret-2>")
    program = f"child.expect('assword:')\nchild.sendline('{SECRET}')\nchild.sendline('show qos')\n"
    assert Masker(Numbered()).text(program) == program.replace(SECRET, "<secret-1>")


def test_communities_of_an_answer_in_xml() -> None:
    text = f"<snmp>\n <community>\n  <name>{SECRET}</name>\n </community>\n</snmp>\n<class>\n <name>ROCE</name>\n</class>\n"
    assert Masker(Numbered()).text(text) == text.replace(SECRET, "<secret-1>")


def test_the_data_of_a_kubernetes_secret() -> None:
    text = SECRET_MANIFEST.replace("{{", "\0").replace("{}", SECRET).replace("\0", "{").replace("}}", "}")
    masker = Masker(masks := Numbered())
    masked = masker.text(text)
    assert SECRET not in masked
    assert len(masks) >= 1
    assert masked.count("\n") == text.count("\n")
    assert 'NCCL_IB_TC: "106"' in masked
    assert "kind: Secret\nmetadata:\n  name: keys" in masked


def test_the_data_of_a_kubernetes_secret_in_json() -> None:
    secret = {"data": {"hf": SECRET}, "stringData": {"x": {"y": SECRET}}, "kind": "Secret", "apiVersion": "v1"}
    masked = Masker(Numbered()).text(json.dumps(secret, indent=1))
    assert SECRET not in masked
    assert json.loads(masked)["kind"] == "Secret"
    applied = "kind: Secret\nmetadata:\n  annotations:\n    last: |\n      " + json.dumps(secret) + "\n"
    assert SECRET not in Masker(Numbered()).text(applied)


def test_the_keys_of_ntp_in_a_datastore() -> None:
    text = f"service:\n  ntp:\n    mgmt:\n      key:\n        '1':\n          value: {SECRET}\n          type: md5\n  qos:\n    value: 26\n"
    masked = Masker(Numbered()).text(text)
    assert masked == text.replace(SECRET, "<secret-1>")
    tree = {"service": {"ntp": {"mgmt": {"key": {"1": {"value": SECRET}}}}, "qos": {"value": "26"}}}
    assert Masker(Numbered()).text(json.dumps(tree)) == json.dumps(tree).replace(SECRET, "<secret-1>")
