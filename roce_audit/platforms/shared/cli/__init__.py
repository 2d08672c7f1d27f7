"""Command-line switches: stanzas to ports, names to definitions, statements to facts, changes back to commands."""
