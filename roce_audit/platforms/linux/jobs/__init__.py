"""What jobs ask for: variables of the communication libraries, launchers, containers."""
