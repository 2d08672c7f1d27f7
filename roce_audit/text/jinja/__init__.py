"""Expressions and lines of Jinja, worked out as far as values are known. Nothing is run."""
