"""`python -m plumbline`."""

from plumbline.cli.app import main

main()
