"""`python -m roce_audit`: the same program as `roce-audit`."""

from __future__ import annotations

import sys

from roce_audit.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
