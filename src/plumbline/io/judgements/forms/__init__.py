"""One file for each form that judgements come in."""
