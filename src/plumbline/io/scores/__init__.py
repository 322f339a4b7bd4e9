"""Tables of scores from files and objects."""
