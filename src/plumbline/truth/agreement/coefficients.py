"""Coefficients of agreement: the share of equal answers, and what is left of it when chance is taken off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from plumbline.truth.agreement.registry import coefficient
from plumbline.truth.agreement.tally import MOST_ASSESSORS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from plumbline.truth.agreement.ratings import Level
    from plumbline.truth.agreement.registry import Terms
    from plumbline.truth.agreement.scales import Scale
    from plumbline.truth.agreement.tally import Tally

    Numbers = NDArray[np.float64]

GRADED: Final[tuple[Level, ...]] = ("ordinal", "interval", "ratio", "sets")


def observed(t: Tally, credit: Numbers) -> Numbers:
    """The credit of two answers to the same unit, in the mean over units with two or more."""
    return _over((t.matches * credit).sum(axis=(1, 2)), t.shared)


def terms(t: Tally, credit: Numbers, by_chance: Numbers) -> Terms:
    """What is missing to full agreement, observed and by chance."""
    return 1 - observed(t, credit), 1 - by_chance


def _over(numerator: Numbers, denominator: Numbers) -> Numbers:
    usable = denominator != 0
    return np.asarray(np.divide(numerator, denominator, out=np.full(numerator.shape, np.nan), where=usable))


def _shares(t: Tally) -> Numbers:
    return _over(t.shares, np.broadcast_to(t.units[:, None], t.shares.shape))


def _answers(marginals: Numbers) -> Numbers:
    """The shares of each assessor's answers."""
    total = marginals.sum(axis=2, keepdims=True)
    return _over(marginals, np.broadcast_to(total, marginals.shape))


def pooled_chance(t: Tally, credit: Numbers) -> Numbers:
    """Two answers drawn from the shares of all assessors together."""
    shares = _shares(t)
    return np.asarray(np.einsum("bc,ck,bk->b", shares, credit, shares))


def _two_marginals(t: Tally, credit: Numbers) -> Numbers:
    answers = _answers(t.shared_marginals)
    return np.asarray(np.einsum("bc,ck,bk->b", answers[:, 0], credit, answers[:, 1]))


@coefficient(
    "agreement",
    title="raw agreement",
    chance="chance is not subtracted",
    paper="artstein2008",
    undefined="no item has two judgements",
    range=(0.0, 1.0),
    corrected=False,
)
def raw_agreement(t: Tally, _: Scale) -> Terms:
    r"""The share of equal answers among all pairs of answers to the same item.

    $$p_a = \frac{1}{n} \sum_u \sum_c \frac{n_{uc} (n_{uc} - 1)}{m_u (m_u - 1)}$$
    """
    return terms(t, np.eye(t.categories), np.zeros(len(t.units)))


@coefficient(
    "kappa",
    title="Cohen's kappa",
    chance="each assessor answers at random, with the shares of their own answers",
    paper="cohen1960",
    assessors=(2, 2),
)
def cohen(t: Tally, scale: Scale) -> Terms:
    r"""Agreement of two assessors beyond what the shares of their own answers give by chance.

    $$\kappa = \frac{p_a - p_e}{1 - p_e}, \quad p_e = \sum_c p_{1c} p_{2c}$$

    Only items that both judged count.
    """
    return terms(t, scale.credit, _two_marginals(t, scale.credit))


@coefficient(
    "weighted_kappa",
    title="weighted kappa",
    chance="each assessor answers at random, with the shares of their own answers",
    paper="cohen1968",
    assessors=(2, 2),
    levels=GRADED,
    weighted=True,
)
def weighted_kappa(t: Tally, scale: Scale) -> Terms:
    r"""Cohen's kappa with partial credit for answers that are close.

    $$\kappa_w = \frac{\sum w_{ck} p_{ck} - \sum w_{ck} p_{1c} p_{2k}}{1 - \sum w_{ck} p_{1c} p_{2k}}$$
    """
    return terms(t, scale.partial, _two_marginals(t, scale.partial))


@coefficient(
    "pi",
    title="Scott's pi",
    chance="both answer at random, with the shares of all answers",
    paper="scott1955",
    assessors=(2, 2),
)
def scott(t: Tally, scale: Scale) -> Terms:
    r"""Agreement of two assessors beyond what the shares of all answers give by chance.

    $$\pi = \frac{p_a - \sum_c \pi_c^2}{1 - \sum_c \pi_c^2}$$
    """
    return terms(t, scale.credit, pooled_chance(t, scale.credit))


@coefficient(
    "fleiss_kappa",
    title="Fleiss' kappa",
    chance="all answer at random, with the shares of all answers",
    paper="fleiss1971",
    assessors=(3, None),
)
def fleiss(t: Tally, scale: Scale) -> Terms:
    r"""Scott's pi for any number of assessors.

    $$\kappa = \frac{p_a - \sum_c \pi_c^2}{1 - \sum_c \pi_c^2}, \quad \pi_c = \frac{1}{n} \sum_u \frac{n_{uc}}{m_u}$$
    """
    return terms(t, scale.credit, pooled_chance(t, scale.credit))


@coefficient(
    "conger_kappa",
    title="Conger's kappa",
    chance="each assessor answers at random, with the shares of their own answers",
    paper="conger1980",
    assessors=(3, MOST_ASSESSORS),
)
def conger(t: Tally, scale: Scale) -> Terms:
    r"""Cohen's kappa for any number of assessors.

    $$p_e = \sum_c (m_c^2 - s_c^2 / r)$$

    m and s² are the mean and the variance of the shares of the r assessors.
    """
    return terms(t, scale.credit, conger_chance(t, scale.credit))


def conger_chance(t: Tally, credit: Numbers) -> Numbers:
    """Two different assessors drawn at random, and an answer of each."""
    answers = _answers(t.marginals)
    present = ~np.isnan(answers[:, :, :1])
    known = np.where(present, answers, 0.0)
    count = present.sum(axis=1).astype(np.float64)
    mean = _over(known.sum(axis=1), np.broadcast_to(count, known[:, 0].shape))
    products = np.einsum("bac,bak->bck", known, known)
    together = mean[:, :, None] * mean[:, None, :]
    degrees = np.where(count > 1, count - 1, np.nan)[:, :, None]
    covariance = (products - count[:, :, None] * together) / degrees
    return np.asarray((credit * (together - covariance / count[:, :, None])).sum(axis=(1, 2)))


@coefficient(
    "brennan_prediger",
    title="Brennan-Prediger",
    chance="all categories are equally likely",
    paper="brennan1981",
    undefined="there is one category only",
)
def brennan_prediger(t: Tally, scale: Scale) -> Terms:
    r"""Agreement beyond a chance in which all categories are equally likely; PABAK where there are two.

    $$\frac{p_a - 1/K}{1 - 1/K}$$
    """
    even = np.full(len(t.units), scale.credit.sum() / t.categories**2)
    return terms(t, scale.credit, even)


@coefficient(
    "gwet_ac1",
    title="Gwet's AC1",
    chance="only answers to hard items are given at random",
    paper="gwet2008",
    undefined="there is one category only",
)
def gwet_ac1(t: Tally, scale: Scale) -> Terms:
    r"""Agreement beyond a chance that is small where nearly all answers are the same.

    $$p_e = \frac{1}{K - 1} \sum_c \pi_c (1 - \pi_c)$$
    """
    return terms(t, scale.credit, gwet_chance(t, scale.credit))


@coefficient(
    "gwet_ac2",
    title="Gwet's AC2",
    chance="only answers to hard items are given at random",
    paper="gwet2014",
    undefined="there is one category only",
    levels=GRADED,
    weighted=True,
)
def gwet_ac2(t: Tally, scale: Scale) -> Terms:
    r"""Gwet's AC1 with partial credit for answers that are close.

    $$p_e = \frac{\sum w_{ck}}{K (K - 1)} \sum_c \pi_c (1 - \pi_c)$$
    """
    return terms(t, scale.partial, gwet_chance(t, scale.partial))


def gwet_chance(t: Tally, credit: Numbers) -> Numbers:
    """The chance of Gwet's coefficients."""
    shares = _shares(t)
    size = t.categories
    if size == 1:
        return np.ones(len(t.units))
    return np.asarray(credit.sum() / (size * (size - 1)) * (shares * (1 - shares)).sum(axis=1))


@coefficient(
    "alpha",
    title="Krippendorff's alpha",
    chance="all answers are shuffled over the items",
    paper="krippendorff2011",
    undefined="all answers are the same, or no item has two",
)
def alpha(t: Tally, scale: Scale) -> Terms:
    r"""One minus the disagreement within items relative to the disagreement of any two answers.

    $$\alpha = 1 - \frac{D_o}{D_e} = 1 - (n - 1) \frac{\sum o_{ck} \delta^2_{ck}}{\sum n_c n_k \delta^2_{ck}}$$

    Items with one answer are left out; gaps need no filling in. The distance depends on the level.
    """
    chosen = t.coincidences.sum(axis=2)
    total = chosen.sum(axis=1)
    distance = scale.distance(chosen)
    distance = distance / np.maximum(distance.max(axis=(1, 2), keepdims=True), np.finfo(float).tiny)
    within = (t.coincidences * distance).sum(axis=(1, 2))
    expected = np.einsum("bc,bck,bk->b", chosen, distance, chosen)
    return _over(within, total), _over(expected, total * (total - 1))
