"""Devices that are read over SSH: what to reach and how to log in, connections, what is asked, and how a run over a fleet goes."""
