"""CoNLL-2012 and CoNLL-U: documents are cases, entities are clusters, mentions are items."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import plumbline as pb
from plumbline.io.read import read
from plumbline.io.table import ReadOptions
from tests.helpers.command_line import plumbline

if TYPE_CHECKING:
    from pathlib import Path

OPTIONS = ReadOptions(kind="clusters")

CONLL = """#begin document (bc/a); part 000
bc/a 0 0 The (0
bc/a 0 1 dog 0)
bc/a 0 2 saw -
bc/a 0 3 its (0)|(1
bc/a 0 4 tail 1)

bc/a 0 0 It (0)
#end document
#begin document (bc/a); part 001
bc/a 1 0 Cats (0|(1)
bc/a 1 1 sleep 0)
#end document
"""


def conllu(*rows: str, newline: str = "\n") -> str:
    """Lines of CoNLL-U from `number form misc`; comments and blank lines as they are."""
    full = []
    for row in rows:
        number, _, rest = row.partition(" ")
        form, _, misc = rest.partition(" ")
        full.append(row if not row or row[0] == "#" else "\t".join([number, form, *"_______", misc or "_"]))
    return newline.join(full) + newline


CONLLU = conllu(
    "# newdoc id = bc/a:000",
    "# global.Entity = eid-etype-head-other",
    "# sent_id = 1",
    "1-2 Thedog SpaceAfter=No|Entity=(e9)",
    "1 The Entity=(e0-animal-2-",
    "2 dog SpaceAfter=No|Entity=e0)",
    "3 saw",
    "4 its Entity=(e1-part-2(e0-animal)",
    "5 tail Entity=e1)|Bridge=e0<e1",
    "",
    "# sent_id = 2",
    "1 It Entity=(e0)",
    "",
    "# newdoc id = bc/a:001",
    "1 Cats Entity=(e0(e1)",
    "2 sleep Entity=e0)",
)


def rows(text: str, folder: Path, name: str = "some.file") -> list[tuple[str, str, str]]:
    path = folder / name
    path.write_bytes(text.encode())
    result = read(path, "gold", OPTIONS)
    return [
        (case, item, cluster) for case, item, cluster in result.frame.iter_rows() if result.origin.places([0], "item")[0].line
    ]


def test_both_formats_name_the_same_mentions(tmp_path: Path) -> None:
    expected = [
        ("bc/a:000", "1:1-2", "0"),
        ("bc/a:000", "1:4-4", "0"),
        ("bc/a:000", "1:4-5", "1"),
        ("bc/a:000", "2:1-1", "0"),
        ("bc/a:001", "1:1-1", "1"),
        ("bc/a:001", "1:1-2", "0"),
    ]
    assert sorted(rows(CONLL, tmp_path)) == expected
    assert sorted(rows(CONLL.replace("\n", "\r\n"), tmp_path)) == expected
    assert sorted((case, item, entity.removeprefix("e")) for case, item, entity in rows(CONLLU, tmp_path)) == expected


def test_a_perfect_output_in_the_other_format(tmp_path: Path) -> None:
    (tmp_path / "gold.conll").write_text(CONLL, encoding="utf-8")
    (tmp_path / "system.conllu").write_text(CONLLU, encoding="utf-8")
    arguments = ["--task", "clustering", "-m", "MUC", "-m", "BCubedP", "-m", "CEAFe", "--format", "csv"]
    for reader in ([], ["--reader", "conll"]):
        other = "gold.conll" if reader else "system.conllu"
        result = plumbline("evaluate", tmp_path / "gold.conll", f"s={tmp_path / other}", *arguments, *reader)
        assert result.code == 0, result.err
        assert set(result.means().values()) == {1.0}


def test_a_folder_of_documents_is_one_gold(tmp_path: Path) -> None:
    first, second = CONLL.split("#begin document (bc/a); part 001")
    (tmp_path / "a.v4_gold_conll").write_text(first, encoding="utf-8")
    (tmp_path / "b.conll").write_text("#begin document (bc/a); part 001" + second, encoding="utf-8")
    (tmp_path / "README").write_text("no clusters", encoding="utf-8")
    result = read(tmp_path, "gold", OPTIONS)
    assert result.frame["case"].unique(maintain_order=True).to_list() == ["bc/a:000", "bc/a:001"]
    assert str(result.origin.places([len(result.frame) - 1], "item")[0]).endswith("b.conll:2")


def test_mentions_of_one_entity_may_nest_and_repeat(tmp_path: Path) -> None:
    text = "#begin document x\na\t(1|(1\nb\t1)\nc\t1)\nd\t(1)|(1)|(2)\n#end document x\n"
    assert rows(text, tmp_path) == [
        ("x", "1:1-2", "1"),
        ("x", "1:1-3", "1"),
        ("x", "1:4-4", "1"),
        ("x", "1:4-4", "1"),
        ("x", "1:4-4", "2"),
    ]
    result = pb.evaluate(tmp_path / "some.file", tmp_path / "some.file", "BCubedP", task="clustering")
    assert [notice.code for notice in result.notices if notice.code != "N212"] == ["N208", "N208"]
    with pytest.raises(pb.BadData, match=r"some\.file:5: E142 item 1:4-4 is in a cluster already \(line 5\)"):
        pb.evaluate(tmp_path / "some.file", tmp_path / "some.file", "MUC", task="clustering")


def words(text: str, *entities: str) -> str:
    """A document of one-letter words: `-` at those that no entity has."""
    number = {word: f"({at})" for at, entity in enumerate(entities) for word in entity}
    lines = [f"x 0 0 {word} {number.get(word, '-')}" for word in text]
    return "\n".join(["#begin document (x); part 0", *lines, "#end document"]) + "\n"


SCORER = [
    (("a", "bc", "def"), {"MUC": 1, "B3": 1, "CEAFm": 1, "CEAFe": 1, "BLANC": 1}),
    (("a", "de"), {"MUC": 0.5, "B3": 0.56, "CEAFm": 6 / 9, "CEAFe": 0.72, "BLANC": 0.35385}),
    (("a", "bcx", "defy", "z"), {"MUC": 0.75, "B3": 0.675, "CEAFm": 0.8, "CEAFe": 0.75918, "BLANC": 0.597}),
    (("a", "bcx", "dy", "z"), {"CEAFm": 0.61538, "CEAFe": 0.62857}),
    (("a", "bcxB", "dy", "z"), {"CEAFm": 0.57143, "CEAFe": 0.59048}),
    (("a", "bcx", "dy", "Bz"), {"CEAFm": 0.57143, "CEAFe": 0.62857}),
]
"""The test cases of the CoNLL scorer: key {a} {bc} {def}, and mentions that one side lacks."""


@pytest.mark.parametrize(("response", "expected"), SCORER)
def test_mentions_that_one_side_lacks_count_as_in_the_scorer_of_conll(
    response: tuple[str, ...], expected: dict[str, float], tmp_path: Path
) -> None:
    text = "abcdefxyzB"
    (tmp_path / "key.conll").write_text(words(text, "a", "bc", "def"), encoding="utf-8")
    (tmp_path / "response.conll").write_text(words(text, *response), encoding="utf-8")
    names = {"F(BCubedP,BCubedR)" if name == "B3" else name: value for name, value in expected.items()}
    result = pb.evaluate(tmp_path / "key.conll", tmp_path / "response.conll", list(names), task="clustering")
    actual = dict(result.per_case.select("metric", "value").iter_rows())
    assert actual == {name: pytest.approx(value, abs=1e-3) for name, value in names.items()}
    invented = set("".join(response)) - set("abcdef")
    assert ("N219" in {notice.code for notice in result.notices}) == bool(invented)


def test_why_shows_mentions_that_the_key_lacks(tmp_path: Path) -> None:
    (tmp_path / "key.conll").write_text(words("abx", "ab"), encoding="utf-8")
    (tmp_path / "response.conll").write_text(words("abx", "abx"), encoding="utf-8")
    result = pb.why(tmp_path / "key.conll", tmp_path / "response.conll", "BCubedP", task="clustering")
    assert result.rows.select("item", "cluster_size", "class_size").rows() == [
        ("1:1-1", 3, 2),
        ("1:2-2", 3, 2),
        ("1:3-3", 3, None),
    ]


def test_brackets_need_no_bar_between_them(tmp_path: Path) -> None:
    text = "#begin document x\na\t(1(3\nb\t3)1)\nc\t(2)(1)|(3)\n#end document x\n"
    assert rows(text, tmp_path) == rows(text.replace("(1(3", "(1|(3").replace("3)1)", "3)|1)").replace(")(", ")|("), tmp_path)
    assert len(rows(text, tmp_path)) == 5


def test_pieces_crossings_empty_nodes_and_sentence_borders(tmp_path: Path) -> None:
    text = conllu(
        "1 a Entity=(e1[1/2]-x(e2",
        "2 b Entity=e1[1/2])",
        "2.1 _ Entity=(e3)",
        "3 c Entity=(e1[2/2])e2)",
        "4 d Entity=(e4",
        "",
        "1 e Entity=e4)",
    )
    assert rows(text, tmp_path) == [
        ("whole", "1:2.1-2.1", "e3"),
        ("whole", "1:1-2+1:3-3", "e1"),
        ("whole", "1:1-3", "e2"),
        ("whole", "1:4-2:1", "e4"),
    ]


def test_the_header_tells_which_value_is_the_entity(tmp_path: Path) -> None:
    text = conllu("# newdoc id = d", "# global.Entity = entity-GRP-infstat", "1 a Entity=(person-7-new", "2 b Entity=person-7)")
    assert rows(text, tmp_path) == rows(text.replace("=person-7)", "=7)"), tmp_path) == [("d", "1:1-2", "7")]


def test_documents_without_mentions_are_empty_cases(tmp_path: Path) -> None:
    path = tmp_path / "some.conll"
    path.write_text("#begin document (x); part 0\na -\n#end document\n" + CONLL, encoding="utf-8")
    assert read(path, "gold", OPTIONS).empty_cases == ("x:0",)
    path.write_text(conllu("# newdoc", "1 a Entity=(e1)", "", "# newdoc", "1 b"), encoding="utf-8")
    result = read(path, "gold", OPTIONS)
    assert (result.frame["case"].to_list(), result.empty_cases) == (["document 1"], ("document 2",))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (CONLL.replace("0)\nbc/a 0 2", "-\nbc/a 0 2"), r":2: E137 a mention of entity 0 starts here and does not end"),
        (CONLL.replace("tail 1)", "tail 2)"), r":6: E137 a mention of entity 2 ends here and starts nowhere"),
        (CONLL.replace("tail 1)", "tail 1"), r":6:15: E137 the last column holds '1'"),
        (CONLL.replace("part 001", "part 000"), r":10: E138 case bc/a:000 occurs already \(line 1\)"),
        (CONLL.removesuffix("#end document\n"), r":12: E140 document bc/a:001 \(line 10\) has no #end document; was the file"),
        (CONLL.replace("#end document\n#begin", "#begin"), r":9: E140 document bc/a:000 \(line 1\)"),
        (CONLL + "bc/a 1 0 x -\n", r":14: E137 a word outside of every document"),
        ("#begin document\nx -\n", r":1: E137 a document without a name"),
        (CONLL.replace("dog", "d\x00g"), ":3:11: E005"),
        (CONLLU.replace("\n3\tsaw", "\n3"), r":7: E101 9 columns, expected 10 \(those of CoNLL-U\)"),
        (CONLLU.replace("=e1)|", "=e2)|"), r":9: E137 a mention of entity e2 ends here"),
        (CONLLU.replace("=e1)|", "=e1|"), r":9: E137 cannot read Entity=e1"),
        (CONLLU.replace("=e1)|", "=()|"), r":9: E137 cannot read Entity=\(\)"),
        (CONLLU.replace("2\tsleep\t_\t_\t_\t_\t_\t_\t_\tEntity=e0)", ""), r":15: E137 a mention of entity e0 starts here"),
        (CONLLU.replace("bc/a:001", "bc/a:000"), r":14: E138 case bc/a:000 occurs already \(line 4\)"),
        (CONLLU.replace("eid-", "id-"), r":2: E137 global.Entity = id-etype-head-other has neither eid nor GRP"),
        (conllu("1 a Entity=(e1[2/2])"), ":1: E137 piece 2 of a mention of entity e1 without the one before"),
        (conllu("1 a Entity=(e1[1/2])"), ":1: E137 a mention of entity e1 has 1 of its 2 pieces"),
    ],
)
def test_broken_files_are_named_with_their_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "some.file"
    path.write_text(text, encoding="utf-8", newline="")
    with pytest.raises(pb.BadData, match=message):
        read(path, "gold", OPTIONS)
