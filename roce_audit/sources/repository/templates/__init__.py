"""Templates: what they plainly say of a switch."""
