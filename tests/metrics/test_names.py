"""Names are values: read, printed, aliased, grouped, and refused with a hint."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline
from plumbline.errors import BadUsage
from plumbline.metrics.names import _parsed, describe, is_spelled, measures, parse, task_of
from plumbline.metrics.registry import all_metrics, metrics_named
from plumbline.metrics.vocabulary import UnknownMetricError, Vocabulary, vocabulary, vocabulary_for
from plumbline.tasks import task_names
from tests.helpers.ranking_worlds import moderate


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("P@10", "P@10"),
        ("P(k=10)", "P@10"),
        ("p@10", "P@10"),
        ("P()@10", "P@10"),
        ("  P( rel = 2 )@ 10 ", "P(rel=2)@10"),
        ("P(rel=1)@10", "P@10"),
        ("P(rel=1.0)@10", "P@10"),
        ("P(rel=0.5)@10", "P(rel=0.5)@10"),
        ("ap", "AP"),
        ("AP@100", "AP@100"),
        ("nDCG(gain=exp)@20", "nDCG(gain=exp)@20"),
        ("nDCG(gain='exp')@20", "nDCG(gain=exp)@20"),
        ("nDCG(discount=burges,gain=linear)", "nDCG"),
        ("nDCG(discount=jarvelin,gain=exp)", "nDCG(gain=exp,discount=jarvelin)"),
        ("RBP(p=0.8)", "RBP"),
        ("RBP(p=.95)", "RBP(p=0.95)"),
        ("IPrec@0.10", "IPrec@0.1"),
        ("IPrec@1", "IPrec@1"),
        ("ERR(gmax=4)@20", "ERR(gmax=4)@20"),
        ("RelString", "RelString@10"),
        ("F(P@10,R@10)", "F(P@10,R@10)"),
        ("f(p@10, r@10, alpha=0.5)", "F(P@10,R@10)"),
        ("F(P@10,R@10,alpha=0.3)", "F(P@10,R@10,alpha=0.3)"),
        ("F(P@10,R@10,beta=1)", "F(P@10,R@10)"),
        ("F(P@10,R@10,beta=2)", "F(P@10,R@10,alpha=0.2)"),
        ("f( F(P@10,R@10), F(AP,nDCG,beta=2) ,alpha=0.3)", "F(F(P@10,R@10),F(AP,nDCG,alpha=0.2),alpha=0.3)"),
        ("F(P@10,R@10,beta=5)", "F(P@10,R@10,beta=5)"),
        ("F(P(rel=2)@10,nDCG(gain=exp,discount=jarvelin)@5)", "F(P(rel=2)@10,nDCG(gain=exp,discount=jarvelin)@5)"),
    ],
)
def test_names_are_printed_in_one_way(typed: str, printed: str) -> None:
    assert str(plumbline.parse(typed)) == printed
    assert plumbline.parse(printed) == plumbline.parse(typed)


@pytest.mark.parametrize(
    ("alias", "canonical"),
    [
        ("map", "AP"),
        ("MAP", "AP"),
        ("map_cut_10", "AP@10"),
        ("gm_map", "GMAP"),
        ("ndcg", "nDCG"),
        ("NDCG@5", "nDCG@5"),
        ("ndcg_cut_10", "nDCG@10"),
        ("P_10", "P@10"),
        ("Precision@3", "P@3"),
        ("recall_1000", "R@1000"),
        ("Recall@3", "R@3"),
        ("recip_rank", "RR"),
        ("MRR@10", "RR@10"),
        ("success_5", "Success@5"),
        ("iprec_at_recall_0.10", "IPrec(points=round)@0.1"),
        ("11pt_avg", "11pt(points=round)"),
        ("Rprec_mult_1.20", "RprecMult@1.2"),
        ("relative_P_5", "RelativeP@5"),
        ("set_F", "SetF"),
        ("set_map", "SetAP"),
        ("num_rel_ret", "NumRelRet"),
        ("unj_20", "Unjudged@20"),
        ("rbp", "RBP(p=0.9,gain=case)"),
        ("RBP", "RBP"),
        ("rbp_resid", "RBPResidual(p=0.9)"),
        ("relstring_20", "RelString@20"),
        ("ndcg_rel", "nDCGrel"),
        ("Rndcg", "RnDCG"),
    ],
)
def test_names_of_other_tools(alias: str, canonical: str) -> None:
    measure = plumbline.parse(alias)
    assert str(measure) == canonical
    assert measure.typed == alias


def test_groups_are_expanded_in_order_and_without_repeats() -> None:
    official = [str(measure) for measure in measures(["official"])]
    assert official[:7] == ["NumQ", "NumRet", "NumRel", "NumRelRet", "AP", "GMAP", "Rprec"]
    assert len(official) == 29
    assert [str(measure) for measure in measures(["set"])] == [
        *("NumQ", "NumRet", "NumRel", "NumRelRet", "Utility", "SetP", "SetRelativeP", "SetR", "SetAP", "SetF"),
    ]
    everything = [str(measure) for measure in measures(["all_trec"])]
    assert everything[: len(official)] == official
    assert len(set(everything)) == len(everything)
    assert [str(measure) for measure in measures(["map", "official"])].count("AP") == 1
    assert [str(measure) for measure in measures(["AP", "map", "MAP", "ap"])] == ["AP"]


def test_defaults_reach_metrics_that_have_the_parameter_and_do_not_say() -> None:
    actual = measures(["P@5", "P(rel=3)@5", "nDCG"], {"*": {"rel": 2}})
    assert [str(measure) for measure in actual] == ["P(rel=2)@5", "P(rel=3)@5", "nDCG"]


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("", "E302"),
        ("@10", "E302"),
        ("P@", "E302"),
        ("P(rel=2@10", "E302"),
        ("P(rel=2))@10", "E302"),
        ("P(2)@10", "E302"),
        ("Rprec@5", "E302"),
        ("F(P@10)", "E302"),
        ("F(P@10,R@10)@5", "E302"),
        ("F(P@10,R@10,AP)", "E302"),
        ("F(P@10,F(P@10))", "E302"),
        ("F(P@10,R@10,gain=exp)", "E303"),
        ("F", "E302"),
        ("nope", "E301"),
        ("P10", "E301"),
        ("F(P@10,nope)", "E301"),
        ("P(gain=exp)@10", "E303"),
        ("G(k=3)", "E303"),
        ("P@0", "E304"),
        ("P@-1", "E304"),
        ("P@1.5", "E304"),
        ("P@ten", "E304"),
        ("P(rel=0)@10", "E304"),
        ("P(rel=nan)@10", "E304"),
        ("P(rel=inf)@10", "E304"),
        ("RBP(p=0)", "E304"),
        ("RBP(p=1)", "E304"),
        ("IPrec@1.5", "E304"),
        ("nDCG(gain=cubic)", "E304"),
        ("nDCG(gain=)", "E304"),
        ("F(P@10,R@10,alpha=2)", "E304"),
        ("F(P@10,R@10,alpha=nan)", "E304"),
        ("F(P@10,R@10,alpha=x)", "E304"),
        ("F(P@10,R@10,alpha=0.5,beta=1)", "E304"),
        ("F(P@10,R@10,beta=-1)", "E304"),
        ("P", "E305"),
        ("IPrec", "E305"),
    ],
)
def test_bad_names_are_refused_with_a_code(typed: str, code: str) -> None:
    with pytest.raises(plumbline.BadUsage) as caught:
        plumbline.parse(typed)
    assert caught.value.code == code
    assert caught.value.exit_code == 2
    assert caught.value.diagnostics[0].help


@pytest.mark.parametrize(
    ("typed", "hint"), [("nDGC@10", "nDCG@10"), ("Bperf", "Bpref"), ("precison@5", "P@5"), ("succes@5", "Success@5")]
)
def test_unknown_names_come_with_a_suggestion(typed: str, hint: str) -> None:
    with pytest.raises(plumbline.BadUsage, match=f"did you mean {hint}"):
        plumbline.parse(typed)


def test_parameter_errors_tell_the_rule() -> None:
    with pytest.raises(plumbline.BadUsage, match="p must be a number strictly between 0 and 1"):
        plumbline.parse("RBP(p=2)")
    with pytest.raises(plumbline.BadUsage, match="gain must be linear or exp"):
        plumbline.parse("nDCG(gain=square)")
    with pytest.raises(plumbline.BadUsage, match="it has k, rel"):
        plumbline.parse("P(cutoff=3)")
    with pytest.raises(plumbline.BadUsage, match="write for example P@10"):
        plumbline.parse("P")


def test_a_very_large_beta_weighs_only_the_second_part() -> None:
    assert str(plumbline.parse("F(P@1,R@1,beta=1e200)")) == "F(P@1,R@1,alpha=0)"


@moderate(200)
@given(
    alpha=st.floats(0, 1),
    p=st.floats(0, 1, exclude_min=True, exclude_max=True),
    rel=st.floats(1e-9, 1e9),
    k=st.integers(1, 10**9),
)
def test_any_number_reads_back(alpha: float, p: float, rel: float, k: int) -> None:
    measure = plumbline.parse(f"F(RBP(p={p!r},rel={rel!r}),P(rel={rel!r})@{k},alpha={alpha!r})")
    assert plumbline.parse(str(measure)) == measure


@moderate(200)
@given(st.text("PRFnDCGAap(),=@0123456789. eé", max_size=20))
def test_any_text_is_read_or_refused(typed: str) -> None:
    try:
        measure = plumbline.parse(typed)
    except plumbline.BadUsage as refused:
        assert refused.code in {"E301", "E302", "E303", "E304", "E305"}  # noqa: PT017 - most texts are refused
    else:
        assert plumbline.parse(str(measure)) == measure


@pytest.mark.parametrize(
    ("name", "task", "spelled"),
    [
        ("Accuracy", "filtering", True),
        ("accuracy", "filtering", True),
        ("ACCURACY", "filtering", True),
        ("NDCG@10", "ranking", True),
        ("mcc", "filtering", True),
        ("p", "filtering", False),
        ("map", "ranking", True),
        ("err", "ranking", False),
        ("F(P,R)", "filtering", True),
        ("F(p,R)", "filtering", False),
    ],
)
def test_a_name_is_spelled_as_a_metric_or_only_like_one(name: str, task: str, spelled: bool) -> None:  # noqa: FBT001 - a table
    assert is_spelled(name, task) is spelled


@pytest.mark.parametrize(
    ("task", "names"),
    [
        ("ranking", "hits@5 Success@5  hit_rate@5 Success@5  Hits_at_3 Success@3  MRR@10 RR@10  recall_at_5 R@5"),
        ("ranking", "precision_at_3 P@3  ndcg@10 nDCG@10  map@10 AP@10  F1@10 F(P@10,R@10)  mean_reciprocal_rank RR"),
        ("filtering", "F1 F(P,R)  f1_score F(P,R)  F2 F(P,R,alpha=0.2)  roc_auc AUC  ROC_AUC_score AUC  AUROC AUC"),
        (
            "filtering",
            "average_precision AP  balanced_accuracy MAAc  matthews_corrcoef Phi  cohen_kappa Kappa  brier BrierScore",
        ),
        ("filtering", "log_loss LogLoss  brier_score_loss BrierScore  accuracy_score Accuracy  precision P  recall_score R"),
        ("classification", "F1 F(P,R)  f1_macro F(P,R)  f1_micro F(P,R,average=micro)  F1-weighted F(P,R,average=weighted)"),
        ("classification", "precision_macro P  recall_micro R(average=micro)  balanced_accuracy BalancedAccuracy"),
        ("classification", "matthews_corrcoef MCC  cohen_kappa Kappa  hamming_loss HammingLoss  jaccard_macro Jaccard"),
        ("clustering", "adjusted_rand_score ARI  normalized_mutual_info NMI  v_measure VMeasure  fowlkes_mallows_score FM"),
    ],
)
def test_names_of_other_libraries(task: str, names: str) -> None:
    for pair in names.split("  "):
        typed, expected = pair.split()
        assert parse(typed, task=task).name == expected
        assert describe(typed, task) is not None


@pytest.mark.parametrize(
    ("task", "typed", "message"),
    [
        ("ranking", "F1", "is a metric of another task"),  # of a ranking, F1 needs a cutoff
        ("filtering", "f1_macro", "is a metric of another task"),
        ("filtering", "roc_acu", "did you mean AUC"),
        ("filtering", "f1_marco", r"did you mean f1_macro\?\n  help: evaluate with task=\"classification\""),
        ("classification", "f1_marco", "did you mean f1_macro or f1_micro"),
        ("ranking", "mathews_corrcoef", r"did you mean Phi\?\n  help: evaluate with task=\"filtering\""),
        ("ranking", "MRR10", r"did you mean RR@10\?"),
        ("ranking", "foo_at_5", "unknown metric 'foo_at_5'"),
    ],
)
def test_names_that_other_libraries_have_for_other_things(task: str, typed: str, message: str) -> None:
    with pytest.raises(BadUsage, match=message):
        parse(typed, task=task)


def test_tables_of_scores_know_names_of_other_libraries() -> None:
    assert is_spelled("roc_auc", "filtering")
    assert is_spelled("F1", "filtering")
    assert is_spelled("precision_at_5", "ranking")
    assert not is_spelled("foo_at_5", "ranking")
    assert not is_spelled("g", "ranking")


def test_metrics_of_several_tasks_are_told_apart() -> None:
    with pytest.raises(BadUsage) as refused:
        task_of(["Accuracy", "roc_auc,log_loss", "f1_macro"])
    assert refused.value.code == "E400"
    assert "f1_macro is of classification; the others are of filtering" in str(refused.value)
    assert "leave out f1_macro, or" in str(refused.value)
    assert [task_of(names) for names in (["Accuracy", "log_loss"], ["Accuracy", "f1_macro"], ["AP", "nope"])] == [
        *("filtering", "classification", "ranking")
    ]


@pytest.mark.parametrize("task", task_names())
def test_a_name_means_the_same_where_other_metrics_are_not_imported(task: str) -> None:
    """Only the modules of the metrics that are named are imported, so no other name may take precedence over a metric's own."""

    def read(name: str, known: Vocabulary) -> object:
        try:
            return _parsed(name, (), task, known)
        except (BadUsage, UnknownMetricError) as error:
            return str(error)

    for name, metric in all_metrics(task).items():
        for typed in (name, f"{name}@10"):
            assert read(typed, Vocabulary.of([metric])) == read(typed, vocabulary(task)), typed


@pytest.mark.parametrize("task", task_names())
def test_metrics_are_found_by_the_text_that_declares_them(task: str, monkeypatch: pytest.MonkeyPatch) -> None:
    declared = all_metrics(task)
    imported: list[str] = []
    monkeypatch.setattr("plumbline.metrics.registry.import_module", imported.append)
    monkeypatch.setattr("plumbline.metrics.registry._METRICS", {})
    for name, metric in declared.items():
        imported.clear()
        assert metrics_named([name], task) is None  # importing is only pretended
        if name.isalpha():
            assert imported == [metric.kernel.__module__], name
    assert metrics_named(["nothing"], task) is None


def test_names_that_are_no_plain_ones_are_looked_up_among_all() -> None:
    assert len(vocabulary_for(["AP", "P@10"], "ranking").spelled) < len(vocabulary("ranking").spelled)
    for name in ("ap", "map", "ndcg_cut_10", "P(rel=2)@5", "F(P@5,R@5)", "P@x", "nonsense"):
        assert vocabulary_for([name], "ranking") is vocabulary("ranking"), name
