"""Ports and devices that should be alike: how they are compared, and which are odd."""
