"""From text to statements: documents, blocks, statement grammars, and the one place where defaults are filled."""
