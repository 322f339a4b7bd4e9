"""Items as the units of a comparison, where there are too few cases: answers exchanged and drawn item by item."""
