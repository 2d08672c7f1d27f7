"""Rules: their files, packs and messages."""
