"""What a host's tools and kernel answer."""
