"""Commands on files of which one is changed, each known by its number: done or refused, and nothing else.

`python -m tests.helpers.command_fuzzing 0 100000` tries many and prints those that fail.
"""

from __future__ import annotations

import gc
import os
import random
import re
import shlex
import shutil
import sys
import warnings
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from tests.badinputs.test_fuzz import mutated
from tests.helpers.command_files import MADE
from tests.helpers.command_line import Outcome, plumbline
from tests.helpers.fuzzing import LONGEST_MESSAGE, failing, limited_time, odd_field

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES: Final = Path(__file__).parents[2] / "docs" / "examples"
COMMANDS: Final[tuple[str, ...]] = (
    "evaluate spans/gold.jsonl spans/rules.jsonl spans/tagger.csv --task extraction --pooled -m F(P,R) -m SER",
    "evaluate spans/gold.jsonl spans/tagger.csv --task extraction -m F(P,R,match=positions) -m F(P,R,match=overlap) --floor",
    "evaluate gold.pubtator out.pubtator --task extraction -m P -m R(match=partial)",
    "evaluate gold.bioc out.bioc.json --task extraction -m P -m SER",
    "evaluate gold.bioc out.bioc.json --task extraction --annotations relations -m F(P,R)",
    "evaluate brat/doc.ann annotated/doc.ann --task extraction -m P -m SER",
    "evaluate gold.iob out.iob --task extraction --pooled -m F(P,R) -m COR",
    "evaluate gold.iob out.iob --task extraction --scheme IOB2 -m F(P,R)",
    "evaluate fields.json filled.jsonl table.csv --task extraction -m P -m R(match=type) --values normalised",
    "evaluate relations.json related.jsonl triples.csv --task extraction -m P -m R(match=type) -m R(match=boundary)",
    "why P fields.json filled.jsonl --task extraction --case a",
    "why P relations.json triples.csv --task extraction --case a",
    "why P spans/gold.jsonl spans/tagger.csv --task extraction --pooled",
    "losses gold.iob out.iob --task extraction --pooled",
    "compare spans/gold.jsonl spans/rules.jsonl spans/tagger.csv --task extraction --pooled --units items",
    "check spans/gold.jsonl spans/rules.jsonl gold.iob gold.pubtator brat/doc.ann --task extraction",
    "check fields.json filled.jsonl relations.json triples.csv --task extraction",
    "confusion tickets.csv flat.csv careful.csv --classes low,medium,high",
    "evaluate story.conll resolver.conll --task clustering -m MUC -m LEA",
    "evaluate corpus.conllu corpus.conllu --task clustering -m MUC -m LEA",
    "evaluate senses.key induced.key --task clustering -m fuzzy",
    "evaluate replab_gold.dat replab_hac.dat --task clustering --missing-items absent -m Rel",
    "evaluate subtopics.qrels repeats.run covers.run -m alpha_nDCG@3 -m ERR_IA@3 -m RBU",
    "evaluate qrels.txt bm25.run dense.run -m AP --zscores others.txt",
    "evaluate qrels.txt bm25.run dense.run -m AP -m nDCG@10 --engine local --memory 1GB --per-case",
    "evaluate pool/sampled.qrels pool/beta.run -m xinfAP -m infNDCG",
    "evaluate learners/gold.csv learners/linear.csv --task classification --folds folds.csv -m Accuracy",
    "compare benchmark_wide.csv -m accuracy --test t",
    "compare AP=ap.csv P@10=p10.csv --format json",
    "compare benchmark_wide.csv -m accuracy --margin 0.02 --show threshold",
    "compare benchmark_long.csv --baseline base --gate not-worse --format csv",
    "compare photos.tsv near.tsv far.tsv --task clustering --floor",
    "elsewhere benchmark_wide.csv benchmark_long.csv -m accuracy",
    "meta benchmark_long.csv --preferences preferred.csv --show preferences --splits 20",
    "learning learners/sizes.csv --sizes labels --runs fold --target 0.9",
    "split mails.csv --folds 3 --stratify label --group user --seed 1",
    "split mails.csv --time day --gap 1d --folds 2",
    "split mails.csv --bootstrap 2 --nested 2",
    "split mails.csv --check mail_folds.csv --group user --text text --time day",
    "experiment counts.csv",
    "experiment shop.csv -m orders --before orders_before --margin 5%",
    "experiment shop.csv -m orders -m 'ctr = clicks / views' --by country --peek --planned 2000 --when day --show sequence",
    "experiment shop.csv -m p50(minutes) --resamples 100 --share 50:50",
    "experiment plan shop.csv -m orders --before orders_before --detect 5%",
    "experiment plan --baseline 0.206 --detect 0.01 --power 0.9",
    "clicks log.csv --model sdbn --model pbm --split session --rounds 20",
    "clicks log.csv --model dbn --systems shown_a.run --systems shown_b.run --rounds 20",
    "clicks clicks.csv --model ubm --propensities --rounds 5",
    "clicks --simulate qrels.txt bm25.run --model pbm --sessions 20 --seed 1",
    "interleave bm25.run dense.run --lists-per-case 2 --seed 1",
    "interleave bm25.run dense.run --method optimized --length 3",
    "interleave --log impressions.csv --resamples 20",
    "interleave bm25.run dense.run --log log.csv --method probabilistic --resamples 20",
    "policy banners.csv --policy gloves.csv --resamples 20",
    "policy actions.csv --policy uniform --resamples 20 --least 0",
    "agree judged/human.qrels judged/second.qrels judged/llm.qrels --reference human --show cuts --resamples 20",
    "agree judged/human.qrels judged/llm.qrels --reference human --systems judged/lexical.run judged/tuned.run --estimate",
    "agree votes.csv --level nominal --show pairs --show by-case --resamples 20",
    "agree matrix.csv --level ordinal --scale 0-2 --resamples 20",
    "agree doccano.jsonl ben.jsonl --level sets --resamples 20",
    "agree studio.json --resamples 20",
    "aggregate votes.csv --without free-loader",
    "aggregate votes.csv --method dawid-skene --rounds 20",
    "aggregate matrix.csv --method glad --rounds 20",
    "aggregate votes.csv --method mace --rounds 20 --seed 2",
    "aggregate votes.csv --method weighted --gold known.csv",
    "pool pool/alpha1.run pool/beta.run pool/gamma.run --depth 5 --budget 24",
    "pool pool/alpha1.run pool/beta.run --strata '1-10:1 11-50:0.3' --seed 7",
    "pool pool/alpha1.run pool/beta.run --budget 9 --method bandit --judged pool/qrels.txt",
    "pool pool/alpha1.run pool/gamma.run --depth 5 --simulate pool/qrels.txt --method rrf --stop quiet:3",
    "pool pool/qrels.txt pool/alpha1.run pool/beta.run --teams pool/teams.csv -m nDCG@10 -m AP --show bounds",
    "judge pool.jsonl --texts pool/texts.tsv --topics pool/topics.tsv --grades '0 no,1 partly,2 yes' -o judge.html --force",
    "report plan.toml -o report.html --force",
    "report benchmark_wide.csv -m accuracy -o report.html --force",
    "plot bars benchmark_wide.csv -o bars.svg --force",
    "sweep jaguar.tsv hac_0.2.tsv hac_0.4.tsv",
    "losses posts_gold.csv --priority posts.run --clusters posts_clusters.tsv",
    "convert --task organization --clusters posts_clusters.tsv posts.run posts.csv --force",
    "convert dense.run dense.parquet --force",
    "convert --task extraction spans/gold.jsonl spans.csv --force",
    "audit my_metrics:f2 --budget 50",
    "reversal P=0.8,R=0.3 P=0.5,R=0.4",
    "weights --own 3:2:1 --w 0.9",
    "weights --n 10 --w 0.8 --discount geometric",
    "choose --task ranking --graded --reads first-page",
)
FINE: Final = {0, 1, 2}


@dataclass(frozen=True)
class Attempt:
    """A command, and what is changed in its folder."""

    words: tuple[str, ...]
    file: str = ""
    data: bytes = b""


@cache
def _kept() -> TemporaryDirectory[str]:
    return TemporaryDirectory()


@cache
def folder() -> Path:
    """A copy of the examples with the files that are made."""
    place = Path(_kept().name, "examples")
    shutil.copytree(EXAMPLES, place)
    for name, text in MADE.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
    return place


def files_of(words: list[str]) -> list[str]:
    """Those that the command reads."""
    named = [word.split("=")[-1] for word in words]
    return [name for name in named if (folder() / name).is_file() and "report.html" not in name]


def attempt_of(number: int) -> Attempt:
    """The attempt of this number; the same at every time and place."""
    chance = random.Random(f"a command, {number}")  # noqa: S311 - nothing secret
    words = shlex.split(chance.choice(COMMANDS))
    files = files_of(words)
    if not files or chance.randrange(5) == 0:
        at = chance.choice([at for at in range(1, len(words)) if not words[at].startswith("-")])
        words[at] = odd_field(words[at].encode(), chance).decode(errors="surrogateescape").replace("\x00", "")
        return Attempt(tuple(words))
    name = chance.choice(files)
    sane = (folder() / name).read_bytes()
    return Attempt(tuple(words), name, chance.choice([mutated, odd_field])(sane, chance))


def tried(attempt: Attempt) -> Outcome:
    """Run the command, and say what is wrong with the way in which it ended."""
    target = folder() / attempt.file
    sane = target.read_bytes() if attempt.file else b""
    try:
        if attempt.file:
            target.write_bytes(attempt.data)
        with chdir(folder()), warnings.catch_warnings(), limited_time(), _kept_stdout():
            warnings.simplefilter("error")
            ended = plumbline(*attempt.words)
    finally:
        if attempt.file:
            target.write_bytes(sane)
    assert ended.code in FINE, f"code {ended.code}: {ended.err[:300]}"
    assert "cannot write the output" not in ended.err, ended.err[:300]
    assert "Traceback" not in ended.err
    assert "Warning:" not in ended.err
    long = [line for line in ended.err.splitlines() if len(line) >= LONGEST_MESSAGE]
    assert not long, f"a long message: {long[0][:200]}"
    assert ended.code == 0 or ended.err.strip() or ended.out.strip(), "a failure without a word"
    strange = _NOT_A_NUMBER.search(ended.out)
    given = f"{attempt.data.decode(errors='replace')} {' '.join(attempt.words)}"
    assert not strange or _NOT_A_NUMBER.search(given) or _TOO_LARGE.search(given), f"not a number: {strange}"
    return ended


@contextmanager
def _kept_stdout() -> Iterator[None]:
    """The program closes its standard output if it cannot write; this process needs it."""
    ours = os.dup(1)
    try:
        yield
    finally:
        os.dup2(ours, 1)
        os.close(ours)


_TOO_LARGE: Final = re.compile(r"\de\+?\d{3}", re.IGNORECASE)
_NOT_A_NUMBER: Final = re.compile(r"(?<![\w.])-?(?:nan|inf)(?![\w.])", re.IGNORECASE)


def failures(numbers: range) -> Iterator[tuple[int, str]]:
    """The numbers of attempts that fail, and how."""
    return failing(numbers, lambda number: tried(attempt_of(number)))


if __name__ == "__main__":
    gc.set_threshold(100_000, 20, 20)
    first, last = map(int, sys.argv[1:3])
    for start in range(first, last, 1_000):
        for number, how in failures(range(start, min(start + 1_000, last))):
            print(number, how, flush=True)  # noqa: T201 - a program
        print(f"{min(start + 1_000, last):,} commands", flush=True)  # noqa: T201 - a program
