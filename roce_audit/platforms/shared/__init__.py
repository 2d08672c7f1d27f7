"""What platforms share: how texts are read, what their statements have in common, how changes are written."""
