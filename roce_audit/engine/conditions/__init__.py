"""Conditions of three values: from text to an answer with the paths that decided it."""
