"""One file for each kind of figure: when it can be drawn, and how."""
