"""Scripts of the shell, followed without running them: which commands they surely run, which they may, with which values."""
