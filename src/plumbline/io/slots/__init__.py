"""Fields of records and relations between things, as extractors write them."""
