"""The lossless classes of a fabric: what devices do for them, what they agree on, and what is meant."""
