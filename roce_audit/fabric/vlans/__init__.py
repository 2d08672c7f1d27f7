"""VLANs and subnets: who must have them, and who has not."""
