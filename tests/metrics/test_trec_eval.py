"""trec_eval through the command line, on files made here: its layout, its options, and every measure that pytrec_eval has.

The small collection can be checked by hand. The random one is compared with pytrec_eval, which is trec_eval 9 itself.
trec_eval's own test files are reproduced byte by byte in test_trec_eval_golden.py, where they are at hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
import pytrec_eval

from tests.helpers.command_line import plumbline

if TYPE_CHECKING:
    from pathlib import Path

QRELS = "1 0 a 1\n1 0 b 0\n1 0 c 2\n2 0 a 1\n3 0 a 1\n"
RUN = "1 Q0 a 1 3.0 mine\n1 Q0 b 2 2.0 mine\n1 Q0 d 3 1.0 mine\n2 Q0 b 1 2.0 mine\n2 Q0 a 2 1.0 mine\n9 Q0 a 1 1.0 mine\n"
"""In topic 1, one of two relevant documents is first; in 2, the only one is second; 3 has no answer, 9 has no judgements."""

MEANS = {
    "runid": "mine",
    "num_q": "2",
    "num_ret": "5",
    "num_rel": "3",
    "num_rel_ret": "2",
    "map": "0.5000",  # 1/2 and 1/2
    "gm_map": "0.5000",
    "Rprec": "0.2500",  # a b: 1/2; b: 0
    "bpref": "0.7500",  # 1/2; no document is judged irrelevant: 1
    "recip_rank": "0.7500",
    # recall points are rounded to documents, so that seven tenths of two are one: (1 + 1/2) / 2 up to there, (0 + 1/2) / 2 then
    **{f"iprec_at_recall_{tenth / 10:.2f}": "0.7500" if tenth <= 7 else "0.2500" for tenth in range(11)},
    **{f"P_{k}": f"{1 / k:.4f}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)},
}


def trec_eval(folder: Path, *options: object, qrels: str = QRELS, run: str = RUN, like: str = "trec_eval") -> str:
    """What is printed in the layout of trec_eval."""
    gold, output = folder / "qrels.txt", folder / "run.txt"
    gold.write_text(qrels, encoding="utf-8")
    output.write_text(run, encoding="utf-8")
    ended = plumbline("evaluate", gold, output, *options, "--as", like, "--format", "trec_eval", "-q")
    assert (ended.code, ended.err) == (0, "")
    return ended.out


def rows(printed: str) -> dict[tuple[str, str], str]:
    """The values by measure and topic."""
    cells = [line.split() for line in printed.splitlines()]
    actual = {(name, topic): value for name, topic, value in cells}
    assert len(actual) == len(cells)
    return actual


# --- layout -------------------------------------------------------------------------------------------------------------


def test_the_official_measures_to_the_byte(tmp_path: Path) -> None:
    expected = "".join(f"{name:<22}\tall\t{value}\n" for name, value in MEANS.items())
    assert trec_eval(tmp_path, "-m", "official") == expected


def test_topics_stand_before_the_mean(tmp_path: Path) -> None:
    """As -q: the measures of each topic in the order asked for; counts of topics and geometric means are for all only."""
    printed = trec_eval(tmp_path, "-m", "map", "-m", "num_rel_ret", "-m", "num_q", "-m", "gm_map", "--per-case")
    assert printed == (
        "map                   \t1\t0.5000\n"
        "num_rel_ret           \t1\t1\n"
        "map                   \t2\t0.5000\n"
        "num_rel_ret           \t2\t1\n"
        "runid                 \tall\tmine\n"
        "map                   \tall\t0.5000\n"
        "num_rel_ret           \tall\t2\n"
        "num_q                 \tall\t2\n"
        "gm_map                \tall\t0.5000\n"
    )


@pytest.mark.parametrize(
    ("relevant", "printed"), [(16, "0.0312"), (48, "0.0938"), (80, "0.1562"), (3, "0.0059"), (511, "0.9980")]
)
def test_values_are_rounded_as_c_does(tmp_path: Path, relevant: int, printed: str) -> None:
    """16/512 is 0.03125 and 48/512 is 0.09375, both exactly: a half goes to the even digit."""
    qrels = "".join(f"1 0 d{number} 1\n" for number in range(512))
    run = "".join(f"1 Q0 d{number} 1 {-number} mine\n" for number in range(relevant))
    assert rows(trec_eval(tmp_path, "-m", "set_recall", qrels=qrels, run=run))["set_recall", "all"] == printed


# --- options ------------------------------------------------------------------------------------------------------------


def test_missing_topics_count_as_nothing(tmp_path: Path) -> None:
    """As -c: topic 3 is judged and not answered; topic 9 is answered and not judged, and never counts."""
    values = rows(trec_eval(tmp_path, "-m", "map", "-m", "num_q", "-m", "num_rel", "-m", "gm_map", "--missing", "worst"))
    assert values["num_q", "all"] == "3"
    assert values["num_rel", "all"] == "4"
    assert values["map", "all"] == f"{(0.5 + 0.5 + 0) / 3:.4f}"
    assert values["gm_map", "all"] == f"{(0.5 * 0.5 * 0.00001) ** (1 / 3):.4f}", "0 counts as 0.00001"


def test_a_higher_level_of_relevance(tmp_path: Path) -> None:
    """As -l 2: only c of topic 1 is relevant, and it is not shown; topic 2 has nothing relevant and scores 0."""
    values = rows(trec_eval(tmp_path, "-m", "map", "-m", "num_rel", "-m", "num_q", "--rel", 2, "--per-case"))
    assert values["num_rel", "1"] == "1"
    assert values["num_rel", "all"] == "1"
    assert values["num_q", "all"] == "2"
    assert {values["map", topic] for topic in ("1", "2", "all")} == {"0.0000"}


def test_a_depth(tmp_path: Path) -> None:
    """As -M 1: the second document of topic 2 is not seen."""
    values = rows(trec_eval(tmp_path, "-m", "map", "-m", "num_ret", "--depth", 1, "--per-case"))
    assert [values["map", topic] for topic in ("1", "2", "all")] == ["0.5000", "0.0000", "0.2500"]
    assert values["num_ret", "all"] == "2"


def test_zscores(tmp_path: Path) -> None:
    """As -Z: mean and standard deviation of other systems for each topic; names begin with Z."""
    others = tmp_path / "others.txt"
    others.write_text("1 map 0.2500 0.5000\n2 map 0.7500 0.1250\n", encoding="utf-8")
    printed = trec_eval(tmp_path, "-m", "map", "--zscores", others, "--per-case")
    expected = {"1": "0.5000", "2": "-2.0000", "all": "-0.7500"}
    assert printed == "".join(f"Z{'map':<22}\t{topic}\t{value}\n" for topic, value in expected.items())


# --- order --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "printed"),
    [
        ({"a": 1, "b": 1}, "0.5000"),  # of equal scores the greater name is first
        ({"b": 1, "a": 1}, "0.5000"),  # whatever the order of lines
        ({"a": 2, "b": 1}, "1.0000"),
        ({"a": 1e-3, "b": -1e9}, "1.0000"),
    ],
)
def test_order_and_ties(tmp_path: Path, scores: dict[str, float], printed: str) -> None:
    run = "".join(f"2 Q0 {item} {rank} {score} mine\n" for rank, (item, score) in enumerate(scores.items(), 7))
    assert rows(trec_eval(tmp_path, "-m", "recip_rank", run=run))["recip_rank", "all"] == printed


@pytest.mark.parametrize(("like", "printed"), [("trec_eval", "1.0000"), ("trec_eval9", "0.5000")])
def test_scores_that_are_equal_as_32_bits(tmp_path: Path, like: str, printed: str) -> None:
    run = "2 Q0 a 1 1.0000000002 mine\n2 Q0 b 2 1.0000000001 mine\n"
    assert rows(trec_eval(tmp_path, "-m", "recip_rank", run=run, like=like))["recip_rank", "all"] == printed


# --- every measure ------------------------------------------------------------------------------------------------------

TEXTS = {"runid", "relstring"}
SUMS = ("num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret")


@pytest.mark.parametrize("seed", range(3))
def test_all_measures_are_those_of_pytrec_eval(tmp_path: Path, seed: int) -> None:
    """Twelve topics with ties, grades from -1 to 3, unjudged documents, one topic without a relevant one."""
    rng = np.random.default_rng(seed)
    gold: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for topic in map(str, range(12)):
        pool = [f"d{number:02d}" for number in range(int(rng.integers(5, 60)))]
        judged, shown = (rng.permutation(pool)[: rng.integers(2, len(pool) + 1)].tolist() for _ in range(2))
        gold[topic] = {item: int(rng.integers(-1, 4)) if topic != "3" else 0 for item in judged}
        gold[topic][judged[0]] = max(gold[topic][judged[0]], 0)
        run[topic] = {item: float(rng.integers(0, 20)) for item in shown}
    qrels = "".join(f"{topic} 0 {item} {grade}\n" for topic, items in gold.items() for item, grade in items.items())
    lines = "".join(f"{topic} Q0 {item} 1 {score} mine\n" for topic, items in run.items() for item, score in items.items())

    theirs = pytrec_eval.RelevanceEvaluator(gold, pytrec_eval.supported_measures).evaluate(run)
    expected = {(name, topic): value for topic, values in theirs.items() for name, value in values.items()}
    names = {name for name, _ in expected if name not in TEXTS}
    options = [option for name in sorted(names) for option in ("-m", name)]
    ours = rows(trec_eval(tmp_path, *options, "--per-case", qrels=qrels, run=lines, like="trec_eval9"))
    assert len(names) > 60
    for (name, topic), value in expected.items():
        if (name, topic) in ours:  # a geometric mean, say, has no value for a topic
            assert float(ours[name, topic]) == pytest.approx(value, abs=5.001e-5), (name, topic)
    for name in names:
        mean = pytrec_eval.compute_aggregated_measure(name, [theirs[topic][name] for topic in theirs])
        assert float(ours[name, "all"]) == pytest.approx(mean, abs=5.001e-5), name
        assert ("." in ours[name, "all"]) == (name not in SUMS)
