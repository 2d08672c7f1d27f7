"""Programs of Python that configure switches, read from their syntax tree. Nothing is run."""
