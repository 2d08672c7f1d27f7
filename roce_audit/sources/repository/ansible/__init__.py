"""Playbooks: which tasks run for which switch, and what they type into it."""
