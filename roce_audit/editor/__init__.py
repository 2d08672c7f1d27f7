"""For editors: findings in the open file, with its folder as context. `server` speaks the protocol, the rest knows nothing of it."""
