"""What every declared diagnostic must be. A new one is tested here as soon as it is declared."""

from __future__ import annotations

import json
import pickle
import re
import typing
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from plumbline import errors
from plumbline.errors import BadUsage, Diagnostic, Place, explanations
from plumbline.errors.base import restored
from plumbline.errors.faces import spelling
from plumbline.errors.registry import every_diagnostic

SOURCES: Final = Path(__file__).parents[2] / "src" / "plumbline"
DECLARED: Final = every_diagnostic()
PLACE: Final = Place("runs/bm25.run", 4, 7, "q1 Q0 d3 4 0.5 sys", 2)
SAMPLES: Final[dict[Any, Any]] = {
    str: "d3",
    str | None: "d4",
    int: 3,
    float: 0.25,
    bool: True,
    Place: PLACE,
    Place | None: PLACE,
    list[str]: ["d1", "d2"],
    Sequence[str]: ["d1", "d2"],
    tuple[str, str]: ("0.1", "0.2"),
    list[tuple[str, str | None]]: [("spam ", "spam"), ("egg", None)],
}
"""A value for each type of argument."""
DIALECT: Final = re.compile(
    r"\b(what is (told|said|asked|meant)|be told|is told|are told|told by|so that nothing|those that do|mend|otherwise than)\b"
    r"|\b(?<!there )(is|are) no\b",
    re.IGNORECASE,
)
"""Turns of phrase that are no idiomatic English."""
KEYWORD: Final = re.compile(r"(?<![-\w(,])(?<!--columns )(?!discount|gain|average|over|a|b|id|rank)[a-z_]+=")
"""A keyword of Python; parameters of metrics are spelled the same in the shell."""
FLAG: Final = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")
LONGEST: Final = 400


def every_code(test: Callable[[str], None]) -> Callable[[], None]:
    """The test for all codes in one go; a failure names its code."""

    def over_all() -> None:
        for code in DECLARED:
            try:
                test(code)
            except AssertionError as error:
                error.add_note(f"the diagnostic is {code}")
                raise

    return over_all


def sample(code: str) -> Diagnostic:
    """A diagnostic with an argument of the right type at every place."""
    constructor = DECLARED[code].constructor
    hints = typing.get_type_hints(constructor, localns={"Sequence": Sequence})
    hints.pop("return")
    return Diagnostic(code, *constructor(**{name: SAMPLES[hint] for name, hint in hints.items()}))


def sentences(code: str) -> list[str]:
    """What people read: the text and the way out."""
    made = sample(code)
    return [text for text in (made.text, made.help) if text]


@every_code
def test_code_is_an_error_or_a_notice(code: str) -> None:
    assert re.fullmatch(r"[EN]\d{3}", code)
    assert sample(code).is_notice == code.startswith("N")


def test_a_code_is_given_once() -> None:
    every = [match for path in (SOURCES / "errors").glob("*.py") for match in declared_in(path)]
    assert len(every) == len(set(every))
    assert set(every) <= set(DECLARED)


def declared_in(path: Path) -> list[str]:
    """The codes that are declared in a file, also where the code has a name."""
    text = path.read_text(encoding="utf-8")
    names = dict(re.findall(r'^(\w+): Final = "([EN]\d{3})"$', text, re.MULTILINE))
    return [
        code.strip('"') if code.startswith('"') else names[code]
        for code in re.findall(r"^@diagnostic\(([^,]+),", text, re.MULTILINE)
    ]


@every_code
def test_title_names_the_problem_in_a_few_words(code: str) -> None:
    title = DECLARED[code].title
    assert title[0].isupper() or title.startswith("trec_eval")
    assert not title.endswith(".")
    assert len(title) <= 60


@every_code
def test_explanation_is_whole_sentences(code: str) -> None:
    for paragraph in explanations()[code][1].split("\n\n"):
        assert re.match(r"[A-Z`0-9]|discount=|trec_eval", paragraph), paragraph
        assert paragraph.endswith((".", "?", ")", "`")), paragraph


@every_code
def test_text_is_a_clause_without_a_full_stop(code: str) -> None:
    for text in sentences(code):
        assert text == text.strip()
        assert 0 < len(text) <= LONGEST
        assert not text.endswith(".") or text.endswith("...")
        assert "  " not in text


@every_code
def test_text_is_plain_english(code: str) -> None:
    for text in [*sentences(code), DECLARED[code].title]:
        assert not DIALECT.search(text), text
        assert text.isascii(), text


@every_code
def test_an_error_has_a_way_out(code: str) -> None:
    assert sample(code).is_notice or sample(code).help


@every_code
def test_python_callers_read_no_flags(code: str) -> None:
    explanation = re.sub(r"`plumbline [^`]*`|trec_eval does without -c", "", explanations()[code][1])
    for text in [*sentences(code), explanation]:
        assert not FLAG.search(text.replace("iconv -f", "").replace("-t UTF-8", "")), text


@every_code
def test_the_shell_reads_no_keywords(code: str) -> None:
    made = sample(code)
    with spelling("shell"):
        for text in filter(None, (made.text, made.help)):
            assert not KEYWORD.search(text), text


@every_code
def test_place_and_code_lead_the_headline(code: str) -> None:
    made = sample(code)
    where = f"{made.place}: " if made.place else ""
    assert made.headline().startswith(f"{where}{code} ")


@every_code
def test_survives_json_and_pickle(code: str) -> None:
    made = sample(code)
    assert restored(json.loads(json.dumps(made.to_dict()))) == made
    carried = pickle.loads(pickle.dumps(BadUsage(made)))  # noqa: S301 - our own bytes
    assert carried.diagnostics == (made,)
    assert str(carried) == str(BadUsage(made))


def test_everything_is_raised_or_noticed_somewhere() -> None:
    outside = (path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py") if path.parent.name != "errors")
    used = {word for text in outside for word in re.findall(r"\w+", text)}
    assert [code for code, declared in DECLARED.items() if declared.constructor.__name__ not in used] == []


def test_what_is_explained_is_what_is_declared() -> None:
    assert list(explanations()) == list(DECLARED)


@pytest.mark.parametrize("name", ["PlumblinError", "nonsense"])
def test_only_modules_are_imported_when_they_are_asked_for(name: str) -> None:
    with pytest.raises(AttributeError, match=f"no attribute '{name}'"):
        getattr(errors, name)
