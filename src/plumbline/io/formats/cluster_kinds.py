"""Which files only hold clusterings, told by their content or their name."""

from __future__ import annotations

import glob
import os
import re
from pathlib import Path
from typing import Any, Final

from plumbline.errors import BadUsage, clusterings, files
from plumbline.io.formats.cluster_columns import are_cluster_names

CLUSTER_READERS: Final = ("weps", "conll", "conllu")

_CONLLU: Final = re.compile(rb"\d+([-.]\d+)?(\t[^\t\r\n]*){9}")
_ENDING: Final = re.compile(r"[._](xml|conll|conllu)(\.(gz|bz2|xz|zst))?$", re.IGNORECASE)


def cluster_kind(head: bytes) -> tuple[str, str] | None:
    """The reader for the start of a file, and why; None if files of labels look like this too."""
    text = head.lstrip()
    if text.startswith((b"<?xml", b"<!", b"<clustering")):
        return "weps", "it is XML"
    if text.startswith(b"#begin document"):
        return "conll", "it starts with #begin document"
    lines = (line.strip(b"\r\n ") for line in re.findall(rb"[^\r\n]+", text))
    first = next((line for line in lines if line and not line.startswith(b"#")), b"")
    if _CONLLU.fullmatch(first):
        return "conllu", "its lines have the 10 columns of CoNLL-U"
    names = re.split(r"[,\t]", first.decode(errors="replace"))
    if are_cluster_names(names):
        return ("tsv", "its first line names columns, with tabs") if b"\t" in first else ("csv", "its first line names columns")
    return None


def clustering_files(source: Any) -> list[Path] | None:  # noqa: ANN401 - anything that can be read
    """The files of a folder or pattern, which are one gold or one output together; None for anything else."""
    if not isinstance(source, (str, os.PathLike)):
        return None
    path = Path(source)
    if path.is_dir():
        found = sorted(entry for entry in path.iterdir() if _ENDING.search(entry.name) and not entry.name.startswith("."))
        if not found:
            raise BadUsage(clusterings.no_clusterings(str(path)))
        return found
    if not is_pattern(source):
        return None
    matches = sorted(glob.glob(os.fspath(source), recursive=True))  # noqa: PTH207 - Path.glob takes no absolute pattern
    if not matches:
        raise BadUsage(files.not_found(str(source), []))
    return [Path(match) for match in matches]


def is_pattern(source: object) -> bool:
    """Whether it is a path with wildcards, not the name of a file."""
    if not isinstance(source, (str, os.PathLike)) or not glob.has_magic(os.fspath(source)):
        return False
    return not os.path.exists(source)  # noqa: PTH110 - any text may be a label, and is no error here
