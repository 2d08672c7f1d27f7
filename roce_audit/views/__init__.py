"""Views: text for people about a site that was read and joined; what `show` and `explain` print, line by line."""
