"""Fixes: proposals in the devices' own words, each proved by judging the changed texts before anybody sees it."""
