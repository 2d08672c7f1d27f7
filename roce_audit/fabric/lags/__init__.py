"""Channels of several ports, pairs of switches that make channels together, and what both must say alike."""
