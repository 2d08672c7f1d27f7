"""A case file: one finding with the files that show it, secrets masked, so that others can replay it."""
