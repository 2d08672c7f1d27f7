"""What helps while typing: completion, help with examples, and suggestions for slips."""

from __future__ import annotations

import argparse
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from roce_audit.cli import arguments, shells, usage, words
from roce_audit.cli.main import main

Capture = pytest.CaptureFixture[str]
VERBS = words.verbs(arguments.parser())
SWITCH = Path(__file__).parents[2] / "fixtures/fabric/backend/leaf1.cfg"
TOP = [verb.path[0] for verb in VERBS if len(verb.path) == 1]


def completed(*typed: str, folder: Path) -> list[str]:
    """What bash offers for the last word."""
    script = "\n".join(shells.bash(VERBS))
    line = " ".join(map(shlex.quote, ["roce-audit", *typed]))
    code = f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(typed)}; _roce_audit; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(
        ["bash", "--norc", "-u", "-c", code], capture_output=True, text=True, check=True, cwd=folder, timeout=60
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("typed", "offered", "not_offered"),
    [
        (("ch",), {"check"}, {"show"}),
        (("",), {"check", "calc", "completion", "--version"}, {"--strict"}),
        (("check", "--fa"), {"--fail-on"}, {"--format"}),
        (("check", "--fail-on", ""), {"error", "never"}, {"--strict"}),
        (("check", "--fail-on", "=", "w"), {"warning"}, {"error"}),
        (("check", "-f", "sa"), {"sarif"}, {"text"}),
        (("check", "--profile", ""), {"base", "mori"}, {"leaf1.cfg"}),
        (("check", "--strict", "le"), {"leaf1.cfg"}, set()),
        (("explain", "pfc/priority-"), {"pfc/priority-off"}, {"mtu/below-roce"}),
        (("check", "--select", "mt"), {"mtu", "mtu/below-roce"}, set()),
        (("calc", ""), {"headroom", "ecn"}, {"leaf1.cfg"}),
        (("calc", "headroom", "--sp"), {"--speed"}, {"--kmin"}),
        (("calc", "headroom", "--speed", ""), set(), {"leaf1.cfg", "--cable"}),
        (("completion", "z"), {"zsh"}, {"bash"}),
    ],
)
def test_bash_offers_what_fits(
    typed: tuple[str, ...], offered: set[str], not_offered: set[str], tmp_path: Path
) -> None:
    (tmp_path / "leaf1.cfg").touch()
    found = set(completed(*typed, folder=tmp_path))
    assert offered <= found
    assert not not_offered & found


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_word_is_in_the_script(shell: str, capsys: Capture) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for verb in VERBS:
        assert verb.path[-1] in script
        for option in verb.options:
            for name in option.names:
                assert (name if shell != "fish" else name.lstrip("-")) in script


@pytest.mark.parametrize("make", [shells.zsh, shells.fish])
def test_quotes_are_closed(make: object) -> None:
    for line in make(VERBS):  # type: ignore[operator]
        words = shlex.split(line, comments=True)
        assert words or not line.strip() or line.lstrip().startswith("#"), line


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_takes_the_script(shell: str, tmp_path: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"no {shell} on this machine")
    file = tmp_path / "script"
    file.write_text("\n".join(getattr(shells, shell)(VERBS)) + "\n")
    done = subprocess.run([program, "-n", str(file)], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_verb_has_examples_that_can_be_parsed() -> None:
    """Who adds a verb adds its examples to cli/usage.py."""
    assert sorted(usage.EXAMPLES) == sorted(TOP)
    for verb, examples in usage.EXAMPLES.items():
        assert examples
        for text, why in examples:
            assert why
            words_ = shlex.split(text.split("|")[-1].split(" > ")[0])
            given = words_[1:] if words_[0] == "roce-audit" else words_
            assert isinstance(arguments.parser().parse_args(given), argparse.Namespace), text
            assert verb in text or given[0] in TOP


@pytest.mark.parametrize("verb", [verb.path for verb in VERBS], ids=" ".join)
def test_help_shows_the_examples(verb: tuple[str, ...], capsys: Capture) -> None:
    assert main([*verb, "--help"]) == 0
    assert "examples:\n  roce-audit " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["chek"], "VERB: there is no 'chek', did you mean 'check'?"),
        (["check", "--fail-onn"], "there is no option '--fail-onn', did you mean '--fail-on'?"),
        (["check", "--fail-on", "eror"], "--fail-on: there is no 'eror', did you mean 'error'?"),
        (["check", "--color", "x"], "--color: there is no 'x'; it is one of auto, always, never"),
        (["check", "--quite=2"], "there is no option '--quite', did you mean '--quiet'?"),
        (["check", "-f", "sarfi"], "unknown format 'sarfi'; did you mean 'sarif'?"),
        (
            ["check", str(SWITCH), "--select", "pfc/priority-of"],
            "is called 'pfc/priority-of', did you mean 'pfc/priority-off'?",
        ),
        (["explain", "pfc/priority-of"], "there is no rule 'pfc/priority-of', did you mean 'pfc/priority-off'?"),
        (["calc", "headrom"], "SUBJECT: there is no 'headrom', did you mean 'headroom'?"),
        (["completion", "bsh"], "SHELL: there is no 'bsh', did you mean 'bash'?"),
        (["completion", "bash", "more"], "nothing is expected at 'more'"),
        (["calc", "headroom", "--sped", "4"], "there is no option '--sped', did you mean '--speed'?"),
    ],
)
def test_a_slip_gets_a_suggestion(typed: list[str], said: str, capsys: Capture) -> None:
    assert main(typed) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) <= 2


def test_nothing_typed_gets_the_help(capsys: Capture) -> None:
    assert main([]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert "first steps:" in out.err


@pytest.mark.parametrize(
    "typed",
    [
        ["-o", "x.tgz", "pfc", "a", "b"],
        ["pfc", "-o", "x.tgz", "a", "b"],
        ["pfc", "a", "-ox.tgz", "b"],
        ["pfc", "a", "b", "-qo", "x.tgz"],
        ["--output", "x.tgz", "pfc", "a", "--forc", "b"],
        ["--output=x.tgz", "--color", "never", "pfc", "--", "a", "b"],
    ],
)
def test_options_stand_anywhere_between_the_words(typed: list[str]) -> None:
    options = arguments.parser("evidence").parse_args(["evidence", *typed])
    assert (options.output, options.finding, options.paths) == ("x.tgz", "pfc", ["a", "b"])


def test_what_stands_behind_two_dashes_is_no_option() -> None:
    options = arguments.parser("check").parse_args(["check", "-q", "--", "-v", "-x.cfg"])
    assert (options.quiet, options.verbose, options.paths) == (1, 0, ["-v", "-x.cfg"])
    options = arguments.parser("check").parse_args(["check", "-", "-q"])
    assert (options.quiet, options.paths) == (1, ["-"])
