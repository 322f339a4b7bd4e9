"""One gold from many votes, and who gave them."""
