"""Folds, on simulated data: how often a difference is claimed between two learners that are equally good.

Two learners of one kind see different halves of the features, which are alike in every way, so that both learners have the same
expected accuracy for every size of the training set, and every claim of a difference is wrong. Folds share training data. The
plain paired t test does not know that, and claims far more than its level; tests made for folds should not.

Run it with `python reproductions/folds_simulation.py`; another number of data sets can be given.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from printed import table

from plumbline.comparison.significance.paired_t import paired_t
from plumbline.comparison.significance.registry import find_fold_test

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Learner = Callable[[Numbers, NDArray[np.bool_], NDArray[np.bool_]], NDArray[np.bool_]]

SETS: Final = 2000
LEVEL: Final = 0.05
ITEMS: Final = 120
FEATURES: Final = 5
"""What each learner sees."""
SHIFT: Final = 0.35
"""By how much the classes differ in each feature, in standard deviations."""


class Design(NamedTuple):
    """How the items of a data set are split."""

    name: str
    repeats: int
    folds: int
    share: float | None = None
    """The share of test items, for hold-outs, which are drawn anew in every repeat."""

    @property
    def test_to_train(self) -> float:
        """The number of test items divided by that of training items."""
        return 1.0 / (self.folds - 1) if self.share is None else self.share / (1.0 - self.share)

    def tests(self, generator: np.random.Generator) -> Iterator[NDArray[np.bool_]]:
        """The items that each fold tests, repeat by repeat."""
        for _ in range(self.repeats):
            order = generator.permutation(ITEMS)
            if self.share is not None:
                yield order < round(self.share * ITEMS)
                continue
            for fold in range(self.folds):
                yield order % self.folds == fold


TESTS: Final = ("plain t", "corrected", "5x2t", "5x2f", "mcnemar")
DESIGNS: Final = (
    Design("10 folds", 1, 10),
    Design("10 times 10 folds", 10, 10),
    Design("10 times 5 folds", 10, 5),
    Design("15 hold-outs of 20 %", 15, 1, 0.2),
    Design("5 times 2 folds", 5, 2),
    Design("10 times 2 folds", 10, 2),
)


def nearest_mean(features: Numbers, label: NDArray[np.bool_], test: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The class whose mean is nearer: a stable learner."""
    train = ~test
    means = [features[train & (label == one)].mean(axis=0) for one in (False, True)]
    away = [((features[test] - mean) ** 2).sum(axis=1) for mean in means]
    return np.asarray(away[1] < away[0])


def nearest_item(features: Numbers, label: NDArray[np.bool_], test: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The class of the nearest item: a learner that each training set changes."""
    train = ~test
    away = ((features[test][:, None] - features[train][None]) ** 2).sum(axis=2)
    return np.asarray(label[train][away.argmin(axis=1)])


LEARNERS: Final[dict[str, Learner]] = {"nearest mean": nearest_mean, "nearest item": nearest_item}


def data_set(generator: np.random.Generator) -> tuple[list[Numbers], NDArray[np.bool_]]:
    """What each of two learners sees, and the classes."""
    label = np.arange(ITEMS) % 2 == 0
    features = generator.normal(size=(2, ITEMS, FEATURES)) + SHIFT * label[:, None]
    return list(features), label


def p_values(learner: Learner, design: Design, generator: np.random.Generator) -> dict[str, float]:
    """The p of every test that fits the design, for one data set."""
    views, label = data_set(generator)
    tests = list(design.tests(generator))
    right = [[learner(view, label, test) == label[test] for test in tests] for view in views]
    values = np.array([[answers.mean() for answers in of_system] for of_system in right])
    shaped = values.reshape(2, design.repeats, design.folds)
    made = {
        "plain t": float(paired_t(values).p[0, 1]),
        "corrected": float(find_fold_test("corrected")(shaped, design.test_to_train).p[0, 1]),
    }
    if (design.repeats, design.folds) == (5, 2):
        made |= {name: float(find_fold_test(name)(shaped, 1.0).p[0, 1]) for name in ("5x2t", "5x2f")}
    if design.repeats == 1:
        pooled = np.array([np.concatenate(of_system) for of_system in right], dtype=float)
        made["mcnemar"] = float(find_fold_test("mcnemar")(pooled, 1.0).p[0, 1])
    return made


def main(sets: int) -> None:
    """Print the share of data sets in which each test claims a difference."""
    rows = []
    for name, learner in LEARNERS.items():
        for design in DESIGNS:
            generator = np.random.default_rng([7, sets])
            drawn = [p_values(learner, design, generator) for _ in range(sets)]
            shares = {test: float(np.mean([one[test] < LEVEL for one in drawn])) for test in drawn[0]}
            rows.append((f"{name}, {design.name}", *(f"{shares[test]:.1%}" if test in shares else "" for test in TESTS), ""))
    head = ("learner and folds", *TESTS, "")
    sys.stdout.write("\n".join([f"{sets} data sets of {ITEMS} items", "", *table(head, rows)]) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SETS)
