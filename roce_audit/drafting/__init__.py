"""The policy file that a site could have written: what the devices agree on, with the evidence."""
