"""Labels without a table: the same rows, messages and scores as those of polars, and nothing that needs more than that."""

from __future__ import annotations

import os
import random
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline
from plumbline.errors import PlumblineError
from plumbline.io.native import SWITCH, native
from plumbline.io.read import read
from plumbline.io.table import ReadOptions
from plumbline.io.text_column import TextColumn
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from plumbline.io.table import Role, Table

    Row = tuple[str, str, str]

core: Any = native()
has_reader = core is not None and hasattr(core, "labels")
in_c = pytest.mark.skipif(not has_reader, reason=f"there is no reader in C, an earlier one, or {SWITCH}=0")

T = TypeVar("T")
FUZZ = int(os.environ.get("PLUMBLINE_FUZZ", "1000")) * 5 // 2
"""Texts that are tried: 50,000 in CI."""
FEW = 10
WORLDS = range(80 if FUZZ >= 50_000 else FEW)
"""Gold and output that are scored in every way: 80 in CI."""
OPTIONS = [ReadOptions(kind="labels", reader=reader) for reader in (None, "csv", "tsv", "plain")]
OPTIONS += [ReadOptions(kind="clusters", reader=reader) for reader in (None, "tsv", "plain")]
HEADINGS = [
    *("", "case\titem\tlabel", "item\tlabel", "label,case,item", "qid,id,y_true,y_pred", "item\tlabel\trun", "Item,Label"),
    *("item\tcluster", "topic,tweet_id,cluster", "word\tname\tcluster", "item,gold_cluster,predicted_cluster,answer"),
    *("item,cluster,weight", "topic\titem", "entity_id,group,mention,system"),
]
VALUES = st.sampled_from(["q1", "q2", "q2", "d1", "d2", "d3", "1", "0", "yes", "no", "é", "a b", " ", "", '"x"', "#d", "\r"])
LINES = st.tuples(st.lists(VALUES, min_size=1, max_size=4), st.sampled_from(["\t", "\t", "\t", ",", ",", " "])).map(
    lambda drawn: drawn[1].join(drawn[0])
)
TEXTS = st.tuples(st.sampled_from(HEADINGS), st.lists(LINES, max_size=6), st.sampled_from(["\n", "\n", "\r\n"])).map(
    lambda drawn: drawn[2].join([*filter(None, drawn[:1]), *drawn[1], ""])
)


def outcome(path: Path, role: Role, options: ReadOptions) -> object:
    """The rows of a file and where they are, and what was noticed; or what is wrong with it."""
    try:
        table = read(path, role, options)
    except PlumblineError as error:
        return [str(one) for one in error.diagnostics]
    return rows_of(table), *_about(table)  # what is not refused has a table, too


def rows_of(table: Table) -> list[tuple[str, str, str]]:
    """Case, item and label of each row, without the frame where there is none."""
    rows = table.labelled
    if rows is None:
        return table.frame.with_columns(pl.col("case").cast(pl.String)).rows()
    names = [rows.labels.names[code] for code in rows.labels.codes.tolist()]
    return list(zip((rows.cases[code] for code in rows.case.tolist()), rows.all_names(), names, strict=True))


def _about(table: Table) -> tuple[object, ...]:
    places = table.origin.places(list(range(min(len(table.frame), 20))), "label")
    return places, [str(one) for one in table.notices], table.reader, table.named_columns, table.empty_cases, table.tag


def ways(make: Callable[[], T], patch: pytest.MonkeyPatch) -> Iterator[T]:
    """What comes out with the reader in C, if it is there, with that of small files, and with polars."""
    if has_reader:
        yield make()
    with patch.context() as off:
        off.setenv(SWITCH, "0")
        yield make()
        off.setattr("plumbline.io.formats.delimited.small.AT_MOST", 0)
        off.setattr("plumbline.io.memory.nested.labelled_dicts", lambda _: None)
        off.setattr("plumbline.io.memory.arrays.labelled_array", lambda _, **__: None)
        yield make()


def are_alike(make: Callable[[], object], patch: pytest.MonkeyPatch) -> bool:
    """Whether all ways lead to the same."""
    *others, reference = ways(make, patch)
    return all(other == reference for other in others)


@pytest.mark.parametrize("role", ["gold", "output"])
@given(st.sampled_from(OPTIONS), TEXTS)
def test_odd_lines_give_the_same_rows_and_messages(
    tmp_path_factory: pytest.TempPathFactory, role: Role, options: ReadOptions, text: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "quick.labels"
    path.write_bytes(text.encode())
    with pytest.MonkeyPatch.context() as patch:
        assert are_alike(lambda: outcome(path, role, options), patch)


@given(st.sampled_from(OPTIONS), st.binary(max_size=200))
def test_any_bytes_give_the_same_rows_and_messages(
    tmp_path_factory: pytest.TempPathFactory, options: ReadOptions, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "bytes.labels"
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        assert are_alike(lambda: outcome(path, "gold", options), patch)


@pytest.mark.parametrize("role", ["gold", "output"])
def test_every_bad_input_gives_the_same_rows_and_messages(role: Role, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, path in enumerate(sorted(shared("badinputs").rglob("*"))):
        if path.is_file() and not path.parent.name.startswith("C"):  # the compressed ones hold nothing else
            for options in OPTIONS if len(WORLDS) > FEW else OPTIONS[number % 3 :: 3]:
                assert are_alike(partial(outcome, path, role, options), monkeypatch), (path, options.reader)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("case\titem\tlabel\nq1\td1\tyes\nq2\td1\tno\n", {}),
        ("label,item\nyes,d1\nno,d2", {}),
        ("id,text,y_true\nd1,some words,yes\nd2,more,no\n", {}),
        ("d1\tyes\nd2\tno\n", {}),
        ("q1,d1,yes\nq1,d2,no\n", {}),
        ("a,b\nd1,yes\nd2,no\n", {"columns": "item=a,label=b", "reader": "csv"}),
        ("item\tlabel\nd1\tcafé\nü\tno\n", {}),
        ("topic,tweet_id,cluster\na,1,x\na,2,x\n", {"kind": "clusters"}),
        ("d1\t1\nd2\t1\n", {"kind": "clusters"}),
    ],
)
def test_usual_files_need_no_table(text: str, options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.labels"
    path.write_text(text, encoding="utf-8")
    wanted = ReadOptions(**{"kind": "labels", **options})
    roles: tuple[Role, ...] = ("gold", "output")
    for role in roles:
        tables = list(ways(partial(read, path, role, wanted), monkeypatch))
        assert [table.labelled is not None for table in tables] == [True] * (len(tables) - 1) + [False]
        assert are_alike(partial(outcome, path, role, wanted), monkeypatch)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("item\tlabel\r\nd1\tyes\r\n", {}),
        ('item,label\n"d1",yes\n', {}),
        ("item,label\nd1,\n", {}),
        ("item,label\n#d1,yes\n", {}),
        ("item,label,note,note\nd1,yes,no,no\n", {}),
        ("item,label,score\nd1,yes,0.5\n", {}),
        ("item,label,system\nd1,yes,a\n", {}),
        ("item,score\nd1,0.5\n", {}),
        ("item,label\nd1,yes|no\n", {"label_separator": "|"}),
        ("item,cluster,weight\nd1,yes,1\n", {"kind": "clusters"}),
        ("d1 yes\nd2 no\n", {}),
        ("name\tkind\na\tyes\n", {}),
        ("# a comment\nd1\tyes\n", {}),
    ],
)
def test_anything_else_is_read_by_polars(text: str, options: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "a.labels").write_bytes(text.encode())
    assert read(tmp_path / "a.labels", "output", ReadOptions(**{"kind": "labels", **options})).labelled is None


def _world(number: int) -> tuple[list[Row], list[Row]]:
    """A gold and an output with other cases, other items, other orders, repeated items and labels in several spellings."""
    chance = random.Random(number)  # noqa: S311 - no secret
    words = chance.choice(
        [["yes", "no"], ["1", "0"], ["1", "0", "1.0"], ["yes", "no", "maybe"], ["0.5", "1", "2"], ["1", "-1"]]
    )
    pairs = [(f"q{case}", f"{chance.choice(['d', 'a long name ', 'é'])}{item}") for case in range(3) for item in range(8)]
    gold = [(case, item, chance.choice(words)) for case, item in pairs]
    output = [(case, item, chance.choice(words) if chance.random() < 0.3 else label) for case, item, label in gold]
    if number % 2:
        output = [row for row in output if chance.random() < 0.9]
    if number % 3 == 0:
        chance.shuffle(output)
    if number % 5 == 0:
        output += [("q9", "d1", "odd"), ("q1", "other", "odd"), ("q1", "another", words[0])]
    if number % 7 == 0:
        output += output[:2]
    if number % 11 == 0:
        gold += gold[:1]
    if number % 13 == 0:
        output = [(f"z{case}", item, label) for case, item, label in output]
    if number % 17 == 0:
        output = [(case, f"z{item}", label) for case, item, label in output]
    return gold, output


def _each_scored(forms: list[list[Any]], **options: Any) -> list[object]:
    return [_scored(*form, **options) for form in forms]


METRICS = {
    "filtering": ["P", "R", "Lam"],
    "classification": ["Accuracy", "P", "R(average=weighted)", "F(P,R,average=micro)", "Kappa(weights=linear)", "CEM", "ICM"],
    "clustering": ["BCubedP", "BCubedR", "Purity", "InvPurity", "ARI", "NMI", "Rel", "Sens"],
}


def _scored(gold: Any, output: Any, task: str = "filtering", **options: Any) -> tuple[Any, ...]:
    try:
        scores = plumbline.evaluate(gold, {"s": output}, METRICS[task], task=task, **options)
    except PlumblineError as error:
        return tuple(str(one) for one in error.diagnostics)
    means = [(row.metric, row.value, row.cases, row.missing) for row in scores.mean_rows()]
    return means, scores.per_case.rows(), [str(one) for one in scores.notices]


ASKED: list[dict[str, Any]] = [
    {},
    {"missing": "skip", "missing_items": "wrong"},
    {"missing_items": "error"},
    {"on_duplicate": "first"},
    {"positive": ["1", "yes"]},
    {"rel": 1},
    {"threshold": 0.5},
    {"floor": True},
    {"task": "classification"},
    {"task": "classification", "missing": "skip"},
    {"task": "classification", "missing_items": "error", "on_duplicate": "last"},
    {"task": "classification", "classes": ["yes", "no", "maybe", "1", "0", "1.0", "2", "0.5"]},
    {"task": "classification", "floor": True},
    {"task": "clustering"},
    *({"task": "clustering", "missing_items": rule} for rule in ("one-cluster", "drop", "absent", "one-sided", "error")),
    {"task": "clustering", "noise": "no"},
    {"task": "clustering", "floor": True},
]


@pytest.mark.parametrize("number", WORLDS)
def test_scores_and_messages_of_files_are_the_same(tmp_path: Path, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, rows in zip(("gold", "output"), _world(number), strict=True):
        heading = "case\titem\tlabel\n" if number % 4 else ""
        (tmp_path / name).write_text(heading + "".join("\t".join(row) + "\n" for row in rows))
    for options in ASKED:
        make = partial(_scored, tmp_path / "gold", tmp_path / "output", **options)
        assert are_alike(make, monkeypatch), options


@pytest.mark.parametrize("number", WORLDS)
def test_scores_and_messages_of_dicts_and_arrays_are_the_same(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    gold, output = _world(number)
    convert = int if number % 2 and all(label.isdigit() for *_, label in gold + output) else str
    dicts = [
        {case: {item: convert(label) for one, item, label in rows if one == case} for case, *_ in rows}
        for rows in (gold, output)
    ]
    flat = [{item: label for _, item, label in rows} for rows in (gold, output)]
    arrays = [[convert(label) for *_, label in gold], [convert(label) for *_, label in gold[::-1]]]
    forms: list[list[Any]] = [dicts, flat, arrays, list(map(np.array, arrays)), [dicts[0], {}], [{"q": {}}, dicts[1]]]
    for options in ASKED:
        assert are_alike(partial(_each_scored, forms, **options), monkeypatch), options


ODD_LABELS: list[list[Any]] = [[True, 1], ["a", 1], ["a", None], [1.5, 2], [{"a"}], ["\udc80"], [1, 2**70], [True, False], []]


@pytest.mark.parametrize("values", ODD_LABELS)
def test_labels_of_other_types_are_the_same(values: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    names = dict(enumerate(map(str, range(len(values)))))
    forms = [(values, values), ({names[at]: value for at, value in enumerate(values)},) * 2]
    assert are_alike(lambda: [_scored(*form) for form in forms], monkeypatch)


def test_gold_and_output_may_be_of_different_forms(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("q1\ta\tyes\nq1\tb\tno\n")
    (tmp_path / "output.csv").write_text("case,item,label\nq1,b,no\nq1,a,yes\n")
    nested = {"q1": {"b": "no", "a": "yes"}}
    frame = pl.DataFrame({"case": ["q1", "q1"], "item": ["b", "a"], "label": ["no", "yes"]})
    expected, _, _ = _scored(nested, nested)
    for gold in (tmp_path / "gold", nested, frame):
        for output in (tmp_path / "output.csv", nested, frame):
            means, _, _ = _scored(gold, output)
            assert means == expected


@in_c
def test_equal_hashes_of_other_items_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of items whose hashes are made equal, those of the output are looked up by their texts."""
    (tmp_path / "gold").write_text("a\tyes\nb\tno\nc\tyes\n")
    (tmp_path / "output").write_text("c\tyes\nd\tno\na\tyes\n")
    expected = _scored(tmp_path / "gold", tmp_path / "output")
    from plumbline.io.formats.delimited import quick  # noqa: PLC0415 - to be patched

    read_rows = quick.read_rows

    def colliding(*arguments: Any) -> Any:
        rows = read_rows(*arguments)
        assert rows is not None
        assert isinstance(rows.items, TextColumn)
        hash_of = {"a": 1, "b": 2, "c": 3, "d": 2}
        rows.items.hashes[:] = [hash_of[name] for name in rows.all_names()]
        return rows

    monkeypatch.setattr("plumbline.io.formats.plain.quick.read_rows", colliding)
    assert _scored(tmp_path / "gold", tmp_path / "output") == expected


@in_c
def test_items_that_cannot_be_found_by_hashes_are_found_by_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The module in C finds nothing where too many hashes have one place in its table."""
    (tmp_path / "gold").write_text("a\t1\nb\t0\n")
    (tmp_path / "output").write_text("b\t0\na\t1\n")
    expected = _scored(tmp_path / "gold", tmp_path / "output")

    class Colliding:
        def __getattr__(self, name: str) -> object:
            return (lambda *_: -1) if name == "find" else getattr(core, name)

    monkeypatch.setattr("plumbline.io.text_column.required", Colliding)
    assert _scored(tmp_path / "gold", tmp_path / "output") == expected


def test_a_heading_longer_than_what_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rest has as many columns as what comes before it, and as the lines."""
    path = tmp_path / "a.tsv"
    path.write_text("item\tlabel\t".ljust(2**16, "x") + "yy\tyes\tz\nd1\tyes\tk\n")

    def problem() -> str:
        with pytest.raises(PlumblineError) as refused:
            read(path, "gold", OPTIONS[0])
        return refused.value.diagnostics[0].code

    assert set(ways(problem, monkeypatch)) == {"E101"}


def test_lines_of_20_megabytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(f"item\tlabel\n{'d' * 20_000_000}\tyes\nx\t{'no' * 10_000_000}\n")
    assert are_alike(lambda: outcome(path, "output", OPTIONS[0]), monkeypatch)


@in_c
@pytest.mark.parametrize(
    ("begin", "separator", "room", "size"),
    [(-1, "\t", 1, 1), (9, "\t", 1, 1), (0, ";", 1, 1), (0, "\t", -1, 1), (0, "\t", 2, 1)],
)
def test_arrays_that_do_not_fit_are_refused(begin: int, separator: str, room: int, size: int) -> None:
    into = (np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.uint32), np.empty(size, np.uint64))
    with pytest.raises(ValueError, match=r"out of range|too short"):
        core.labels(b"a\tb\n", begin, separator, (2, -1, 0, 1), room, into)
    with pytest.raises(ValueError, match="too short"):
        core.equal_columns((b"a", np.zeros(2, np.uint32), "\t"), (b"a", np.zeros(1, np.uint32), "\t"))


@in_c
def test_random_texts_are_read_as_by_an_obvious_reader() -> None:
    from tests.helpers.native_labels import differs  # noqa: PLC0415 - it needs the reader in C

    assert [number for number in range(FUZZ) if differs(number)] == []
