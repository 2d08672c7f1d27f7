"""Rules, expressions, judging, placing, grouping: verdicts with their evidence."""
