"""What people do beside scoring and comparing: check, explain, sweep, choose, look for losses."""
