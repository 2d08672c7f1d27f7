"""Fixes: proposals in the devices' own syntax, each proved by judging the changed texts before anybody sees it."""
