"""What real scores say about the metrics themselves."""
