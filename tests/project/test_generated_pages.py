"""The pages that are made from declarations have everything that is declared."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path

import pytest

import plumbline
from plumbline.comparison.significance.registry import Declaration, all_corrections, all_tests
from plumbline.errors import explanations
from plumbline.figures.registry import FIGURES
from plumbline.io.registry import readers, writers
from plumbline.metrics.registry import all_metrics
from plumbline.options.evaluation import CompareOptions, EvaluateOptions
from plumbline.options.option import declared as declared_options
from plumbline.render.formats import output_formats
from plumbline.tasks import task_names
from plumbline.truth.agreement.registry import coefficients
from tests.helpers.docs_scripts import script

EVERY_METRIC = [metric for task in task_names() for metric in all_metrics(task).values()]


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages that are made from the registry."""
    folder, generate = tmp_path_factory.mktemp("docs"), script("generate")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generate, "example_report", Path.touch)  # below
        generate.generate(folder)
    assert (folder / "example-report.html").is_file()
    return folder


def test_the_example_report_is_that_of_the_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its plan and the files of its parts are there. The tour of the demo writes the same report, and is tested."""
    written: list[Path] = []

    def report(plan: str, page: Path, *, force: bool) -> None:
        parts = tomllib.loads(Path(plan).read_text(encoding="utf-8"))["part"]
        assert all(Path(part["gold"]).is_file() for part in parts)
        patterns = [part["systems"] if isinstance(part["systems"], str) else part["systems"][0] for part in parts]
        assert all(list(Path().glob(pattern)) for pattern in patterns)
        assert force
        written.append(page)

    monkeypatch.setattr(plumbline, "report", report)
    page = tmp_path / "page.html"
    script("generate").example_report(page)
    assert written == [page]


def test_every_metric_has_a_page_and_a_line_in_the_table(generated: Path) -> None:
    index = (generated / "metrics" / "index.md").read_text(encoding="utf-8")
    for metric in EVERY_METRIC:
        path = f"{metric.task}/{metric.name}.md"
        page = (generated / "metrics" / path).read_text(encoding="utf-8")
        assert metric.title in page
        assert f"({path})" in index
        assert all(f"`{parameter.name}`" in page for parameter in metric.parameters)


def test_every_formula_is_drawn(generated: Path) -> None:
    pages = list((generated / "metrics").glob("*/*.md"))
    assert len(pages) == len(EVERY_METRIC)
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "$$" not in text, page.name
        assert "\\" not in "".join(re.findall(r"<math.*?</math>", text)), page.name


def test_every_coefficient_of_agreement_has_a_row_and_a_section(generated: Path) -> None:
    text = (generated / "agreement.md").read_text(encoding="utf-8")
    for one in coefficients().values():
        assert f"| [`{one.name}`](#{one.name}) | {one.title} |" in text
        assert f"## {one.title} {{#{one.name}}}" in text


def test_every_significance_test_and_correction_has_a_row_and_a_section(generated: Path) -> None:
    text = (generated / "significance-tests.md").read_text(encoding="utf-8")
    declarations: list[Declaration] = [*all_tests().values(), *all_corrections().values()]
    for declared in declarations:
        assert f"| [`{declared.name}`](#{declared.name}) | {declared.title} | {declared.choose_if} |" in text
        assert f"### {declared.name} " in text
        assert declared.paper is None or f"(references.md#{declared.paper})" in text


def test_every_code_is_explained(generated: Path) -> None:
    text = (generated / "diagnostics.md").read_text(encoding="utf-8")
    assert all(f"### {code} {title}" in text for code, (title, _) in explanations().items())


def test_every_public_name_is_in_the_python_reference(generated: Path) -> None:
    text = (generated / "api.md").read_text(encoding="utf-8")
    described = dict(re.findall(r"^::: (\S+)\n    options:\n      heading: plumbline\.(\w+)$", text, re.MULTILINE))
    assert set(described.values()) == {name for name in dir(plumbline) if not name.startswith("_")}
    for home, name in described.items():
        module, _, attribute = home.rpartition(".")
        assert getattr(importlib.import_module(module), attribute) is getattr(plumbline, name)


def test_every_option_has_a_row(generated: Path) -> None:
    rows = re.findall(r"^\| `(\w+)` \|", (generated / "options.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert rows
    assert set(rows) == {*declared_options(EvaluateOptions), *declared_options(CompareOptions)}


def test_every_format_and_figure_has_a_row(generated: Path) -> None:
    text = (generated / "formats.md").read_text(encoding="utf-8")
    for name in (*readers(), *writers(), *output_formats(), *FIGURES):
        assert f"\n| `{name}` " in text, name


def test_every_paper_is_in_the_references(generated: Path) -> None:
    text = (generated / "references.md").read_text(encoding="utf-8")
    for metric in EVERY_METRIC:
        assert f'<a id="{metric.paper}"></a>' in text, metric.name
        assert f"](metrics/{metric.task}/{metric.name}.md)" in text, metric.name
