"""The HTML report: one file that needs no network. `page` puts it together, `data` is what its script reads."""
