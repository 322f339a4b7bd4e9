"""The page: one HTML file that holds its style, its scripts and its data, and lets nothing else in."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from plumbline._version import __version__
from plumbline.errors import visible
from plumbline.figures.theme import DARK, FONT, LIGHT, config
from plumbline.reports.library import library

if TYPE_CHECKING:
    import jinja2

    from plumbline.reports.model import Chooser, Dossier, MetricChooser

SCRIPTS: Final = ("helpers.js", "tables.js", "figures.js", "differences.js", "scatter.js", "highlight.js", "contents.js")
VALUES: Final = ("systems", "metrics", "cases", "lower", "eps", "values", "colours")
"""Of a chooser: the values of all cases, by numbers instead of names."""
MARKS: Final = ("start", "ignoring", "layers", "colours", "others", "most", "left_out")
"""Of a chooser of metrics: what turns values into dots."""
DIGITS: Final = 7
"""Significant digits of numbers that are only drawn."""
POLICY: Final = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data: blob:; "
    "script-src {library} {script}; style-src {style}"
)
"""Only the two scripts and the style of the page itself; no server, no code made of text."""


def page(dossier: Dossier) -> str:
    """The dossier as HTML."""
    from markupsafe import Markup

    parts = {"library": library(), "script": _script(), "style": _colours() + _file("dossier.css")}
    policy = POLICY.format(**{name: f"'sha256-{_digest(text)}'" for name, text in parts.items()})
    themes = _json({name: config(dark=name == "dark") for name in ("light", "dark")})
    return (
        _environment()
        .get_template("dossier.html.j2")
        .render(
            dossier=dossier,
            several=len(dossier.parts) > 1,
            version=__version__,
            policy=Markup(policy),  # noqa: S704 - our own text
            themes=themes,
            **{name: Markup(text) for name, text in parts.items()},  # noqa: S704 - our own scripts and style, never a name
        )
    )


def _environment() -> jinja2.Environment:
    """Every text is made visible and escaped on its way into the page."""
    import jinja2
    from markupsafe import Markup

    def shown(value: Any) -> Any:
        return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    made = jinja2.Environment(
        loader=jinja2.PackageLoader("plumbline.reports", "page"),
        autoescape=True,
        finalize=shown,
        undefined=jinja2.StrictUndefined,
    )
    made.filters.update(drawing=lambda spec: _json(packed(spec)), breakable=_breakable)
    made.filters.update(values=partial(_facts, names=VALUES), marks=partial(_facts, names=MARKS))
    return made


def _breakable(text: str) -> Any:
    """The head of a column, which may be broken between the parameters of a metric."""
    from markupsafe import Markup

    return Markup("<wbr>").join(re.split(r"(?<=[(,])", visible(text)))


def _json(value: Any) -> Any:
    """JSON that cannot end the element it stands in."""
    from markupsafe import Markup

    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704 - no sign of it is markup any more


def _facts(chooser: Chooser | MetricChooser, names: tuple[str, ...]) -> Any:
    """What the scripts ask a chooser."""
    return _json({name: getattr(chooser, name) for name in names})


def _script() -> str:
    """The scripts of the page, which share their names with each other and with nobody else."""
    return f'(() => {{\n"use strict";\n{"".join(map(_file, SCRIPTS))}}})();'


def _colours() -> str:
    """The colours of systems and the font, which pages share with figures."""
    light, dark = (
        "".join(f"--system-{place}: {colour}; " for place, colour in enumerate(colours)) for colours in (LIGHT, DARK)
    )
    return (
        f":root {{ --font: {FONT}; {light}}}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark}}} }}\n"
        f"@media print {{ :root {{ {light}}} }}\n"
        + "".join(f".system-{place} {{ color: var(--system-{place}); }}\n" for place in range(len(LIGHT)))
    )


def _digest(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


def _file(name: str) -> str:
    from importlib.resources import files

    return files("plumbline.reports").joinpath("page", name).read_text(encoding="utf-8")


def packed(spec: dict[str, Any]) -> dict[str, Any]:
    """The drawing with its data sets by columns; a script of the page unpacks them."""
    return {**spec, "datasets": {name: _columns(rows) for name, rows in spec.get("datasets", {}).items()}}


def _columns(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """`{field: values}`, and how many rows there are; a row that lacks a field has a null."""
    fields = dict.fromkeys(field for row in rows for field in row)
    return {"rows": len(rows), "columns": {field: _column([row.get(field) for row in rows]) for field in fields}}


def _column(values: list[Any]) -> Any:
    """Numbers are rounded; repeated strings are stored once."""
    if not all(isinstance(value, str) for value in values):
        return [_rounded(value) for value in values]
    distinct = list(dict.fromkeys(values))
    if len(distinct) * 2 > len(values):
        return values
    places = {word: at for at, word in enumerate(distinct)}
    return {"words": distinct, "at": [places[value] for value in values]}


def _rounded(value: Any) -> Any:
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
