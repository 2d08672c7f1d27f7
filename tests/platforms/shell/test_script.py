"""How set-up scripts are followed: what is surely run, what may be, and with which values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roce_audit.platforms.shared.shell.commands import commands
from roce_audit.platforms.shared.shell.script import Script


def run(text: str, **hooks: str) -> list[str]:
    """The calls of `f` in a script; those that may be made end with a question mark."""
    found = []
    for step in Script(hooks).follow(commands(text.strip("\n").split("\n"))):
        found += [f"{text}{'?' if step.way else ''}" for text in step.texts if text.startswith("f ")]
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X=1\nY=$(date)\nX=2\nZ='3'\nf $X ${Y} \"$Z\"", ['f 2 ${Y} "3"']),
        ('A=(a b)\nA+=(c)\nfor i in "${A[@]}"; do f $i; done', ["f a", "f b", "f c"]),
        ("A=(\n  a  # first\n  b\n)\nfor i in ${A[*]}\ndo\n  f $i\ndone", ["f a", "f b"]),
        ("for p in {2..3} 5; do f eth$p; done", ["f eth2", "f eth3", "f eth5"]),
        ("for i in $(seq 0 2); do f $i; done; f $i", ["f 0", "f 1", "f 2", "f $i"]),
        ("for i in $(seq 0 4 9); do f Ethernet$i; done", ["f Ethernet0", "f Ethernet4", "f Ethernet8"]),
        ("for i in {0..8..4}; do f Ethernet$i; done", ["f Ethernet0", "f Ethernet4", "f Ethernet8"]),
        ("for ((i=0; i<=8; i+=4)); do f Ethernet$i; done", ["f Ethernet0", "f Ethernet4", "f Ethernet8"]),
        ("for ((i=0; i<2; i++)); do f ens${i}np0; done", ["f ens0np0", "f ens1np0"]),
        ("for i in 0 1; do D=eth$i; f $D; done", ["f eth0", "f eth1"]),
        ("for a in 0 1; do for b in 0 1; do f $a$b; done; done", ["f 00", "f 01", "f 10", "f 11"]),
        ("for i in `cat list`; do f $i; done", ["f $i"]),
        ("for i in $(ls /sys/class/net); do f $i; done", ["f *"]),
        ("for i in $(ls /sys/class/net | grep ens); do f $i; done", ["f *ens*"]),
        ("for p in /sys/class/net/ens*; do D=$(basename $p); f $D ${p##*/}; done", ["f ens* ens*"]),
        ("for p in e1:m1 e2:m2; do D=${p%%:*}; f $D ${p##*:}; done", ["f e1 m1", "f e2 m2"]),
        ("A=a.b.c\nf ${A%.*} ${A#*.} ${A##*.} ${A%.c} ${A#a} ${A%%:*} ${A%x}", ["f a.b b.c c a.b .b.c a.b.c a.b.c"]),
        ("A=$(date)\nf ${A%%:*}", ["f ${A%%:*}"]),
        ("for i in ens{1..2}f{0,1}; do f $i; done", ["f ens1f0", "f ens1f1", "f ens2f0", "f ens2f1"]),
        ("while read -r d; do f $d; done < list", ["f $d?"]),
        ("ls | while read d; do f $d; done", ["f $d?"]),
        ("f ${P:-3}; P=4; f ${P:-3} ${1:-5}", ["f 3", "f 4 ${1:-5}"]),
        ("f a \\\n  b", ["f a b"]),
        ("A=1 B='2 3'\nC=4 f $A $B $C", []),
        ("A=1 B='2 3'\nf $A $B", ["f 1 2 3"]),
        ("f 'a; b' # f c\n# f d", ["f 'a; b'"]),
        ("bash -c 'X=1; f $X'", ["f 1"]),
        ("cat > x <<EOF\nf in a file\nEOF\nf a", ["f in a file?", "f a"]),
        ("cat <<EOF\nf is only shown\nEOF\nf a", ["f a"]),
        ("usage() { cat <<-'EOF' >&2\nf is only shown\nEOF\n}\nf a", ["f a"]),
        (": <<OLD\nf is gone\nOLD\nf a", ["f a"]),
        ("cat <<EOF | ssh n1 sh\nf over there\nEOF", ["f over there?"]),
        ("if (( b & (1 << p) )); then\nf a\nfi\nf b", ["f a?", "f b"]),
        ("m=$(( 1 << bit ))\nf a", ["f a"]),
        ("@reboot root f a", []),
        ("X=$TOKEN_<redacted>\nf a\n<redacted>\nf b", ["f a", "f b?"]),
        ("T=<redacted>\n[ $T = x ] && f $T", ["f $T?"]),
        ('if [ "$T" =<redacted>\nfi\nf a', ["f a?"]),
        ("f a\nexit 0\nf b", ["f a"]),
        ("read X\nf $X", ["f $X"]),
        (
            (
                "for n in a b; do D=$(ls /sys/class/net/$n/device/infiniband | head -n1); f $D; done\n"
                "f `ls /sys/class/infiniband/m0/device/net`"
            ),
            ["f @a", "f @b", "f @m0"],
        ),
        ("N=eth0\nD=$(ibdev2netdev | grep -w $N | awk '{print $1}')\nf $D", ["f @eth0"]),
        # one text for another; what is not worked out is not cut at the blank in it
        ('L=0:0,3:1\nM="${L//,/ }"\nN="${L/0:/}"\nf $M $N', ["f 0:0 3:1 0,3:1"]),
        ('L=$(cat x)\nM="${L//,/ }"\nN="${L/[0-9]/ }"\nf "$M" $N', ['f "$M" $N']),
        # a variable of a shell that is run later
        ('V=4\nE="A=\\${V} B=\\$V C=$V"\nf $E', ["f A=\\${V} B=\\$V C=4"]),
        # a question whose answer is not known stays one word
        (
            'for d in $(cat x); do N=$(basename "$(readlink -f "/sys/class/infiniband/$d/net/"*)"); f -i "$N" a; done',
            ['f -i "$N" a'],
        ),
        ("D=$(ls /sys/class/net/$1/device/infiniband)\nf $D a", ["f $D a"]),
    ],
)
def test_values_and_loops(text: str, expected: list[str]) -> None:
    assert run(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if [ $A ]; then f a; else f b; fi; f c", ["f a?", "f b?", "f c"]),
        ("if [ -d /sys/class/net/x ]; then\n  f a\nelse\n  f b\nfi", ["f a"]),
        ("if ! command -v f >/dev/null; then\n  echo no; exit 1\nfi\nf a", ["f a"]),
        ('if [ "$EUID" -ne 0 ]; then exit 1; fi\nf a', ["f a"]),
        ("if [ $A ]; then exit 0; fi\nf a", ["f a?"]),
        ("if [ $A ]; then exit 1; fi\nf a", ["f a"]),
        ("[ -e /sys/x ] || exit 0\nf a", ["f a"]),
        ("[ $A ] && f a\n[ $A ] || f b\nf c", ["f a?", "f b?", "f c"]),
        ("[ -x /usr/bin/f ] && f a || f b", ["f a", "f b?"]),
        ("f a && f b || f c", ["f a", "f b", "f c?"]),
        ("M=on\nif [ $M = on ]; then f a; elif [ $A ]; then f b; else f c; fi", ["f a"]),
        ("M=on\ncase $M in\n  off) f a;;\n  on|yes)\n    f b\n    ;;\n  *) f c;;\nesac\nf d", ["f b", "f d"]),
        ("case $A in\n  x) P=1 ;;\n  *) P=2 ;;\nesac\nf $P", ["f $P"]),
        ("if [ $A ]; then P=1; else P=1; fi; f $P", ["f 1"]),
        ("P=1; if [ $A ]; then P=2; f $P; fi; f $P", ["f 2?", "f $P"]),
        ("P=1; [ $A ] && P=2; f $P", ["f $P"]),
        ("if f a; then echo yes; fi", ["f a"]),
        (
            'A=; B=x; [ -z "$A" ] && f a; [ -n "$A" ] && f b; [ -n "$B" ] && f c; [ -z "$C" ] && f d',
            ["f a", "f c", "f d?"],
        ),
        ("if true; then f a; else f b; fi; false && f c", ["f a"]),
        ("for i in a b; do [ -e /sys/class/net/$i ] || continue; f $i; done", ["f a", "f b"]),
        ("for i in a b; do [ $A ] || continue; f $i; done; f c", ["f a?", "f b?", "f c"]),
        ("awk '{ if ($1 > 2) print }' x; f a", ["f a"]),
        ("awk '{\nif ($1 > 2) {\nprint }\n}' x\nf a", ["f a"]),
    ],
)
def test_conditions(text: str, expected: list[str]) -> None:
    assert run(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("set_up() {\n  local d=$1 p=$2\n  f $d $p\n}\nset_up a 3\nset_up b 4", ["f a 3", "f b 4"]),
        ("function set_up {\n  if [ $A ]; then f x; fi\n}\nfor i in a b; do set_up $i; done", ["f x?", "f x?"]),
        ("set_up() { f $1; }\nfor i in a b; do set_up $i; done", ["f a", "f b"]),
        ('main() {\n  f a\n  return 0\n  f b\n}\nmain "$@"\nf c', ["f a", "f c"]),
        ("never() { f a; }", ["f a?"]),
        ("a() { b; }\nb() { a; f x; }\na", ["f x"] * 4),
        ('over() { f "$1" "$2"; }\nover gpu1 "x -i ens1; y"', ['f "gpu1" "x -i ens1; y"']),
        ('over() {\n  local cmd=$2\n  f $1 "$cmd"\n}\nover gpu1 "x \'3\' 4"', ['f gpu1 "x 3 4"']),
        ('over() { f $1; }\nover "never closed', ["f never"]),
        ('over() {\n expect <<EOF\nf $1 "$2"\n}\nEOF\n}\nover gpu1 "x y"', ['f gpu1 "x y"?']),
    ],
)
def test_functions(text: str, expected: list[str]) -> None:
    assert run(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[ "$IFACE" = ens1 ] || exit 0\nf $IFACE', ["f ens1"]),
        ('if [ "$IFACE" != ens1 ]; then\n exit 0\nfi\nf $IFACE', ["f ens1"]),
        ('if [ "$IFACE" = ens1 ]; then f $IFACE; fi; f x $IFACE', ["f ens1", "f x *"]),
        ('case "$IFACE" in ens1|ens2) f $IFACE;; esac', ["f ens1|ens2"]),
        ('[ "$ACTION" = down ] && f a\n[ "$ACTION" = up ] && f b', ["f b"]),
    ],
)
def test_a_hook_is_run_for_every_nic(text: str, expected: list[str]) -> None:
    assert run(text, IFACE="*", ACTION="up") == expected


@given(st.text(alphabet=st.sampled_from("abf \n;|&(){}[]'\"$`\\<=#*ix01"), max_size=200))
def test_no_text_raises(text: str) -> None:
    list(Script({}).follow(commands(text.split("\n"))))


def test_work_is_bounded() -> None:
    deep = "if [ $A ]; then\n" * 5_000 + "f a"
    assert run(deep) == ["f a?"]
    assert run("X=$X$X\n" * 40 + "f $X")[0].startswith("f ")
    assert run("for i in " + "{a,b}" * 60 + "; do f $i; done") == ["f $i"]
    loops = "".join(f"for v{n} in {{0..200}}; do " for n in range(5))
    assert run(f"{loops} f $v0$v1$v2") == ["f $v0$v1$v2"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('for d in a b; do [ -n "$d" ] || { echo none; continue; }; f $d; done', ["f a", "f b"]),
        ('X=1\n[ -n "$X" ] || {\n  echo none\n  exit 0\n}\nf $X', ["f 1"]),
        ('X=1\n[ -z "$X" ] && { f none; }\nf $X', ["f 1"]),
        ('X=1\n[ -n "$X" ] && { f $X; X=2; }\nf $X', ["f 1", "f 2"]),
        ('X=1\n[ "$(date)" = 5 ] && { f $X; X=2; }\nf $X', ["f 1?", "f $X"]),
        ("g() {\n  true || { echo no; return 1; }\n  f a\n}\ng\nf b", ["f a", "f b"]),
        ("if true; then\n  g x && { f a\nfi\nf b", ["f a", "f b"]),
    ],
)
def test_commands_in_braces_run_as_what_stands_before_them_says(text: str, expected: list[str]) -> None:
    assert run(text) == expected


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ('$(cat "/sys/class/infiniband/$d/ports/1/gid_attrs/ndevs/0" 2>/dev/null)', "@mlx5_0"),
        ("$(ls /sys/class/infiniband/$d/device/net)", "@mlx5_0"),
        ("$(cat /etc/roce/$d)", "$n"),
    ],
)
def test_the_network_device_of_an_rdma_device(asked: str, name: str) -> None:
    assert run(f"for d in mlx5_0; do n={asked}; f $n; done") == [f"f {name}"]
