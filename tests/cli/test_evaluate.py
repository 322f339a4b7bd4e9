"""plumbline evaluate: formats, files, names, notices, exit codes."""

from __future__ import annotations

import csv
import io
import json
import re
import stat
import sys
from typing import TYPE_CHECKING, Any

import pytest

import plumbline as pb
from plumbline.io.bytes import atomic
from plumbline.io.native import native
from tests.helpers.command_line import MEAN_AP, QRELS, RUN, Outcome, plumbline, process, write_pair

if TYPE_CHECKING:
    from pathlib import Path

WORSE = "q1 Q0 d2 1 3.0 other\nq2 Q0 d4 1 2.0 other\n"
"""A second system: nothing relevant in q1, right in q2, q3 missing."""


class Collection:
    """A gold and two systems in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.gold, self.good = write_pair(folder)
        self.worse = folder / "worse.run"
        self.worse.write_text(WORSE, encoding="utf-8")

    def evaluate(self, *options: object) -> Outcome:
        """Both systems by AP and the number of retrieved items."""
        return plumbline("evaluate", self.gold, self.worse, self.good, "-m", "AP", "-m", "P@1", *options)


@pytest.fixture
def collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Collection:
    """A collection, in the current folder too."""
    monkeypatch.chdir(tmp_path)
    return Collection(tmp_path)


@pytest.mark.parametrize(("form", "separator"), [("csv", ","), ("tsv", "\t")])
def test_delimited(collection: Collection, form: str, separator: str) -> None:
    ended = collection.evaluate("--format", form, "--per-case")
    heading, *rows = list(csv.reader(io.StringIO(ended.out), delimiter=separator))
    assert heading == ["system", "case", "metric", "value"]
    assert [row[1] for row in rows if row[0] == "run" and row[2] == "AP"] == ["q1", "q2", "q3", "all"]
    assert ["run", "all", "AP", repr(MEAN_AP)] in rows
    assert ["worse", "q3", "AP", "0.0"] in rows, "a missing case counts as worst"


def test_means_alone_without_per_case(collection: Collection) -> None:
    rows = list(csv.DictReader(io.StringIO(collection.evaluate("--format", "csv").out)))
    assert {row["case"] for row in rows} == {"all"}
    assert len(rows) == 4


def test_undefined_is_empty_in_csv_null_in_json_and_a_word_in_tables(tmp_path: Path) -> None:
    gold, output = write_pair(tmp_path, qrels_text=QRELS + "q4 0 d1 0\n", run_text=RUN + "q4 Q0 d1 1 1.0 sys\n")
    only = ("evaluate", gold, output, "-m", "AP", "--per-case")
    assert "run,q4,AP,\n" in plumbline(*only, "--format", "csv").out
    written: dict[str, Any] = json.loads(plumbline(*only, "--format", "json").out)
    (row,) = [row for row in written["scores"] if row["case"] == "q4"]
    assert row["value"] is None
    (notice,) = [notice for notice in written["notices"] if notice["code"] == "N203"]
    assert "the gold has no relevant item there" in notice["text"]
    (mean,) = [row for row in written["scores"] if row["kind"] == "summary"]
    assert (mean["cases"], mean["undefined"]) == (3, 1)
    assert re.search(r"q4 +n/a", plumbline(*only).out)


def test_json_has_full_precision_and_says_how_it_was_made(collection: Collection) -> None:
    written: dict[str, Any] = json.loads(collection.evaluate("--format", "json", "--ties", "average").out)
    values = {(row["system"], row["metric"]): row["value"] for row in written["scores"]}
    assert values["run", "AP"] == MEAN_AP
    assert written["made"]["version"] == pb.__version__
    assert written["made"]["systems"] == ["worse", "run"]
    assert written["made"]["policy"] == {"ties": "average"}
    assert written["made"]["cases"] == 3
    missing = {row["system"]: row["missing"] for row in written["scores"]}
    assert missing == {"worse": 1, "run": 0}


def test_json_lines_tell_cases_from_summary(collection: Collection) -> None:
    rows = [json.loads(line) for line in collection.evaluate("--format", "jsonl", "--per-case").out.splitlines()]
    assert [row["kind"] for row in rows].count("case") == 12
    assert [row["kind"] for row in rows].count("summary") == 4
    assert all(row["case"] == "all" for row in rows if row["kind"] == "summary")


def test_json_is_ascii_so_that_no_locale_can_break_it(tmp_path: Path) -> None:
    gold, output = write_pair(tmp_path)
    shown = plumbline("evaluate", gold, f"größe={output}", "-m", "AP", "--format", "jsonl").out
    assert shown.isascii()
    assert json.loads(shown)["system"] == "größe"


def test_table_is_sorted_with_arrows_and_notices_stand_on_stderr(collection: Collection) -> None:
    ended = collection.evaluate()
    lines = [line.split() for line in ended.out.splitlines() if line.strip()]
    assert lines[0] == ["system", "AP", "↑", "P@1", "↑"]
    assert [line[0] for line in lines[2:4]] == ["run", "worse"], "best first, whatever the order of arguments"
    assert lines[2][1:] == ["0.7222", "0.6667"]
    assert "N201" not in ended.out
    assert re.search(r"worse\.run: N201 1 of 3 judged cases .*worst: q3", ended.err)


def test_table_per_case(collection: Collection) -> None:
    shown = collection.evaluate("--per-case").out
    assert re.search(r"worse +q2 +1\.0000 +1\.0000", shown)
    assert re.search(r"run +0\.7222", shown)


def test_markdown(collection: Collection) -> None:
    lines = collection.evaluate("--format", "md").out.splitlines()
    assert lines[:4] == [
        "| system | AP ↑ | P@1 ↑ |",
        "| --- | ---: | ---: |",
        "| run | **0.7222** | **0.6667** |",
        "| worse | 0.3333 | 0.3333 |",
    ]


def test_latex(collection: Collection) -> None:
    shown = collection.evaluate("--format", "latex").out
    assert r"\begin{tabular}{lrr}" in shown
    assert r"run & \textbf{0.7222} & \textbf{0.6667} \\" in shown


def test_trec_eval_layout(collection: Collection) -> None:
    shown = plumbline("evaluate", collection.gold, collection.good, "-m", "map", "--format", "trec_eval").out
    assert shown == "map                   \tall\t0.7222\n"


def test_output_file_holds_what_stdout_would(collection: Collection) -> None:
    wanted = collection.evaluate("--format", "csv").out
    ended = collection.evaluate("--format", "csv", "-o", "out.csv")
    assert (ended.code, ended.out) == (0, "")
    assert (collection.folder / "out.csv").read_text(encoding="utf-8") == wanted


def test_nothing_is_overwritten_without_force(collection: Collection) -> None:
    target = collection.folder / "out.csv"
    target.write_text("old", encoding="utf-8")
    ended = collection.evaluate("--format", "csv", "-o", target)
    assert ended.code == 2
    assert "E011" in ended.err
    assert "--force" in ended.err
    assert target.read_text(encoding="utf-8") == "old"
    assert collection.evaluate("--format", "csv", "-o", target, "--force").code == 0
    assert target.read_text(encoding="utf-8").startswith("system,case,metric,value\n")
    assert sorted(path.name for path in collection.folder.iterdir()) == ["out.csv", "qrels.txt", "run.txt", "worse.run"]


def test_a_failure_while_writing_leaves_the_old_file(collection: Collection) -> None:
    target = collection.folder / "out.csv"
    target.write_text("old", encoding="utf-8")

    def write_half() -> None:
        with atomic.write_atomically(target, force=True) as file:
            file.write(b"half")
            file.flush()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert target.read_text(encoding="utf-8") == "old"
    assert not list(collection.folder.glob(".*.part"))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes and needs rights for links")
def test_a_written_file_has_the_usual_rights_and_a_link_stays_a_link(collection: Collection) -> None:
    plain, link = collection.folder / "plain", collection.folder / "link"
    plain.touch()
    link.symlink_to("plain")
    collection.evaluate("--format", "csv", "-o", link, "--force")
    collection.evaluate("--format", "csv", "-o", "fresh")
    touched = collection.folder / "touched"
    touched.touch()
    assert link.is_symlink()
    assert plain.read_text(encoding="utf-8").startswith("system,")
    assert stat.S_IMODE((collection.folder / "fresh").stat().st_mode) == stat.S_IMODE(touched.stat().st_mode)


def test_a_folder_that_is_not_there(collection: Collection) -> None:
    ended = collection.evaluate("-o", "nowhere/out.csv")
    assert ended.code == 2
    assert "E010" in ended.err


def test_parquet_saves_the_scores(collection: Collection) -> None:
    assert collection.evaluate("-o", "scores.parquet").code == 0
    loaded = pb.Scores.load(collection.folder / "scores.parquet")
    assert loaded.ordered_systems == ["run", "worse"]
    assert {notice.code for notice in loaded.notices} >= {"N201"}


def test_quiet_verbose_and_strict(collection: Collection) -> None:
    assert collection.evaluate("--quiet").err == ""
    assert "N212" not in collection.evaluate().err
    assert re.search("N212 read as trec: its lines have columns", collection.evaluate("--verbose").err)
    assert collection.evaluate("--strict").code == 1
    assert collection.evaluate("--strict", "--quiet").code == 1
    assert plumbline("evaluate", collection.gold, collection.good, "--strict", "--verbose").code == 0, "N212 is no reproach"


def test_names(collection: Collection) -> None:
    both = (collection.gold, f"new={collection.good}", collection.worse)
    shown = plumbline("evaluate", *both, "-m", "AP", "--format", "csv")
    assert {system for system, _ in shown.means()} == {"new", "worse"}
    tagged = plumbline("evaluate", *both, "-m", "AP", "--format", "csv", "--names", "tag")
    assert {system for system, _ in tagged.means()} == {"sys", "other"}


@pytest.mark.parametrize("name", ["bm25.run", "bm25.txt.gz", "bm25.res", "bm25", "bm25.TSV"])
def test_a_system_is_called_after_its_file(collection: Collection, name: str) -> None:
    path = collection.good.rename(collection.folder / name)
    assert set(plumbline("evaluate", collection.gold, path, "-m", "AP", "--format", "csv").means()) == {("bm25", "AP")}


def test_a_version_in_the_name_is_kept(collection: Collection) -> None:
    path = collection.good.rename(collection.folder / "model-1.5.run")
    assert set(plumbline("evaluate", collection.gold, path, "-m", "AP", "--format", "csv").means()) == {("model-1.5", "AP")}


@pytest.mark.parametrize("option", [[], ["--names", "tag"]])
def test_two_systems_of_one_name(collection: Collection, option: list[str]) -> None:
    twin = collection.folder / "twin" / "run.txt"
    twin.parent.mkdir()
    twin.write_text(RUN, encoding="utf-8")
    second = f"b={twin}" if option else twin
    ended = plumbline("evaluate", collection.gold, collection.good, second, *option)
    assert ended.code == 1
    assert "E116 two systems are called" in ended.err
    assert "name them" in ended.err


def test_pattern(collection: Collection) -> None:
    pattern = str(collection.folder / "*r*.run")
    assert set(plumbline("evaluate", collection.gold, pattern, "-m", "AP", "--format", "csv").means()) == {("worse", "AP")}
    ended = plumbline("evaluate", collection.gold, str(collection.folder / "*.none"))
    assert ended.code == 2
    assert "E009" in ended.err


def test_standard_input(collection: Collection) -> None:
    ended = process("evaluate", collection.gold, "-", "-m", "AP", "--format", "csv", stdin=RUN)
    assert ended.means() == {("stdin", "AP"): pytest.approx(MEAN_AP)}
    empty = process("evaluate", collection.gold, "-", stdin="")
    assert empty.code == 1
    assert "<stdin>: E001" in empty.err


def test_a_missing_file_comes_with_a_guess(collection: Collection) -> None:
    ended = plumbline("evaluate", collection.gold, "worsr.run")
    assert ended.code == 2
    assert "worsr.run: E009 no such file" in ended.err
    assert "did you mean worse.run?" in ended.err


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("ngcd@10", "E301 unknown metric 'ngcd@10': did you mean nDCG@10"),
        ("P@0", "E304"),
        ("P@ten", "E304"),
        ("RBP(p=1.5)", "E304"),
        ("nDCG(gain=cubic)", "E304"),
        ("nDCG(foo=1)", "E303"),
        ("P", "E305"),
        ("nDCG(gain=exp", "E302"),
    ],
)
def test_metrics_that_cannot_be_computed(collection: Collection, metric: str, message: str) -> None:
    ended = plumbline("evaluate", collection.gold, collection.good, "-m", metric)
    assert ended.code == 2
    assert message in ended.err
    assert "help:" in ended.err
    assert ended.out == ""


def test_a_parameter_error_states_the_range(collection: Collection) -> None:
    ended = plumbline("evaluate", collection.gold, collection.good, "-m", "RBP(p=1.5)")
    assert re.search(r"p = 1\.5 is not allowed\n  help: p must be .*\b0\b.*\b1\b", ended.err), ended.err


def test_lookup_ignores_case(collection: Collection) -> None:
    shown = plumbline("evaluate", collection.gold, collection.good, "-m", "ap", "-m", "ndcg@10", "--format", "csv")
    assert [metric for _, metric in shown.means()] == ["AP", "nDCG@10"]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ([], 0),
        (["--ties", "random"], 2),
        (["--nonsense"], 2),
        (["--depth", "0"], 2),
        (["--missing", "error"], 1),
        (["--undefined", "error"], 0),
    ],
)
def test_exit_codes(collection: Collection, options: list[str], code: int) -> None:
    assert collection.evaluate(*options).code == code


def test_usage_without_arguments() -> None:
    assert plumbline("evaluate").code == 2
    assert plumbline("nonsense").code == 2
    assert plumbline("--help").code == 0


def test_the_version_says_whether_the_reader_in_c_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    there = "without" if native() is None else "with"
    assert plumbline("--version").out == f"plumbline, version {pb.__version__}, {there} the reader in C\n"
    monkeypatch.setenv("PLUMBLINE_NATIVE", "0")
    assert plumbline("--version").out == f"plumbline, version {pb.__version__}, without the reader in C\n"


def test_labels_without_a_task_get_one_message_that_helps(collection: Collection) -> None:
    for name, text, columns in (
        ("two.csv", "apple,good\npear,bad\n", "two"),
        ("three.tsv", "one\ta\tx\none\tb\tz\n" * 3, "three"),
    ):
        (collection.folder / name).write_text(text, encoding="utf-8")
        ended = plumbline("evaluate", name, name)
        assert ended.code == 1
        assert ended.err.count("E173") == 1
        assert f"{columns} columns look like labels or clusters: add --task classification|filtering|clustering" in ended.err
    assert "E101" in plumbline("evaluate", "three.tsv", "three.tsv", "--reader", "trec").err


def test_max_bytes_allows_what_the_limit_refuses(collection: Collection) -> None:
    import gzip  # noqa: PLC0415 - used here only

    packed = collection.folder / "packed.gz"
    packed.write_bytes(gzip.compress(RUN.encode()))
    assert plumbline("evaluate", collection.gold, packed, "--max-bytes", 10).code == 1
    assert plumbline("evaluate", collection.gold, packed, "--max-bytes", 10_000).code == 0
