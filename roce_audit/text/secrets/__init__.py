"""Secrets do not leave: what a line or a whole text looks like without them."""
