"""The dossier: everything that is known about some systems, as one page that needs nothing else."""
