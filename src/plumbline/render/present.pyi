# ruff: noqa: PYI021 - editors show the docstrings
"""Figures and pages of a result. Written by `python -m plumbline.figures.signatures`; do not edit."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, Unpack

from altair import TopLevelMixin

from plumbline.options.evaluation import CompareOptions, EvaluateOptions

class Plots:
    """Every figure as a method that returns an Altair chart."""

    def __init__(self, source: Any) -> None: ...
    def forest(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        comparing: CompareOptions | None = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """Differences with their intervals.

        The difference of each system from the baseline, or from the best system, with its 95 % confidence interval.
        With too few cases there is none: a dotted line joins the lowest and the highest case. The diamond is the system
        that the others are compared with. Filled dots are significant after correction, hollow ones are not. An
        interval is of one difference alone, so it may exclude 0 although the corrected difference is not significant.
        Shading separates bands.
        """
    def bars(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        comparing: CompareOptions | None = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """Means with confidence intervals.

        The mean of each metric over cases, with the 95 % confidence interval of the mean (t distribution). Systems are
        in the order of the first metric. Two intervals may overlap although the difference is significant: use the
        figure of differences to compare two systems.
        """
    def ranks(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        comparing: CompareOptions | None = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """Ranks by each metric.

        The rank of each system by the mean of each metric, among the systems that are drawn. Lines cross where metrics
        disagree about the order. Systems with equal means share a rank. With many systems, only some have a colour.
        """
    def boxes(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        comparing: CompareOptions | None = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """The values of all cases.

        The value of the first metric on each case, as dots. The box holds the middle half of the cases, the line in it
        is the median, and the thin line reaches from the lowest to the highest value. Systems are in the order of their
        means, which hide how far apart cases are.
        """
    def unanimity(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        comparing: CompareOptions | None = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """Unanimous improvements.

        The Unanimous Improvement Ratio of every pair: the share of cases on which the row is at least as good by every
        metric, minus the share on which the column is. From 0.25 on, an improvement by several metrics hardly depends
        on how they are weighted.
        """
    def graph(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        comparing: CompareOptions | None = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """Who is better than whom.

        A line goes from a system down to one that it is better than: significantly better by a metric and significantly
        worse by none, after correction. Lines that follow from others are left out. Systems on one level are not shown
        to be better than each other, except in a circle. With a baseline, only the pairs with it are tested.
        """
    def critical_difference(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        comparing: CompareOptions | None = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """Mean ranks and the critical difference.

        The mean rank of each system over the cases that all have, by the first metric; 1 is best. Bars join systems
        whose mean ranks differ by less than the critical difference of Nemenyi's test: they are not shown to differ
        (Demsar 2006). The test looks at ranks alone, so it can differ from the leaderboard.
        """
    def p_values(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        comparing: CompareOptions | None = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """How certain each difference is.

        The p-value of every pair by the metric that orders the leaderboard, after correction, in steps. Systems are in
        the order of the leaderboard. Large p-values do not show that two systems are equal.
        """
    def uir_difference(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        comparing: CompareOptions | None = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """UIR and the difference of the score.

        Each dot is a pair of systems, in the direction in which UIR is positive. A large difference of the combined
        score with a small UIR depends on how the metrics are weighted. Left of 0, the score contradicts UIR. Like
        Figure 5 of the UIR paper.
        """
    def uir_weakest(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        comparing: CompareOptions | None = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """UIR and the weakest improvement.

        Each dot is a pair of systems, in the direction in which UIR is positive; to the right is the difference by the
        metric that improves least. Filled dots are the 10 pairs with the largest difference of the combined score. Like
        Figure 7 of the UIR paper.
        """
    def uir_thresholds(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        comparing: CompareOptions | None = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """What a threshold of UIR accepts.

        The share of pairs with a UIR of at least the threshold, and of these the shares that are better for every
        weighting, significantly better by all metrics that differ, significantly better by some and worse by others,
        and better by the combined score. Like Figure 10 of the UIR paper, which chooses 0.25.
        """
    def alpha(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        comparing: CompareOptions | None = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """The score for every weight.

        The mean over cases of the combined score, along the weight alpha of the first metric. Rings mark where the lead
        changes. With many systems, only those that lead for some weight have a colour, and are in front.
        """
    def differences(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        comparing: CompareOptions | None = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """Differences case by case.

        The difference of two systems on every case that both have, sorted. A mean can come from many small differences
        or from a few large ones. The dashed line is the mean difference. Differences up to eps count as none, and are
        grey.
        """
    def heatmap(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        comparing: CompareOptions | None = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """Every system on every case.

        The value of the first metric for each system, best first, on each case, hardest first: cases are sorted by
        their mean over systems. A row that is dark where others are light belongs to a system that solves what is hard
        for the others.
        """
    def scatter(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        comparing: CompareOptions | None = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """One metric against another.

        Each dot is an output: what one system gave for one case. Crosses are outputs that carry no information about
        the gold: filters that accept the same share of positive and of negative items, and the baselines that ignore
        the gold.
        """
    def strictness_curve(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        comparing: CompareOptions | None = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """How strict each metric is.

        For the best share of all outputs by a metric, the lowest rank that another metric gives to one of them, as a
        share of outputs. A strict metric stays high: what it praises, the others praise too.
        """
    def precision_recall(
        self,
        *,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """Precision over recall.

        The mean over cases of the interpolated precision at recall 0, 0.1, ... 1: the best precision at this recall or
        any higher one. With many systems, only some have a colour.
        """
    def roc(
        self,
        *,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """ROC curves.

        The share of positive items that are accepted against the share of negative ones, from the strictest threshold
        to the loosest. The diagonal is guessing; the area below a curve is AUC. Equal scores are accepted together.
        """
    def precision_recall_raw(
        self,
        *,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """Precision over recall at every threshold.

        Precision against recall of the items of all cases together, from the strictest threshold to the loosest, as it
        is: without interpolation, it goes up and down.
        """
    def calibration(
        self,
        *,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """Calibration.

        Items are grouped by tenths of their score. On the diagonal, the share of positive items is what the scores
        promise; below it, the scores are too high. Large dots stand for many items.
        """
    def thresholds(
        self,
        *,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """Precision, recall and F at every threshold.

        What precision, recall and their harmonic mean would be, if items were accepted from this score on; items of all
        cases together. The description names the threshold of the best F of each system.
        """
    def tradeoff(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        comparing: CompareOptions | None = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """Two metrics as a trade-off.

        Means of two metrics, such as precision and recall. Dashed lines join points of equal F. The step line joins the
        systems that no other system beats by both metrics: which of them is best depends on the weight.
        """
    def confusion(
        self,
        *,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        comparing: CompareOptions | None = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """Which class is taken for which.

        Rows are the gold's classes, columns the predicted ones. Numbers are items of all cases; below them, and as
        colours, is their share of the gold's class. Unless systems are named, the best 6 are drawn, by their score; a
        baseline is always among them.
        """
    def losses(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """Where Reliability and Sensitivity were lost.

        What the values lack to reach 1, by cause, averaged over cases: shorter bars are better. Systems that lost least
        come first.
        """
    def judged(
        self,
        *,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """What is judged, rank by rank.

        The share of lists whose item at this rank was judged. Systems with the fewest judged items come first: their
        scores say the least. Unless systems are named, at most 60 are drawn.
        """
    def pool_depth(
        self,
        *,
        gold: Any = None,
        systems: Any = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """What each depth adds.

        Left: how much is judged of the items that the systems have down to each depth. Right: how many of them are
        known to be relevant; a line that still rises at the depth of the pool (dashed) means that relevant items are
        missing.
        """
    def agreement(
        self,
        *,
        gold: Any = None,
        systems: Any = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """How much every two assessors agree.

        A coefficient of every pair: 1 is perfect agreement, 0 is that of chance. Assessors are in the order of their
        mean agreement with the others, so those that differ from the rest stand at the end.
        """
    def judges(
        self,
        *,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """The leaderboard under each judge.

        The place of every system under each judge, by the first metric; systems stand in the order of their mean place,
        and judges in the order of how much their leaderboards agree with it. A row of one colour does not depend on the
        judge.
        """
    def judging(
        self,
        *,
        gold: Any = None,
        systems: Any = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """Relevant items found by each order of judging.

        The share of the relevant items of the pool that are found after a number of judgements in each case. The higher
        a line is at the left, the sooner judging can stop.
        """
    def effects(
        self,
        *,
        gold: Any = None,
        systems: Any = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """Effects with their intervals.

        The effect of each arm on each metric as a share of the control, of all units and then of each segment, with its
        confidence interval. Filled dots have a verdict after correction, hollow ones are open. Metrics whose control is
        not above 0 have no relative effect, and are left out. At most 60 effects are drawn.
        """
    def looks(
        self,
        *,
        gold: Any = None,
        systems: Any = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """What each look at the experiment showed.

        The difference of each arm from the control with all units so far. The band is the confidence sequence: it
        contains the true difference at all looks together. An effect is shown as soon as the band excludes 0. At most 4
        metrics are drawn.
        """
    def click_ladder(
        self,
        *,
        gold: Any = None,
        systems: Any = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """How well click models predict held-out sessions.

        The mean logarithm of the probability of what happened at each place, given the clicks above; further right is
        better. A model for which something that happened is impossible is left out.
        """
    def examination(
        self,
        *,
        gold: Any = None,
        systems: Any = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """How probably each rank is examined.

        The mean over sessions by each click model, before any click is known; the share of shown items that were
        clicked is drawn in grey. Bars are intervals, where the model has a parameter for each rank.
        """
    def weights(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """How much positions count.

        The share of Reliability and Sensitivity that the first positions of a list carry together, by the discount of
        the metrics: the first n carry w.
        """
    def preferences(
        self,
        *,
        gold: Any = None,
        systems: Any = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """Which system users prefer.

        Wins minus losses of the first system of each pair as a share of the sessions with a click, with its confidence
        interval. To the right of 0 users prefer the first one. Filled dots are shown after correction. At most 60 pairs
        are drawn.
        """
    def policy_estimates(
        self,
        *,
        gold: Any = None,
        systems: Any = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """What a new policy would have earned.

        Every estimate with its confidence interval; the dashed line is what was logged. Filled dots differ from it by
        more than the interval of the difference. Estimates that rest on too few observations are left out.
        """
    def learning(
        self,
        *,
        gold: Any = None,
        systems: Any = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """What more labels would bring.

        Scores over the number of labels that learners were trained with, on a logarithmic scale, and a power law
        through those of each system, drawn up to twice the largest number. Where two curves cross, the one that comes
        from below is better from there on.
        """
    def prediction(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        comparing: CompareOptions | None = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """What predicts the differences that hold elsewhere.

        Of the pairs that a predictor accepts in one collection, the share that has the same winner in all (precision),
        and the share of all such pairs that it accepts (recall), from the strictest threshold to none; a higher line
        predicts better. With one collection, one half of its cases predicts both, as the mean of 20 random splits. Like
        Figures 11 to 13 of the UIR paper.
        """
    def strictness(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        comparing: CompareOptions | None = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """What the data say about the metrics.

        Each point is a metric. A metric is strict if the outputs that it scores high are scored high by all other
        metrics, and robust if it ranks the systems alike on all cases. `plumbline meta` names the outputs that decide
        it.
        """
    def sweep(
        self,
        *,
        metrics: str | Iterable[str] | None = None,
        show: str | Iterable[str] | None = None,
        gold: Any = None,
        systems: Any = None,
        width: int | Literal["container"] | None = None,
        height: int | None = None,
        theme: Literal["light", "dark"] | None = "light",
        **options: Unpack[EvaluateOptions],
    ) -> TopLevelMixin:
        """Two metrics along a threshold.

        Each point is an output of one system at a threshold, which is printed beside it; neighbouring thresholds are
        connected. `plumbline sweep` names the best threshold for every weight of the two metrics.
        """

def write_report(result: Any, path: str | os.PathLike[str], **options: Any) -> Path:
    """Write a page about a result, and return its path."""

def svg_of(result: Any, figure: str) -> str:
    """One figure of a result as SVG, for the methods `to_svg` of earlier versions."""

def figure_file(result: Any, figure: str, path: str | os.PathLike[str]) -> bytes:
    """What a file with one figure of a result holds; the ending of the path tells the format."""
