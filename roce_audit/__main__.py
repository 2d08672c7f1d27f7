"""`python -m roce_audit`: the same program as `roce-audit`."""

from __future__ import annotations

from roce_audit.cli.main import program

if __name__ == "__main__":
    program()
