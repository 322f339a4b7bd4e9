"""How the small outputs of each task become tables, pictures in text, and arguments of a function."""
