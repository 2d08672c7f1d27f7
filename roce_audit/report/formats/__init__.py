"""One module a format; its name is the format's name."""
