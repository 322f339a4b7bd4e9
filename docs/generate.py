"""Pages that are made from the program itself: one for each metric, the Python reference, the diagnostics, the references."""

from __future__ import annotations

import inspect
import re
import sys
import tempfile
from collections import defaultdict
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING, Final

from api import public_names
from mathml import mathml
from notebook import notebook_page
from reference import commands_page, formats_page, options_page

import plumbline
from plumbline.audits.combinations import COMBINATIONS
from plumbline.audits.combined import COMBINED
from plumbline.audits.constraints.registry import all_constraints
from plumbline.audits.kinds import COMBINING
from plumbline.comparison.significance.registry import all_corrections, all_fold_tests, all_tests
from plumbline.demo.alerts import write_alerts
from plumbline.demo.collection import write_collection
from plumbline.demo.dossier import NAME as PLAN
from plumbline.demo.dossier import write_dossier
from plumbline.demo.labels import write_labels
from plumbline.demo.tweets import write_tweets
from plumbline.errors import explanations
from plumbline.errors.faces import spelling
from plumbline.metrics.registry import all_metrics
from plumbline.tasks import task_names
from plumbline.tools.describe import facts, signature
from plumbline.truth.agreement.registry import coefficients

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plumbline.comparison.significance.registry import Declaration
    from plumbline.metrics.registry import Metric, Parameter

HERE: Final = Path(__file__).parent
BIBLIOGRAPHY: Final = HERE.parent / "references.bib"
MADE: Final = "<!-- Made by docs/generate.py. -->\n"
FORMULA: Final = re.compile(r"\$\$(.*?)\$\$", re.DOTALL)
ENTRY: Final = re.compile(r"^@(\w+)\{(\w+),\n(.*?)^\}", re.MULTILINE | re.DOTALL)
FIELD: Final = re.compile(r"^\s*(\w+)\s*=\s*\{(.*)\},?$", re.MULTILINE)
GROUPS: Final = {
    "E0": "Files",
    "E1": "Rows and values",
    "E3": "Requests",
    "E4": "Judgements, pools and folds",
    "E5": "Real users",
    "E6": "Spans of documents",
    "E7": "Evaluations in parts",
    "E8": "Click logs",
    "N2": "Notices",
    "N3": "Notices about assessors",
    "N4": "Notices about judgements, pools and folds",
    "N5": "Notices about real users",
    "N6": "Notices about spans",
    "N8": "Notices about click logs",
}
OF_TASK: Final = {
    "ranking": "Items in an order, the best first.",
    "filtering": "One class of interest: every item is accepted or discarded. [Which filtering metric?]"
    "(../which-filtering-metric.md) compares the families. All metrics of decisions have the parameter `smooth`.",
    "classification": "Several classes: every item has one label, or several. `average` says how classes become one value.",
    "clustering": "Items in groups without names. C are the clusters of the output, L the classes of the gold. [Clusterings]"
    "(../clusters.md) compares the families, and [Overlapping clusters](../overlapping-clusters.md) explains what happens if "
    "an item is in several.",
    "organization": "Items in levels, and in clusters within them. [One measure for everything](../one-measure.md) goes "
    "through examples, and says which parameters follow which part of the paper.",
    "extraction": "Spans of documents, each with a type. `match` says which spans are right, and `average` how types become "
    "one value. [Information extraction](../extraction.md) compares the ways of matching.",
}


def generate(folder: Path) -> None:
    """Write all pages; those of metrics that no longer exist disappear."""
    metrics = folder / "metrics"
    metrics.mkdir(exist_ok=True)
    for old in metrics.glob("**/*.md"):
        old.unlink()
    for metric in _every_metric():
        _write(folder / _page(metric), _metric_page(metric))
    _write(metrics / "index.md", _metric_index())
    _write(metrics / "constraints.md", _constraints())
    _write(folder / "significance-tests.md", _significance_tests())
    _write(folder / "agreement.md", _agreement())
    _write(folder / "diagnostics.md", _diagnostics())
    _write(folder / "references.md", _references())
    _write(folder / "api.md", _api())
    _write(folder / "commands.md", commands_page())
    _write(folder / "options.md", options_page())
    _write(folder / "formats.md", formats_page())
    _write(folder / "notebook.md", notebook_page())
    example_report(folder / "example-report.html")


def example_report(page: Path) -> None:
    """The report that the demo writes, as a page of its own."""
    with tempfile.TemporaryDirectory() as name, chdir(name):
        for write in (write_collection, write_labels, write_tweets, write_alerts, write_dossier):
            write(Path())
        plumbline.report(PLAN, page, force=True)


def _every_metric() -> list[Metric]:
    return [metric for task in task_names() for metric in all_metrics(task).values()]


def _page(metric: Metric) -> str:
    """The page of a metric: several tasks have a P."""
    return f"metrics/{metric.task}/{metric.name}.md"


def _write(path: Path, lines: Iterator[str]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(MADE + "\n".join(lines) + "\n", encoding="utf-8")


def _metric_page(metric: Metric) -> Iterator[str]:
    others = [task for task in task_names() if task != metric.task and metric.name in all_metrics(task)]
    yield f"# {signature(metric)} ({metric.task})\n" if others else f"# {signature(metric)}\n"
    yield f"{metric.title}\n"
    yield FORMULA.sub(lambda match: f'<div class="formula">{mathml(match[1])}</div>', metric.explanation)
    if metric.parameters:
        yield "\n## Parameters\n"
        yield "| parameter | allowed | default |\n| --- | --- | --- |"
        yield from (_parameter_row(parameter) for parameter in metric.parameters)
    yield "\n## Facts\n"
    yield "| | |\n| --- | --- |"
    for name, text in facts(metric).items():
        yield f"| {name} | {_linked(metric) if name == 'paper' else _cell(text)} |"
    if others:
        yield f"| same name in | {', '.join(f'[{task}](../{task}/{metric.name}.md)' for task in others)} |"


def _parameter_row(parameter: Parameter) -> str:
    default = "must be given" if parameter.required else "none" if parameter.default is None else f"`{parameter.default}`"
    return f"| `{parameter.name}` | {parameter.allowed()} | {default} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("{", "&#123;").replace("}", "&#125;")


def _linked(metric: Metric) -> str:
    return f"[{metric.paper}](../../references.md#{metric.paper})"


def _metric_index() -> Iterator[str]:
    yield "# Metrics\n"
    yield "One page for each metric, made from its declaration. `plumbline metrics NAME` prints the same. If several tasks have"
    yield "a metric of that name, `--task` selects one."
    for task in task_names():
        yield from _metrics_of(task)
    yield "\n## F of two metrics\n"
    yield "`F(A,B,alpha=0.5)` is the weighted harmonic mean of any two metrics of one task, case by case; `alpha` weighs the"
    yield "first. In classification `F(P,R)` has [its own page](classification/F.md): it is computed for each class, then"
    yield "averaged."


def _metrics_of(task: str) -> Iterator[str]:
    yield f"\n## {task.capitalize()}\n"
    yield OF_TASK[task]
    yield "\n| name | what it is | range | elsewhere |\n| --- | --- | --- | --- |"
    for metric in all_metrics(task).values():
        scope = facts(metric)["range"].partition(",")[0]
        names = "; ".join(f"{tool}: {name}" for tool, name in metric.elsewhere.items() if _shown(task, tool))
        yield f"| {_link(metric)} | {metric.title} | {scope} | {_cell(names)} |"


def _shown(task: str, tool: str) -> bool:
    """For rankings the table shows trec_eval alone; the page of a metric lists all tools."""
    return task != "ranking" or tool == "trec_eval"


def _constraints() -> Iterator[str]:
    yield "# Constraints\n"
    yield "The constraints that each metric satisfies with its default parameters, as it declares. The tests search all small"
    yield "inputs for counterexamples. [Can a metric be wrong?](../constraints.md) explains the constraints, and"
    yield "`plumbline audit` prints the counterexamples."
    for task, constraints in all_constraints().items():
        yield f"\n## {task.capitalize()}\n"
        names = [constraint.name for constraint in constraints]
        yield f"| metric | {' | '.join(names)} |\n| --- |{' --- |' * len(names)}"
        if task == COMBINING:
            kept = {f"`{name}`": one.claims for name, one in COMBINATIONS.items()}
        else:
            kept = {_link(metric): metric.claims for metric in all_metrics(task).values() if "keeps" in facts(metric)}
            kept |= {f"`{name}`": claims for name, claims in COMBINED[task].items()}
        for metric, claims in kept.items():
            yield f"| {metric} | {' | '.join('yes' if name in claims else 'no' for name in names)} |"


def _link(metric: Metric) -> str:
    return f"[{signature(metric)}]({metric.task}/{metric.name}.md)"


def _significance_tests() -> Iterator[str]:
    yield "# Significance tests\n"
    yield "Every test compares all pairs of systems and is two-sided."
    yield "[Is the improvement real?](improvement.md#significance-and-p-values)"
    yield "explains how the p-value is used.\n"
    yield "| `--test` | name | choose it if | correction for many pairs | paper |\n| --- | --- | --- | --- | --- |"
    for test in all_tests().values():
        included = "included" if test.familywise else "needed"
        yield f"| [`{test.name}`](#{test.name}) | {test.title} | {test.choose_if} | {included} | {_cited(test.paper)} |"
    for test in all_tests().values():
        yield from _described(test)
    yield "\n## Tests of folds\n"
    yield "With `--folds`, other tests would be wrong. [Folds that do not leak](folds.md#compare-over-folds)"
    yield "shows how they are used.\n"
    yield "| `--test` | name | choose it if | paper |\n| --- | --- | --- | --- |"
    for of_folds in all_fold_tests().values():
        yield f"| [`{of_folds.name}`](#{of_folds.name}) | {of_folds.title} | {of_folds.choose_if} | {_cited(of_folds.paper)} |"
    for of_folds in all_fold_tests().values():
        yield from _described(of_folds)
    yield "\n## Corrections for many pairs\n"
    yield "| `--correction` | name | choose it if | paper |\n| --- | --- | --- | --- |"
    for one in all_corrections().values():
        yield f"| [`{one.name}`](#{one.name}) | {one.title} | {one.choose_if} | {_cited(one.paper)} |"
    for one in all_corrections().values():
        yield from _described(one)


def _agreement() -> Iterator[str]:
    yield "# Coefficients of agreement\n"
    yield "[Can an LLM be the judge?](judges.md) explains how they are used; `plumbline metrics --agreement` lists them.\n"
    yield "| `--coefficient` | name | chance | paper |\n| --- | --- | --- | --- |"
    for one in coefficients().values():
        yield f"| [`{one.name}`](#{one.name}) | {one.title} | {one.chance} | {_cited(one.paper)} |"
    for one in coefficients().values():
        yield f"\n## {one.title} {{#{one.name}}}\n"
        yield f"{one.summary}\n\n{one.formula}\n"
        yield f"Undefined where {one.undefined}. For {', '.join(one.levels)} labels."


def _described(declared: Declaration) -> Iterator[str]:
    yield f"\n### {declared.name} {{#{declared.name}}}\n"
    yield f"{declared.summary}\n"
    yield declared.explanation


def _cited(paper: str | None) -> str:
    return "" if paper is None else f"[{paper}](references.md#{paper})"


def _diagnostics() -> Iterator[str]:
    yield "# Diagnostics\n"
    yield "Codes are stable. `E` is an error, which stops the work. `N` is a notice, and the work goes on; with `--strict`"
    yield "a notice causes exit code 1. `plumbline explain E104` prints one entry."
    group = ""
    with spelling("shell"):
        entries = explanations()
    for code, (title, text) in entries.items():
        if code[:2] != group:
            group = code[:2]
            yield f"\n## {GROUPS[group]}"
        yield f"\n### {code} {title} {{#{code}}}\n"
        yield inspect.cleandoc(text)


def _api() -> Iterator[str]:
    """Every public name; mkdocstrings puts its signature and its docstring there."""
    values = {name: getattr(plumbline, name) for name in public_names()}
    errors = [name for name, value in values.items() if inspect.isclass(value) and issubclass(value, Exception)]
    classes = [name for name, value in values.items() if inspect.isclass(value) and name not in errors]
    functions = [name for name in values if name not in {*errors, *classes}]
    yield "# Python reference\n"
    yield "Every public name of the package, with its signature. [Python](python.md) is the guide, and [Options](options.md)"
    yield "explains the options. Modules and names that are not listed here may change at any time.\n"
    for title, names in (("Functions", functions), ("Results", classes), ("Exceptions", errors)):
        yield f"\n## {title}\n"
        for name in names:
            home = f"{values[name].__module__}.{values[name].__qualname__}"
            yield f"::: {home}\n    options:\n      heading: plumbline.{name}\n      toc_label: {name}\n"


def _references() -> Iterator[str]:
    citing = defaultdict[str, list[str]](list)
    for metric in _every_metric():
        citing[metric.paper].append(f"[{metric.name}]({_page(metric)})")
    declarations: list[Declaration] = [*all_tests().values(), *all_corrections().values()]
    for declared in declarations:
        if declared.paper is not None:
            citing[declared.paper].append(f"[{declared.title}](significance-tests.md#{declared.name})")
    for one in coefficients().values():
        citing[one.paper].append(f"[{one.title}](agreement.md#{one.name})")
    yield "# References\n"
    yield "The same entries are in `references.bib`.\n"
    entries = {key: dict(FIELD.findall(body)) for _, key, body in ENTRY.findall(BIBLIOGRAPHY.read_text(encoding="utf-8"))}
    for key in sorted(entries):
        defines = f"<br>Defines {', '.join(citing[key])}." if citing[key] else ""
        yield f'- <a id="{key}"></a>**{key}** {_reference(entries[key])}{defines}'


def _reference(entry: dict[str, str]) -> str:
    """One entry in words: who, when, what, where."""
    kinds = ("journal", "booktitle", "publisher", "institution", "note")
    where = next((entry[kind] for kind in kinds if kind in entry), "")
    volume = f" {entry['volume']}" if "volume" in entry else ""
    volume += f"({entry['number']})" if "number" in entry else ""
    pages = f", {entry['pages'].replace('--', '-')}" if "pages" in entry else ""
    link = f"https://doi.org/{entry['doi']}" if "doi" in entry else entry.get("url", "")
    address = f" [{link.removeprefix('https://')}]({link})" if link else ""
    names = entry["author"].replace(" and ", "; ")
    year = f" ({entry['year']})" if "year" in entry else ""
    text = f"{names}{year}. {entry['title']}. *{where}*{volume}{pages}."
    return re.sub(r"[{}]|\\(?=[&_])", "", text).replace("_", "\\_") + address


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
