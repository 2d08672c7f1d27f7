"""`roce-audit lsp`: the language server on standard input and output, for editors."""

from __future__ import annotations

import argparse

from roce_audit.cli import extras
from roce_audit.cli.request import request


def run(options: argparse.Namespace) -> int:
    """Serve until the editor leaves."""
    extras.require("lsp", "lsp")
    from roce_audit.editor.server import Server

    Server(lambda path: request(options, (path,))).start_io()
    return 0
