"""plumbline from files to printed means, by its command line and its readers in Python."""

import os
import sys

os.environ["PLUMBLINE_NATIVE"] = "0"

from plumbline.cli.program import main

METRICS = ["AP", "nDCG", "nDCG@10", "P@10", "RR", "Rprec", "R@1000"]

sys.argv[1:] = ["evaluate", *sys.argv[1:], *(word for metric in METRICS for word in ("-m", metric)), "--format", "tsv", "-q"]
main()
