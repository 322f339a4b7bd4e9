"""One part of a plan: its keys, its files, and what is said about it where something is wrong."""

from __future__ import annotations

import glob
import re
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn

from plumbline.errors import BadUsage, Diagnostic, Place, PlumblineError, reports
from plumbline.figures.options import Kind, against, briefly, is_said

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

START: Final = "names of files start from the folder of the plan"


@dataclass(frozen=True)
class Part:
    """The keys of a part, with its plan and its number."""

    path: Path
    number: int
    keys: Mapping[str, Any]

    def refuse(self, reason: str, advice: str) -> NoReturn:
        """Say what is not understood."""
        raise BadUsage(reports.bad_part(str(self.path), self.number, reason, advice))

    def check(self, options: Mapping[str, Any], known: Mapping[str, Kind], whose: str) -> None:
        """Refuse keys that are unknown, and values of another kind."""
        for name, value in options.items():
            found = against(name, value, known, whose)
            if found is None and name in known and known[name].words and not is_said(value):
                found = f"{name} is empty", f"write {known[name].words}, or leave it out"
            if found is not None:
                self.refuse(*found)

    @contextmanager
    def told(self) -> Iterator[None]:
        """Problems are told with the number of the part, and with the plan where they have no place of their own."""
        try:
            yield
        except PlumblineError as error:
            raise type(error)(*map(self._placed, error.diagnostics)) from None

    def _placed(self, one: Diagnostic) -> Diagnostic:
        if one.place is None:
            return replace(one, message=f"part {self.number}: {one.message}", place=Place(str(self.path)))
        return replace(one, message=f"part {self.number} of {self.path.name}: {one.message}")

    def several(self, key: str) -> list[Any]:
        """What stands at a key, one by one; nothing is refused."""
        given = self.keys[key]
        if given in ("", []):
            self.refuse(f"{key} is empty", "give the name of a file, or a list of them")
        return given if isinstance(given, list) else [given]

    def file(self, key: str, text: Any) -> str:  # noqa: ANN401 - what TOML has
        """The file of this name."""
        if not isinstance(text, str):
            self.refuse(f"{key} = {briefly(text)} is not a file", "give the name of a file")
        if not text:
            self.refuse(f"{key} is empty", "give the name of a file")
        found = located(self.path.parent, text)
        if not _is_there(found):
            self.refuse(f"{key} = {briefly(text)}: there is no such file", START)
        return found

    def files(self, key: str, text: Any, named: Literal["system", "scores"]) -> list[str]:  # noqa: ANN401 - as above
        """A file, `NAME=FILE`, or all that a pattern fits."""
        folder = self.path.parent
        if not isinstance(text, str) or not text or _is_there(located(folder, text)):
            return [self.file(key, text)]
        signs = [found.start() for found in re.finditer("=", text) if found.start() > 0][: 1 if named == "system" else None]
        for name, path in ((text[:sign], text[sign + 1 :]) for sign in signs):
            if path and _is_there(located(folder, path)):
                return [f"{name}={located(folder, path)}"]
        matches = sorted(glob.glob(text, root_dir=folder, recursive=True)) if glob.has_magic(text) else []  # noqa: PTH207 - Path.glob takes no absolute pattern
        return [located(folder, match) for match in matches] or [self.file(key, text)]


def located(folder: PurePath, name: str) -> str:
    """A file, from a folder; an absolute path stays what it is, on Windows with its drive too."""
    return str(folder / name)


def _is_there(path: str) -> bool:
    """Whether a file exists; a name that no file can have is none."""
    try:
        return Path(path).exists()
    except OSError:
        return False
