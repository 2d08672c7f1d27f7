"""Which ports carry RoCE: the ranks of evidence, and what each says."""
