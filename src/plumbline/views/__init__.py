"""Views: the tables that metrics read, one per way of looking at an output."""
