"""Diagnostics as values, the exceptions that carry them, and what their sentences are made of."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import asdict, field
from typing import TYPE_CHECKING, Any

from plumbline.errors.faces import rendered
from plumbline.errors.urls import without_secrets
from plumbline.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

READ_AS = "N212"
"""The code of notices that only say how a file was read; they are shown on request."""
MOST_SHOWN = 20
"""How many diagnostics are printed before "and 312 more"."""

_LONGEST_MESSAGE = 2_000
"""No error has so many characters: what follows is the most that each part of a diagnostic may have."""
_LONGEST_WORD = 160
_CUT_WORD = 100
_LONGEST_TEXT = 700
_LONGEST_HELP = 500
_LONGEST_PATH = 300
_LONG_WORD = rf"[^\s,;]{{{_LONGEST_WORD},}}"
_ENDS = 40
"""How much of the end of something long is kept; the start has as much as fits."""
_INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_WIDEST_LINE = 160


def visible(text: str) -> str:
    r"""The text with control and direction characters spelled out, so that no name can act on a terminal."""
    if text.isprintable() and text.isascii():
        return text
    return "".join(_spelled(character) if unicodedata.category(character) in _INVISIBLE else character for character in text)


def shortened(text: str, most: int = _LONGEST_TEXT) -> str:
    """A message in which long words, such as ids of thousands of characters, and the text as a whole are cut in the middle."""
    if len(text) < _LONGEST_WORD:
        return text
    return _cut(re.sub(_LONG_WORD, lambda word: _cut(word.group(), _CUT_WORD), text), most)


def _cut(text: str, most: int) -> str:
    """The start and the end of a long text, and between them how much is left out; not longer than that."""
    if len(text) <= most:
        return text
    kept = most - len(f"[{len(text):,} characters]")
    return f"{text[: kept - _ENDS]}[{len(text) - kept:,} characters]{text[-_ENDS:]}"


def without_controls(text: str) -> str:
    """The text with control and direction characters spelled out and nothing else, for files whose ids must still match."""
    if text.isprintable():
        return text
    return "".join(_spelled(character) if _acts(character) else character for character in text)


def _acts(character: str) -> bool:
    """Whether a character acts on a terminal or turns the direction of what follows."""
    turns = unicodedata.bidirectional(character) in {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    return turns or unicodedata.category(character) == "Cc"


def _spelled(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"<U+{code:04X}>"  # noqa: PLR2004 - one byte


def nearest(word: str, known: Iterable[str], n: int = 3, cutoff: float = 0.6) -> list[str]:
    """The known words that a misspelt one may mean, the most similar one first."""
    from difflib import get_close_matches  # noqa: PLC0415 - slow to import, and needed after a mistake only

    return get_close_matches(word, list(known), n, cutoff)


@dataclass(frozen=True)
class Place:
    """Where in the input something is; any part may be unknown."""

    path: str
    line: int | None = None
    column: int | None = None
    text: str | None = None
    width: int = 1

    def __post_init__(self) -> None:
        if ":/" in self.path:
            object.__setattr__(self, "path", without_secrets(self.path))

    def __str__(self) -> str:
        parts = [_cut(visible(self.path), _LONGEST_PATH), *(str(part) for part in (self.line, self.column) if part is not None)]
        return ":".join(parts)

    @property
    def brief(self) -> str:
        """The place beside another one of the same source: its line, where lines are known."""
        return f"line {self.line}" if self.line else str(self)

    def excerpt(self) -> list[str]:
        """The line itself with carets under the part that is meant."""
        if self.text is None or self.line is None or len(self.text) > _WIDEST_LINE:
            return []
        margin, text = len(str(self.line)), self.text.replace("\t", " ")
        shown = [f"  {self.line} | {_cut(visible(text), _WIDEST_LINE)}"]
        if self.column is not None and visible(text) == text:
            shown.append(f"  {' ' * margin} | {' ' * (self.column - 1)}{'^' * max(self.width, 1)}"[:_WIDEST_LINE])
        return shown


@dataclass(frozen=True)
class Diagnostic:
    """One problem or notice: its stable code, what is wrong, where, and what to do about it.

    Attributes:
        code: `E` and three digits for an error, `N` for a notice; `plumbline explain CODE` explains it.
        message: The text, with both spellings of every option that it mentions.
        place: The file, the line and the column, as far as they are known.
        advice: The help, with both spellings as well.
        facts: What the message was made of, from which notices about parts of the data become one about all of it.

    Example:
        >>> import plumbline
        >>> scores = plumbline.evaluate({"q1": {"d1": 1}, "q2": {"d1": 1}}, {"mine": {"q1": {"d1": 0.5}}}, "AP")
        >>> [(notice.code, notice.text) for notice in scores.notices]
        [('N201', '1 of 2 judged cases is missing, counted as worst: q2')]
    """

    code: str
    message: str
    place: Place | None = None
    advice: str | None = None
    facts: tuple[Any, ...] | None = field(default=None, compare=False, repr=False)

    @property
    def text(self) -> str:
        """What is wrong, with options as Python spells them or, on the command line, as flags."""
        return shortened(rendered(self.message))

    @property
    def help(self) -> str | None:
        """What to do about it, if there is something."""
        return None if self.advice is None else shortened(rendered(self.advice), _LONGEST_HELP)

    @property
    def is_notice(self) -> bool:
        """Whether the work went on in spite of it."""
        return self.code.startswith("N")

    def headline(self) -> str:
        """Place, code and sentence on one line."""
        where = f"{self.place}: " if self.place else ""
        return f"{where}{self.code} {shortened(visible(self.text))}"

    def lines(self, *, with_help: bool = True) -> list[str]:
        """The diagnostic as lines of text.

        Args:
            with_help: Whether to add what to do about it.

        Returns:
            The headline, the line of the file that it is about, and the help.
        """
        excerpt = self.place.excerpt() if self.place else []
        advice = [f"  help: {shortened(visible(self.help), _LONGEST_HELP)}"] if self.help and with_help else []
        return [self.headline(), *excerpt, *advice]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def to_dict(self) -> dict[str, Any]:
        """The diagnostic as plain data, from which `restored` makes it again."""
        place = asdict(self.place) if self.place else None
        return {"code": self.code, "text": self.message, "place": place, "help": self.advice}


def restored(saved: dict[str, Any] | list[Any]) -> Diagnostic:
    """A diagnostic that was saved as `to_dict` gives it, or by earlier versions as its code, its headline and its help."""
    if isinstance(saved, dict):
        place = Place(**saved["place"]) if saved["place"] else None
        return Diagnostic(saved["code"], saved["text"], place, saved["help"])
    code, headline, advice = saved
    where, _, text = headline.partition(f"{code} ")
    return Diagnostic(code, text, Place(where.removesuffix(": ")) if where else None, advice)


class PlumblineError(Exception):
    """A problem that plumbline can explain; the base of `BadData` and `BadUsage`.

    Attributes:
        diagnostics: The problems, each with its code, text, place and help.
        exit_code: What the command line exits with.

    Example:
        >>> import plumbline
        >>> try:
        ...     plumbline.evaluate({"q1": {"d1": 1}}, {"q1": {"d1": 0.5}}, "ngcd@10")
        ... except plumbline.PlumblineError as error:
        ...     print(error.code, error.diagnostics[0].text)
        E301 unknown metric 'ngcd@10': did you mean nDCG@10?
    """

    exit_code = 1

    def __init__(self, *diagnostics: Diagnostic) -> None:
        self.diagnostics = diagnostics
        super().__init__(*diagnostics)

    def __str__(self) -> str:
        most = min(len(self.diagnostics), MOST_SHOWN)
        return next(text for text in map(self._first, range(most, 0, -1)) if len(text) < _LONGEST_MESSAGE)

    def _first(self, count: int) -> str:
        """The first problems, and how many follow; a help that several share is given once."""
        shown = self.diagnostics[:count]
        following = [*(diagnostic.help for diagnostic in shown[1:]), None]
        lines = [
            line
            for diagnostic, next_help in zip(shown, following, strict=True)
            for line in diagnostic.lines(with_help=diagnostic.help != next_help)
        ]
        more = len(self.diagnostics) - len(shown)
        return "\n".join([*lines, f"and {more:,} more"] if more else lines)

    @property
    def code(self) -> str:
        """The stable code of the first problem."""
        return self.diagnostics[0].code

    @property
    def path(self) -> str | None:
        """The file of the first problem."""
        place = self.diagnostics[0].place
        return place.path if place else None

    @property
    def line(self) -> int | None:
        """The line of the first problem."""
        place = self.diagnostics[0].place
        return place.line if place else None


class BadData(PlumblineError):
    """The data is wrong: a file cannot be read or contradicts itself (exit code 1).

    Example:
        >>> import plumbline
        >>> try:
        ...     plumbline.evaluate({"q1": {"d1": 1}}, {"mine": {"q2": {"d1": 0.5}}}, "AP")
        ... except plumbline.BadData as error:
        ...     print(error.code, error.path)
        E115 mine
    """


class BadUsage(PlumblineError):
    """The request is wrong: an unknown metric, a parameter out of range, a file that is not there (exit code 2).

    Example:
        >>> import plumbline
        >>> try:
        ...     plumbline.evaluate({"q1": {"d1": 1}}, {"q1": {"d1": 0.5}}, "P@0")
        ... except plumbline.BadUsage as error:
        ...     print(error)
        E304 P: k = 0 is not allowed
          help: k must be a whole number from 1 to 1,000,000,000
    """

    exit_code = 2


def counted(shown: list[Diagnostic], count: int) -> list[Diagnostic]:
    """As many problems as there are, of which only the first ones had to be made: the last one stands for those that follow."""
    return shown + shown[-1:] * (count - len(shown))


def listing(names: list[str], most: int = 5, total: int | None = None) -> str:
    """A few names for a sentence: "q1, q2, q3 and 12 more"; `total` says how many there are if not all are at hand."""
    count = len(names) if total is None else total
    shown = ", ".join(names[:most])
    return f"{shown} and {count - most:,} more" if count > most else shown


def some_of(names: list[str], most: int = 5) -> str:
    """All names if there are few, else how many there are and the first three: "600 systems (a, b, c and others)"."""
    return ", ".join(names) if len(names) <= most else f"{len(names):,} systems ({', '.join(names[:3])} and others)"


def needing(metrics: list[str]) -> str:
    """A few metrics and the verb: "AP needs", "AP, RR need"."""
    return f"{listing(metrics, 4)} {'needs' if len(metrics) == 1 else 'need'}"


def plural(count: int, word: str) -> str:
    """A count with its word: 1 case, 3 cases."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"
