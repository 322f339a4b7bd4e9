"""How certain estimates are: Wilson's interval for shares, the observed information of sessions where something is hidden.

The information is the sum over sessions of products of their scores (Louis 1982: the score is what is expected of the complete
data). Items of different cases never share a page, so that it is inverted case by case, with the few parameters of ranks and of
the whole log eliminated last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline.comparison.significance import shares
from plumbline.lazily import sparse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.truth.clicks.log import ClickLog
    from plumbline.truth.clicks.registry import ClickModel, Fit, Parameters

    Numbers = NDArray[np.float64]
    Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Errors:
    """The standard errors of all parameters, and of the product that is the relevance of each item."""

    of_parameter: Parameters
    of_relevance: Numbers | None


def wilson(successes: Numbers, trials: Numbers, z: float) -> tuple[Numbers, Numbers]:
    """The interval of a share (Wilson 1927); undefined where nothing was tried."""
    n = np.where(trials > 0, trials, np.nan)
    low, high = shares.wilson(successes / n, n, z)
    return np.maximum(low, 0.0), np.minimum(high, 1.0)


def between(value: Numbers, error: Numbers, z: float) -> tuple[Numbers, Numbers]:
    """An interval that stays between 0 and 1: symmetric on the scale of log odds."""
    with np.errstate(divide="ignore", invalid="ignore"):
        odds = np.log(value) - np.log1p(-value)
        half = z * error / (value * (1.0 - value))
        return 1.0 / (1.0 + np.exp(half - odds)), 1.0 / (1.0 + np.exp(-half - odds))


def errors_of(model: ClickModel, fit: Fit, log: ClickLog, prior: float, fixed: tuple[str, ...] = ()) -> Errors:
    """Standard errors; of shares by the binomial distribution, otherwise by the observed information."""
    if fit.is_counted:
        shares = {name: _binomial(fit.parameters[name], fit.counts[name] + 2 * prior) for name in fit.parameters}
        return Errors(shares, _product_error(model, fit.parameters, shares))
    scores = _Scores(model, fit, log, prior, fixed)
    return scores.errors()


def _binomial(share: Numbers, trials: Numbers) -> Numbers:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.sqrt(share * (1.0 - share) / trials)


def _product_error(model: ClickModel, values: Parameters, errors: Parameters) -> Numbers | None:
    """The error of a product of independent shares."""
    if not model.relevance:
        return None
    product = np.prod([values[name] for name in model.relevance], axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(product * np.sqrt(sum((errors[name] / values[name]) ** 2 for name in model.relevance)))


class _Scores:
    """The scores of all pages, as a sparse matrix of pages by parameters: items first, case by case."""

    def __init__(self, model: ClickModel, fit: Fit, log: ClickLog, prior: float, fixed: tuple[str, ...]) -> None:
        if model.expect is None:
            message = f"{model.name} hides nothing"
            raise ValueError(message)
        self.model, self.fit, self.log, self.prior = model, fit, log, prior
        events = model.expect(fit.parameters, log).events
        free = [one for one in model.parameters if one.name not in fixed]
        self.of_items = [one.name for one in free if one.by == "item"]
        self.others = [one.name for one in free if one.by != "item"]
        self.items = self._matrix(events, self.of_items)
        self.rest = self._matrix(events, self.others)

    def _matrix(self, events: dict[str, tuple[Numbers, Numbers]], names: list[str]) -> Any:
        """`[page, parameter]`: the derivative of the log-likelihood of a page."""
        rows, columns, values, offset = [], [], [], 0
        page = np.broadcast_to(np.arange(len(self.log.pair))[:, None], self.log.pair.shape)
        for name in names:
            index, shape = self.log.index(self.model.parameter(name).by)
            theta = np.append(self.fit.parameters[name].ravel(), 0.5)[index]
            successes, trials = events[name]
            with np.errstate(divide="ignore", invalid="ignore"):
                score = (successes - trials * theta) / (theta * (1.0 - theta))
            kept = self.log.shown & np.isfinite(score) & (score != 0)
            rows.append(page[kept])
            columns.append(index[kept] + offset)
            values.append(score[kept])
            offset += int(np.prod(shape))
        if not names:
            return sparse.csr_array((len(self.log.pair), 0))
        parts = (np.concatenate(rows), np.concatenate(columns))
        return sparse.csr_array((np.concatenate(values), parts), shape=(len(self.log.pair), offset))

    def _ridge(self, names: list[str]) -> Numbers:
        """What the prior adds to the information."""
        flat = np.concatenate([self.fit.parameters[name].ravel() for name in names]) if names else np.zeros(0)
        if self.prior == 0:
            return np.zeros(len(flat))
        return np.asarray(self.prior * (1.0 / flat**2 + 1.0 / (1.0 - flat) ** 2))

    def errors(self) -> Errors:
        """Standard errors from the inverse of the information."""
        log, kinds = self.log, len(self.of_items)
        ridge = self._ridge(self.of_items).reshape(kinds, -1)
        case_of_pair = np.asarray(log.items["case"].to_numpy())
        order, ends = _by_case(case_of_pair, len(log.cases))
        pages, page_ends = _by_case(log.case, len(log.cases))
        within = np.empty(log.pairs, dtype=np.int64)
        within[order] = np.arange(log.pairs) - ends[case_of_pair[order]]
        items, rest, times = self.items[pages], self.rest[pages], log.times[pages]
        weighted = self.rest.multiply(log.times[:, None]).tocsr()
        schur = (self.rest.T @ weighted).toarray() + np.diag(self._ridge(self.others))
        blocks = []
        for case in range(len(log.cases)):
            pairs, rows = order[ends[case] : ends[case + 1]], slice(page_ends[case], page_ends[case + 1])
            wide = kinds * len(pairs)
            if rows.start == rows.stop:
                blocks.append((pairs, np.full((wide, wide), np.nan), np.zeros((wide, schur.shape[0]))))
                continue
            parameter, pair = np.divmod(items.indices[items.indptr[rows.start] : items.indptr[rows.stop]], log.pairs)
            scores = _dense(items, rows, parameter * len(pairs) + within[pair], wide)
            heavy = scores * times[rows, None]
            inverse = _inverse(scores.T @ heavy + np.diag(ridge[:, pairs].ravel()))
            others = rest.indices[rest.indptr[rows.start] : rest.indptr[rows.stop]]
            cross = heavy.T @ _dense(rest, rows, others, rest.shape[1])
            schur -= cross.T @ inverse @ cross
            blocks.append((pairs, inverse, inverse @ cross))
        shared = _inverse(schur)
        variances = np.full((kinds, kinds, log.pairs), np.nan)
        for pairs, inverse, cross in blocks:
            full = inverse + cross @ shared @ cross.T
            for one in range(kinds):
                for other in range(kinds):
                    part = full[one * len(pairs) : (one + 1) * len(pairs), other * len(pairs) : (other + 1) * len(pairs)]
                    variances[one, other, pairs] = np.diag(part)
        return self._named(variances, np.diag(shared))

    def _named(self, variances: Numbers, shared: Numbers) -> Errors:
        made: Parameters = {name: np.zeros(np.shape(value)) for name, value in self.fit.parameters.items()}
        for number, name in enumerate(self.of_items):
            made[name] = np.sqrt(np.maximum(variances[number, number], 0.0))
        start = 0
        for name in self.others:
            shape = self.fit.parameters[name].shape
            length = int(np.prod(shape))
            made[name] = np.sqrt(np.maximum(shared[start : start + length], 0.0)).reshape(shape)
            start += length
        places = [self.of_items.index(name) for name in self.model.relevance]
        values = [self.fit.parameters[name] for name in self.model.relevance]
        product = np.prod(values, axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            relative = sum(
                variances[one, other] / (first * second)
                for one, first in zip(places, values, strict=True)
                for other, second in zip(places, values, strict=True)
            )
            return Errors(made, product * np.sqrt(np.maximum(relative, 0.0)))


def _by_case(case: Codes, cases: int) -> tuple[Codes, Codes]:
    """The order in which those of a case stand together, and where each case begins and ends."""
    order = np.argsort(case, kind="stable")
    return order, np.searchsorted(case[order], np.arange(cases + 1))


def _dense(matrix: Any, rows: slice, columns: Codes, width: int) -> Numbers:
    """Some rows of a sparse matrix as an array of so many columns; `columns` says where each of their numbers goes."""
    bounds = matrix.indptr[rows.start : rows.stop + 1]
    made = np.zeros((rows.stop - rows.start, width))
    made[np.repeat(np.arange(len(made)), np.diff(bounds)), columns] = matrix.data[bounds[0] : bounds[-1]]
    return made


def _inverse(matrix: Numbers) -> Numbers:
    """The inverse of a symmetric matrix; directions without information are left out."""
    try:
        return np.asarray(np.linalg.inv(matrix))
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.pinv(matrix, hermitian=True))
