"""Which way traffic takes, and what becomes of a class on it."""
