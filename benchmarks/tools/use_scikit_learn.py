"""scikit-learn from label files to printed means: every metric that it has, called for each case and system."""

import sys
from pathlib import Path

import numpy as np
import polars as pl
from sklearn import metrics

NAMES = {
    "Accuracy": metrics.accuracy_score,
    "ErrorRate": metrics.zero_one_loss,
    "P": metrics.precision_score,
    "R": metrics.recall_score,
    "F(P,R)": metrics.f1_score,
    "Jaccard": metrics.jaccard_score,
    "MAAc": metrics.balanced_accuracy_score,
    "Phi": metrics.matthews_corrcoef,
    "Kappa": metrics.cohen_kappa_score,
    "MI": metrics.mutual_info_score,
}

gold = pl.read_parquet(sys.argv[1])
starts = np.flatnonzero(np.diff(gold["case"].rle_id().to_numpy(), prepend=-1))
truth = np.split(gold["label"].to_numpy(), starts[1:])
for path in sys.argv[2:]:
    answers = np.split(pl.read_parquet(path)["label"].to_numpy(), starts[1:])
    for name, metric in NAMES.items():
        print(Path(path).stem, name, np.mean([metric(*pair) for pair in zip(truth, answers, strict=True)]))
