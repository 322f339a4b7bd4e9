"""URLs in place of files: what must not be shown is never shown."""

from __future__ import annotations

import base64
import gzip
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest

import plumbline
from plumbline.errors.urls import is_url, without_secrets
from plumbline.io.bytes.remote import matching_names
from plumbline.io.paths import name_of, split_name
from tests.helpers.command_line import plumbline as program

if TYPE_CHECKING:
    from collections.abc import Iterator

SECRET = "hunter2"  # noqa: S105 - of nobody
URLS = (
    f"https://me:{SECRET}@host.invalid/q.txt",
    f"https:/me:{SECRET}@host.invalid/q.txt",
    f"https://me:a/{SECRET}@host.invalid/q.txt",
    f"https://{SECRET}@host.invalid/q.txt",
    f"https://host.invalid/q.txt?X-Amz-Signature={SECRET}&b=[1]",
    f"https://host.invalid:8080/q.txt#{SECRET}",
    f"s3://bucket/q.txt?sig={SECRET}",
)


@pytest.mark.parametrize("url", URLS)
def test_no_secret_is_shown(url: str, tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q 0 d 1\n")
    (tmp_path / "run").write_text("q Q0 d 1 1 t\n")
    gold, run = str(tmp_path / "qrels"), str(tmp_path / "run")
    assert is_url(url)
    assert SECRET not in without_secrets(url)
    for words in (
        ("evaluate", url, run),
        ("evaluate", gold, url),
        ("evaluate", gold, f"mine={url}"),
        ("evaluate", gold, url, "--engine", "local"),
        ("evaluate", gold, url, url),
        ("evaluate", gold, url, "--explain"),
        ("compare", gold, run, url),
        ("compare", url),
        ("compare", f"AP={url}"),
        ("compare", url, url),
        ("check", gold, url),
        ("convert", url, str(tmp_path / "new.run")),
        ("report", gold, run, url, "--output", str(tmp_path / "page.html")),
        ("agree", url),
    ):
        ended = program(*words)
        assert ended.code in ({0} if "--explain" in words else {1, 2}), words
        assert SECRET not in ended.err + ended.out, words
        assert "Traceback" not in ended.err
    for system in (url, {"mine": url}, Path(url)):
        with pytest.raises(plumbline.PlumblineError) as caught:
            plumbline.evaluate(gold, system, "AP")
        assert SECRET not in str(caught.value)
        assert SECRET not in repr(caught.value.diagnostics)


def test_other_urls_are_refused_with_a_way_out(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q 0 d 1\n")
    ended = program("evaluate", str(tmp_path / "qrels"), "ftp://host/runs/bm25.run")
    assert ended.code == 2
    assert "ftp://host/runs/bm25.run: E189 URLs of ftp are not read" in ended.err
    assert "download" in ended.err


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """A web server of this folder, on this machine."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            """Files below `secret` are for those who know the password."""
            known = f"Basic {base64.b64encode(f'me:{SECRET}'.encode()).decode()}"
            if "secret" in self.path and self.headers.get("Authorization") != known:
                self.send_error(401)
                return
            super().do_GET()

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))) as running:
        thread = Thread(target=running.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


def test_files_behind_urls_are_read_as_files_are(tmp_path: Path, server: str) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "qrels").write_text("q 0 d 1\nq 0 e 0\n")
    (tmp_path / "a.run").write_text("q Q0 e 1 2 t\nq Q0 d 2 1 t\n")
    (tmp_path / "secret" / "b.run.gz").write_bytes(gzip.compress((tmp_path / "a.run").read_bytes()))
    plumbline.convert(str(tmp_path / "a.run"), str(tmp_path / "c.parquet"))
    local = plumbline.evaluate(tmp_path / "qrels", tmp_path / "a.run", ["AP", "RR"])
    for name in ("a.run", "secret/b.run.gz", "c.parquet"):
        host = server.replace("//", f"//me:{SECRET}@")
        for engine in (None, "local"):
            scores = plumbline.evaluate(f"{server}/qrels", {"x": f"{host}/{name}"}, ["AP", "RR"], engine=engine)
            assert scores.mean["value"].to_list() == local.mean["value"].to_list()
            assert SECRET not in str(scores.made)
            assert not any(SECRET in str(notice) for notice in scores.notices)


def test_what_a_server_refuses_is_named(tmp_path: Path, server: str) -> None:
    (tmp_path / "qrels").write_text("q 0 d 1\n")
    for url, reason in ((f"{server}/none.run", "status 404"), (f"{server}/secret/a.run", "status 401")):
        with pytest.raises(plumbline.BadUsage, match=f"E189 .*{reason}"):
            plumbline.evaluate(tmp_path / "qrels", {"x": url}, "AP")


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        ("runs/*.parquet", ["runs/a.parquet", "runs/b.parquet"]),
        ("runs/**/*.parquet", ["runs/a.parquet", "runs/b.parquet", "runs/x/c.parquet"]),
        ("runs/[a].parquet", []),
    ],
)
def test_patterns_of_clouds(pattern: str, wanted: list[str]) -> None:
    names = ["runs/a.parquet", "runs/b.parquet", "runs/x/c.parquet", "runs/a.csv"]
    assert matching_names(names, pattern) == wanted


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("runs/bm25.run", "runs/bm25.run"),
        ("C:/runs/a.run", "C:/runs/a.run"),
        ("a@b.run", "a@b.run"),
        ("s3://bucket/day@1/a.run", "s3://bucket/day@1/a.run"),
        ("https://host:8080/day@1/a.run", "https://host:8080/day@1/a.run"),
        ("new=https://u:p@host/a.run?x=1", "new=https://***@host/a.run?***"),
    ],
)
def test_nothing_else_is_hidden(text: str, shown: str) -> None:
    assert without_secrets(text) == shown


def test_the_sign_in_a_url_names_nothing() -> None:
    assert split_name("https://host/a.run?x=1") == ("", "https://host/a.run?x=1")
    assert split_name("new=https://host/a.run?x=1") == ("new", "https://host/a.run?x=1")
    assert name_of("https://u:p@host/runs/bm25.run.gz?x=1") == "bm25"
