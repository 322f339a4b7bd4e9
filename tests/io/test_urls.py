"""URLs in place of files: what must not be shown is never shown."""

from __future__ import annotations

from pathlib import Path

import pytest

import plumbline
from plumbline.errors.urls import is_url, without_secrets
from plumbline.io.paths import name_of, split_name
from tests.helpers.command_line import plumbline as program

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
        assert ended.code == 2, words
        assert SECRET not in ended.err + ended.out, words
        assert "Traceback" not in ended.err
    for system in (url, {"mine": url}, Path(url)):
        with pytest.raises(plumbline.PlumblineError) as caught:
            plumbline.evaluate(gold, system, "AP")
        assert SECRET not in str(caught.value)
        assert SECRET not in repr(caught.value.diagnostics)


def test_a_url_is_refused_with_a_way_out(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q 0 d 1\n")
    ended = program("evaluate", str(tmp_path / "qrels"), "s3://bucket/runs/bm25.run")
    assert (ended.code, "s3://bucket/runs/bm25.run: E189 URLs are not read" in ended.err, "download" in ended.err) == (
        2,
        True,
        True,
    )


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
