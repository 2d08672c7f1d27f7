"""What only hosts and jobs say: NICs, their setups, and what the communication libraries do with them."""
