"""Views: text for people about a world that was read and joined; what `show` and `explain` print, line by line."""
