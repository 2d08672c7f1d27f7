"""Statement tables: one row says how a statement is written, what it sets, and how it is taken back.

From the rows come the grammar, the negated forms, the leading words, what is unknown when a statement is not understood, and
the reference page of a platform. `forms` is the language of a row, `table` what a platform and the readers use.
"""
