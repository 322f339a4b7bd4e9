"""Mentions between brackets, as files of coreference write them, become items of clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from plumbline.errors import BadData, clusterings
from plumbline.io.rows import Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plumbline.errors import Place


@dataclass(frozen=True)
class Mark:
    """A bracket, or a pair of them around one word; a mention in pieces has a mark for each piece."""

    entity: str
    opens: bool
    closes: bool
    piece: int = 1
    pieces: int = 1


@dataclass(frozen=True)
class Word:
    """A word of a document with the brackets at it."""

    case: str
    sentence: int
    number: str
    place: Place
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class _Piece:
    first: Word
    last: Word

    def __str__(self) -> str:
        apart = self.first.sentence != self.last.sentence
        end = f"{self.last.sentence}:{self.last.number}" if apart else self.last.number
        return f"{self.first.sentence}:{self.first.number}-{end}"


def mentions(words: Iterable[Word]) -> Iterator[Row]:
    """Each mention with its entity: `sentence:first-last`, counted from 1; the pieces of one mention are joined by +.

    Brackets of different entities may cross; of one entity, the last one opened is closed first.
    """
    opened: dict[Mark, list[Word]] = {}
    begun: dict[tuple[str, int], list[list[_Piece]]] = {}
    case = None
    for word in words:
        if word.case != case:
            _check_closed(opened, begun)
            case = word.case
        for mark in word.marks:
            if (piece := _closed(mark, word, opened)) is None:
                continue
            if pieces := _completed(mark, piece, begun):
                yield Row(word.case, "+".join(map(str, pieces)), mark.entity, pieces[0].first.place.line or 0)
    _check_closed(opened, begun)


def _closed(mark: Mark, word: Word, opened: dict[Mark, list[Word]]) -> _Piece | None:
    """The piece that ends here, if one does."""
    if mark.opens and mark.closes:
        return _Piece(word, word)
    waiting = opened.setdefault(Mark(mark.entity, opens=True, closes=False, piece=mark.piece, pieces=mark.pieces), [])
    if mark.opens:
        waiting.append(word)
        return None
    if not waiting:
        raise BadData(clusterings.bad_bracket(word.place, f"a mention of entity {mark.entity} ends here and starts nowhere"))
    return _Piece(waiting.pop(), word)


def _completed(mark: Mark, piece: _Piece, begun: dict[tuple[str, int], list[list[_Piece]]]) -> list[_Piece] | None:
    """All pieces of the mention, if this was the last one."""
    if mark.pieces == 1:
        return [piece]
    waiting = begun.setdefault((mark.entity, mark.pieces), [])
    if mark.piece == 1:
        waiting.append([piece])
        return None
    mine = next((pieces for pieces in waiting if len(pieces) == mark.piece - 1), None)
    if mine is None:
        reason = f"piece {mark.piece} of a mention of entity {mark.entity} without the one before"
        raise BadData(clusterings.bad_bracket(piece.first.place, reason))
    mine.append(piece)
    if mark.piece < mark.pieces:
        return None
    waiting.remove(mine)
    return mine


def _check_closed(opened: dict[Mark, list[Word]], begun: dict[tuple[str, int], list[list[_Piece]]]) -> None:
    """At the end of a document nothing is open."""
    for mark, words in opened.items():
        if words:
            raise BadData(
                clusterings.bad_bracket(words[-1].place, f"a mention of entity {mark.entity} starts here and does not end")
            )
    for (entity, count), waiting in begun.items():
        if waiting:
            reason = f"a mention of entity {entity} has {len(waiting[0])} of its {count} pieces"
            raise BadData(clusterings.bad_bracket(waiting[0][0].first.place, reason))
