"""Files behind URLs: those that are read are copied to a temporary folder, which is removed when the program ends.

`https://` and `http://` need nothing else. `s3://`, `gs://` and `az://` are read and written by obstore, which finds keys where
the clouds' own programs do: in environment variables, in files of the user, or on the machine. Messages name the kind of a
failure only, since the texts of other programs may repeat keys.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from plumbline.errors import BadUsage, files
from plumbline.lazily import pattern as compiled_later

if TYPE_CHECKING:
    from collections.abc import Callable
    from tempfile import TemporaryDirectory

STORES: Final = ("s3", "gs", "az", "abfs", "abfss")
"""Schemes of clouds, whose folders can be listed."""
_WEB: Final = ("http", "https")
_SLASHES: Final = compiled_later(r"^([A-Za-z][A-Za-z0-9+.-]+):/+")
_SECONDS: Final = 60
_WILD: Final = "*"


def scheme_of(url: str) -> str:
    """What stands before the colon, in small letters."""
    return url.partition(":")[0].lower()


def is_remote_pattern(url: str) -> bool:
    """Whether a URL of a cloud stands for several files."""
    return scheme_of(url) in STORES and _WILD in url.partition("?")[0]


def is_remote_folder(url: str) -> bool:
    """Whether a URL of a cloud is that of a folder: it ends with a slash."""
    return scheme_of(url) in STORES and url.endswith("/")


def listed(url: str) -> list[str]:
    """The URLs of the files in a folder, or of those that match a pattern, in alphabetical order."""
    base, path = _place(url)
    start = path if url.endswith("/") else path.partition(_WILD)[0].rpartition("/")[0]
    names = _done(url, lambda: [one["path"] for part in _store(base).list(start or None) for one in part])
    if not url.endswith("/"):
        names = matching_names(names, path)
    shown = sorted(name for name in names if not name.rpartition("/")[2].startswith((".", "_")))
    if not shown:
        raise BadUsage(files.no_files(url))
    return [f"{base}/{name}" for name in shown]


def stored_names(url: str) -> list[str]:
    """The names of the files that stand directly in a folder of a cloud; none if nothing is there."""
    base, path = _place(url)
    paths = _done(url, lambda: [one["path"] for part in _store(base).list(path or None) for one in part], "listed")
    return sorted(name[len(path) :] for name in paths if name.startswith(path) and "/" not in name[len(path) :])


def uploaded(path: Path, url: str) -> None:
    """Write a file into a cloud, where it appears when it is complete.

    Raises:
        BadUsage: If it cannot be written, without what the URL must not show.
    """
    base, target = _place(url)
    with path.open("rb") as file:
        _done(url, lambda: _store(base).put(target, file), "written")


def removed(url: str, names: list[str]) -> None:
    """Remove files from a folder of a cloud."""
    base, path = _place(url)
    if names:
        _done(url, lambda: _store(base).delete([path + name for name in names]), "removed")


def matching_names(names: list[str], pattern: str) -> list[str]:
    """The names that match a pattern: * is within one folder, **/ is any number of folders; ? begins the query of a URL."""
    parts = re.split(r"(\*\*/|\*)", pattern)
    signs = {"**/": "(?:.*/)?", "*": "[^/]*"}
    regular = re.compile("".join(signs.get(part, re.escape(part)) for part in parts))
    return [name for name in names if regular.fullmatch(name)]


def downloaded(url: str) -> Path:
    """A copy of the file behind a URL.

    Raises:
        BadUsage: If it cannot be read, without what the URL must not show.
    """
    scheme = scheme_of(url)
    if scheme not in (*STORES, *_WEB):
        raise BadUsage(files.remote(url, f"URLs of {scheme} are not read"))
    from tempfile import NamedTemporaryFile

    with NamedTemporaryFile(dir=_folder().name, delete=False) as file:
        _done(url, lambda: (_from_web if scheme in _WEB else _from_store)(url, file))
    return Path(file.name)


def _done(url: str, work: Callable[[], Any], done: str = "read") -> Any:  # noqa: ANN401 - whatever the work returns
    try:
        return work()
    except BadUsage:
        raise
    except Exception as error:  # noqa: BLE001 - every cloud has classes of its own, and their texts may hold keys
        code = getattr(error, "code", None)
        reason = f"status {code}" if isinstance(code, int) else type(error).__name__
        raise BadUsage(files.remote(url, f"the file could not be {done}: {reason}")) from None


@cache
def _folder() -> TemporaryDirectory[str]:
    from tempfile import TemporaryDirectory

    return TemporaryDirectory(prefix="plumbline-")


def _from_web(url: str, file: IO[bytes]) -> None:
    from base64 import b64encode
    from shutil import copyfileobj
    from urllib.parse import unquote, urlsplit, urlunsplit
    from urllib.request import Request, urlopen

    parts = urlsplit(_SLASHES.sub(r"\1://", url))
    user, _, host = parts.netloc.rpartition("@")
    plain = urlunsplit((parts.scheme, host, parts.path, parts.query, ""))
    wanted = Request(plain)  # noqa: S310 - http or https
    if user:
        wanted.add_unredirected_header("Authorization", f"Basic {b64encode(unquote(user).encode()).decode()}")
    with urlopen(wanted, timeout=_SECONDS) as answer:  # noqa: S310 - the same
        copyfileobj(answer, file)


def _place(url: str) -> tuple[str, str]:
    """The bucket, and the path in it."""
    from urllib.parse import urlsplit

    parts = urlsplit(_SLASHES.sub(r"\1://", url.partition("?")[0]))
    return f"{parts.scheme}://{parts.netloc}", parts.path.lstrip("/")


def _store(base: str) -> Any:  # noqa: ANN401 - obstore's own
    try:
        store = import_module("obstore.store")
    except ImportError:
        raise BadUsage(files.remote(base, "reading from clouds needs obstore", "pip install 'plumbline[cloud]'")) from None
    return store.from_url(base)


def _from_store(url: str, file: IO[bytes]) -> None:
    base, path = _place(url)
    for piece in _store(base).get(path).stream():
        file.write(piece)
