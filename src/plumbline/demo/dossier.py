"""The plan of the report with which the tour ends: one part for each kind of output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

NAME: Final = "dossier.toml"
PAGE: Final = "report.html"
PLAN: Final = """\
title = "The demo collection"

[[part]]
title = "Rankings: six search engines"
gold = "qrels.txt"
systems = "runs/*.run"
metrics = ["AP", "nDCG@10", "P@10"]

[[part]]
title = "Filters: spam, and outputs that ignore the mail"
gold = "mail.tsv"
systems = "filters/*.tsv"
positive = ["spam"]
metrics = ["F(P,R)", "P", "R", "MAAc"]
floor = true

[[part]]
title = "Classes: tickets"
gold = "tickets.tsv"
systems = "classifiers/*.tsv"
task = "classification"
metrics = ["Accuracy", "F(P,R)"]

[[part]]
title = "Clusters: tweets by topic"
gold = "tweets.tsv"
systems = "grouped/*.tsv"
task = "clustering"
metrics = ["BCubedP", "BCubedR"]

[[part]]
title = "Organizations: alerts by priority and topic"
gold = "alerts.json"
systems = ["alerts/*.json", {priority = "alerts/scored.run", clusters = "alerts/topics.tsv"}]
task = "organization"
metrics = ["Rel", "Sens"]
"""


def write_dossier(folder: Path) -> list[str]:
    """Write the plan; return the names of the files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / NAME).write_text(PLAN, encoding="utf-8", newline="\n")
    return [NAME]
