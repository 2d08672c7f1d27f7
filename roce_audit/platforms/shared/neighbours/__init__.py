"""Forms of answers that show LLDP neighbours. Each platform says which of its commands answer in which form."""
