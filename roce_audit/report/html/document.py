"""What every page of ours begins with: nothing is loaded from anywhere, and nothing runs but the page's own script."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from html import escape
from importlib.resources import files


def asset(name: str) -> str:
    """The text of a style sheet or script that lies beside this module."""
    return files("roce_audit.report.html").joinpath("assets", name).read_text(encoding="utf-8")


def head(title: str, style: str, script: str = "") -> Iterator[str]:
    """From the first byte to the end of `<head>`."""
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{escape(_policy(style, script))}">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
    yield f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n"


def _policy(style: str, script: str) -> str:
    scripts = f"script-src '{_hash(script)}'; " if script else ""
    return f"default-src 'none'; style-src '{_hash(style)}'; {scripts}base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
