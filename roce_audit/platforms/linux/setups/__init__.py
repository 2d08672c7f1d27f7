"""Files that set NICs up and are no host's own."""
