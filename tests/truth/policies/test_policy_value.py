"""policy_value(): Open Bandit Data, slow loops, unbiasedness over all logs of small worlds, and what is refused."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

import plumbline
from tests.helpers.command_line import plumbline as program
from tests.helpers.shared import shared

if TYPE_CHECKING:
    from pathlib import Path


def test_open_bandit_data() -> None:
    """The uniform policy from the log of Thompson sampling; it really earned 0.0046."""
    result = plumbline.policy_value(shared("data", "obd_small", "bts_men.csv.xz"), policy="uniform")
    assert result.value("ips") == pytest.approx(0.003009, abs=5e-7)
    assert result.value("snips") == pytest.approx(0.003189, abs=5e-7)
    row = result.table.row(0, named=True)
    assert row["error"] == pytest.approx(0.000774, rel=0.05)
    assert round(row["effective"]) == 656
    assert row["low"] < 0.0046 < row["high"] * 1.05
    uniform = plumbline.policy_value(shared("data", "obd_small", "random_men.csv.xz"), policy="uniform")
    assert uniform.logged == pytest.approx(0.0046)
    assert uniform.value("ips") == pytest.approx(0.0046)
    assert uniform.table["effective"].to_list() == pytest.approx([10_000] * 3)


RNG = np.random.default_rng(1)
LOGGING = np.array([0.5, 0.3, 0.2])
NEW = np.array([0.1, 0.3, 0.6])
EARNS = np.array([0.2, 0.5, 0.4])
POLICY = pl.DataFrame({"action": ["0", "1", "2"], "probability": NEW})
MODEL = pl.DataFrame({"action": ["0", "1", "2"], "prediction": [0.3, 0.3, 0.3]})


def simulated(number: int = 400, seed: int = 1) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    action = rng.choice(3, number, p=LOGGING)
    return pl.DataFrame(
        {
            "action": action.astype(str),
            "propensity": LOGGING[action],
            "reward": (rng.random(number) < EARNS[action]).astype(float),
        }
    )


def slowly(log: pl.DataFrame, clip: float = 10.0) -> dict[str, float]:
    """Every estimate, row by row."""
    sums = dict.fromkeys(("ips", "snips", "clipped", "direct", "dr", "w"), 0.0)
    expected = sum(float(NEW[number]) * 0.3 for number in range(3))
    for action, propensity, reward in log.iter_rows():
        weight = float(NEW[int(action)]) / propensity
        sums["w"] += weight
        sums["ips"] += weight * reward
        sums["clipped"] += min(weight, clip) * reward
        sums["direct"] += expected
        sums["dr"] += expected + weight * (reward - 0.3)
    means = {name: total / len(log) for name, total in sums.items()}
    return means | {"snips": means["ips"] / means["w"]}


def test_every_estimate_against_a_loop() -> None:
    log = simulated()
    result = plumbline.policy_value(log, policy=POLICY, predictions=MODEL, clip=1.5, resamples=200)
    expected = slowly(log, clip=1.5)
    for name in ("ips", "snips", "clipped", "direct", "dr"):
        assert result.value(name) == pytest.approx(expected[name]), name
    weights = NEW[log["action"].cast(pl.Int64)] / log["propensity"].to_numpy()
    assert result.table["effective"][0] == pytest.approx(weights.sum() ** 2 / (weights**2).sum())
    assert result.table["effective"][3] is None


def test_ips_and_dr_are_unbiased_over_all_logs() -> None:
    """Every log of two actions and rewards, weighed by its probability, averages to the true value."""
    truth = float(NEW @ EARNS)
    means = dict.fromkeys(("ips", "dr"), 0.0)
    for actions in product(range(3), repeat=2):
        for rewards in product((0, 1), repeat=2):
            pairs = list(zip(actions, rewards, strict=True))
            chance = np.prod([LOGGING[a] * (EARNS[a] if r else 1 - EARNS[a]) for a, r in pairs])
            log = pl.DataFrame(
                {"action": [str(a) for a in actions], "propensity": LOGGING[list(actions)], "reward": list(rewards)}
            )
            result = plumbline.policy_value(log, policy=POLICY, predictions=MODEL, least=0.0, resamples=10)
            for name in means:
                means[name] += float(chance) * float(result.value(name) or 0.0)
    assert means["ips"] == pytest.approx(truth)
    assert means["dr"] == pytest.approx(truth)


def slates(number: int = 300, seed: int = 3) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    rows = []
    for session in range(number):
        for position in (1, 2, 3):
            action = int(rng.choice(3, p=LOGGING))
            rows.append((session, position, str(action), LOGGING[action], NEW[action], float(rng.random() < EARNS[action])))
    columns = ["session", "position", "action", "propensity", "target", "reward"]
    return pl.DataFrame(rows, schema=columns, orient="row")


@pytest.mark.parametrize("form", ["list", "item", "cascade"])
def test_lists_against_a_loop(form: str) -> None:
    log = slates()
    result = plumbline.policy_value(log, weigh=form, least=1.0, clip=1.5, resamples=50)  # type: ignore[arg-type]
    total, cut, weights, weighted = 0.0, 0.0, np.zeros(3), np.zeros(3)
    for _, rows in log.group_by("session", maintain_order=True):
        ratio = (rows["target"] / rows["propensity"]).to_list()
        for place, reward in enumerate(rows["reward"]):
            weight = {"list": np.prod(ratio), "item": ratio[place], "cascade": np.prod(ratio[: place + 1])}[form]
            total += weight * reward
            cut += min(weight, 1.5) * reward
            weights[place] += weight
            weighted[place] += weight * reward
    assert result.value("ips") == pytest.approx(total / 300)
    assert result.value("clipped") == pytest.approx(cut / 300)
    assert result.value("snips") == pytest.approx(float((weighted / weights).sum()))
    assert result.logged == pytest.approx(log["reward"].sum() / 300)


def test_independent_positions_are_weighed_item_by_item_with_the_largest_sample() -> None:
    sizes = {
        form: plumbline.policy_value(slates(), weigh=form, least=1.0, resamples=20).table["effective"][0]
        for form in ("list", "item", "cascade")
    }
    assert sizes["item"] > sizes["cascade"] >= sizes["list"] - 1e-9


def test_positions_alone() -> None:
    """A click at position 2, looked at by half, counts twice if the new ranking has the item first."""
    log = pl.DataFrame(
        {
            "session": [1, 1, 2, 2],
            "query": ["q"] * 4,
            "item": ["a", "b", "a", "b"],
            "position": [1, 2, 1, 2],
            "clicked": [0, 1, 1, 0],
        }
    )
    new = {"q": {"b": 2.0, "a": 1.0}}
    result = plumbline.policy_value(log, weigh="position", policy=new, examination={1: 1.0, 2: 0.5}, least=1.0)
    assert result.value("ips") == pytest.approx((2.0 + 0.5) / 2)
    assert result.logged == 1.0
    table = pl.DataFrame({"rank": [1, 2], "examination": [1.0, 0.5]})
    again = plumbline.policy_value(log, weigh="position", policy=new, examination=table, least=1.0)
    assert again.value("ips") == result.value("ips")
    with pytest.raises(plumbline.BadData, match="E581"):
        plumbline.policy_value(
            log, weigh="position", policy=new, examination=table.cast(pl.String).with_columns(rank=pl.lit("x"))
        )
    with pytest.raises(plumbline.BadData, match="E589"):
        plumbline.policy_value(log, weigh="position", policy=new, examination=table.drop("rank"))
    with pytest.raises(plumbline.BadData, match="E590"):
        plumbline.policy_value(log, weigh="position", policy=new, examination={1: 1.0}, least=1.0)
    with pytest.raises(plumbline.BadUsage, match="E587"):
        plumbline.policy_value(log, weigh="position", policy=new, examination={1: 1.0, 2: 0.5}, estimators="snips")
    with pytest.raises(plumbline.BadUsage, match="E587"):
        plumbline.policy_value(log, weigh="position", policy=new)


def test_positions_against_a_loop() -> None:
    """A click counts by how much more probably the place in the new ranking is looked at."""
    rng = np.random.default_rng(5)
    looks = {rank: 1 / rank for rank in range(1, 6)}
    new = {case: {f"d{item}": float(rng.random()) for item in range(5)} for case in ("p", "q")}
    rows, total, cut = [], 0.0, 0.0
    for session in range(80):
        case = "pq"[session % 2]
        order = sorted(new[case], key=lambda item: -new[case][item])
        for position, number in enumerate(rng.permutation(5), 1):
            item, click = f"d{number}", int(rng.random() < 0.4)
            rows.append((session, case, item, position, click))
            weight = looks[order.index(item) + 1] / looks[position]
            total += weight * click
            cut += min(weight, 2.0) * click
    log = pl.DataFrame(rows, schema=["session", "query", "item", "position", "clicked"], orient="row")
    result = plumbline.policy_value(log, weigh="position", policy=new, examination=looks, clip=2.0, least=1.0, resamples=20)
    assert result.value("ips") == pytest.approx(total / 80)
    assert result.value("clipped") == pytest.approx(cut / 80)


def test_an_item_that_was_never_shown() -> None:
    log = pl.DataFrame(
        {"session": [1], "query": ["q"], "item": ["a"], "position": [1], "clicked": [1]},
    )
    result = plumbline.policy_value(
        log, weigh="position", policy={"q": {"z": 2.0, "a": 1.0}}, examination={1: 0.8, 2: 0.2}, least=1.0
    )
    assert result.supported == pytest.approx(0.2)
    assert [notice.code for notice in result.notices] == ["N581"]


def test_too_small_a_sample_is_refused_with_its_number() -> None:
    log = pl.DataFrame({"action": ["a"] * 999 + ["b"], "propensity": [0.999] * 999 + [0.001], "reward": [0.0] * 999 + [1.0]})
    policy = pl.DataFrame({"action": ["a", "b"], "probability": [0.01, 0.99]})
    with pytest.raises(plumbline.BadData, match=r"E585 the estimate would rest on 1\.0\d of 1,000 actions, and 30 are needed"):
        plumbline.policy_value(log, policy=policy, estimators=["ips", "snips"])
    mixed = plumbline.policy_value(log, policy=policy, clip=0.02)
    assert mixed.value("ips") is None
    assert mixed.value("clipped") is not None
    assert [notice.code for notice in mixed.notices if notice.code == "N582"] == ["N582", "N582"]


def test_wrong_propensities_show_in_the_mean_weight() -> None:
    log = simulated().with_columns(pl.col("propensity") / 3)
    result = plumbline.policy_value(log, policy=POLICY)
    assert "N580" in [notice.code for notice in result.notices]
    assert "N580" not in [notice.code for notice in plumbline.policy_value(simulated(), policy=POLICY).notices]


def test_what_was_never_tried() -> None:
    policy = pl.DataFrame({"action": ["0", "1", "9"], "probability": [0.2, 0.5, 0.3]})
    result = plumbline.policy_value(simulated(), policy=policy)
    assert result.supported == pytest.approx(0.7)
    assert {"N581", "N583"} <= {notice.code for notice in result.notices}
    assert "No verdict: 30.0% of what it does was never tried." in result.sentences()[0]


def test_policies_by_case() -> None:
    log = pl.DataFrame(
        {"query": ["p", "p", "q", "q"] * 20, "action": ["a", "b"] * 40, "propensity": [0.5] * 80, "reward": [1, 0, 0, 1] * 20}
    )
    policy = pl.DataFrame({"case": ["p", "q"], "action": ["a", "b"], "probability": [1.0, 1.0]})
    assert plumbline.policy_value(log, policy=policy).value("ips") == pytest.approx(1.0)
    model = pl.DataFrame({"case": ["p", "q"], "action": ["a", "b"], "prediction": [1.0, 1.0]})
    result = plumbline.policy_value(log, policy=policy, predictions=model)
    assert result.value("direct") == pytest.approx(1.0)
    assert result.value("dr") == pytest.approx(1.0)


def test_a_propensity_that_is_missing_is_called_so(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("action,propensity,clicked\na,0.5,1\nb,,0\n", encoding="utf-8")
    with pytest.raises(plumbline.BadData, match=r"log\.csv:3: E581 the propensity is missing"):
        plumbline.policy_value(path, policy=POLICY)


def test_sessions_are_drawn_as_a_whole() -> None:
    log = simulated(300)
    wide = plumbline.policy_value(log.with_columns(pl.Series("session", np.arange(300) // 100)), policy=POLICY).table
    alone = plumbline.policy_value(log, policy=POLICY).table
    assert wide["value"].to_list() == pytest.approx(alone["value"].to_list())
    assert wide["error"][0] != pytest.approx(alone["error"][0], rel=0.01)


@pytest.mark.parametrize(
    ("columns", "options", "code"),
    [
        ({"propensity": [0.0, 0.5]}, {}, "E582"),
        ({"propensity": [1.5, 0.5]}, {}, "E582"),
        ({"reward": ["x", "1"]}, {}, "E581"),
        ({"reward": [None, 1.0]}, {}, "E581"),
        ({"reward": [1e300, 1.0]}, {}, "E581"),
        ({"session": [1, 2], "position": [1, 1e15]}, {"weigh": "item"}, "E566"),
        ({"target": [0.5, -0.1]}, {"policy": None}, "E583"),
        ({}, {"policy": None}, "E586"),
        ({}, {"policy": pl.DataFrame({"action": ["a"], "probability": [0.4]})}, "E584"),
        ({}, {"policy": pl.DataFrame({"action": ["a", "b"], "probability": [-0.4, 1.4]})}, "E583"),
        ({}, {"policy": pl.DataFrame({"action": ["a"], "chance": [0.4]})}, "E589"),
        ({}, {"estimators": "dr"}, "E587"),
        ({}, {"estimators": "best"}, "E"),
        ({}, {"weigh": "item"}, "E580"),
        ({"session": [1, 1], "position": [1, 1]}, {"weigh": "item"}, "E588"),
        ({}, {"log_columns": "prize=reward"}, "E"),
    ],
)
def test_what_is_wrong(columns: dict[str, Any], options: dict[str, Any], code: str) -> None:
    log = pl.DataFrame({"action": ["a", "b"], "propensity": [0.5, 0.5], "reward": [1.0, 0.0]} | columns, strict=False)
    with pytest.raises(plumbline.PlumblineError) as caught:
        plumbline.policy_value(log, **{"policy": "uniform", "least": 0.0, **options})
    assert caught.value.code.startswith(code)


def test_the_command(tmp_path: Path) -> None:
    simulated().write_csv(tmp_path / "log.csv")
    POLICY.write_csv(tmp_path / "new.csv")
    done = program("policy", tmp_path / "log.csv", "--policy", tmp_path / "new.csv", "--seed", "2")
    assert done.code == 0
    assert "The new policy would earn" in done.out
    assert "rests on" in done.out
    refused = program("policy", tmp_path / "log.csv", "--policy", tmp_path / "new.csv", "--least", "5000")
    assert refused.code == 1
    assert "E585" in refused.err


def test_many_actions_are_drawn_in_groups() -> None:
    log = simulated(60_000)
    result = plumbline.policy_value(log, policy=POLICY, estimators="ips", resamples=300).table.row(0, named=True)
    weighted = NEW[log["action"].cast(pl.Int64)] / log["propensity"].to_numpy() * log["reward"].to_numpy()
    assert result["error"] == pytest.approx(weighted.std() / np.sqrt(len(log)), rel=0.2)
    assert result["value"] == pytest.approx(weighted.mean())
