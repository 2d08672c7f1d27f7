"""`roce-audit completion`: the completion script of a shell."""

from __future__ import annotations

import argparse

from roce_audit.cli import arguments, shells, words

_SCRIPTS = {"bash": shells.bash, "zsh": shells.zsh, "fish": shells.fish}


def run(options: argparse.Namespace) -> int:
    """Print the script."""
    for line in _SCRIPTS[options.shell](words.verbs(arguments.parser())):
        print(line)
    return 0
