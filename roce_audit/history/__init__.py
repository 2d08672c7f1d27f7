"""Past runs, and what changed since."""
