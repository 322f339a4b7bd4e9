"""agree(): what it says about odd judgements, and all its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import plumbline as pb
from tests.helpers.command_line import plumbline

if TYPE_CHECKING:
    from pathlib import Path

GRADES = {"ann": [0, 1, 2, 2, 0, 1, 2, 0, 1, 1], "ben": [0, 1, 2, 1, 0, 1, 2, 0, 1, 2], "cy": [2, 1, 0, 0, 2, 1, 0, 2, 1, 1]}


def notices(result: pb.Result) -> list[str]:
    return [notice.headline() for notice in result.notices]


def test_tables() -> None:
    result = pb.agree(GRADES, reference="ann")
    assert result.pairs.select("a", "b").rows() == [("ann", "ben"), ("ann", "cy"), ("ben", "cy")]
    assert result.cuts["cut"].to_list() == [1.0, 2.0]
    assert result.without.filter(pl.col("assessor") == "cy")["kappa"][0] == pytest.approx(result.pairs["kappa"][0])
    assert result.judges["judge"].to_list() == ["ben", "cy"]
    assert result.judges["bias"].to_list() == pytest.approx([0.0, 0.0])
    assert result.judges["kappa_from_1"][0] == pytest.approx(1.0)
    assert result.confusion["items"].sum() == 20
    assert "cy differs most from the rest" in " ".join(result.summary)
    assert result.to_dict()["made"]["level"] == "ordinal"
    for name in ("pairs", "without", "cuts", "judges", "confusion"):
        assert result.to_rows(show=[name]).equals(getattr(result, name))
    with pytest.raises(pb.BadUsage, match="show"):
        result.to_rows(show=["all"])
    with pytest.raises(pb.BadUsage, match="coefficient"):
        result.value("kappa")


def test_only_one_judgement_of_each_item() -> None:
    result = pb.agree({"ann": {"x": 1, "y": 0}, "ben": {"z": 1}})
    assert "N312 no item of 3 has two judgements: agreement is undefined" in notices(result)
    assert result.coefficients["value"].null_count() == len(result.coefficients)
    assert result.summary == ()


def test_items_that_one_assessor_judged_alone_are_named() -> None:
    both = [("x", 1), ("y", 2), ("z", 0)]
    alone = [(f"n{number}", 0) for number in range(5)]
    table = {"ann": dict(both + alone), "ben": dict(both)}
    notice = next(notice for notice in pb.agree(table).notices if notice.code == "N322")
    assert notice.text.startswith("5 of 8 items have one judgement")
    few = {"ann": dict(both + alone[:3]), "ben": dict(both)}
    assert "N322" not in {notice.code for notice in pb.agree(few).notices}


def test_all_judgements_equal() -> None:
    result = pb.agree({"ann": [0] * 12, "ben": [0] * 12})
    assert any("everyone said 0 everywhere" in line for line in notices(result))
    assert result.value("agreement") == 1
    assert result.value("kappa") is None
    assert result.value("alpha") is None
    assert "undefined because" in str(result)


def test_few_common_items_are_named() -> None:
    result = pb.agree({"b": [0, 1, 1, 0], "g": [0, 1, 0, 0]})
    assert any("kappa of b and g rests on 4" in line for line in notices(result))


def test_text_labels_have_no_distances() -> None:
    labels = {"ann": ["good", "bad", "good"], "ben": ["good", "good", "best"]}
    with pytest.raises(pb.BadUsage, match=r'E413 labels "bad", "best", "good" have no distances') as caught:
        pb.agree(labels, level="interval")
    assert "bad,best,good" in str(caught.value)
    ordered = pb.agree(labels, level="ordinal", levels=["bad", "good", "best"])
    numbers = pb.agree({"ann": [1, 0, 1], "ben": [1, 1, 2]}, level="ordinal")
    assert ordered.value("alpha") == pytest.approx(numbers.value("alpha"))
    with pytest.raises(pb.BadUsage, match="levels"):
        pb.agree(labels, levels=["bad", "good"])


@pytest.mark.parametrize(
    ("answers", "level"),
    [
        ([0, 1, 2, 3], "ordinal"),
        ([0, 1, 1, 0], "nominal"),
        (["a", "b", "c", "a"], "nominal"),
        ([0.5, 1.25, 2, 3], "interval"),
        ([["a"], ["a", "b"], ["c"], ["a"]], "sets"),
    ],
)
def test_the_level_is_guessed_and_said(answers: list[object], level: Any) -> None:
    result = pb.agree({"ann": answers, "ben": answers}, interval="none")
    assert result.made["level"] == level
    assert any(line.startswith(f"N315 read as {level}") for line in notices(result))
    given = pb.agree({"ann": answers, "ben": answers}, level=level, interval="none")
    assert not any("N315" in line for line in notices(given))


def test_one_assessor_and_unknown_names() -> None:
    with pytest.raises(pb.BadUsage, match="E415 only ann judged"):
        pb.agree({"ann": [1, 2]})
    with pytest.raises(pb.BadUsage, match="E414 there is no assessor 'dan'"):
        pb.agree(GRADES, reference="dan")
    with pytest.raises(pb.BadUsage, match="did you mean alpha"):
        pb.agree(GRADES, coefficients="alfa")
    with pytest.raises(pb.BadUsage, match="E421 estimate= changes nothing without systems="):
        pb.agree(GRADES, estimate=True)


def test_a_cut_looks_at_two_categories() -> None:
    result = pb.agree(GRADES, cut=1, interval="none")
    assert result.made["categories"] == ["below 1", "from 1"]
    assert {"prevalence_index", "pabak", "overlap"} <= set(result.pairs.columns)
    with pytest.raises(pb.BadUsage, match="E418"):
        pb.agree({"ann": ["x", "y"], "ben": ["x", "x"]}, cut=1)


def test_many_assessors_have_no_pairs() -> None:
    crowd = {f"w{who}": {f"i{(who + step) % 40}": (who * step) % 2 for step in range(5)} for who in range(120)}
    result = pb.agree(crowd, interval="none")
    assert result.pairs.is_empty()
    assert any("N321 120 assessors" in line for line in notices(result))


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text(
        "item,worker,label\n" + "".join(f"i{i},{who},{(i + (who == 'b' and i == 3)) % 2}\n" for i in range(12) for who in "ab"),
        encoding="utf-8",
    )
    done = plumbline("agree", str(tmp_path / "labels.csv"), "--show", "pairs", "--interval", "analytic")
    assert done.code == 0
    assert "2 assessors agree" in done.out
    assert "every pair of assessors" in done.out
    done = plumbline("agree", str(tmp_path / "labels.csv"), "--format", "csv", "--show", "pairs", "-q")
    assert done.out.splitlines()[0].startswith("a,b,items,agreement,kappa")


def test_orders_groupings_and_organizations() -> None:
    ann = {"q1": {"a": 3, "b": 2, "c": 1, "d": 0}, "q2": {"x": 2, "y": 1, "z": 0}}
    ben = {"q1": {"a": 3, "b": 2, "c": 0, "d": 1}, "q2": {"x": 2, "y": 1, "z": 0}}
    result = pb.agree({"ann": ann, "ben": ben}, task="ranking")
    assert result.value("tau") == pytest.approx((2 / 3 + 1) / 2)
    back = pb.agree({"ben": ben, "ann": ann}, task="ranking")
    assert back.coefficients["value"][0] == pytest.approx(result.coefficients["value"][0])  # F(Rel,Sens) is symmetric
    chance = result.coefficients.filter(pl.col("coefficient") == "[chance] tau")["value"][0]
    assert abs(chance) < 0.35
    groups = pb.agree({"ann": {"a": "x", "b": "x", "c": "y"}, "ben": {"a": "1", "b": "1", "c": "2"}}, task="clustering")
    assert groups.value("ARI") == 1
    assert groups.value("F(BCubedP,BCubedR)") == 1
    with pytest.raises(pb.BadUsage, match="E415"):
        pb.agree({"ann": ann}, task="ranking")


def test_systems_are_all_files_up_to_the_next_option(tmp_path: Path) -> None:
    for name, sign in (("ann", 1), ("ben", -1)):
        grades = "".join(f"q{i} 0 d{j} {j if sign > 0 else 3 - j}\n" for i in range(4) for j in range(4))
        (tmp_path / f"{name}.qrels").write_text(grades, encoding="utf-8")
        run = "".join(f"q{i} Q0 d{j} 1 {sign * j}.5 {name}\n" for i in range(4) for j in range(4))
        (tmp_path / f"{name}.run").write_text(run, encoding="utf-8")
    judges, runs = ([str(tmp_path / f"{name}.{kind}") for name in ("ann", "ben")] for kind in ("qrels", "run"))
    done = plumbline("agree", *judges, "--systems", *runs, "-m", "nDCG@2", "--interval", "none", "-q")
    assert done.code == 0, done.err
    assert "ann and ben rank 2 systems with tau -1.00" in done.out
    before = plumbline("agree", "--systems", *runs, "-m", "nDCG@2", *judges, "--interval", "none", "-q")
    assert before.out == done.out


def test_why_a_coefficient_is_what_it_is() -> None:
    result = pb.agree({"ann": [0, 1, 2, 2], "ben": [0, 2, 2, 0], "cy": [0, 1, 2, None]}, level="ordinal", interval="none")
    for row, shown in zip(result.why.iter_rows(named=True), result.coefficients.iter_rows(named=True), strict=True):
        assert row["coefficient"] == shown["title"]
        assert row["value"] == shown["value"] == pytest.approx(1 - row["disagreement"] / row["by_chance"])
    raw = result.why.row(0, named=True)
    assert (raw["disagreement"], raw["by_chance"]) == pytest.approx((5 / 12, 1.0))  # 0, 2 of 3 pairs, 0 and 1 of 1
    undefined = pb.agree({"ann": [0, 0], "ben": [0, 0]}, interval="none").why
    assert undefined["value"].to_list()[1:] == [None] * (len(undefined) - 1)


def test_items_on_which_answers_differ_most_add_up_to_all_disagreement() -> None:
    answers = {"ann": [0, 1, 3, 2, 1], "ben": [0, 2, 0, 2, None], "cy": [0, 1, 3, 2, None]}
    result = pb.agree(answers, level="interval", interval="none")
    assert result.disputed.select("judgements", "answers").rows() == [(3, "0: ben; 3: ann, cy"), (3, "1: ann, cy; 2: ben")]
    assert result.disputed["share"].to_list() == pytest.approx([0.9, 0.1])  # squared distances 9 and 1
    assert pb.agree({"ann": [1, 0], "ben": [1, 0]}, interval="none").disputed.is_empty()
    odd = {f"d{place:03}": place % 7 for place in range(300)}
    many = {"w0": odd, **{f"w{number}": dict.fromkeys(odd, 0) for number in range(1, 6)}}
    listed = pb.agree(many, level="interval", interval="none")
    assert len(listed.disputed) == 100
    assert listed.disputed["share"].is_sorted(descending=True)
    assert listed.disputed["answers"][0] == "0: w1, w2, w3, w4 and 1 more; 6: w0"
    assert "75 more items" in str(listed.to_blocks(show=["disputed"])[-1])
