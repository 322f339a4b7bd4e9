"""ir_measures from files to printed means."""

import sys
from pathlib import Path

import ir_measures
from ir_measures import AP, RR, P, R, Rprec, nDCG

MEASURES = [AP, nDCG, nDCG @ 10, P @ 10, RR, Rprec, R @ 1000]

judgements = list(ir_measures.read_trec_qrels(sys.argv[1]))
evaluator = ir_measures.evaluator(MEASURES, judgements)
for path in sys.argv[2:]:
    means = evaluator.calc_aggregate(ir_measures.read_trec_run(path))
    for measure, value in means.items():
        print(Path(path).stem, measure, value)
