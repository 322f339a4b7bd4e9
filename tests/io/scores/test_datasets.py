"""A folder with a file for each system gives what one table gives: values, verdicts, tables, notices, bytes."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline
from plumbline.errors import PlumblineError
from plumbline.errors.base import READ_AS
from plumbline.io.scores.dataset.layout import KEY, is_target
from plumbline.io.scores.dataset.reading import Dataset
from tests.helpers.label_worlds import KINDS, label_worlds
from tests.helpers.organization_worlds import NESTED, nested, organizations
from tests.helpers.ranking_worlds import moderate, outputs, worlds

if TYPE_CHECKING:
    from collections.abc import Callable

ODD = (
    "a/b",
    "..",
    "CON",
    "x ",
    " x",
    "x",
    "ü\u202e",
    "=1+2",
    "001",
    "1",
    "a\nb",
    "part-00000.parquet",
    "s3://x/",
    "%2F",
    "A",
    "a",
)
"""Names of systems that no file may have, that differ in case or blanks only, or that look like numbers."""
GOLD = {f"q{number}": {"a": 1, "b": 0, "c": 2} for number in range(12, 0, -1)}
"""Its order is not that of the alphabet: q12 comes first, q9 before q10 only there."""


def drawn(names: tuple[str, ...] = ODD, seed: int = 1) -> dict[str, Any]:
    """Systems that lack some cases; the last has one case."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    some = {name: {case: {item: draw.random() for item in "abc"} for case in draw.sample(list(GOLD), 10)} for name in names}
    return {**some, names[-1]: {"q3": {"a": 1.0}}}


def scored(**options: Any) -> plumbline.Scores:
    """A dozen systems, of which some lack cases."""
    return plumbline.evaluate(GOLD, drawn(), ["AP", "nDCG", "relstring"], **options)


def same_scores(actual: plumbline.Scores, expected: plumbline.Scores) -> None:
    """Equal in every field that is saved."""
    assert actual.per_case.equals(expected.per_case, null_equal=True)
    assert actual.mean.equals(expected.mean, null_equal=True)
    assert actual.text_names == expected.text_names
    assert not actual.text_names or actual.texts.equals(expected.texts)
    assert (actual.columns, actual.notices) == (expected.columns, expected.notices)
    assert repr(actual) == repr(expected)


def outcome(make: Callable[[], Any]) -> str:
    """What a result says in full, or the error."""
    try:
        result = make()
    except PlumblineError as error:
        return str(error)
    return "\n".join((result.to_json(), repr(result)))


def _studied(study: Callable[[Any], Any], place: Path) -> Any:
    return study(plumbline.load(place))


def without_reading(comparison: plumbline.Comparison) -> dict[str, Any]:
    """All of a comparison but how its table was read."""
    data = comparison.to_dict()
    return {**data, "notices": [notice for notice in data["notices"] if notice["code"] != READ_AS]}


def round_trip(scores: plumbline.Scores) -> None:
    """Loaded, compared and studied, the dataset is what the file of saved scores is."""
    with TemporaryDirectory() as place:
        folder, file = Path(place) / "scores", Path(place) / "scores.parquet"
        scores.save(f"{folder}/")
        scores.save(file)
        same_scores(plumbline.load(folder), scores)  # type: ignore[arg-type]  # any result is loaded
        same_scores(plumbline.load(file), scores)  # type: ignore[arg-type]
        for study in (plumbline.compare, plumbline.meta):
            wanted = outcome(partial(_studied, study, file))
            assert outcome(partial(_studied, study, folder)) == wanted
        assert outcome(lambda: plumbline.compare(f"{folder}/")) == outcome(lambda: plumbline.compare(folder))


@moderate(12)
@given(world=worlds(cases=6), other=outputs(), options=st.sampled_from([{}, {"missing": "skip"}, {"ties": "average"}]))
def test_rankings(world: Any, other: Any, options: dict[str, Any]) -> None:
    second = dict.fromkeys(list(world.gold)[1:] or world.gold, other)
    try:
        scores = plumbline.evaluate(
            world.gold, {"one": world.run, "two/2": second}, ["AP", "NumQ", "relstring", "P@2"], **options
        )
    except PlumblineError:
        return
    round_trip(scores)


@moderate(6)
@given(world=label_worlds(KINDS))
def test_labels(world: Any) -> None:
    try:
        scores = plumbline.evaluate(world.gold, {"one": world.run, "gold": world.gold}, task=world.task)
    except PlumblineError:
        return
    round_trip(scores)


@moderate(4)
@given(gold=organizations(NESTED, least=1), system=organizations(NESTED, least=1))
def test_organizations(gold: Any, system: Any) -> None:
    sides = {"q1": nested(gold)}, {"one": {"q1": nested(system)}, "gold": {"q1": nested(gold)}}
    round_trip(plumbline.evaluate(*sides, ["Rel", "Sens"], task="organization"))


def test_clusterings_and_spans() -> None:
    clusters = {"q1": {"a": "1", "b": "1", "c": "2"}, "q2": {"a": "1", "b": "2"}}
    other = {"q1": {"a": "1", "b": "2", "c": "2"}, "q2": {"a": "1", "b": "1"}}
    round_trip(
        plumbline.evaluate(clusters, {"one": other, "gold": clusters}, ["BCubedP", "BCubedR"], task="clustering", floor=True)
    )
    spans, result = {"t1": [(0, 3, "X"), (5, 8, "Y")]}, {"t1": [(0, 3, "X")]}
    round_trip(plumbline.evaluate(spans, {"one": result, "gold": spans}, task="extraction"))


@pytest.mark.parametrize("options", [{}, {"missing": "skip"}], ids=str)
def test_odd_names_and_missing_cases(options: dict[str, Any]) -> None:
    round_trip(scored(**options))


def test_systems_with_other_cases_are_read_like_a_table(tmp_path: Path) -> None:
    """Named systems without blanks, so that a file is read with the same names: the same words but for the notice about it."""
    scores = plumbline.evaluate(GOLD, drawn(("one", "two", "three", "four")), ["AP", "nDCG"], missing="skip")
    scores.save(f"{tmp_path}/set/")
    scores.save(tmp_path / "set.parquet")
    scores.per_case.write_csv(tmp_path / "set.csv")
    options: list[dict[str, Any]] = [{}, {"metrics": "nDCG"}, {"baseline": "two", "lower": "AP"}, {"test": "t", "seed": 5}]
    for chosen in options:
        result, table, plain = (plumbline.compare(tmp_path / name, **chosen) for name in ("set", "set.parquet", "set.csv"))
        assert without_reading(result) == without_reading(table)
        assert [repr(result.significance), repr(result.leaderboard)] == [repr(plain.significance), repr(plain.leaderboard)]


def test_other_tools_read_the_folder_as_one_table(tmp_path: Path) -> None:
    scores = scored(missing="skip")
    scores.save(f"{tmp_path}/set/")
    wide = scores.per_case.pivot("metric", index=["system", "case"], values="value", maintain_order=True)
    wanted = wide.join(scores.texts, on=["system", "case"]).sort("system", "case")
    assert pl.read_parquet(f"{tmp_path}/set/").sort("system", "case").equals(wanted, null_equal=True)
    pandas = pytest.importorskip("pandas").read_parquet(f"{tmp_path}/set/")
    assert sorted(pandas["system"].unique()) == sorted(ODD)
    assert len(pandas) == len(wanted)
    files = sorted((tmp_path / "set").iterdir())
    assert [file.name for file in files] == [f"part-{number:05}.parquet" for number in range(len(ODD))]
    for file, name in zip(files, ODD, strict=True):
        rows = pl.read_parquet(file)
        assert set(rows["system"]) == {name}
        assert rows["case"].is_sorted()


def test_no_table_of_everything_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither to write a dataset nor to compare by one."""
    scores = scored()
    monkeypatch.setattr("plumbline.evaluation.tabulate.Lists.long", None)
    scores.save(f"{tmp_path}/set/")
    monkeypatch.setattr(Dataset, "long", None)
    assert len(plumbline.compare(tmp_path / "set").systems) == len(ODD)
    assert len(plumbline.compare(plumbline.load(tmp_path / "set")).systems) == len(ODD)


def test_only_the_metrics_in_question_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scored().save(f"{tmp_path}/set/")
    monkeypatch.setattr("plumbline.comparison.reading.IN_MEMORY", 0)
    monkeypatch.setattr("plumbline.comparison.reading.free_space", lambda: len(ODD) * len(GOLD) * 40)
    assert plumbline.compare(tmp_path / "set", "AP").cube.metrics == ("AP",)
    with pytest.raises(plumbline.BadUsage, match="9,216 bytes of temporary files, and 7,680 bytes are free") as caught:
        plumbline.compare(tmp_path / "set")
    assert caught.value.code == "E708"


def test_nothing_is_overwritten_or_mixed(tmp_path: Path) -> None:
    scores, target = scored(), f"{tmp_path}/set/"
    scores.save(target)
    with pytest.raises(plumbline.BadUsage, match="E011"):
        scores.save(target)
    fewer = plumbline.evaluate(GOLD, drawn(ODD[:2]), "AP")
    with pytest.raises(plumbline.BadUsage, match="E011"):
        fewer.save(tmp_path / "set")
    fewer.save(tmp_path / "set", force=True)
    assert sorted(file.name for file in (tmp_path / "set").iterdir()) == ["part-00000.parquet", "part-00001.parquet"]
    same_scores(plumbline.load(target), fewer)  # type: ignore[arg-type]
    (tmp_path / "set" / "notes.txt").write_text("mine")
    with pytest.raises(plumbline.BadUsage, match=r"E193.*notes\.txt"):
        scores.save(target, force=True)
    with pytest.raises(plumbline.BadUsage, match="does not exist"):
        scores.save(f"{tmp_path}/no/such/")
    (tmp_path / "empty").mkdir()
    scores.save(f"{tmp_path}/empty/")
    same_scores(plumbline.load(tmp_path / "empty"), scores)  # type: ignore[arg-type]


def test_a_dataset_may_replace_itself(tmp_path: Path) -> None:
    scores = scored()
    scores.save(f"{tmp_path}/set/")
    plumbline.load(tmp_path / "set").save(tmp_path / "set", force=True)
    same_scores(plumbline.load(tmp_path / "set"), scores)  # type: ignore[arg-type]


def test_what_is_a_folder_of_scores(tmp_path: Path) -> None:
    assert not is_target(tmp_path)
    assert not is_target("scores.parquet")
    assert is_target("scores/")
    assert is_target("s3://bucket/scores")
    assert not is_target("https://host/scores/")


DAMAGES: dict[str, tuple[Callable[[Path], Any], str]] = {
    "a file is gone": (lambda file: file.unlink(), "E009"),
    "a file is cut": (lambda file: file.write_bytes(file.read_bytes()[:200]), "E003"),
    "of another system": (lambda file: pl.read_parquet(file).with_columns(system=pl.lit("y")).write_parquet(file), "E192"),
    "an unknown case": (lambda file: pl.read_parquet(file).with_columns(case=pl.lit("z")).write_parquet(file), "E192"),
    "a case twice": (lambda file: pl.read_parquet(file).select(pl.all().repeat_by(2).explode()).write_parquet(file), "E192"),
    "no such column": (lambda file: pl.read_parquet(file).drop("AP").write_parquet(file), "E003"),
    "infinite": (lambda file: pl.read_parquet(file).with_columns(AP=pl.lit(float("inf"))).write_parquet(file), "E160"),
}


@pytest.mark.parametrize(("damage", "code"), DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_named(tmp_path: Path, damage: Callable[[Path], Any], code: str) -> None:
    scored().save(f"{tmp_path}/set/")
    damage(tmp_path / "set" / "part-00003.parquet")
    with pytest.raises(PlumblineError, match=r"part-00003\.parquet") as caught:
        plumbline.compare(tmp_path / "set")
    assert caught.value.code == code


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"systems": ["a"], "files": ["../a.parquet"], "metrics": [], "texts": []}'])
def test_a_first_file_that_plumbline_did_not_write(tmp_path: Path, text: str) -> None:
    pl.DataFrame({"system": ["a"], "case": ["q"]}).write_parquet(tmp_path / "part-00000.parquet", metadata={KEY: text})
    for read in (plumbline.compare, plumbline.load):
        with pytest.raises(plumbline.BadData, match="E191"):
            read(tmp_path)


def test_a_folder_without_a_dataset_is_no_table(tmp_path: Path) -> None:
    with pytest.raises(plumbline.BadUsage, match="E182"):
        plumbline.compare(tmp_path)


def test_texts_alone_cannot_be_compared(tmp_path: Path) -> None:
    scores = plumbline.evaluate(GOLD, drawn(), "relstring")
    scores.save(f"{tmp_path}/set/")
    same_scores(plumbline.load(tmp_path / "set"), scores)  # type: ignore[arg-type]
    with pytest.raises(plumbline.BadUsage, match="RelString"):
        plumbline.compare(tmp_path / "set")


def test_numbers_and_texts_of_a_system_stand_together(tmp_path: Path) -> None:
    scores = plumbline.evaluate(GOLD, drawn(), ["AP", "relstring"])
    assert len(scores.per_case)
    scores.save(f"{tmp_path}/set/")
    first = pl.read_parquet(tmp_path / "set" / "part-00000.parquet")
    assert sum(name.startswith(("AP", "RelString")) for name in first.columns) == len(["AP", "RelString"])
    same_scores(plumbline.load(tmp_path / "set"), scores)  # type: ignore[arg-type]


def test_numbers_alone(tmp_path: Path) -> None:
    scores = plumbline.evaluate(GOLD, drawn(), ["AP", "nDCG"])
    assert len(scores.per_case)
    scores.save(f"{tmp_path}/set/")
    same_scores(plumbline.load(tmp_path / "set"), scores)  # type: ignore[arg-type]
