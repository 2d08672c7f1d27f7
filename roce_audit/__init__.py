"""roce-audit: the linter and auditor for lossless RoCE fabrics."""

__version__ = "0.1.0"
