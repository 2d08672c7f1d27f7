"""Class-maps and policy-maps, as several vendors' command lines have them."""
