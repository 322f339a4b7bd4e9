"""The slow implementations for clusters give what papers and official scorers gave."""

from __future__ import annotations

import csv
import json
import lzma
from collections import defaultdict
from fractions import Fraction
from typing import IO, TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from sklearn import metrics as sk

import plumbline
from tests.helpers.clustering_oracles import CLUSTERING
from tests.helpers.coreference_oracles import Clusters, items
from tests.helpers.filtering_oracles import Value, harmonic
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from pathlib import Path

WEPS = ("data", "weps")
REPLAB = ("data", "replab2013_topic_detection")
OF_WEPS = {"BEP": "BCubedP", "BER": "BCubedR", "P": "Purity", "IP": "InvPurity", "PR": "Rand", "PJ": "Jaccard", "PM": "FM"}
TOPICS = ["Abby_Watkins", "Alexander_Macomb", "Alfred_Schroeder", "Cynthia_Voigt", "Dan_Rhone", "David_Lodge", "Edward_Fox"]
TOPICS += ["George_Clinton", "Thomas_Baker", "Young_Dawkins"]
SMALL = ["RL2013D03E091", "RL2013D02E060", "RL2013D03E096", "RL2013D02E057"]


def sets(*arguments: str) -> Clusters:
    """Clusters of letters."""
    return [frozenset(word) for word in arguments]


def same(actual: Value, expected: float | str) -> None:
    """Equal to twelve digits."""
    assert actual is not None
    assert float(actual) == pytest.approx(float(expected), abs=1e-12)


def restricted(system: Clusters, gold: Clusters) -> Clusters:
    """Without the items that the gold lacks."""
    return [cluster & items(gold) for cluster in system if cluster & items(gold)]


# --- papers -----------------------------------------------------------------------------------------------------------


def test_figures_of_amigo_2009() -> None:
    cases = json.loads(shared("data", "small_oracles", "bcubed_amigo2009_figures.json").read_text("utf-8"))["cases"]
    for case in cases:
        system, gold = ([frozenset(map(str, one)) for one in case[side]] for side in ("clusters", "categories"))
        precision, recall = (CLUSTERING[name](system, gold) for name in ("BCubedP", "BCubedR"))
        actual = [float(value or 0) for value in (precision, recall, harmonic(precision, recall, 0.5))]
        assert actual == pytest.approx([case["bcubed_precision"], case["bcubed_recall"], case["f"]], abs=1e-8), case["case"]
    assert {case["overlapping"] for case in cases} == {True, False}


@pytest.mark.parametrize(
    ("system", "muc", "mentions", "entities"),
    [
        (sets("12345", "6789ABC"), 0.947, 0.833, 0.733),
        (sets("1234589ABC", "67"), 0.947, 0.583, 0.667),
        (sets("123456789ABC"), 0.900, 0.417, 0.294),
        (sets(*"123456789ABC"), 0.0, 0.250, 0.178),
    ],
)
def test_table_1_of_luo_2005(system: Clusters, muc: float, mentions: float, entities: float) -> None:
    gold = sets("12345", "67", "89ABC")
    actual = [float(CLUSTERING[name](system, gold) or 0) for name in ("MUC", "CEAFm", "CEAFe")]
    assert actual == pytest.approx([muc, mentions, entities], abs=6e-4)


def test_the_example_that_papers_on_coreference_share() -> None:
    gold, system = sets("abc", "defg"), sets("ab", "cd", "fghi")
    expected = {"MUC": (2 / 5, 2 / 5), "LEA": (5 / 21, 1 / 3), "CEAFm": (4 / 7, 4 / 8)}
    expected |= {"CEAFe": (1.3 / 2, 1.3 / 3), "BLANC": ((2 / 9 + 8 / 12) / 2, (2 / 8 + 8 / 20) / 2)}
    for name, (recall, precision) in expected.items():
        same(CLUSTERING[name](system, gold, part="R"), recall)
        same(CLUSTERING[name](system, gold, part="P"), precision)
    same(CLUSTERING["BLANC"](system, gold), (4 / 17 + 16 / 32) / 2)


def test_links_of_one_kind_decide_alone() -> None:
    assert CLUSTERING["BLANC"](sets("abc"), sets("abc")) == CLUSTERING["BLANC"](sets(*"abc"), sets(*"abc")) == 1
    assert CLUSTERING["BLANC"](sets("abc"), sets(*"abc")) == 0
    assert CLUSTERING["BLANC"](sets("ab", "cd", "ef"), sets(*"abcdef")) == Fraction(24, 27)  # 12 of 15, and 12 of 12
    assert CLUSTERING["BLANC"](sets("ab", "cd", "ef"), sets("abcdef")) == Fraction(1, 3)  # 3 of 15, and 3 of 3
    assert CLUSTERING["BLANC"](sets("a"), sets("a")) is None
    assert CLUSTERING["MUC"](sets(*"abc"), sets("abc")) == 0
    assert CLUSTERING["MUC"](sets(*"abc"), sets("abc"), part="P") is None
    assert CLUSTERING["LEA"](sets("ab", "c"), sets("a", "b", "c"), part="R") == Fraction(1, 3)


def test_membership_that_agrees_as_much_as_it_differs_or_not_at_all_still_tells() -> None:
    everyone = "abcdefgh"
    same(
        CLUSTERING["ONMI"](sets("ab", everyone), sets("bcd", everyone)), 0.016462246038957584
    )  # h(4) + h(1) = h(2) + h(1), of 8
    everyone = "".join(chr(ord("A") + i) for i in range(29))
    apart = sets(everyone[0], everyone), sets(everyone[1:23], everyone)
    same(CLUSTERING["ONMI"](*apart, match="any"), 0.09228260225995547)  # h(6) + h(0) > h(22) + h(1), of 29
    assert CLUSTERING["ONMI"](*apart) == pytest.approx(0, abs=1e-12)  # they share no item
    everyone = "abcdefgh"
    assert CLUSTERING["ONMI"](sets(everyone), sets(everyone)) is None
    assert CLUSTERING["ONMI"](sets("abcd", "efgh"), sets("aceg", "bdfh")) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("name", "expected"), [("ONMI", 0.0304), ("ONMI(match=any)", 0.0961)])
def test_only_classes_that_share_an_item_describe_a_cluster(name: str, expected: float) -> None:
    scores = plumbline.evaluate([0] * 24 + [1] * 5, [0] * 23 + [1] + [0] * 4 + [2], [name], task="clustering")
    assert scores.per_case["value"].to_list() == [pytest.approx(expected, abs=5e-5)]


def test_edit_distance_by_hand() -> None:
    gold = sets("abc", "def", "g")
    assert CLUSTERING["EditDistance"](sets(*"abcdefg"), gold) == 1
    assert CLUSTERING["EditDistance"](sets("ab", "cdef", "g"), gold) == Fraction(1, 4)  # c moves
    assert CLUSTERING["EditDistance"](sets("ab", "c", "defg"), gold) == Fraction(2, 4)  # ab + c, g moves
    assert CLUSTERING["EditDistance"](sets("ab", "def"), gold) == Fraction(2, 4)  # c and g are absent
    assert CLUSTERING["EditDistance"](sets("a", "b"), sets("a", "b")) is None


def test_a_cluster_goes_to_the_class_that_no_other_cluster_makes() -> None:
    gold = sets("ab", "xyz", "cdefgh")
    for classes in (gold, gold[::-1]):
        assert CLUSTERING["EditDistance"](sets("ax", "b", "yzcdefgh"), classes) == Fraction(3, 11 - 3)


def test_the_alpha_of_cluster_f_weighs_precision() -> None:
    same(CLUSTERING["ClusterF"](sets("abc"), sets("ab", "c"), alpha=0.2), (2 * 10 / 11 + 5 / 7) / 3)


def test_overlapping_example_of_omega_by_hand() -> None:
    system, gold = sets("abc", "ab", "d"), sets("ab", "bc", "d")
    # ab share 2 and 1, ac 1 and 0, bc 1 and 1, the others nothing: 4 of 6 agree, by chance (3 * 4 + 2 * 2 + 1 * 0) / 36
    assert CLUSTERING["Omega"](system, gold) == Fraction(4 * 6 - 16, 6 * 6 - 16)


# --- official scorers -------------------------------------------------------------------------------------------------


def entities(path: Path) -> Clusters:
    """The clusters of a file of WePS; what is discarded is in none."""
    actual = ET.parse(path).getroot().findall("entity")  # noqa: S314
    return [frozenset(doc.attrib["rank"] for doc in entity.findall("doc")) for entity in actual if entity.findall("doc")]


@pytest.mark.parametrize("topic", TOPICS)
def test_weps_official_scorer(topic: str) -> None:
    with shared(*WEPS, "expected", "weps1_train_official_scorer_fullprec.tsv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["topic"] == topic]
    gold = entities(shared(*WEPS, "weps1_train_gold", f"{topic}.clust.xml"))
    together, alone = [frozenset(items(gold))], [frozenset([item]) for item in items(gold)]
    systems = {"ALL_IN_ONE_BASELINE": together, "ONE_IN_ONE_BASELINE": alone, "COMBINED_BASELINE": together + alone}
    for row in rows:
        raw = systems.get(row["system"]) or entities(next(shared(*WEPS, "weps1_train_system_pku601").glob(f"{topic}.*")))
        system = restricted(raw, gold)
        for column, name in OF_WEPS.items():
            actual = CLUSTERING[name](raw if name == "Purity" else system, gold)  # its purity counts items the gold lacks
            same(1 if actual is None else actual, row[column])  # and its 0/0 is 1
    assert len(rows) in (3, 4)


def replab(file: IO[str]) -> dict[str, Clusters]:
    """Clusters by entity."""
    actual: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in csv.DictReader(file, delimiter="\t"):
        actual[row["entity_id"]][row["topic"]].add(row["tweet_id"])
    return {entity: [frozenset(cluster) for cluster in topics.values()] for entity, topics in actual.items()}


@pytest.mark.parametrize("name", ["terms_jaccard_HAC_0%", "t_twitter_LDA"])
def test_replab_official_scores(name: str) -> None:
    with shared(*REPLAB, "replab2013_topic_detection_goldstandard.dat").open(encoding="latin-1") as file:
        gold = replab(file)
    with lzma.open(shared(*REPLAB, "system-outputs", f"{name}.xz"), "rt", encoding="latin-1") as file:
        system = replab(file)
    with shared(*REPLAB, "evaluation-results", name).open(encoding="utf-8") as file:
        rows = {row["entity"]: row for row in csv.DictReader(file, delimiter="\t")}
    absent = 0
    for entity in SMALL:
        left = restricted(system[entity], gold[entity])
        absent += len(items(gold[entity]) - items(left))
        reliability, sensitivity = (CLUSTERING[metric](left, gold[entity]) for metric in ("Rel", "Sens"))
        same(reliability, rows[entity]["Reliability"])
        same(sensitivity, rows[entity]["Sensitivity"])
        same(harmonic(reliability, sensitivity, 0.5), rows[entity]["F measure"])
    assert absent


# --- where others answer and we do not, and items that are missing ----------------------------------------------------


def test_where_scikit_learn_has_a_value_for_nothing() -> None:
    assert CLUSTERING["ARI"](sets("a"), sets("a")) is None
    assert CLUSTERING["FM"](sets(*"ab"), sets(*"ab")) is None
    assert CLUSTERING["NMI"](sets("ab"), sets("ab")) is None
    assert (sk.adjusted_rand_score([0], [0]), sk.fowlkes_mallows_score([0, 1], [0, 1])) == (1, 0)
    assert sk.normalized_mutual_info_score([0, 0], [0, 0]) == 1


def test_policies_for_two_items_of_four_that_the_system_lacks() -> None:
    gold, system = sets("ab", "cd"), sets("ab")
    policies = {"singleton": (sets("ab", "c", "d"), gold), "one-cluster": (sets("ab", "cd"), gold)}
    policies |= {"drop": (system, sets("ab")), "absent": (system, gold)}
    names = ("ARI", "BCubedP", "BCubedR", "Rel", "Sens", "Purity", "InvPurity")
    actual = {policy: [CLUSTERING[name](*sides) for name in names] for policy, sides in policies.items()}
    half = Fraction(1, 2)
    assert actual["one-cluster"] == actual["drop"] == [1] * 7
    assert actual["singleton"] == [Fraction(4, 7), 1, Fraction(3, 4), 1, Fraction(3, 4), 1, Fraction(3, 4)]
    assert actual["absent"] == [Fraction(4, 7), 1, half, 1, half, 1, half]


@pytest.mark.parametrize("name", CLUSTERING)
def test_a_system_without_clusters_is_not_good(name: str) -> None:
    actual = CLUSTERING[name]([], sets("abc", "de", "f"))
    if name == "Rand":
        assert actual == Fraction(11, 15)  # as singletons
    elif name in ("BCubedP", "Rel"):
        assert actual == 1  # every item is absent
    else:
        assert actual == 2 if name == "EditDistance" else not actual


def test_every_item_in_every_cluster_does_not_pay() -> None:
    gold, cheat = sets("ab", "cd"), sets("abcd", "abcd")
    assert CLUSTERING["BCubedP"](cheat, gold) == Fraction(1, 4)
    assert CLUSTERING["Rel"](cheat, gold) == Fraction(1, 4)
    assert CLUSTERING["Purity"](cheat, gold) == Fraction(1, 2)
