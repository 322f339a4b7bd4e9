"""The rows of one output that are about cases of the gold, and which of them are judged."""

from __future__ import annotations

from itertools import chain, repeat
from typing import TYPE_CHECKING

import numpy as np

from plumbline.align.duplicates import without_duplicates
from plumbline.align.keys import keys, may_repeat, places, recode, rows_of_cases, rows_with_keys
from plumbline.io.listed import Texts, rows_in_gold
from plumbline.io.native import native_function
from plumbline.lazily import pl
from plumbline.records import dataclass
from plumbline.schema import CASE, ITEM, VALUE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from plumbline.align.judgements import Judgements
    from plumbline.align.policy import Policy
    from plumbline.errors import Diagnostic
    from plumbline.io.listed import Listed, Ranked
    from plumbline.io.table import Nested, Table

    Places = NDArray[np.int64]
    AnyTexts = pl.Series | list[str] | Texts


@dataclass(frozen=True, eq=False)
class Listing:
    """Case, item and score of every row, in the order of the source."""

    case: NDArray[np.int32]
    value: NDArray[np.float64]
    texts: Callable[[], AnyTexts]
    """The items, which are fetched only where they decide something."""

    def take(self, rows: Places) -> Listing:
        """Some of these rows."""
        return Listing(self.case[rows], self.value[rows], lambda: self.some_texts(rows))

    def some_texts(self, rows: Places) -> pl.Series | list[str]:
        """The items of some rows."""
        texts = self.texts()
        if isinstance(texts, Texts):
            return texts.some(rows)
        return [texts[row] for row in rows.tolist()] if isinstance(texts, list) else texts.gather(places(rows))

    def items(self, rows: Places) -> pl.Series:
        """The items of some rows, as a column."""
        texts = self.some_texts(rows)
        return pl.Series(ITEM, texts, dtype=pl.String) if isinstance(texts, list) else texts

    def frame(self) -> pl.DataFrame:
        """`case, item` of every row."""
        texts = self.texts()
        items = texts.some() if isinstance(texts, Texts) else texts
        return pl.DataFrame([pl.Series(CASE, self.case), pl.Series(ITEM, items, dtype=pl.String)])


@dataclass(frozen=True, eq=False)
class Found:
    """An output without repeated items, its judged rows, the gold's row of each, and the cases that the gold lacks."""

    listing: Listing
    judged: Places
    of_gold: Places
    extra: list[str]
    notices: list[Diagnostic]
    ranked: Ranked | None = None
    """Further lists, which were ranked while they were read."""

    def lengths(self, cases: int) -> NDArray[np.int64]:
        """How long the list of each case is."""
        rows = rows_of_cases(self.listing.case, cases)
        return rows if self.ranked is None else rows + self.ranked.counts


def find_judged(gold: Judgements, read: Table, policy: Policy) -> Found:
    """The rows of an output in cases of the gold, with the gold's row of each that is judged."""
    if read.listed is not None:
        return _in_list(gold, read.listed)
    return _in_table(gold, read, policy) if read.nested is None else _in_dicts(gold, read.nested)


def _in_list(gold: Judgements, listed: Listed) -> Found:
    """Rows of the reader in C, which looks them up itself if it has read the gold too; no item is there twice."""
    codes = np.array([gold.codes.get(name, -1) for name in listed.cases], dtype=np.int32)
    extra = [name for name in listed.cases if name not in gold.codes]
    same = not extra and bool((codes == np.arange(len(codes))).all())
    case, values, items = listed.case if same else codes[listed.case], listed.values, listed.items
    if extra:
        kept = np.flatnonzero(case >= 0)
        case, values, items = case[kept], values[kept], items.take(kept)
    if gold.listed is not None:
        judged, of_gold = rows_in_gold((gold.listed, gold.case), (items, case))
    else:
        rows_of_items = gold.rows_of_items
        rows = np.array([rows_of_items[code].get(item, -1) for code, item in zip(case.tolist(), items.some(), strict=True)])
        judged = np.flatnonzero(rows >= 0)
        of_gold = rows[judged]
    return Found(Listing(case, values, lambda: items), judged, of_gold, extra, [], listed.ranked)


def _in_dicts(gold: Judgements, nested: Nested) -> Found:
    """Items of dicts are looked up as they are; no item is there twice."""
    codes, look_up = gold.codes, native_function("look_up")
    extra = [name for name, items in nested.data.items() if items and name not in codes]
    if look_up is not None and not extra:
        case, rows = np.empty(len(nested.values), dtype=np.int32), np.empty(len(nested.values), dtype=np.int64)
        if look_up(nested.data, codes, gold.rows_of_items, case, rows):
            judged = np.flatnonzero(rows >= 0)
            return Found(Listing(case, nested.values, lambda: nested.items), judged, rows[judged], extra, [])
    known = [(codes[name], items) for name, items in nested.data.items() if name in codes]
    values, texts = nested.values, nested.items
    if extra:
        values = np.fromiter(chain.from_iterable(items.values() for _, items in known), np.float64)
        texts = list(chain.from_iterable(items for _, items in known))
    lengths = [len(items) for _, items in known]
    case = np.repeat(np.array([code for code, _ in known], dtype=np.int32), lengths)
    rows_of_items = gold.rows_of_items
    looked_up = (map(rows_of_items[code].get, items, repeat(-1)) for code, items in known)
    rows = np.fromiter(chain.from_iterable(looked_up), np.int64, len(case))
    judged = np.flatnonzero(rows >= 0)
    return Found(Listing(case, values, lambda: texts), judged, rows[judged], extra, [])


def _in_table(gold: Judgements, read: Table, policy: Policy) -> Found:
    codes, extra = recode(read.frame[CASE], gold.codes)
    values, items = read.frame[VALUE].to_numpy(), read.frame[ITEM]
    messages: list[Diagnostic] = []
    rows = np.flatnonzero(codes >= 0) if extra else None
    if rows is not None:
        codes, values, items = codes[rows], values[rows], items.gather(pl.Series(rows))
    pair_keys = keys(codes, items)
    if may_repeat(pair_keys, codes):
        frame = pl.DataFrame([pl.Series(CASE, codes), items, pl.Series(VALUE, values)])
        frame = frame if rows is None else frame.with_columns(pl.Series("row", rows))
        frame, messages = without_duplicates(frame, pair_keys, read, "output", policy.on_duplicate)
        codes, values, items = frame[CASE].to_numpy(), frame[VALUE].to_numpy(), frame[ITEM]
        pair_keys = keys(codes, items)
    listing = Listing(codes, values, lambda: items)
    judged, of_gold = _decided(gold, listing, pair_keys, rows_with_keys(pair_keys, gold.keys_in_order))
    return Found(listing, judged, of_gold, extra, messages)


def _decided(gold: Judgements, listing: Listing, pair_keys: NDArray[np.uint64], candidates: Places) -> tuple[Places, Places]:
    """The rows that are judged and the gold's rows of them: candidates by key, decided by text."""
    judged = gold.by_key[np.searchsorted(gold.keys_in_order, pair_keys[candidates])]
    same = (listing.items(candidates) == gold.items.gather(places(judged))).to_numpy()
    same = same & (listing.case[candidates] == gold.case[judged])
    if same.all() and not gold.keys_collide:
        return candidates, judged
    pairs = listing.take(candidates).frame().with_columns(pl.Series("row", candidates))  # two pairs share a key
    known = gold.judged.with_row_index("judged")
    matched = pairs.join(known, on=[CASE, ITEM], how="inner", maintain_order="left")
    return matched["row"].to_numpy(), matched["judged"].to_numpy().astype(np.int64)
