"""The commands of the tour: each line is typed as it stands."""

from __future__ import annotations

from typing import Final

TOUR: Final = (
    ("First look: six systems, best first.", "evaluate qrels.txt runs/*.run -m AP -m nDCG@10 -m P@10 -m RR"),
    ("Are the files as they should be?", "check qrels.txt runs/gaps.run runs/tied.run"),
    ("Why does early have this AP in case q03?", "why AP qrels.txt runs/early.run --case q03"),
    (
        "One system's order is mostly ties: what if they are averaged?",
        "evaluate qrels.txt runs/tied.run -m AP -m nDCG@10 --ties average",
    ),
    (
        "The numbers that trec_eval prints.",
        "evaluate qrels.txt runs/strong.run -m map -m ndcg_cut_10 -m P_10 --as trec_eval --format trec_eval",
    ),
    ("What exactly is that metric?", "metrics ERR"),
)
