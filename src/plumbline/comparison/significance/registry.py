"""Significance tests and corrections, each declared once beside its code and found by walking this package.

A declaration feeds `compare(test=, correction=)`, the choices of the program, the sentences of verdicts, the citations of
reports, the docs page and the contract tests. Nobody edits a second list.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.comparison.significance.result import as_scores, at_least
from plumbline.declarations import import_all
from plumbline.errors import BadUsage, units, usage

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    from plumbline.comparison.significance.result import SignificanceResult
    from plumbline.errors import Diagnostic

PACKAGE: Final = "plumbline.comparison.significance"
RESAMPLES: Final = 10_000
"""How often a test draws by default, if it draws at all."""
UNCORRECTED: Final = "none"
"""The name of the correction that leaves p-values as they are."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Declaration:
    """What is declared about a significance test or a correction."""

    name: str
    """What users type: `test="wilcoxon"`, `correction="holm"`."""
    title: str
    """How sentences and tables call it."""
    paper: str | None
    """The paper that defines it, a key of references.bib; None only for a correction that changes nothing."""
    choose_if: str
    """When to choose it, to follow "choose it if"."""
    function: Callable[..., Any]

    @property
    def summary(self) -> str:
        """The first line of the function's docstring."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @property
    def explanation(self) -> str:
        """The rest of the docstring."""
        return (inspect.getdoc(self.function) or "").partition("\n")[2].strip()


def any_p_from_two_cases(cases: int, _: int) -> float:
    """The smallest p of a test that needs a variance, and is not bounded with one."""
    return 0.0 if cases > 1 else 1.0


def two_of_all_signs(cases: int, _: int) -> float:
    """The smallest p of a test of signs: the observed ones, and all of them turned, out of 2^n."""
    return 2.0 ** (1 - cases)


@dataclass(frozen=True, eq=False, kw_only=True)
class SignificanceTest(Declaration):
    """A significance test of all pairs of systems, which can be called with scores `[system, case]`.

    The function takes an array of finite numbers (NaN where there is no score, higher is better) and, if `drawn`, also
    `resamples` and `seed`. It returns a `SignificanceResult`, to which the declared facts are added here.
    """

    familywise: bool = False
    """Whether p already accounts for all pairs, so that no further correction is made."""
    normal: bool = False
    """Whether it takes differences as normal: then so do the intervals beside it."""
    drawn: bool = False
    """Whether p is estimated from random draws, so that `resamples` and `seed` matter."""
    bounds_tails: bool = False
    """Whether p can be below what the draws can show, by a bound of its own, so that no correction needs more draws."""
    widened: bool = False
    """Whether p is a share of draws that was widened by the number of cases, so that few cases need more draws."""
    exact_up_to: float = 0
    """The number of cases up to which p is a share of all 2^n signs, so that it cannot be smaller than 2 of 2^n."""
    smallest_p: Callable[[int, int], float] = any_p_from_two_cases
    """The smallest p that is possible with so many cases and systems."""

    def __call__(self, values: ArrayLike, *, resamples: int = RESAMPLES, seed: int = 0) -> SignificanceResult:
        """Test all pairs; `resamples` and `seed` are used only by tests that draw."""
        scores = as_scores(values)
        if not self.drawn:
            result: SignificanceResult = self.function(scores)
            return replace(result, name=self.title, familywise=self.familywise)
        at_least("resamples", resamples, 1)
        result = self.function(scores, resamples=resamples, seed=seed)
        bounded = result.p <= 1.0 / (resamples + 1) if result.bounded is None else result.bounded
        named = replace(result, name=self.title, familywise=self.familywise, bounded=bounded)
        return replace(named, resamples=resamples, seed=seed)

    def each(self, values: ArrayLike, *, resamples: int = RESAMPLES, seed: int = 0) -> tuple[SignificanceResult, ...]:
        """Test all pairs by each of several metrics, `values[metric, system, case]`; what is drawn is the same for all."""
        return tuple(self(table, resamples=resamples, seed=seed) for table in np.asarray(values, dtype=np.float64))


@dataclass(frozen=True, eq=False, kw_only=True)
class FoldTest(Declaration):
    """A test for folds, whose training sets overlap; called with scores `[system, repeat, fold]` and what they were made of.

    The function takes the scores (NaN where there is none, higher is better) and the number of test items divided by that of
    training items.
    """

    of_answers: bool = False
    """Whether it looks at single answers, right or wrong, `[system, item]`, and not at the scores of folds."""
    shape: tuple[int, int] | None = None
    """The numbers of repeats and of folds that it is made for; None if it takes any."""

    def __call__(self, values: NDArray[np.float64], test_to_train: float) -> SignificanceResult:
        """Test all pairs."""
        result: SignificanceResult = self.function(values, test_to_train)
        return replace(result, name=self.title)


@dataclass(frozen=True, eq=False, kw_only=True)
class Correction(Declaration):
    """A correction for testing many pairs, which can be called with the p-values of one family."""

    def __call__(self, p: ArrayLike) -> NDArray[np.float64]:
        """Correct the p-values of one family; those that are NaN stay NaN and are not counted."""
        given = np.asarray(p, dtype=np.float64)
        known = ~np.isnan(given)
        corrected = np.full(given.shape, np.nan)
        corrected[known] = self.function(given[known])
        return corrected

    def factor(self, family_size: int) -> float:
        """By how much the smallest possible p of a family is multiplied at least: if all are that small."""
        tiny = 2.0**-60  # a power of 2 keeps the product exact
        return float(self(np.full(max(family_size, 1), tiny)).min() / tiny)


_TESTS: Final[dict[str, SignificanceTest]] = {}
_FOLD_TESTS: Final[dict[str, FoldTest]] = {}
_CORRECTIONS: Final[dict[str, Correction]] = {}


def significance_test(
    name: str,
    **facts: Any,  # noqa: ANN401 - the other fields of SignificanceTest, checked by it
) -> Callable[[Callable[..., SignificanceResult]], SignificanceTest]:
    """Declare the decorated function as a significance test; the fields are those of `SignificanceTest`."""

    def declare(function: Callable[..., SignificanceResult]) -> SignificanceTest:
        _check(name, function, _TESTS)
        _TESTS[name] = SignificanceTest(name=name, function=function, **facts)
        return _TESTS[name]

    return declare


def fold_test(
    name: str,
    **facts: Any,  # noqa: ANN401 - the other fields of FoldTest, checked by it
) -> Callable[[Callable[..., SignificanceResult]], FoldTest]:
    """Declare the decorated function as a test for folds; the fields are those of `FoldTest`."""

    def declare(function: Callable[..., SignificanceResult]) -> FoldTest:
        _check(name, function, {**_TESTS, **_FOLD_TESTS})
        _FOLD_TESTS[name] = FoldTest(name=name, function=function, **facts)
        return _FOLD_TESTS[name]

    return declare


def correction(
    name: str,
    **facts: Any,  # noqa: ANN401 - the other fields of Correction, checked by it
) -> Callable[[Callable[[NDArray[np.float64]], NDArray[np.float64]]], Correction]:
    """Declare the decorated function as a correction; it gets the p-values of one family, none of them NaN."""

    def declare(function: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> Correction:
        _check(name, function, _CORRECTIONS)
        _CORRECTIONS[name] = Correction(name=name, function=function, **facts)
        return _CORRECTIONS[name]

    return declare


def _check(name: str, function: Callable[..., Any], declared: dict[str, Any]) -> None:
    if not function.__doc__ or name in declared:
        message = f"{name} needs a docstring and a name of its own"
        raise ValueError(message)


def all_tests() -> dict[str, SignificanceTest]:
    """Every significance test by name, in alphabetical order."""
    _walk()
    return dict(sorted(_TESTS.items()))


def all_fold_tests() -> dict[str, FoldTest]:
    """Every test for folds by name, in alphabetical order."""
    _walk()
    return dict(sorted(_FOLD_TESTS.items()))


def all_corrections() -> dict[str, Correction]:
    """Every correction by name, in alphabetical order."""
    _walk()
    return dict(sorted(_CORRECTIONS.items()))


@cache
def _walk() -> None:
    """Import every module of this package, so that its declarations are made; once, since looking at the folder takes time."""
    import_all(PACKAGE)


def find_test(name: str) -> SignificanceTest:
    """The significance test of this name."""
    tests = all_tests()
    if name not in tests:
        raise BadUsage(usage.bad_option("test", name, list(tests)))
    return tests[name]


def find_fold_test(name: str) -> FoldTest:
    """The test for folds of this name."""
    tests = all_fold_tests()
    if name not in tests:
        raise BadUsage(units.one_test_of_folds(name, list(tests)) if name in all_tests() else _unknown(name, list(tests)))
    return tests[name]


def paper_of_test(name: str) -> str | None:
    """The paper that defines a test, of cases or of folds."""
    return {**all_tests(), **all_fold_tests()}[name].paper


def _unknown(name: str, tests: list[str]) -> Diagnostic:
    return usage.bad_option("test", name, tests)


def find_correction(name: str) -> Correction:
    """The correction of this name."""
    corrections = all_corrections()
    if name not in corrections:
        raise BadUsage(usage.bad_option("correction", name, list(corrections)))
    return corrections[name]
