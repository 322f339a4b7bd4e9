"""Writing a dataset of scores: system by system, into a folder or a cloud; it is there when everything is."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from uuid import uuid4

import polars as pl

from plumbline.errors import BadUsage, files
from plumbline.errors.urls import is_url, without_secrets
from plumbline.io.bytes.folders import replaced_folder
from plumbline.io.bytes.remote import removed, stored_names, uploaded
from plumbline.io.scores.dataset.layout import FIRST, KEY, Manifest, manifest_text
from plumbline.schema import CASE, SYSTEM

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def check_target(target: str | os.PathLike[str], *, force: bool) -> None:
    """Refuse a folder that cannot be written, before any work is done: a dataset is kept unless forced, other files always.

    Raises:
        BadUsage: If something stands there.
    """
    place = os.fspath(target)
    if is_url(place):
        inside, label = stored_names(_slashed(place)), without_secrets(place)
        if inside and FIRST not in inside:
            raise BadUsage(files.other_files(label, inside))
        if inside and not force:
            raise BadUsage(files.exists(label, "dataset"))
        return
    folder = Path(place)
    if not folder.exists():
        if not folder.resolve().parent.is_dir():
            raise BadUsage(files.unreadable(place, "the folder in which it should stand does not exist"))
        return
    if not folder.is_dir():
        raise BadUsage(files.exists(place))
    strange = sorted({one.name for one in folder.iterdir()} - _own_files(folder))
    if strange:
        raise BadUsage(files.other_files(place, strange))
    if any(folder.iterdir()) and not force:
        raise BadUsage(files.exists(place, "dataset"))


def write_dataset(
    target: str | os.PathLike[str], manifest: Manifest, frames: Iterable[pl.DataFrame], *, force: bool = False
) -> None:
    """Write the scores of systems.

    Args:
        target: A folder, or a URL of a cloud.
        manifest: What belongs to the dataset; the names of its files are chosen here.
        frames: For each system its cases, in any order, with a column for each metric.
        force: Replace a dataset that is there.

    Raises:
        BadUsage: If something stands there, or it cannot be written.
    """
    check_target(target, force=force)
    place = os.fspath(target)
    if is_url(place):
        _to_cloud(_slashed(place), manifest, frames)
        return
    named = replace(manifest, files=tuple(_name(number) for number in range(len(manifest.systems))))
    with replaced_folder(Path(place)) as folder:
        for number, frame in enumerate(frames):
            path = folder / named.files[number]
            _write(path, number, named, frame)
            with path.open("rb") as file:
                os.fsync(file.fileno())


def _to_cloud(place: str, manifest: Manifest, frames: Iterable[pl.DataFrame]) -> None:
    """The first file goes last: until then, the old one is there and names the old files."""
    old, token = stored_names(place), uuid4().hex[:8]
    later = (f"part-{token}-{number:05}.parquet" for number in range(1, len(manifest.systems)))
    named = replace(manifest, files=(FIRST, *later))
    with TemporaryDirectory(prefix="plumbline-") as folder:
        for number, frame in enumerate(frames):
            path = Path(folder) / named.files[number]
            _write(path, number, named, frame)
            if number:
                with _left_as_it_was(place, named.files[1:]):
                    uploaded(path, place + path.name)
                path.unlink()
        with _left_as_it_was(place, named.files[1:]):
            uploaded(Path(folder) / FIRST, place + FIRST)
    removed(place, [name for name in old if name not in named.files])


@contextmanager
def _left_as_it_was(place: str, new: tuple[str, ...]) -> Iterator[None]:
    """What was written is removed where the rest cannot be."""
    try:
        yield
    except BaseException:
        removed(place, [name for name in stored_names(place) if name in new])
        raise


def _write(path: Path, number: int, manifest: Manifest, frame: pl.DataFrame) -> None:
    """The file of one system."""
    columns = [pl.lit(manifest.systems[number], dtype=pl.String).alias(SYSTEM), CASE, *manifest.metrics, *manifest.texts]
    metadata = {KEY: manifest.to_text()} if number == 0 else None
    frame.sort(CASE).select(columns).write_parquet(path, metadata=metadata)


def _name(number: int) -> str:
    return f"part-{number:05}.parquet"


def _slashed(url: str) -> str:
    return url.rstrip("/") + "/"


def _own_files(folder: Path) -> set[str]:
    """The files of the dataset that is in a folder."""
    try:
        return set(Manifest.of_text(manifest_text(folder) or "").files)
    except (KeyError, ValueError, TypeError, AttributeError):
        return set()
