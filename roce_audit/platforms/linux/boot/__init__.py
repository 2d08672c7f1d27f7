"""What sets a host's NICs up at boot: files of network managers, scripts, units, first boots."""
