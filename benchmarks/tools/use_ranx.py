"""ranx from files to printed means; its compiled code is cached between runs."""

import sys
from pathlib import Path

from ranx import Qrels, Run, evaluate

NAMES = {
    "map": "AP",
    "ndcg": "nDCG",
    "ndcg@10": "nDCG@10",
    "precision@10": "P@10",
    "mrr": "RR",
    "r-precision": "Rprec",
    "recall@1000": "R@1000",
}

judgements = Qrels.from_file(sys.argv[1], kind="trec")
for path in sys.argv[2:]:
    means = evaluate(judgements, Run.from_file(path, kind="trec"), list(NAMES), make_comparable=True)
    for theirs, ours in NAMES.items():
        print(Path(path).stem, ours, means[theirs])
