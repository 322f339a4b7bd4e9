"""Plain tables as terminal text, Markdown, LaTeX and HTML."""
