"""Judges: published agreement of LLM judges with people, and leaderboards that survive another judge or do not."""

from __future__ import annotations

import io
import json
import lzma
import tarfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

import plumbline as pb
from plumbline.io.judgements.read import read_judgements
from plumbline.truth.agreement.reading import reading
from plumbline.truth.judges.leaderboards import boards_of
from plumbline.truth.judges.prediction_powered import powered_mean
from tests.helpers.judged_systems import GOLD, OTHER, SYSTEMS
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

ROOT = Path(__file__).parents[2]
HALVES = {"0|123": 1, "01|23": 2, "012|3": 3}


@cache
def llm_judges() -> dict[str, pl.DataFrame]:
    """The grades of each LLM judge, and those of people."""
    folder = shared("data", "llmjudge2024")
    texts = {"human": lzma.decompress((folder / "human_test.qrels.xz").read_bytes())}
    with tarfile.open(folder / "labels.tar.xz") as archive:
        for member in archive.getmembers():
            file = archive.extractfile(member)
            if file is not None:
                texts[member.name.split("/")[-1].removesuffix(".txt")] = file.read()
    columns = ["case", "zero", "item", "grade"]
    read = {
        name: pl.DataFrame([line.split() for line in text.decode().splitlines()], schema=columns, orient="row")
        for name, text in texts.items()
    }
    return {name: frame.select("case", "item", "grade") for name, frame in read.items()}


def unlike(out_of_scale: str) -> list[tuple[str, str]]:
    """Which of the 264 published cells are not ours."""
    options: Any = {"reference": "human", "level": "ordinal", "out_of_scale": out_of_scale, "interval": "none"}
    ours = {row["judge"]: row for row in pb.agree(llm_judges(), **options).judges.iter_rows(named=True)}
    published = pl.read_csv(shared("data", "llmjudge2024", "published.tsv"), separator="\t")
    pairs = [("kappa", "kappa"), ("alpha", "alpha")]
    pairs += [(f"{name}_{half}", f"{name}_from_{cut}") for half, cut in HALVES.items() for name in ("kappa", "alpha")]
    cells = [
        (row["submission"], theirs, mine, row[theirs]) for row in published.iter_rows(named=True) for theirs, mine in pairs
    ]
    assert len(cells) == 264
    return [(judge, name) for judge, name, mine, theirs in cells if abs(ours[judge][mine] - theirs) > 5.001e-5]


def test_published_agreement_of_llm_judges() -> None:
    """All 264 published cells, if a grade of 5 on a scale from 0 to 3 counts as 3; as it stands, two of its judge differ."""
    assert unlike("clip") == []
    assert unlike("keep") == [("RMITIR-llama70B", "kappa"), ("RMITIR-llama70B", "alpha")]
    odd = llm_judges()["RMITIR-llama70B"]["grade"].cast(pl.Int64).value_counts().filter(pl.col("grade") > 3)
    assert odd.rows() == [(5, 2)]
    kept = pb.agree(llm_judges(), reference="human", out_of_scale="keep", interval="none")
    assert any(notice.code == "N311" and "RMITIR-llama70B" in notice.text for notice in kept.notices)


def test_all_judges_together_and_the_scale() -> None:
    stored = json.loads(shared("golden", "truth.json").read_text(encoding="utf-8"))
    together = pb.agree(llm_judges(), level="ordinal", coefficients="alpha", interval="none")
    assert together.value("alpha") == pytest.approx(stored["llmjudge_all_34_alpha_ordinal"], abs=5e-4)
    with pytest.raises(pb.BadData, match=r"E412 grade (5|10) is not on the scale 0-3 of human; 3 such grades"):
        pb.agree(llm_judges(), reference="human")


@cache
def dl19() -> dict[str, Any]:
    """Runs of DL 2019, and the judgements of NIST, of two halves of eight assessors, and of GPT-4."""
    folder = shared("data", "dl19_judges")

    def frame(name: str, separator: str = ",") -> pl.DataFrame:
        return pl.read_csv(io.BytesIO(lzma.decompress((folder / name).read_bytes())), separator=separator, infer_schema=False)

    runs = frame("runs_top100.tsv.xz", "\t").with_columns((-pl.col("rank").cast(pl.Float64)).alias("score"))
    main = frame("human_main.csv.xz")
    halves = {
        f"half{place}": main.filter(pl.col("assessor").is_in(list(names))).drop("assessor")
        for place, names in enumerate(("aceg", "bdfh"), 1)
    }
    return {
        "runs": {name[0]: rows.select("case", "item", "score") for name, rows in runs.group_by("system", maintain_order=True)},
        "judges": {"nist": folder / "nist.qrels.xz", **halves, "gpt4": folder / "gpt4_syndl.txt.xz"},
        "main": main,
        "round": frame("human_agreement_round.csv.xz"),
        "nist": folder / "nist.qrels.xz",
    }


def test_assessors_of_dl_2019() -> None:
    eight = {level: pb.agree(dl19()["round"], level=level, interval="none") for level in ("nominal", "ordinal", "interval")}
    assert eight["nominal"].value("fleiss_kappa") == pytest.approx(0.2279, abs=5e-5)
    printed = {"nominal": 0.2284, "ordinal": 0.4534, "interval": 0.4879}
    assert {level: one.value("alpha") for level, one in eight.items()} == pytest.approx(printed, abs=5e-5)
    together = {level: pb.agree(dl19()["main"], level=level, interval="none") for level in ("nominal", "ordinal")}
    assert {level: one.value("alpha") for level, one in together.items()} == pytest.approx(
        {"nominal": 0.2043, "ordinal": 0.4207}, abs=5e-5
    )
    pairs = {row["a"] + row["b"]: row["kappa"] for row in together["nominal"].pairs.iter_rows(named=True)}
    assert {name: pairs[name] for name in ("ab", "cd", "ef", "gh")} == pytest.approx(
        {"ab": 0.228, "cd": 0.084, "ef": 0.332, "gh": 0.235}, abs=5e-4
    )


@pytest.mark.parametrize(
    ("pair", "printed", "right"),
    [("ab", 0.2797, 0.1558), ("cd", 0.2211, 0.0705), ("ef", 0.1683, 0.0286), ("gh", 0.2818, 0.1454)],
)
def test_a_published_fleiss_kappa_counts_one_assessor_twice(pair: str, printed: float, right: float) -> None:
    main = dl19()["main"].filter(pl.col("assessor").is_in(list(pair)))
    lines = [line.split() for line in lzma.decompress(dl19()["nist"].read_bytes()).decode().splitlines()]
    nist = pl.DataFrame([(line[0], line[2], "nist", line[3]) for line in lines], schema=main.columns, orient="row")
    three = pl.concat([main, nist]).unique(["case", "item", "assessor"], keep="first", maintain_order=True)
    three = three.filter(pl.len().over("case", "item") == 3)  # the notebook takes items that all have judged
    again = three.filter(pl.col("assessor") == "nist")
    four = pl.concat([three, again.with_columns(pl.lit("nist again").alias("assessor"))])
    plain: Any = {"level": "nominal", "interval": "none"}
    assert pb.agree(three, **plain).by_case["fleiss_kappa"].mean() == pytest.approx(right, abs=5e-5)
    assert pb.agree(four, **plain).by_case["fleiss_kappa"].mean() == pytest.approx(printed, abs=5e-5)
    twice = pb.agree(pl.concat([three, again]), **plain)
    assert any(notice.code == "N310" for notice in twice.notices)
    assert twice.by_case["fleiss_kappa"].mean() == pytest.approx(right, abs=5e-5)


@pytest.mark.slow
def test_leaderboards_of_dl_2019() -> None:
    result = pb.agree(dl19()["judges"], dl19()["runs"], "nDCG@10", interval="none", made_by="idst_bert_p1=gpt4")
    taus = {(row["a"], row["b"]): row for row in result.leaderboards.iter_rows(named=True)}
    assert taus["nist", "half1"]["tau"] == pytest.approx(0.910, abs=5e-4)
    assert taus["nist", "half2"]["tau"] == pytest.approx(0.925, abs=5e-4)
    assert taus["half1", "half2"]["tau"] == pytest.approx(0.901, abs=5e-4)
    assert taus["nist", "gpt4"]["turn_round"] == 0
    assert (
        result.leaderboards.select(pl.col("stay") + pl.col("vanish") + pl.col("turn_round") == pl.col("significant"))
        .to_series()
        .all()
    )
    assert result.systems["own"].sum() == 1
    assert any("shares its maker" in line for line in result.summary)
    shared_by_all = result.unanimous.filter(pl.col("uir") == 1)
    assert len(result.unanimous) == 666
    assert f"better in {len(shared_by_all)} of 666 pairs" in " ".join(result.summary)
    means = result.systems.filter((pl.col("judge") == "nist") & (pl.col("system") == "idst_bert_p1"))
    assert means["rank"].item() <= 3
    runs = {
        name: run for name, run in dl19()["runs"].items() if name != "idst_bert_p1"
    }  # one of 37 is not in the published table
    judges = {name: dl19()["judges"][name] for name in ("nist", "gpt4")}
    row = pb.agree(judges, runs, "nDCG@10", interval="none").leaderboards.row(0, named=True)
    assert row["tau"] == pytest.approx(0.860, abs=5e-4)
    assert row["tau_top"] == pytest.approx(0.689, abs=5e-4)


def test_a_reversed_judge_turns_the_leaderboard_round() -> None:
    result = pb.agree({"human": GOLD, "llm": OTHER}, SYSTEMS, ["AP", "nDCG@10"], reference="human", made_by=["poor=llm"])
    row = result.leaderboards.filter(pl.col("metric") == "AP").row(0, named=True)
    assert row["tau"] == pytest.approx(-1)
    assert row["turn_round"] > 0
    assert row["stay"] == 0
    assert row["largest_drop"] == 2
    assert row["falls_most"] == "good"
    assert (result.unanimous["uir"] == 0).all()
    of_maker = result.systems.filter("own")
    assert of_maker["system"].unique().to_list() == ["poor"]
    assert (of_maker["change"] > 0).all()
    with pytest.raises(pb.BadUsage, match="nobody"):
        pb.agree({"human": GOLD, "llm": OTHER}, SYSTEMS, "AP", made_by="poor=nobody")
    with pytest.raises(pb.BadUsage, match="system"):
        pb.agree({"human": GOLD, "llm": OTHER}, SYSTEMS, "AP", made_by="rich=llm")
    with pytest.raises(pb.BadUsage, match="E418"):
        pb.agree({"human": {"q1": {"a": "yes"}}, "llm": {"q1": {"a": "no"}}}, SYSTEMS, "AP")


def test_the_same_judge_twice_keeps_everything() -> None:
    result = pb.agree({"human": GOLD, "llm": GOLD}, SYSTEMS, "AP", reference="human")
    row = result.leaderboards.row(0, named=True)
    assert row["tau"] == row["tau_ap"] == row["rbo"] == pytest.approx(1)
    assert row["largest_drop"] == row["vanish"] == row["turn_round"] == row["appear"] == 0
    assert row["falls_most"] is None
    assert (result.unanimous["uir"] == 1).all()


def test_prediction_powered_means_of_ppi_python() -> None:
    stored = json.loads(shared("golden", "truth.json").read_text(encoding="utf-8"))["ppi_llmjudge"]
    judges = llm_judges()
    human = judges["human"].with_columns(pl.col("grade").cast(pl.Int64) >= 2)
    order = np.random.default_rng(0).permutation(4423)
    few, many = order[:400], order[400:]
    y = human["grade"].to_numpy().astype(float)
    assert y.mean() == pytest.approx(stored["truth"], abs=1e-6)
    for name in ("h2oloo-fewself", "willia-umbrela1", "TREMA-nuggets"):
        grades = human.select("case", "item").join(judges[name], on=["case", "item"], maintain_order="left")["grade"]
        f = (grades.cast(pl.Int64) >= 2).to_numpy().astype(float)
        classical = powered_mean(y[few], f[few], f[many], weight=0, large_sample=True)
        assert (classical.low, classical.high) == pytest.approx(stored["classical"], abs=1e-8)
        plain = powered_mean(y[few], f[few], f[many], weight=1, large_sample=True)
        assert (plain.low, plain.high) == pytest.approx(stored[name]["lambda_1"], abs=1e-7)
        tuned = powered_mean(y[few], f[few], f[many], large_sample=True)
        assert (tuned.low, tuned.high) == pytest.approx(stored[name]["tuned"], abs=1e-5)
        if name == "h2oloo-fewself":
            assert tuned.worth == pytest.approx(456, abs=1)
        if name == "TREMA-nuggets":
            assert tuned.worth == pytest.approx(400, abs=5)


def test_estimates_stay_paired_and_name_what_they_are_worth() -> None:
    judged = {case: items for case, items in GOLD.items() if int(case[1:]) < 5}
    result = pb.agree({"human": judged, "llm": GOLD}, SYSTEMS, "AP", reference="human", estimate=True)
    alone = result.estimates.filter(pl.col("minus").is_null())
    assert alone["cases"].to_list() == [5] * 3
    assert alone["judged_cases"].to_list() == [7] * 3
    pair = result.estimates.filter((pl.col("system") == "good") & (pl.col("minus") == "middle")).row(0, named=True)
    scores = pb.evaluate(GOLD, SYSTEMS, "AP").per_case.pivot("system", index="case", values="value")
    difference = (scores["good"] - scores["middle"]).to_numpy()
    expected = powered_mean(difference[:5], difference[:5], difference[5:])
    assert (pair["estimate"], pair["low"], pair["high"]) == pytest.approx((expected.value, expected.low, expected.high))
    assert pair["worth"] > 5
    assert any("of the reference are worth" in line for line in result.summary)
    with pytest.raises(pb.BadData, match="E420"):
        pb.agree({"human": GOLD, "llm": GOLD}, SYSTEMS, "AP", reference="human", estimate=True)


@pytest.mark.parametrize("seed", range(4))
def test_boards_are_those_of_an_evaluation_under_each_judge(seed: int) -> None:
    draw = np.random.default_rng(seed)
    items = [f"d{number}" for number in range(8)]
    runs = {
        name: {f"q{case}": {item: float(draw.integers(6)) for item in items if draw.random() < 0.8} for case in range(6)}
        for name in ("one", "two", "three")
    }
    judges = {}
    for judge in ("a", "b", "c"):  # each with cases and items of its own, in an order of its own
        cases = draw.permutation(8)[:6]
        judges[judge] = {
            f"q{case}": {item: int(draw.integers(-1, 4)) for item in draw.permutation(items)[:5]} for case in cases
        }
    table = read_judgements(judges, reading({"scale": "-1-3"}))
    metrics = ["nDCG@3", "AP", "RBP", "ERR", "Rprec"]
    relational = ["F(Rel,Sens)"]
    for wanted in (metrics, relational):
        for board in boards_of(table, runs, wanted, 2.0):
            alone = pb.evaluate(judges[board.judge], runs, wanted, rel=2.0)
            assert board.scores.per_case.filter(pl.col("metric") != "Judged@10").equals(alone.per_case)
            judged = pb.evaluate(judges[board.judge], runs, "Judged@10").mean["value"].to_list()
            assert board.judged.tolist() == pytest.approx(judged)


def test_a_judge_of_nothing_that_systems_show_is_refused_as_if_alone() -> None:
    other = {"elsewhere": {"x": 1, "y": 0}}
    with pytest.raises(pb.PlumblineError) as alone:
        pb.evaluate(other, SYSTEMS, "AP")
    with pytest.raises(pb.PlumblineError) as together:
        pb.agree({"human": GOLD, "other": other}, SYSTEMS, "AP")
    assert together.value.code == alone.value.code
