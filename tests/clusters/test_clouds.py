"""Files in a cloud, which a server on this machine plays: the same scores as of files, and no key in any message."""

from __future__ import annotations

import gzip
import os
from typing import TYPE_CHECKING, Any

import pytest

import plumbline
from plumbline.errors import files
from plumbline.io.bytes import remote
from plumbline.io.scores.dataset import writing
from tests.evaluation.engines.test_local import rows_of_system, write_gold, write_run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

METRICS = ["AP", "nDCG@10", "RR"]
SECRET = "hunter2"  # noqa: S105 - of nobody


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """An empty bucket, whose address and keys are where programs of the cloud look for them."""
    server = pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    store = pytest.importorskip("obstore.store")
    server.start()
    host, port = server.get_host_and_port()
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ALLOW_HTTP": "true",
        "AWS_ACCESS_KEY_ID": "me",
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    boto = pytest.importorskip("boto3").client("s3", endpoint_url=os.environ["AWS_ENDPOINT_URL"], region_name="us-east-1")
    boto.create_bucket(Bucket="logs")
    yield store.S3Store("logs")
    server.stop()


@pytest.mark.parametrize("engine", [None, "local"])
def test_files_of_a_cloud(tmp_path: Path, bucket: Any, engine: str | None) -> None:
    gold = write_gold(tmp_path)
    parts = [write_run(tmp_path / f"{at}.parquet", rows_of_system(1)[at::2]) for at in (0, 1)]
    path = write_run(tmp_path / "whole.run", rows_of_system(1))
    bucket.put("qrels/gold.txt", gold.read_bytes())
    bucket.put("runs/whole.run.gz", gzip.compress(path.read_bytes()))
    for part in parts:
        bucket.put(f"runs/mine/{part.name}", part.read_bytes())
    wanted = plumbline.evaluate(gold, {"x": path}, METRICS)
    for place in ("s3://logs/runs/whole.run.gz", "s3://logs/runs/mine/", "s3://logs/runs/mine/*.parquet"):
        scores = plumbline.evaluate("s3://logs/qrels/", {"x": place}, METRICS, engine=engine)
        assert scores.per_case.rows() == wanted.per_case.rows()
        assert scores.mean.rows() == wanted.mean.rows()
    several = plumbline.evaluate("s3://logs/qrels/gold.txt", "s3://logs/runs/**/*.parquet", METRICS[:1], engine=engine)
    assert several.mean["system"].to_list() == ["0", "1"]


def test_what_a_cloud_refuses_is_named_without_keys(tmp_path: Path, bucket: Any) -> None:
    gold = write_gold(tmp_path)
    bucket.put("a", b"x")
    for place in ("s3://logs/none.run", "s3://nowhere/a.run", "s3://logs/none/", "s3://logs/none/*.run"):
        with pytest.raises(plumbline.BadUsage) as caught:
            plumbline.evaluate(gold, {"x": place}, METRICS)
        assert SECRET not in str(caught.value)
        assert place in str(caught.value)


def test_scores_go_to_a_cloud_and_back(tmp_path: Path, bucket: Any) -> None:
    """The first file names the others and is written last; files of an older dataset are removed after that."""
    runs = {name: write_run(tmp_path / f"{at}.run", rows_of_system(at)) for at, name in enumerate(("a/b", "ü", " x"))}
    scores = plumbline.evaluate(write_gold(tmp_path), runs, [*METRICS, "relstring"])
    place = "s3://logs/out/scores/"
    scores.save(place)
    loaded = plumbline.load(place)
    assert isinstance(loaded, plumbline.Scores)
    assert loaded.per_case.rows() == scores.per_case.rows()
    assert loaded.texts.rows() == scores.texts.rows()
    assert plumbline.compare(place).to_json() == plumbline.compare(loaded).to_json()
    with pytest.raises(plumbline.BadUsage, match="E011"):
        scores.save("s3://logs/out/scores")
    fewer = plumbline.evaluate(tmp_path / "qrels.txt", dict(list(runs.items())[:2]), METRICS[0])
    fewer.save(place, force=True)
    names = [one["path"] for part in bucket.list("out/scores") for one in part]
    assert len(names) == 2
    again = plumbline.load(place)
    assert again.to_polars().rows() == fewer.per_case.rows()
    bucket.put("other/notes.txt", b"mine")
    with pytest.raises(plumbline.BadUsage, match="E193"):
        scores.save("s3://logs/other/", force=True)


def test_scores_that_cannot_be_written_leave_the_old_ones(tmp_path: Path, bucket: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = {str(at): write_run(tmp_path / f"{at}.run", rows_of_system(at)) for at in range(3)}
    scores = plumbline.evaluate(write_gold(tmp_path), runs, METRICS)
    scores.save("s3://logs/out/")
    before = sorted(one["path"] for part in bucket.list("out") for one in part)
    with monkeypatch.context() as changed:
        upload, sent = remote.uploaded, list[str]()

        def last_fails(path: Path, url: str) -> None:
            if len(sent) == len(runs) - 1:
                raise plumbline.BadUsage(files.remote(url, "the file could not be written: Full"))
            sent.append(url)
            upload(path, url)

        changed.setattr(writing, "uploaded", last_fails)
        with pytest.raises(plumbline.BadUsage, match="E189"):
            scores.save("s3://logs/out/", force=True)
    assert len(sent) == len(runs) - 1
    assert sorted(one["path"] for part in bucket.list("out") for one in part) == before
    assert plumbline.load("s3://logs/out/").to_polars().rows() == scores.per_case.rows()
    with pytest.raises(plumbline.BadUsage, match="E189") as caught:
        scores.save("s3://nowhere/out/")
    assert SECRET not in str(caught.value)
