"""plumbline from label files to printed means of every filtering metric, by its command line."""

import sys

from plumbline.cli.app import run

METRICS = ["all_counts", "WAcc(lam=9)", "Utility"]

words = [word for metric in METRICS for word in ("-m", metric)]
sys.exit(run(["evaluate", *sys.argv[1:], "--task", "filtering", *words, "--format", "tsv", "-q"]))
