"""The names of significance tests and corrections, read from the declarations without importing them.

Help pages list these names, and should not wait for NumPy and SciPy, which the tests themselves need.
"""

from __future__ import annotations

from plumbline.declarations import declarations

PACKAGE = "plumbline.comparison.significance"


def test_names() -> list[str]:
    """What `test=` and `--test` accept: tests of cases, and tests of folds."""
    return [*sorted(declarations(PACKAGE, "significance_test")), *fold_test_names()]


def fold_test_names() -> list[str]:
    """The tests that go with folds, and with nothing else."""
    return sorted(declarations(PACKAGE, "fold_test"))


def pairwise_test_names() -> list[str]:
    """The tests of single pairs, without those that account for all pairs at once."""
    return sorted(name for name, facts in declarations(PACKAGE, "significance_test").items() if not facts.get("familywise"))


def correction_names() -> list[str]:
    """What `correction=` and `--correction` accept."""
    return sorted(declarations(PACKAGE, "correction"))
