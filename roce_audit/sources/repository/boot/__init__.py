"""What starts the scripts that set NICs up, and what keeps them from it."""
