"""Texts of a known structure, with the line of each part: JSON, YAML, XML, braces, indentation."""
