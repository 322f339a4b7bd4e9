"""One file for each command: its docstring is its help, SECTION its place on the help page, `command` what click runs."""
