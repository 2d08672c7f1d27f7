"""What `--help` teaches: examples of every verb, each with the reason to type it."""

from __future__ import annotations

from collections.abc import Sequence

EXIT_CODES = """exit codes: 0 everything judged holds, 1 findings at or above --fail-on, 2 usage or policy wrong,
3 nothing recognised, 4 something could not be judged, 70 internal error"""

FIRST = f"""first steps:
  roce-audit check configs/                  what is wrong, with file, line, arithmetic and source
  roce-audit show --roce configs/            which ports carry RoCE, and how that is known
  roce-audit explain pfc/priority-off        why a rule exists; add DEVICE:PORT to see why it fired there
  roce-audit init configs/                   write down what was inferred, with the evidence
roce-audit VERB --help shows examples of each verb

{EXIT_CODES}"""


def one_of(names: Sequence[str]) -> str:
    """`base, mori or validate-dcb`."""
    return f"{', '.join(names[:-1])} or {names[-1]}"


EXAMPLES: dict[str, tuple[tuple[str, str], ...]] = {
    "check": (
        ("check configs/", "a folder of configurations, snapshots, bundles of hosts"),
        ("check leaf1.cfg --context .", "one changed file, judged with its neighbours"),
        ("check . --select pfc --select ecn/marks-after-pfc", "a topic and a single rule"),
        ("check . -f concise", "one line a finding, for grep and editors"),
        ("check . -f text -f sarif=roce.sarif", "read it here, and upload it there"),
        ("check . --fail-on warning --strict", "warnings and everything unknown fail the pipeline"),
        ("ssh leaf1 show running-config | roce-audit check -", "straight from a device"),
    ),
    "merge": (
        ("check fleet/ --shard $SLURM_ARRAY_TASK_ID/8=part$SLURM_ARRAY_TASK_ID", "in each of eight jobs: read a part"),
        ("merge part* -f html=report.html", "afterwards: join and judge all of them"),
    ),
    "host-probe": (
        ("host-probe -o probe.sh", "the script, to be carried to the hosts"),
        ("host-probe --budget 20", "a script that ends after 20 s, whatever it still had to ask"),
    ),
    "collect": (
        ("collect -i inventory.yaml -o snapshots/today", "read every device and host of the inventory"),
        ("collect -i inventory.yaml -o snapshots/today --resume", "go on where a broken run ended"),
        ("collect -i inventory.yaml --print-commands", "what would be sent, without sending it"),
    ),
    "show": (
        ("show --roce configs/", "which ports carry RoCE, on what evidence"),
        ("show leaf1:Ethernet1/1 configs/", "every value of a port with its line, default or reason"),
        ("show --effective 'leaf*:Ethernet1/1' configs/", "the path of each class through a port, on one line"),
    ),
    "explain": (
        ("explain ecn/marks-after-pfc", "why, source, good and bad configuration"),
        ("explain priority-off leaf1:Ethernet1/1 configs/", "why it fired, held or could not be judged there"),
    ),
    "trace": (
        ("trace gpu1:mlx5_0 gpu9:mlx5_0 snapshot/", "every hop with its line, and the CNPs back"),
        ("trace gpu1 gpu9 snapshot/", "each NIC with the one of its number"),
        ("trace leaf1:Ethernet1/1 leaf4:Ethernet1/7 configs/", "without files of hosts"),
        ("trace gpu1 gpu9 snapshot/ --app nccl", "what NCCL sends there, not what the class is"),
    ),
    "fix": (
        ("fix configs/", "what to type on each device, in a safe order"),
        ("fix --diff configs/ > fix.patch", "the same as a patch of the files"),
        ("fix --select pfc configs/", "only what PFC needs"),
        ("fix --write configs/", "change the files; each must be as it was committed"),
    ),
    "lsp": (
        ("lsp", "what an editor starts; docs/how-to/editors.md says how for VS Code, Neovim and Emacs"),
        ("lsp --profile NAME --ignore fleet", "with the same choices as `check`"),
    ),
    "baseline": (
        ("baseline configs/", "accept what is found today: only new and worse findings fail from now on"),
        ("check configs/ --baseline roce-audit-baseline.json", "judge with it"),
        ("baseline --prune configs/", "take out what has been fixed"),
    ),
    "audit": (
        ("audit snapshot/", "check, keep the run, say what changed since the last one"),
        ("audit . -f html=report.html --webhook https://chat.example/hook", "with a report and a notice"),
    ),
    "diff": (
        ("diff main HEAD", "two git revisions: findings new, fixed, changed"),
        ("diff monday/ tuesday/", "two folders"),
        ("diff last configs/", "the last recorded run and what lies here"),
    ),
    "history": (
        ("history", "past runs"),
        ("history last", "what failed in the last run, and since when"),
        ("history -f html > trend.html", "failed checks over time, and what fails longest"),
        ("history --keep-days 90", "forget older runs"),
    ),
    "rules": (
        ("rules", "the catalogue"),
        ("rules --select buffer", "one topic"),
        ("rules -f json", "for programs"),
        ("rules --new pfc/house-rule", "a rule of your own, to begin with"),
        ("rules --test our-rules", "do the examples of your rules hold?"),
    ),
    "selftest": (
        ("selftest", "break every rule's good examples and see it fire"),
        ("selftest configs/", "break YOUR configurations line by line: which loss would nobody notice?"),
        ("selftest --seconds 600 --numbers configs/", "for longer, and change numbers too"),
    ),
    "init": (
        ("init configs/", "write configs/roce-audit.yaml: classes, fabrics, MTU, with the evidence"),
        ("init -o - configs/", "look at it first"),
        ("init --schema configs/", "and its schema beside it: editors then complete and explain its names"),
    ),
    "calc": (
        ("calc headroom --speed 400G --cable 40 --mtu 9216", "bytes of headroom, term by term"),
        ("calc headroom --speed 100G --cable 5m --mtu 4160 --have 40kB", "and how many metres yours pays for"),
        ("calc headroom --speed 800G --cable 40 --asic spectrum-4", "beside what SONiC reserves on that chip"),
        ("calc ecn --kmin 150kB --kmax 1500kB --pmax 5 --queue 400kB", "how many packets are marked"),
        ("calc ecn --kmin 1MB --kmax 2MB --pmax 5 --alpha 1 --pool 33MB --senders 8", "is PFC first?"),
        ("calc mtu --rdma-mtu 4096 --vxlan", "packet, frame, underlay"),
        ("calc pause --speed 400G --cable 40", "pause quanta, headroom in metres"),
        ("calc ets --shares 50,50 --speed 400G --strict 10G", "what each queue surely gets"),
        ("calc dcqcn --speed 400G --senders 8 --kmin 150kB --kmax 1500kB --pmax 5", "where the queue comes to rest"),
        ("calc dcqcn --speed 400G --senders 8 --kmin 950kB --kmax 3MB --pmax 7 --delay 20", "and is it stable?"),
    ),
    "evidence": (
        ("evidence pfc/priority-off:leaf1 configs/ -o case.tar.gz", "a bundle for a vendor's support case"),
        ("evidence 3f2a9c configs/ -o case.tar.gz", "by the first letters of a fingerprint (check -f json)"),
    ),
    "completion": (
        ("completion bash > /etc/bash_completion.d/roce-audit", "for all users"),
        ("completion zsh > ~/.zfunc/_roce-audit", "with ~/.zfunc in fpath"),
        ("completion fish > ~/.config/fish/completions/roce-audit.fish", "fish"),
    ),
}


def examples(verb: str, subject: str = "") -> str:
    """The block of examples below the help of a verb, or of a subject of it."""
    these = [(text, why) for text, why in EXAMPLES.get(verb, ()) if text.startswith(f"{verb} {subject}") or not subject]
    lines = [(text if text.startswith("ssh ") else f"roce-audit {text}", why) for text, why in these]
    if not lines:
        return ""
    wide = max(len(text) for text, _ in lines)
    return "examples:\n" + "\n".join(f"  {text:<{wide}}   {why}" for text, why in lines)
