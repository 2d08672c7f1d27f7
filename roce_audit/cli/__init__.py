"""The command line: one module a verb. Heavy imports stand inside the verbs."""
