"""pytrec_eval from files to printed means."""

import sys
from pathlib import Path

import pytrec_eval

NAMES = {
    "map": "AP",
    "ndcg": "nDCG",
    "ndcg_cut_10": "nDCG@10",
    "P_10": "P@10",
    "recip_rank": "RR",
    "Rprec": "Rprec",
    "recall_1000": "R@1000",
}

with Path(sys.argv[1]).open(encoding="utf-8") as file:
    evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(file), set(NAMES))
for path in sys.argv[2:]:
    with Path(path).open(encoding="utf-8") as file:
        results = evaluator.evaluate(pytrec_eval.parse_run(file))
    for theirs, ours in NAMES.items():
        print(Path(path).stem, ours, sum(case[theirs] for case in results.values()) / len(results))
