"""Proof: examples, golden models, corruption, selftest. Above everything but the command line."""
