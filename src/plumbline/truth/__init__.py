"""Where gold comes from when there is no single truth: assessors, crowds, judges, pools."""
