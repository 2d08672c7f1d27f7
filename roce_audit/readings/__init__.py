"""Readings that travel: plain data from which a device is judged without its text, kept in a store or sent between processes."""
