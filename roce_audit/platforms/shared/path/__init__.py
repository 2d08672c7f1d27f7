"""Configurations that are trees of paths (JSON, YAML, flat `set` lines): reading them, and writing changes to them."""
