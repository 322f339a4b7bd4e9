"""Whether differences hold on other cases or in other collections."""
