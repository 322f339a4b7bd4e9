"""The commands that the demo shows, with a sentence about each: a few of them, or all."""

from __future__ import annotations

from typing import Final

HIGHLIGHTS: Final = (
    (
        "Three candidates to replace `words`: a clear winner, a trade-off, and a difference that may be chance.",
        (
            "compare tweets.tsv grouped/words.tsv grouped/links.tsv grouped/strict.tsv grouped/tuned.tsv "
            "--task clustering -m BCubedP -m BCubedR --baseline words --quiet"
        ),
    ),
    (
        "A difference that may be chance is no proof of equality. Are the two equal, if 0.06 does not matter?",
        "compare tweets.tsv grouped/words.tsv grouped/tuned.tsv --task clustering -m BCubedP -m BCubedR --margin 0.06 --quiet",
    ),
    (
        "Can a metric be wrong? The smallest pair of filters in which MI prefers the one with more errors.",
        "audit MI --task filtering --constraint 'strict monotonicity'",
    ),
    (
        "Alerts ordered by priority and grouped by topic at once: one pair of metrics for both.",
        "evaluate alerts.json alerts/*.json --task organization -m 'F(Rel,Sens)' -m Rel -m Sens --quiet",
    ),
)
"""What no other tool does; it fits two screens."""

TOUR: Final = (
    ("A first look: six systems, best first.", "evaluate qrels.txt runs/*.run -m AP -m nDCG@10 -m P@10 -m RR"),
    ("Are the files as they should be?", "check qrels.txt runs/gaps.run runs/tied.run"),
    ("Why does early have this AP in case q03?", "why AP qrels.txt runs/early.run --case q03"),
    (
        "One system has mostly tied scores: what if ties are averaged?",
        "evaluate qrels.txt runs/tied.run -m AP -m nDCG@10 --ties average",
    ),
    (
        "The same numbers as trec_eval, in its format.",
        "evaluate qrels.txt runs/strong.run -m map -m ndcg_cut_10 -m P_10 --as trec_eval --format trec_eval",
    ),
    ("What exactly is that metric?", "metrics ERR"),
    (
        "Four spam filters and outputs that ignore the gold: which filters beat them, and by which metric?",
        "evaluate mail.tsv filters/*.tsv --positive spam -m Accuracy -m 'F(P,R)' -m Lam -m 'F(Rel,Sens)' --floor",
    ),
    (
        "Few mails are spam, so some rates are exactly 0 or 1: what if they are smoothed?",
        "evaluate mail.tsv filters/*.tsv --positive spam -m Lam -m 'Lam(smooth=noninformative)'",
    ),
    ("Where does that number come from?", "why Lam mail.tsv filters/eager.tsv --positive spam --case stream03"),
    (
        "Two classifiers: the average over classes or over items?",
        "evaluate tickets.tsv classifiers/*.tsv --task classification -m Accuracy -m 'F(P,R)' -m 'F(P,R,average=none)'",
    ),
    ("Which class is mistaken for which?", "confusion tickets.tsv classifiers/rules.tsv"),
    (
        "Clusterings that stop merging at different points: which is best for which weight of precision?",
        "sweep people.tsv stops/*.tsv",
    ),
    (
        "Some pages are about two people, so clusters overlap: BCubed, Reliability and Sensitivity, and the floor.",
        "evaluate people.tsv stops/*.tsv --task clustering -m 'F(BCubedP,BCubedR)' -m 'F(Rel,Sens)' -m Omega --floor",
    ),
    (
        "Alerts by priority and topic. Five systems: one is a ranking, with topics from another file.",
        (
            "evaluate alerts.json alerts/*.json --priority alerts/scored.run --clusters alerts/topics.tsv "
            "--task organization -m 'F(Rel,Sens)' -m Rel -m Sens"
        ),
    ),
    (
        "Where did they lose? Some get the order wrong, some split topics, some show too much or too little.",
        "losses alerts.json alerts/*.json -m 'Rel(over=priority)' -m 'Sens(over=related)'",
    ),
    (
        "Which alerts about the brewery did the system `ordered` separate?",
        "why 'Sens(over=related)' alerts.json alerts/ordered.json --task organization --case brewery",
    ),
    ("The top counts most in Rel and Sens: how much does each position count?", "weights --n 30 --w 0.8"),
    (
        "Five groupings of tweets: a clear winner, a trade-off, and differences that may be chance.",
        "compare tweets.tsv grouped/*.tsv --task clustering -m BCubedP -m BCubedR --alpha 0.5",
    ),
    (
        "Two of them differ by little: is that more than chance?",
        "compare tweets.tsv grouped/words.tsv grouped/tuned.tsv --task clustering -m BCubedP -m BCubedR",
    ),
    (
        "That does not show that they are equal. Are they, if a difference of 0.06 does not matter?",
        "compare tweets.tsv grouped/words.tsv grouped/tuned.tsv --task clustering -m BCubedP -m BCubedR --margin 0.06",
    ),
    (
        "Which metric should you use?",
        "choose --task filtering --noninformative equal --unbalanced --no-ask",
    ),
    (
        "What do the four filters say about the metrics themselves?",
        "meta mail.tsv filters/*.tsv --positive spam -m Accuracy -m 'F(P,R)' -m Lam -m 'F(Rel,Sens)'",
    ),
    (
        "Can a metric be wrong? The smallest pair of outputs in which it prefers the one with more errors.",
        "audit MI --task filtering --constraint 'strict monotonicity'",
    ),
)
