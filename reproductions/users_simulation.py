"""Interleaving and logged policies on made users: how often users who do not care look as if they did, and what intervals hold.

python reproductions/users_simulation.py        1,000 experiments for each number, ten minutes
python reproductions/users_simulation.py 100    fewer, for a look

Every experiment has a seed of its own, so the tables are the same at every run.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import numpy as np
from printed import table

from plumbline.truth.interleaving import scoring
from plumbline.truth.interleaving.evidence import evidence
from plumbline.truth.interleaving.rankings import arranged
from plumbline.truth.interleaving.registry import interleaving_methods
from plumbline.truth.interleaving.scoring import Margins, Sessions
from plumbline.truth.policies.estimators import ESTIMATORS, Weighted, estimated, value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.random import Generator
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

METHODS: Final = interleaving_methods()
EXPERIMENTS: Final = 1_000
LEVEL: Final = 0.05
SESSIONS: Final = 200
RESAMPLES: Final = 400
FIRST: Final = "abcdefgh"
SECOND: Final = "bcdeafgh"
"""Two rankings; the second one moves the first item to the fifth place."""
ATTENTION: Final = 0.6 ** np.arange(6)
"""How probably each position is looked at."""
PREFERENCES: Final = (0.0, 0.2, 0.6)
HEAVY: Final = 10
"""Sessions of each user, where users have several."""
LOGS: Final = (200, 1_000)
LOGGING: Final = np.array([0.5, 0.3, 0.15, 0.05])
NEW: Final = np.array([0.1, 0.2, 0.3, 0.4])
EARNS: Final = np.array([0.05, 0.1, 0.2, 0.3])
GUESSED: Final = np.array([0.1, 0.1, 0.2, 0.2])
"""What the model of the doubly robust estimate predicts."""


def margins(method: str, rng: Generator, relevant: str = "") -> Margins:
    """The sessions of one experiment with a click; users click on what they look at, and more often on relevant items."""
    one = arranged([[list(FIRST), list(SECOND)]], ("first", "second"), ("q",))
    many = one.of(np.zeros(SESSIONS, dtype=np.int64))
    shown = METHODS[method].draw(many, len(ATTENTION), rng, 3.0)
    liked = np.array([item in relevant for item in one.items[0]])[shown.items]
    clicks = (rng.random(shown.items.shape) < ATTENTION * np.where(liked, 0.6, 0.3)).astype(np.float64)
    clicked = clicks.any(axis=1)
    sessions = Sessions(many.of(np.flatnonzero(clicked)), shown.items[clicked], clicks[clicked])
    score = METHODS[method].score
    if score is not None:
        return score(sessions, 3.0)(0, 1)
    teams = shown.teams[clicked]
    return scoring.by_counts(*(((teams == team) * sessions.clicks).sum(axis=1) for team in (0, 1)))


def significant(method: str, experiments: int, relevant: str = "") -> float:
    """The share of experiments with p below 5 %."""
    result = 0
    for seed in range(experiments):
        rng = np.random.default_rng([seed, 1])
        one = margins(method, rng, relevant)
        units = np.arange(len(one.value))
        by_credit = METHODS[method].by_credit
        result += (
            evidence(one, units, by_credit=by_credit, alone=True, confidence=0.95, resamples=RESAMPLES, rng=rng).p <= LEVEL
        )
    return result / experiments


def preferred(preference: float, users: int, each: int, rng: Generator) -> tuple[Margins, NDArray[np.int64]]:
    """Sessions of users; with several sessions each, users have tastes of their own around the common preference."""
    taste = np.clip(preference + (rng.normal(0, 0.4, users) if each > 1 else 0.0), -0.8, 0.8)
    mean = np.repeat(taste, each)
    win, loss = 0.4 + mean / 2, 0.4 - mean / 2
    drawn = rng.random(users * each)
    first, second = (drawn < win).astype(np.float64), ((drawn >= win) & (drawn < win + loss)).astype(np.float64)
    return scoring.by_counts(first, second), np.repeat(np.arange(users), each)


def true_preference(preference: float, each: int) -> float:
    """The mean of win minus loss over very many users."""
    rng = np.random.default_rng(10**6)
    taste = np.clip(preference + (rng.normal(0, 0.4, 10**6) if each > 1 else np.zeros(10**6)), -0.8, 0.8)
    return float(taste.mean())


def held(preference: float, each: int, over: str, experiments: int) -> tuple[float, float]:
    """The share of intervals that hold the true preference, and of p below 5 %."""
    truth, covered, claimed = true_preference(preference, each), 0, 0
    for seed in range(experiments):
        rng = np.random.default_rng([seed, 2])
        one, users = preferred(preference, SESSIONS // each, each, rng)
        units = users if over == "users" else np.arange(len(users))
        result = evidence(one, units, by_credit=False, alone=over == "sessions", confidence=0.95, resamples=RESAMPLES, rng=rng)
        covered += result.low <= truth <= result.high
        claimed += result.p <= LEVEL
    return covered / experiments, claimed / experiments


def logged(number: int, rng: Generator) -> Weighted:
    """A log of actions with their weights."""
    action = rng.choice(len(LOGGING), number, p=LOGGING)
    reward = (rng.random(number) < EARNS[action]).astype(np.float64)
    expected = np.full((number, 1), NEW @ GUESSED)
    return Weighted((NEW / LOGGING)[action][:, None], reward[:, None], reward, expected, GUESSED[action][:, None])


def valued(name: str, number: int, experiments: int) -> tuple[float, float]:
    """The mean estimate over all logs, and the share of intervals that hold the truth."""
    truth, covered, total = float(NEW @ EARNS), 0, 0.0
    for seed in range(experiments):
        rng = np.random.default_rng([seed, 3])
        data = logged(number, rng)
        terms = ESTIMATORS[name](data, 4.0)
        point, _ = estimated(terms, data, 0.95, RESAMPLES, rng)
        covered += point.low <= truth <= point.high
        total += float(value(terms.above.sum(axis=0), terms.below.sum(axis=0)))
    return total / experiments, covered / experiments


def report(experiments: int) -> Iterator[str]:
    """All tables, line by line."""
    yield from ("### Interleaving: p below 5 % in 200 sessions", "")
    rows = [
        (method, f"{100 * significant(method, experiments):.1f} %", f"{100 * significant(method, experiments, 'a'):.1f} %", "")
        for method in METHODS
    ]
    yield from (
        *table(("method", "users click by position alone", "users click twice as often on the item that moved", ""), rows),
        "",
    )
    yield from ("### Interleaving: intervals of 95 % that hold the true preference, and p below 5 %", "")
    rows = []
    for each, over in ((1, "sessions"), (HEAVY, "users"), (HEAVY, "sessions")):
        for preference in PREFERENCES:
            covered, claimed = held(preference, each, over, experiments)
            users = "one session each" if each == 1 else f"{each} sessions each"
            name = f"preference {preference}, {users}, over {over}"
            rows.append((name, f"{100 * covered:.1f} %", f"{100 * claimed:.1f} %", ""))
    yield from (*table(("users", "interval holds the truth", "p below 5 %", ""), rows), "")
    yield from (f"### Logged policies: the truth is {float(NEW @ EARNS):.4f}", "")
    rows = []
    for number in LOGS:
        for name in ESTIMATORS:
            mean, covered = valued(name, number, experiments)
            rows.append((f"{name}, {number:,} actions", f"{mean:.4f}", f"{100 * covered:.1f} %", ""))
    yield from (*table(("estimate", "mean", "interval of 95 % holds the truth", ""), rows), "")


if __name__ == "__main__":
    for line in report(int(sys.argv[1]) if len(sys.argv) > 1 else EXPERIMENTS):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
