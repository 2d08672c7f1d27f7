"""The entry point: arguments to verbs, errors to exit codes."""

from __future__ import annotations

import argparse
import atexit
import gc
import os
import sys
from collections.abc import Callable, Sequence

from roce_audit import __version__

Run = Callable[[argparse.Namespace], int]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; gives the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["--version"]:  # the one answer that needs no parser
        print(f"roce-audit {__version__}")
        return 0
    from roce_audit.cli import arguments

    if not words:
        arguments.parser().print_help(sys.stderr)
        return 2
    try:
        verb = next((word for word in words if not word.startswith("-")), "")
        options = arguments.parser(verb).parse_args(words)
    except SystemExit as leaving:
        return int(leaving.code or 0)
    from roce_audit.cli import errors

    return errors.guarded(options)


def program() -> None:
    """The command: `main`, and an end without taking all memory apart piece by piece, an eighth of the time of a large run.

    What is to be done at the end is done: this is registered first, so it comes last.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started the program, who has nothing to say or to read there
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    gc.disable()  # nothing of what is imported becomes garbage; the verb has it collected, seldom
    codes: list[int] = []
    atexit.register(_end, codes)
    try:
        codes.append(main())
    except KeyboardInterrupt:  # before the verb has begun: it says the same itself
        print("roce-audit: interrupted", file=sys.stderr)
        codes.append(130)
    sys.exit(codes[0])


def _end(codes: Sequence[int]) -> None:
    if codes:  # none where an exception is on its way
        for stream in (sys.stdout, sys.stderr):
            if not stream.closed:
                stream.flush()
        os._exit(codes[0])


if __name__ == "__main__":
    program()
