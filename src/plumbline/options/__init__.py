"""Every option of the public functions and commands, each declared once, in a file for each part of the work.

A field of a TypedDict is an option: its name is the keyword in Python, its type is what type checkers see, its record holds the
default, the tasks in which it matters and the help. Signatures, checks, flags, plans, what scores remember and the table in the
docs are made from these records (see `plumbline.options.option`).
"""
