"""Who is cabled to whom, as a plan says it: the own topology file, and what other programs write."""
