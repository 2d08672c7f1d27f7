"""How ports are cabled: as LLDP, plans, descriptions and addresses tell it."""
