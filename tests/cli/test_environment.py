"""The program in the world: signals, pipes, full disks, poor terminals, bugs of our own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from plumbline.cli.catalogue import command_names
from plumbline.metrics.registry import all_metrics
from tests.helpers.command_line import MEAN_AP, QRELS, RUN, plumbline, process, write_pair

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals, pipes and rights")
LINUX = pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has /dev/full")
ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
NOT_ROOT = pytest.mark.skipif(ROOT, reason="root may write anywhere")
CASES = 6_000
"""Enough output to fill a pipe."""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A pair with more output per case than a pipe holds."""
    qrels = "".join(f"q{number} 0 d1 1\n" for number in range(CASES))
    run = "".join(f"q{number} Q0 d1 1 1.0 sys\n" for number in range(CASES))
    return write_pair(tmp_path_factory.mktemp("large"), run, qrels)


def started(*arguments: object) -> subprocess.Popen[bytes]:
    """A process that is still running."""
    command = [sys.executable, "-m", "plumbline", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


LISTENING = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from plumbline.cli.app import main
main()
"""
"""The program, also where the shell that started the tests made its children deaf to Ctrl-C."""


def _interrupted(running: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Press Ctrl-C until it ends: a signal between two reads is only seen at the next one."""
    while True:
        running.send_signal(signal.SIGINT)
        try:
            return running.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            continue


@POSIX
def test_interrupt(tmp_path: Path) -> None:
    """It waits for a pipe that stays open, so the signal certainly meets it at work."""
    gold, _ = write_pair(tmp_path)
    slow = tmp_path / "slow"
    os.mkfifo(slow)
    command = [sys.executable, "-c", LISTENING, "evaluate", str(gold), str(slow)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        killer = threading.Timer(60, running.kill)
        killer.start()
        with slow.open("wb") as pipe:
            pipe.write(RUN.encode())
            pipe.flush()
            out, err = _interrupted(running)
        killer.cancel()
    assert running.returncode == 130
    assert out == b""
    assert err.decode().split() == ["interrupted"]


@POSIX
@pytest.mark.parametrize("form", ["table", "csv", "json", "trec_eval"])
def test_closed_pipe(large: tuple[Path, Path], form: str) -> None:
    with started("evaluate", *large, "-m", "AP", "--per-case", "--format", form) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.read(1)
        running.stdout.close()
        err = running.stderr.read()
        code = running.wait(60)
    assert code in {-signal.SIGPIPE, 141}, "a shell shows 141 for both"
    assert err == b""


@LINUX
@pytest.mark.parametrize("form", ["table", "csv", "json"])
def test_full_disk_on_stdout(tmp_path: Path, form: str) -> None:
    gold, output = write_pair(tmp_path)
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "plumbline", "evaluate", str(gold), str(output), "--format", form],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )
    assert ended.returncode == 2
    assert ended.stderr.decode() == "cannot write the output: No space left on device\n"


@LINUX
def test_full_disk_under_an_output_file(tmp_path: Path) -> None:
    """A device is written to and never replaced by a file."""
    gold, output = write_pair(tmp_path)
    ended = process("evaluate", gold, output, "--format", "csv", "-o", "/dev/full", "--force")
    assert ended.code == 2
    assert "/dev/full: E010 No space left on device" in ended.err
    assert "Traceback" not in ended.err
    assert Path("/dev/full").is_char_device()


@POSIX
@NOT_ROOT
def test_read_only_output_folder(tmp_path: Path) -> None:
    gold, output = write_pair(tmp_path)
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    ended = process("evaluate", gold, output, "-o", locked / "out.csv")
    assert ended.code == 2
    assert re.search("E010 Permission denied", ended.err)


def test_output_folder_that_is_a_file(tmp_path: Path) -> None:
    """The same door as a read-only folder, and it can be tested as root too."""
    gold, output = write_pair(tmp_path)
    ended = plumbline("evaluate", gold, output, "-o", gold / "out.csv")
    assert ended.code == 2
    assert "E010" in ended.err


def test_no_home_and_no_terminal(tmp_path: Path) -> None:
    gold, output = write_pair(tmp_path)
    ended = process("evaluate", gold, output, stdin="", variables={"HOME": str(gold), "TERM": "", "COLUMNS": "10"})
    assert ended.code == 0
    assert ended.err == ""
    assert re.search(r"run +0\.7222 +0\.8336", ended.out), "a narrow terminal cuts nothing in a pipe"


@pytest.mark.parametrize(
    "variables",
    [{"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"PYTHONIOENCODING": "ascii"}],
    ids=["LC_ALL=C", "ascii"],
)
@pytest.mark.parametrize("form", ["table", "csv", "json", "md"])
def test_poor_locale(tmp_path: Path, variables: dict[str, str], form: str) -> None:
    """Nothing is lost and nothing breaks, whether the letters are written or escaped."""
    _, output = write_pair(tmp_path, RUN.replace("q1", "größe"), QRELS.replace("q1", "größe") + "é 0 d1 1\n")
    ended = process(
        "evaluate", "qrels.txt", "größe=run.txt", "-m", "AP", "--per-case", "--format", form, cwd=tmp_path, variables=variables
    )
    assert output.exists()
    assert ended.code == 0, ended.err
    assert "Traceback" not in ended.err
    assert re.search(r"gr(ö|\\xf6|\\u00f6)", ended.out)
    assert re.search(r"worst: (é|\\xe9)", ended.err), "the missing case is named"


@POSIX
@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({"TERM": "xterm-256color"}, True), ({"TERM": "xterm-256color", "NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
    ids=["colour", "NO_COLOR", "dumb"],
)
def test_colour(tmp_path: Path, variables: dict[str, str], coloured: bool) -> None:  # noqa: FBT001 - a case of the table
    """On a terminal, and only where it is wanted."""
    import pty  # noqa: PLC0415 - not on Windows

    gold, output = write_pair(tmp_path)
    ours, theirs = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR", "COLORTERM"}}
    ended = subprocess.run(
        [sys.executable, "-m", "plumbline", "evaluate", str(gold), f"a={output}", f"b={output}", "-m", "AP"],
        stdout=theirs,
        stderr=subprocess.PIPE,
        check=False,
        env={**environment, **variables},
        timeout=60,
    )
    os.close(theirs)
    shown = os.read(ours, 10_000).decode()
    os.close(ours)
    assert ended.returncode == 0
    assert "0.7222" in shown
    assert ("\x1b[1;32m" in shown or "\x1b[32m" in shown) == coloured


def test_no_colour_in_a_pipe(tmp_path: Path) -> None:
    gold, output = write_pair(tmp_path)
    ended = process("evaluate", gold, f"a={output}", f"b={output}", variables={"TERM": "xterm-256color"})
    assert "\x1b" not in ended.out


def test_a_bug_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gold, output = write_pair(tmp_path)
    traces = tmp_path / "traces"
    traces.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(traces))

    def broken(*_: object, **__: object) -> None:
        message = "a kernel broke"
        raise ZeroDivisionError(message)

    monkeypatch.setitem(all_metrics()["AP"].__dict__, "kernel", broken)
    ended = plumbline("evaluate", gold, output, "-m", "AP")
    assert ended.code == 3
    assert ended.out == ""
    assert "internal error (ZeroDivisionError)" in ended.err
    assert "please report" in ended.err
    assert "Traceback" not in ended.err
    (trace,) = traces.iterdir()
    assert str(trace) in ended.err
    assert "a kernel broke" in trace.read_text(encoding="utf-8")
    result = plumbline("--debug", "evaluate", gold, output, "-m", "AP")
    assert result.code == 3
    assert "Traceback" in result.err


IMPORTED = """
import sys
{statement}
heavy = sorted({{"numpy", "polars", "scipy", "rich", "pandas", "pyarrow", "narwhals"}} & set(sys.modules))
sys.stderr.write(" ".join(heavy))
"""


@pytest.mark.parametrize(
    "statement",
    [
        "import plumbline",
        "import plumbline; dir(plumbline)",
        "from plumbline.cli.app import run; run(['--help'])",
        "from plumbline.cli.app import run; run(['--version'])",
        *(f"from plumbline.cli.app import run; run(['{name}', '--help'])" for name in command_names()),
        "from plumbline.cli.app import run; run(['explain', 'E104'])",
    ],
)
def test_nothing_heavy_is_imported_early(statement: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", IMPORTED.format(statement=statement)], capture_output=True, check=True, timeout=60
    )
    assert ended.stderr.decode() == ""


def test_evaluate_does_load_them() -> None:
    """The test above can fail: the same question has an answer where scores are computed."""
    statement = "import plumbline; plumbline.evaluate"
    ended = subprocess.run(
        [sys.executable, "-c", IMPORTED.format(statement=statement)], capture_output=True, check=True, timeout=60
    )
    assert "numpy" in ended.stderr.decode()


@pytest.mark.parametrize("name", list(command_names()))
def test_every_command_has_help_and_refuses_what_it_does_not_know(name: str) -> None:
    helped = plumbline(name, "--help")
    assert helped.code == 0
    assert helped.out.startswith(f"Usage: plumbline {name}")
    refused = plumbline(name, "--nonsense")
    assert refused.code == 2
    assert "--nonsense" in refused.err


def test_program_as_module(tmp_path: Path) -> None:
    gold, output = write_pair(tmp_path)
    ended = process("evaluate", gold, output, "-m", "AP", "--format", "csv")
    assert ended.means() == {("run", "AP"): pytest.approx(MEAN_AP)}


@POSIX
@pytest.mark.parametrize(
    ("words", "closed", "code", "message"),
    [
        (("metrics",), 1, 2, "cannot write the output: Bad file descriptor\n"),
        (("--help",), 1, 2, "cannot write the output: Bad file descriptor\n"),
        (("evaluate", "qrels.txt", "run.txt", "-o", "scores.csv"), 1, 0, ""),
        (("evaluate", "nowhere.txt", "run.txt"), 2, 2, ""),
        (("evaluate", "-", "run.txt"), 0, 1, "<stdin>: E001 <stdin> is empty\n  help: check how the file was written\n"),
    ],
)
def test_closed_streams(words: tuple[str, ...], closed: int, code: int, message: str, tmp_path: Path) -> None:
    write_pair(tmp_path)
    command = f"exec {sys.executable} -m plumbline {' '.join(words)} {closed}{chr(60) if closed == 0 else chr(62)}&-"
    ended = subprocess.run(["/bin/sh", "-c", command], capture_output=True, check=False, cwd=tmp_path, timeout=60, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (code, "", message)
    assert (tmp_path / "scores.csv").exists() == ("-o" in words)
