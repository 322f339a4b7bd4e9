"""What all results have in common: tables, text in every output format, notices, and files."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from plumbline.errors import BadData, BadUsage, table, usage
from plumbline.errors.base import READ_AS
from plumbline.errors.condensing import condensed
from plumbline.render.formats import render
from plumbline.render.present import Plots, write_report

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import Self, Unpack

    import pandas as pd
    import polars as pl

    from plumbline.errors import Diagnostic
    from plumbline.options.evaluation import CompareOptions, EvaluateOptions
    from plumbline.options.option import Names
    from plumbline.render.document import ScoreTable
    from plumbline.render.grid import Block, Grid


class Result(ABC):
    """The base of every result: tables, text in every output format, notices, figures and files.

    A class of results is a frozen dataclass (frozen=True, repr=False) that provides `to_polars`, its main table, and perhaps
    `grid`, the same for people, or `to_blocks`, where it has more to show. Everything else is here. It may also provide
    `to_dict`, `to_rows` and `to_records`, where programs should get more than the main table. The arguments of these methods
    choose a part of the result, such as `per_case=True` of `Scores`.

    Example:
        >>> import plumbline
        >>> weights = plumbline.weights(2, 0.8)
        >>> isinstance(weights, plumbline.Result)
        True
        >>> weights.to_polars().columns
        ['discount', 'position', 'weight', 'reached']
    """

    _saveable: ClassVar = True
    heading: ClassVar[str] = "Result"
    """What a report calls the part about it."""

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled and copied: the result without its evaluation, which holds the gold, open files and functions."""
        return {name: None if name == "evaluation" else value for name, value in self.__dict__.items()}

    @property
    def notices(self) -> tuple[Diagnostic, ...]:
        """What should be known about the result."""
        return ()

    @abstractmethod
    def to_polars(self) -> pl.DataFrame:
        """The main table as a polars frame."""

    def grid(self, *args: Any, **view: Any) -> Grid:
        """The main table for people, as plain data.

        Args:
            *args: Which part of the result is wanted, if it has parts to choose from.
            **view: The same by name, such as `per_case=True` of `Scores`.

        Returns:
            A heading and rows of cells, from which every output format is made.
        """
        from plumbline.render.frame import frame_grid

        return frame_grid(self.to_rows(*args, **view))

    def to_blocks(self, *args: Any, **view: Any) -> Sequence[Block]:
        """Sentences and tables, in the order in which people read them.

        Args:
            *args: Which part of the result is wanted, if it has parts to choose from.
            **view: The same by name, such as `per_case=True` of `Scores`.

        Returns:
            The parts from which output formats for people are made.
        """
        return [self.grid(*args, **view)]

    def to_page(self) -> Sequence[Block]:
        """The same as a page shows it, where long tables can be searched.

        Returns:
            The parts from which reports are made.
        """
        return self.to_blocks()

    def to_rows(self, *args: Any, **view: Any) -> pl.DataFrame:  # noqa: ARG002 - subclasses take a view
        """The one table that a CSV file holds.

        Args:
            *args: Which part of the result is wanted, if it has parts to choose from.
            **view: The same by name, such as `per_case=True` of `Scores`.

        Returns:
            A polars frame.
        """
        return self.to_polars()

    def to_plain_rows(self, *args: Any, **view: Any) -> list[tuple[Any, ...]] | None:  # noqa: ARG002 - the same
        """Heading and rows of `to_rows`, where a small result has them without making a frame; else None.

        Args:
            *args: Which part of the result, if it has several.
            **view: The same.

        Returns:
            Texts, whole numbers and numbers; None is empty.
        """
        return None

    def to_records(self, *args: Any, **view: Any) -> Iterable[Mapping[str, Any]]:
        """The rows of `to_rows` as dicts, one for each line of JSON Lines.

        Args:
            *args: Which part of the result is wanted, if it has parts to choose from.
            **view: The same by name, such as `per_case=True` of `Scores`.

        Returns:
            Dicts, which need not have the same keys.
        """
        return self.to_rows(*args, **view).iter_rows(named=True)

    def to_dict(self, *args: Any, **view: Any) -> dict[str, Any]:
        """Everything, as dicts, lists, texts and numbers.

        Args:
            *args: Which part of the result is wanted, if it has parts to choose from.
            **view: The same by name, such as `per_case=True` of `Scores`.

        Returns:
            A dict that JSON can hold.
        """
        return {"rows": list(self.to_records(*args, **view)), "notices": described(self.notices)}

    def score_table(self) -> ScoreTable | None:
        """The scores behind the result, if there are any."""
        return None

    def to_pandas(self) -> pd.DataFrame:
        """The main table as a pandas frame; pandas has to be installed, pyarrow need not be.

        Returns:
            A frame with the columns of `to_polars()`.

        Raises:
            BadUsage: pandas is not installed.
        """
        return as_pandas(self.to_polars())

    def to_data(self, *args: Any, **view: Any) -> dict[str, Any] | list[Any]:
        """What `to_json` writes: `to_dict()`, unless the result is a list.

        Args:
            *args: Which part of the result is wanted, if it has parts to choose from.
            **view: The same by name, such as `per_case=True` of `Scores`.

        Returns:
            Data that JSON can hold.
        """
        return self.to_dict(*args, **view)

    def to_json(self, *args: Any, **view: Any) -> str:
        """Everything as JSON.

        Args:
            *args: Which part of the result is wanted, if it has parts to choose from.
            **view: The same by name, such as `per_case=True` of `Scores`.

        Returns:
            The text of a JSON file.
        """
        return render(self, "json", *args, **view)

    def to_markdown(self, *args: Any, **view: Any) -> str:
        """The tables as Markdown.

        Args:
            *args: Which part of the result is wanted, if it has parts to choose from.
            **view: The same by name, such as `per_case=True` of `Scores`.

        Returns:
            Tables with the best values in bold.
        """
        return render(self, "markdown", *args, tables_only=True, **view)

    def to_latex(self, *args: Any, **view: Any) -> str:
        """The tables as LaTeX, for the package booktabs.

        Args:
            *args: Which part of the result is wanted, if it has parts to choose from.
            **view: The same by name, such as `per_case=True` of `Scores`.

        Returns:
            Tables with the best values in bold.
        """
        return render(self, "latex", *args, tables_only=True, **view)

    def to_html(self, *args: Any, **view: Any) -> str:
        """Sentences and tables as HTML, without a page around them.

        Args:
            *args: Which part of the result is wanted, if it has parts to choose from.
            **view: The same by name, such as `per_case=True` of `Scores`.

        Returns:
            HTML in which every name is escaped.
        """
        return render(self, "html", *args, **view)

    def _repr_html_(self) -> str:
        return self.to_html()

    def __repr__(self) -> str:
        return "\n".join([_shown(self).rstrip(), *headlines(self.notices)])

    @property
    def plot(self) -> Plots:
        """Figures as Altair charts, such as `scores.plot.bars()`; the extra `report` has to be installed."""
        return Plots(self)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the result to a Parquet file, which `plumbline.load` reads.

        Other tools read the main table from the file.

        Args:
            path: The file to write.
            force: Overwrite an existing file.

        Raises:
            BadUsage: The file already exists, or cannot be written.
        """
        from plumbline.render.saving import write_result

        write_result(type(self), *self._to_file(), path, force=force)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read what `save` wrote.

        Args:
            path: The file to read.

        Returns:
            The result as it was saved.

        Raises:
            BadData: The file holds no saved result, or one of another kind.
        """
        loaded = load(path)
        if not isinstance(loaded, cls):
            raise BadData(table.not_saved(str(path), cls.__name__, type(loaded).__name__))
        return loaded

    def _to_file(self) -> tuple[pl.DataFrame, dict[str, Any]]:
        """The table of a saved file, and all fields beside it."""
        from plumbline.render.saving import saved_fields

        return self.to_polars(), {"fields": saved_fields(self)}

    @classmethod
    def _from_file(cls, frame: pl.DataFrame, facts: dict[str, Any]) -> Self:  # noqa: ARG003 - the fields have it
        """The result that was saved."""
        from plumbline.render.saving import from_json

        return cls(**{name: from_json(value) for name, value in facts["fields"].items()})


def _shown(result: Result) -> str:
    """A result as plain text; at a terminal, no wider than it is."""
    from plumbline.render.document import Document
    from plumbline.render.terminal import columns_of, text_of

    at_terminal = sys.stdout is not None and sys.stdout.isatty()
    return text_of(Document(result), columns_of(sys.stdout)) if at_terminal else render(result, "table")


def load(path: str | os.PathLike[str]) -> Result:
    """Read any result that was saved.

    Args:
        path: A file or a folder that the method `save` of a result wrote.

    Returns:
        The result, of the class that was saved: `Scores`, `Comparison`, `Sweep` and so on.

    Raises:
        BadData: The file holds no saved result.

    Example:
        >>> import plumbline, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "weights.parquet"
        >>> plumbline.weights(10, 0.8).save(path)
        >>> plumbline.load(path).n
        10
    """
    from plumbline.io.scores.dataset.layout import is_dataset
    from plumbline.render.saving import class_of, read_result

    try:
        if is_dataset(path):
            from plumbline.io.scores.dataset.reading import open_dataset

            dataset = open_dataset(path)
            cls = class_of(dataset.manifest.facts)
            loaded = cls._from_dataset(dataset)  # type: ignore[attr-defined]
        else:
            cls, frame, facts = read_result(path)
            loaded = cls._from_file(frame, facts)  # type: ignore[attr-defined]
    except (KeyError, ValueError, TypeError, AttributeError):
        raise BadData(table.not_saved(str(path))) from None
    if not isinstance(loaded, Result):
        raise BadData(table.not_saved(str(path)))
    return loaded


def described(notices: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """Notices as JSON has them."""
    return [{"code": notice.code, "text": notice.headline(), "help": notice.help} for notice in notices]


def headlines(notices: Iterable[Diagnostic]) -> tuple[str, ...]:
    """Notices in one line each, without those that only say how a file was read."""
    return tuple(notice.headline() for notice in condensed(one for one in notices if one.code != READ_AS))


def as_pandas(frame: pl.DataFrame) -> pd.DataFrame:
    """A polars frame as a pandas frame, without pyarrow."""
    try:
        import pandas as pd
    except ImportError:
        raise BadUsage(usage.needs_package("a pandas frame", "pandas")) from None

    numeric = {series.name for series in frame.iter_columns() if series.dtype.is_numeric()}
    return pd.DataFrame({name: frame[name].to_numpy() if name in numeric else frame[name].to_list() for name in frame.columns})


class ReportableResult(Result):
    """A result that a page can be written about."""

    def report(  # noqa: PLR0913 - every decision can be made here
        self,
        path: str | os.PathLike[str],
        *,
        gold: Any = None,
        systems: Any = None,
        metrics: Names | None = None,
        title: str | None = None,
        front: str | os.PathLike[str] | None = None,
        also: Iterable[Any] = (),
        force: bool = False,
        comparing: CompareOptions | None = None,
        **options: Unpack[EvaluateOptions],
    ) -> Path:
        """Write an HTML page with everything about this result; the extra `report` has to be installed.

        Args:
            path: The file to write.
            gold: The gold, if the page is to show more than scores tell and the scores were loaded from a file.
            systems: The outputs, likewise.
            metrics: The metrics that the page is about, of those that there are.
            title: The title of the page.
            front: A TOML file with what comes before the results: title, introduction, date, logo, links, teams.
            also: Further results, or files that hold them: each becomes a part, such as judgements, votes or a pool.
            force: Overwrite an existing file.
            comparing: Options of `compare`.
            **options: Options of `evaluate`; they must be those by which the scores were made.

        Returns:
            The path of the page.

        Raises:
            BadUsage: The extra is not installed, the file already exists, or an option does not fit.
        """
        given = {"gold": gold, "systems": systems, "metrics": metrics, "comparing": comparing, **options}
        return write_report(self, path, title=title, front=front, also=also, force=force, **given)
