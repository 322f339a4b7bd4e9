"""Folds as the units of a comparison: their training sets overlap, and the tests know it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from plumbline.comparison.reading import read_scores
from plumbline.comparison.significance.catalogue import fold_test_names
from plumbline.comparison.significance.intervals import mean_intervals
from plumbline.comparison.significance.registry import find_fold_test
from plumbline.comparison.significance.resampled_t import tested_by_folds
from plumbline.comparison.units.choice import UnitTests, usual_test
from plumbline.errors import BadUsage, units, usage
from plumbline.errors.base import plural
from plumbline.errors.faces import option
from plumbline.render.fold_means import FOLDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from plumbline.comparison.cube import Cube
    from plumbline.comparison.repeated import Repeated
    from plumbline.evaluation.evaluation import Evaluation

    Numbers = NDArray[np.float64]

_FEWEST: Final = 2
COVERED: Final = 0.95
"""The level of confidence intervals."""
DEFAULT: Final = "corrected"
"""The test of folds, if none is chosen."""
ACCURACIES: Final = ("Accuracy",)
"""The only metrics that can be tested answer by answer."""


@dataclass(frozen=True, eq=False)
class FoldScores:
    """The scores of every fold of every repeat."""

    values: Numbers
    """`[metric, system, repeat, fold]`, as they were given; NaN where there is none."""
    repeats: tuple[str, ...]
    folds: tuple[str, ...]
    test_to_train: float
    """The number of test items divided by that of training items, on average."""

    def cube(self, cube: Cube) -> Cube:
        """The same metrics and systems with folds as the cases."""
        several = len(self.repeats) > 1
        names = tuple(f"{repeat} {fold}".strip() if several else fold for repeat in self.repeats for fold in self.folds)
        return replace(cube, cases=names, values=self.values.reshape(*self.values.shape[:2], -1))


def fold_scores(cube: Cube, repeated: Repeated | None, made: Mapping[str, Any], options: dict[str, Any]) -> FoldScores | None:
    """The scores of folds: of a table with a column of them, or of outputs that were evaluated over folds; else None.

    Of a table, all folds together are taken to test every item once, unless `test_share` says how much each tests.
    """
    if repeated is not None:
        return _of_table(repeated, options.pop("test_share", None))
    if FOLDS not in made:
        return None
    if options.pop("test_share", None) is not None:
        raise BadUsage(usage.bad_object(option("test_share"), "it for a table of scores: these folds are known"))
    facts = made[FOLDS]
    of_case = [tuple(facts["folds"][case]) for case in cube.cases]
    repeats, folds = (tuple(dict.fromkeys(names)) for names in zip(*of_case, strict=True))
    values = np.full((len(cube.metrics), len(cube.systems), len(repeats), len(folds)), np.nan)
    for repeat, fold in dict.fromkeys(of_case):
        chosen = [at for at, names in enumerate(of_case) if names == (repeat, fold)]
        values[:, :, repeats.index(repeat), folds.index(fold)] = _means(cube.values[:, :, None, chosen])[:, :, 0]
    return FoldScores(values, repeats, folds, float(facts["test_to_train"]))


def _of_table(repeated: Repeated, test_share: float | None) -> FoldScores:
    """The scores of a table whose cases lie in folds; its runs are the repeats."""
    count = len(repeated.folds)
    share = 1.0 / max(count, _FEWEST) if test_share is None else test_share
    parts = [_means(repeated.values[..., repeated.fold == fold]) for fold in range(count)]
    values = np.stack(parts, axis=3) if parts else np.empty((*repeated.values.shape[:3], 0))
    return FoldScores(values, repeated.runs, repeated.folds, share / (1.0 - share))


def by_folds(cube: Cube, scores: FoldScores, options: dict[str, Any], answers: Cube | None) -> tuple[Cube, UnitTests]:
    """The scores with folds as cases, and the test of each metric; the name of the test is put into the options.

    Args:
        cube: The metrics and systems.
        scores: Their scores on folds.
        options: Those of `compare`; `units` and `stratified` are taken out, and refused.
        answers: Right answers as 1 and wrong ones as 0, item by item, for tests of answers; None if they are not known.

    Returns:
        What is compared, and how.
    """
    if options.get("test") in {None, usual_test()}:
        options["test"] = DEFAULT
    test = find_fold_test(options["test"])
    if options.pop("units", None) is not None or options.pop("stratified", False):
        raise BadUsage(units.no_units("the folds are the units"))
    if scores.values[0, 0].size < _FEWEST:
        raise BadUsage(units.no_units("there is one fold only"))
    shape = (len(scores.repeats), len(scores.folds))
    if test.shape is not None and test.shape != shape:
        wanted = f"{plural(test.shape[0], 'repeat')} of {plural(test.shape[1], 'fold')}"
        raise BadUsage(units.other_folds(test.name, wanted, *shape))
    made = scores.cube(cube)
    if not test.of_answers:
        tested = [tested_by_folds(test.name, values, scores.test_to_train) for values in made.signed]
        return made, UnitTests("fold", dict(zip(made.metrics, tested, strict=True)))
    if answers is None:
        raise BadUsage(units.no_answers(test.name, list(cube.metrics)))
    counted = [(test(values, scores.test_to_train), mean_intervals(values, COVERED)) for values in answers.signed]
    return made, UnitTests("item", dict(zip(made.metrics, counted, strict=True)))


def answers_of(cube: Cube, repeated: Repeated | None, evaluation: Evaluation | None) -> Cube | None:
    """Right answers as 1 and wrong ones as 0, item by item and once, of a table or of outputs; None if they are not known."""
    if repeated is not None:
        known = cube.values[~np.isnan(cube.values)]
        return cube if len(repeated.runs) == 1 and bool(np.isin(known, (0.0, 1.0)).all()) else None
    if evaluation is None or evaluation.folded is None or cube.metrics != ACCURACIES:
        return None
    scores = evaluation.folded.right_or_wrong(*ACCURACIES)
    return None if scores is None else read_scores(scores)[0].only(systems=list(cube.systems))


def refuse_without_folds(options: dict[str, Any]) -> None:
    """A test of folds has no meaning for cases."""
    if (name := options.get("test")) in fold_test_names():
        raise BadUsage(usage.goes_with(option("test", str(name)), option("folds")))
    if options.pop("test_share", None) is not None:
        raise BadUsage(usage.goes_with(option("test_share"), option("folds")))


def _means(values: Numbers) -> Numbers:
    """The mean over cases, `[metric, system, run]`; NaN without any."""
    known = ~np.isnan(values)
    sums = np.where(known, values, 0.0).sum(axis=3)
    counts = known.sum(axis=3)
    return np.asarray(np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0))
