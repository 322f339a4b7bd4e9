"""`python -m plumbline`."""

from plumbline.cli.program import main

main()
