"""Outputs over folds: each fold is a case, pooled answers stand beside means, and nothing that was trained on is tested."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

import plumbline
from plumbline.errors import BadData, BadUsage
from plumbline.evaluation.folded import plus
from plumbline.figures.subject import Subject
from tests.helpers.command_line import plumbline as program

if TYPE_CHECKING:
    from pathlib import Path

METRICS = ["Accuracy", "F(P,R)"]
CLASSES = "abc"


def made(items: int = 60, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    labels = rng.choice(list(CLASSES), items, p=[0.6, 0.3, 0.1])
    return pl.DataFrame({"id": [f"i{at}" for at in range(items)], "label": labels})


def answers(gold: pl.DataFrame, right: float, seed: int) -> pl.Series:
    rng = np.random.default_rng(seed)
    return pl.Series("label", [one if rng.random() < right else str(rng.choice(list(CLASSES))) for one in gold["label"]])


def outputs(gold: pl.DataFrame) -> dict[str, pl.DataFrame]:
    return {name: gold.with_columns(answers(gold, right, seed)) for name, right, seed in (("A", 0.8, 1), ("B", 0.6, 2))}


def over_folds(gold: pl.DataFrame, split: plumbline.Split, right: float, seed: int) -> pl.DataFrame:
    """An output with an answer for each test of each repeat."""
    tests = split.table.filter(pl.col("part") == "test").join(gold, left_on="item", right_on="id")
    return tests.select("item", "fold", "repeat", "label").with_columns(answers(tests, right, seed))


def test_each_fold_is_a_case_and_the_mean_is_that_of_folds() -> None:
    gold = made()
    split, systems = plumbline.split(gold, folds=5, stratify="label"), outputs(gold)
    scores = plumbline.evaluate(gold, systems, METRICS, task="classification", folds=split)
    for name, output in systems.items():
        values: dict[str, list[float]] = {metric: [] for metric in METRICS}
        for number, (_, test) in enumerate(split.indices(), 1):
            alone = plumbline.evaluate(gold[test.tolist()], {name: output[test.tolist()]}, METRICS, task="classification")
            for metric, value in alone.mean.select("metric", "value").iter_rows():
                values[metric].append(value)
                row = scores.per_case.filter(system=name, case=str(number), metric=metric)
                assert row["value"].item() == pytest.approx(value)
        for metric in METRICS:
            assert scores.mean.filter(system=name, metric=metric)["value"].item() == pytest.approx(np.mean(values[metric]))


def test_pooled_answers_stand_beside_the_means_where_they_differ() -> None:
    gold = made()
    split, systems = plumbline.split(gold, folds=5), outputs(gold)
    scores = plumbline.evaluate(gold, systems, METRICS, task="classification", folds=split)
    at_once = plumbline.evaluate(gold, systems, METRICS, task="classification")
    for name, metric, _, pooled in scores.fold_means.iter_rows():
        assert pooled == pytest.approx(at_once.mean.filter(system=name, metric=metric)["value"].item())
    assert "pooled answers" in scores.to_markdown()
    alike = plumbline.evaluate(gold, systems, "Accuracy", task="classification", folds=split)
    assert "pooled answers" not in alike.to_markdown(), "folds of one size: the mean of accuracies is the accuracy"
    assert "5 folds" in alike.footer()


def test_a_column_of_the_outputs_says_the_same_as_the_file() -> None:
    gold = made()
    split = plumbline.split(gold, folds=4)
    fold = dict(split.table.select("item", "fold").rows())
    named = {
        name: output.with_columns(cv=pl.Series([fold[item] for item in output["id"]])) for name, output in outputs(gold).items()
    }
    by_file = plumbline.evaluate(gold, outputs(gold), METRICS, task="classification", folds=split)
    by_column = plumbline.evaluate(gold, named, METRICS, task="classification", folds="cv")
    order = ["system", "case", "metric"]
    assert by_column.per_case.sort(order).equals(by_file.per_case.sort(order))
    assert by_column.made["folds"]["test_to_train"] == pytest.approx(1 / 3)


def test_repeats_have_answers_of_their_own() -> None:
    gold = made(40)
    split = plumbline.split(gold, folds=2, repeats=5)
    systems = {name: over_folds(gold, split, right, seed) for name, right, seed in (("A", 0.9, 1), ("B", 0.5, 2))}
    scores = plumbline.evaluate(gold, systems, "Accuracy", task="classification", folds=split)
    assert scores.per_case["case"].n_unique() == 10
    first = systems["A"].filter(repeat=3, fold=2)
    right = first.join(gold, left_on="item", right_on="id").select((pl.col("label") == pl.col("label_right")).mean()).item()
    assert scores.per_case.filter(system="A", case="3.2")["value"].item() == pytest.approx(right)
    comparison = plumbline.compare(scores, test="5x2f")
    assert comparison.test_result.cases[0, 1] == 10
    with pytest.raises(BadData, match="E493"):
        plumbline.evaluate(gold, {"A": systems["A"].drop("repeat")}, task="classification", folds=split)
    with pytest.raises(BadData, match="E493"):
        plumbline.evaluate(gold, outputs(gold), task="classification", folds=split)


def test_answers_about_training_items_are_an_error(tmp_path: Path) -> None:
    gold = made(20)
    split = plumbline.split(gold, folds=4)
    leaking = over_folds(gold, split, 0.9, 1).with_columns(
        fold=pl.when(pl.col("item") == "i7").then(pl.col("fold") % 4 + 1).otherwise("fold")
    )
    path = tmp_path / "leaking.csv"
    leaking.write_csv(path)
    line = leaking["item"].to_list().index("i7") + 2
    with pytest.raises(BadData, match=rf"leaking.csv:{line}\S* E491 item i7 is in the training part of fold \d and in its"):
        plumbline.evaluate(gold, [str(path)], task="classification", folds=split)
    again = pl.concat([leaking.drop("repeat"), leaking.drop("repeat").filter(item="i3").with_columns(fold=pl.lit(9, pl.Int64))])
    with pytest.raises(BadData, match="E491 item i3"):
        plumbline.evaluate(gold, {"A": again}, task="classification", folds="fold")


def test_a_fold_that_is_not_there() -> None:
    gold = made(20)
    split = plumbline.split(gold, folds=4)
    output = over_folds(gold, split, 0.9, 1)
    assert len(plumbline.evaluate(gold, {"A": output}, "Accuracy", task="classification", folds=split).per_case) == 4
    with pytest.raises(BadData, match="E492 there is no fold 7"):
        plumbline.evaluate(gold, {"A": output.with_columns(fold=pl.lit(7))}, task="classification", folds=split)


def test_folds_of_other_items_and_of_other_cases() -> None:
    gold = made(20)
    other = pl.DataFrame({"item": ["i1", "z"], "fold": [1, 2]})
    with pytest.raises(BadData, match="E496 1 item of the folds not in gold: z"):
        plumbline.evaluate(gold, outputs(gold), task="classification", folds=other)
    with_cases = gold.with_columns(case=pl.Series(["q1", "q2"] * 10))
    with pytest.raises(BadData, match="E494"):
        plumbline.evaluate(with_cases, {"A": with_cases}, task="classification", folds=plumbline.split(gold, folds=2))


def test_what_no_fold_tests_is_left_out_and_said() -> None:
    gold = made(20)
    split = plumbline.split(gold, hold_out=0.25)
    scores = plumbline.evaluate(gold, outputs(gold), "Accuracy", task="classification", folds=split)
    assert [notice.code for notice in scores.notices].count("N483") == 3, "of the gold and of both outputs"
    assert scores.made["folds"]["test_to_train"] == pytest.approx(5 / 15)
    with pytest.raises(BadUsage, match="one fold only"):
        plumbline.compare(scores)


def test_whole_cases_are_split() -> None:
    rng = np.random.default_rng(1)
    gold = {f"q{at}": {f"d{item}": int(rng.random() < 0.4) for item in range(8)} | {"d9": 1} for at in range(12)}
    runs = {
        name: {
            case: {item: float(rng.random() + grade * gain) for item, grade in items.items()} for case, items in gold.items()
        }
        for name, gain in (("A", 1.0), ("B", 0.1))
    }
    split = plumbline.split(list(gold), folds=4)
    scores = plumbline.evaluate(gold, runs, "AP", folds=split)
    assert scores.made["folds"]["of"] == "cases"
    assert scores.per_case["case"].n_unique() == 12
    comparison = plumbline.compare(gold, runs, "AP", folds=split)
    assert len(comparison.cube.cases) == 4
    fold = dict(split.table.select("item", "fold").rows())
    for at, name in enumerate(comparison.systems):
        of = scores.per_case.filter(system=name)
        for place, number in enumerate(comparison.cube.cases):
            cases = [case for case, one in fold.items() if str(one) == number]
            assert comparison.cube.values[0, at, place] == pytest.approx(of.filter(pl.col("case").is_in(cases))["value"].mean())
    with pytest.raises(BadData, match="E495"):
        plumbline.evaluate(gold, runs, "AP", folds=plumbline.split(list(gold), folds=4, repeats=2))


# --- compare() ----------------------------------------------------------------------------------------------------------------


def test_compare_uses_the_share_of_test_items() -> None:
    gold = made()
    split = plumbline.split(gold, folds=5)
    comparison = plumbline.compare(gold, outputs(gold), METRICS, task="classification", folds=split)
    assert comparison.main.unit == "fold"
    assert comparison.overlap == pytest.approx(1 / 4)
    d = comparison.cube.values[0, 0] - comparison.cube.values[0, 1]
    t = d.mean() / np.sqrt((1 / 5 + 1 / 4) * d.var(ddof=1))
    assert comparison.test_result.statistic[0, 1] == pytest.approx(t)
    assert "\n  folds     unanimous for A in" in str(comparison.verdict("A", "B"))


def test_mcnemar_counts_the_answers_of_outputs() -> None:
    gold = made()
    split, systems = plumbline.split(gold, folds=5), outputs(gold)
    right = {name: (output["label"] == gold["label"]).to_numpy() for name, output in systems.items()}
    comparison = plumbline.compare(gold, systems, "Accuracy", task="classification", folds=split, test="mcnemar")
    assert comparison.test_result.statistic[0, 1] == (right["A"] & ~right["B"]).sum()
    assert comparison.test_result.statistic[1, 0] == (right["B"] & ~right["A"]).sum()
    assert (comparison.main.unit, int(comparison.test_result.cases[0, 1])) == ("item", 60)
    with pytest.raises(BadUsage, match="E402"):
        plumbline.compare(gold, systems, "F(P,R)", task="classification", folds=split, test="mcnemar")


def test_a_table_of_folds_and_saved_scores_say_the_same(tmp_path: Path) -> None:
    gold = made()
    split = plumbline.split(gold, folds=5)
    scores = plumbline.evaluate(gold, outputs(gold), "Accuracy", task="classification", folds=split)
    table = scores.per_case.rename({"case": "fold"}).pivot("metric", index=["system", "fold"], values="value")
    direct, of_table = plumbline.compare(scores), plumbline.compare(table, folds="fold")
    assert direct.test_result.p == pytest.approx(of_table.test_result.p)
    scores.save(tmp_path / "scores.parquet")
    assert plumbline.compare(plumbline.load(tmp_path / "scores.parquet")).test_result.p == pytest.approx(direct.test_result.p)


# --- .632 ---------------------------------------------------------------------------------------------------------------------


def test_in_sample_answers_make_the_632_estimates() -> None:
    gold = made(50)
    split = plumbline.split(gold, bootstrap=8, seed=3)
    tested = over_folds(gold, split, 0.6, 1).with_columns(part=pl.lit("test"))
    trained = split.table.filter(pl.col("part") == "train").join(gold, left_on="item", right_on="id")
    trained = trained.select("item", "fold", "repeat", "label").with_columns(answers(trained, 0.9, 2), part=pl.lit("train"))
    output = pl.concat([tested, trained])
    scores = plumbline.evaluate(gold, {"A": output}, ["Accuracy", "F(P,R)"], task="classification", folds=split)
    row = scores.fold_means.filter(metric="Accuracy").row(0, named=True)
    label = dict(gold.rows())
    new: list[float] = []
    known: list[float] = []
    chance = []
    for repeat in range(1, 9):
        for part, kept in (("test", new), ("train", known)):
            rows = output.filter(repeat=repeat, part=part)
            kept.append(np.mean([label[item] == given for item, given in rows.select("item", "label").iter_rows()]))
        rows = output.filter(repeat=repeat, part="train")
        gold_share = [np.mean([label[item] == one for item in rows["item"]]) for one in CLASSES]
        chance.append(sum(share * (rows["label"] == one).mean() for share, one in zip(gold_share, CLASSES, strict=True)))
    assert (row["folds"], row["seen"]) == pytest.approx((np.mean(new), np.mean(known)))
    assert row["b632"] == pytest.approx(0.632 * np.mean(new) + 0.368 * np.mean(known))
    error, new_error, gamma = 1 - np.mean(known), 1 - np.mean(new), 1 - np.mean(chance)
    rate = (new_error - error) / (gamma - error)
    weight = 0.632 / (1 - 0.368 * rate)
    assert row["b632plus"] == pytest.approx(1 - (weight * new_error + (1 - weight) * error))
    assert scores.fold_means.filter(metric="F(P,R)")["b632plus"].item() is None
    assert ".632+" in scores.to_markdown()


def test_632_plus_of_mlxtend() -> None:
    """One draw of its own bootstrap, which takes the learner's answers about all items as the in-sample ones."""
    evaluate = pytest.importorskip("mlxtend.evaluate")
    x, y = load_iris(return_X_y=True)
    learner = DecisionTreeClassifier(random_state=0, max_depth=4)
    ((train, test),) = evaluate.BootstrapOutOfBag(n_splits=1, random_seed=1).split(x)
    given = learner.fit(x[train], y[train]).predict(x)
    chance = sum((y == one).mean() * (given == one).mean() for one in range(3))
    accuracies = [(given == y).mean(), (given[test] == y[test]).mean(), chance]
    theirs = evaluate.bootstrap_point632_score(learner, x, y, n_splits=1, method=".632+", random_seed=1)
    assert plus(*(np.array([value]) for value in accuracies)) == pytest.approx(theirs)


def test_632_plus_at_its_ends() -> None:
    seen, new, chance = (np.array(values) for values in ([0.9, 1.0, 0.8, np.nan], [0.9, 0.4, 0.9, 0.5], [0.5, 0.5, 0.5, 0.5]))
    assert plus(seen, new, chance)[:3] == pytest.approx([0.9, 0.5, 0.8 * 0.368 + 0.9 * 0.632])
    assert np.isnan(plus(seen, new, chance)[3])


# --- the program --------------------------------------------------------------------------------------------------------------


def test_the_program(tmp_path: Path) -> None:
    gold = made()
    gold.write_csv(tmp_path / "gold.csv")
    for name, output in outputs(gold).items():
        output.write_csv(tmp_path / f"{name}.csv")
    files = [tmp_path / name for name in ("gold.csv", "A.csv", "B.csv")]
    assert program("split", files[0], "--folds", "5", "-o", tmp_path / "folds.csv").code == 0
    given = ("--task", "classification", "-m", "Accuracy", "--folds", tmp_path / "folds.csv")
    evaluated = program("evaluate", *files, *given)
    assert (evaluated.code, "5 folds" in evaluated.out) == (0, True), evaluated.err
    compared = program("compare", *files, *given, "--show", "posterior", "--margin", "0.02")
    assert (compared.code, "corrected resampled t test" in compared.out) == (0, True), compared.err
    assert "region" in compared.out
    assert program("compare", *files, *given, "--test", "mcnemar").code == 0
    refused = program("compare", *files, *given, "--test", "t")
    assert (refused.code, "share training data" in refused.err) == (2, True)


def test_the_combined_score_is_tested_over_folds_too() -> None:
    gold = made()
    split = plumbline.split(gold, folds=5)
    comparison = plumbline.compare(gold, outputs(gold), ["P", "R"], task="classification", folds=split, mean="harmonic")
    assert [measure.unit for measure in comparison.measures] == ["fold"] * 3
    assert len({measure.test.name for measure in comparison.measures}) == 1
    part = Subject(compared=comparison).compared_by(metrics=("P",))
    assert part.test_result.p == pytest.approx(comparison.measures[0].test.p)
