"""How much assessors agree."""
