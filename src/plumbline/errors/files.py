"""Problems with a whole file: missing, empty, compressed badly, of an unknown kind."""

from __future__ import annotations

from plumbline.errors.base import Place, listing
from plumbline.errors.faces import NUMBER, either, option, switch
from plumbline.errors.registry import Message, diagnostic

_COUNTED = {2: "two", 3: "three"}


@diagnostic("E001", "The file is empty")
def empty_file(path: str) -> Message:
    """A file of zero bytes is more often a failed download than a system without answers, so it is refused."""
    return Message(f"{path} is empty", Place(path), "check how the file was written")


@diagnostic("E002", "The file has no data lines")
def no_data(path: str) -> Message:
    """The file holds only blank lines, comments or a header."""
    return Message(f"{path} has no data lines", Place(path), "check how the file was written")


@diagnostic("E003", "The compressed data are damaged")
def damaged(path: str, kind: str, reason: str) -> Message:
    """The file starts like a compressed file, but its content ends early or does not match its checksum.

    Nothing is read from a damaged file, because a cut ranking would look like a worse one.
    """
    return Message(f"{kind} data are damaged: {reason}", Place(path), "fetch or compress the file again")


@diagnostic("E004", "The file unpacks to far more than its size")
def too_large(path: str, kind: str, limit: int) -> Message:
    """A small compressed file that grows beyond a limit can fill the memory of the machine.

    The limit is 100 times the size of the file, at least 64 MiB. `--max-bytes` sets another one.
    """
    return Message(
        f"{path}: {kind} data unpack to more than {limit:,} bytes",
        Place(path),
        f"if the file is meant to be that large, allow it with {option('max_bytes', NUMBER)}",
    )


@diagnostic("E005", "The file holds bytes that no text file holds")
def binary(place: Place) -> Message:
    """A NUL byte in a text file means that it is a binary file, or that writing it was interrupted."""
    return Message("NUL byte: is this a binary file?", place, "give a text, CSV, JSON, Parquet or Arrow file")


@diagnostic("E006", "The text is not UTF-8")
def not_utf8(place: Place, guess: str | None = None) -> Message:
    """Text files are read as UTF-8. Files from Windows shells are often UTF-16, older ones Latin-1."""
    if guess:
        return Message(f"looks like {guess}, not UTF-8", place, f"convert it: iconv -f {guess} -t UTF-8 FILE")
    return Message(
        "not valid UTF-8",
        place,
        f"convert it: iconv -f LATIN1 -t UTF-8 FILE; clusterings are read in any encoding, with {option('task', 'clustering')}",
    )


@diagnostic("E007", "This kind of file is not read")
def refused_kind(path: str, kind: str, advice: str) -> Message:
    """Archives may hold many files, links and devices; pickles run code when they are opened. Neither is read."""
    return Message(f"{kind} is not accepted", Place(path), advice)


@diagnostic("E008", "The kind of file is not recognised")
def unknown_kind(path: str, seen: str, known: list[str]) -> Message:
    """The reader is chosen by looking at the content; nothing known fits this file."""
    return Message(
        f"the kind of file is not recognised (it starts with {seen!r})",
        Place(path),
        f"name the reader with {option('reader', *known)}",
    )


@diagnostic("E009", "The file does not exist")
def not_found(path: str, similar: list[str]) -> Message:
    """No file has this name, or the pattern fits no file."""
    hint = f"did you mean {listing(similar)}?" if similar else "check the path"
    return Message("no such file", Place(path), hint)


@diagnostic("E010", "The file cannot be opened or written")
def unreadable(path: str, reason: str) -> Message:
    """The operating system refused: a folder in place of a file, missing rights, a full disk."""
    return Message(reason, Place(path), "check the path, the rights and the free space")


@diagnostic("E189", "A URL cannot be read")
def remote(url: str, reason: str, help_: str = "") -> Message:
    """`https://`, `s3://`, `gs://` and `az://` are read, the last three with `pip install 'plumbline[cloud]'`.

    Keys are found where the clouds' own programs find them. A user, a password or a query in a URL is never shown.
    """
    download = "download it, and give " + either("the file, or an open file", "the file, or - for standard input")
    return Message(reason, Place(url), help_ or download)


@diagnostic("E182", "A folder in place of a file")
def is_folder(path: str) -> Message:
    """A gold or an output may be a folder; a table of scores, features or texts is a file."""
    pattern = f"{path.rstrip('/')}/*"
    return Message(
        "is a folder", Place(path), "give a file, or a pattern for several systems, such as " + either(f'"{pattern}"', pattern)
    )


@diagnostic("E190", "A folder without files")
def no_files(path: str) -> Message:
    """A folder is read as one gold or one output, with all files in it; names that start with a dot or _ are left out."""
    return Message("no file in this folder", Place(path), "check the path")


@diagnostic("E191", "The folder has no dataset of scores")
def no_dataset(path: str) -> Message:
    """A folder of scores has a file for each system; the first, `part-00000.parquet`, tells which files belong to it."""
    return Message(
        "this is not the first file of a dataset of scores",
        Place(path),
        either("write one with scores.save('FOLDER/')", "write one with plumbline evaluate --per-case FOLDER/"),
    )


@diagnostic("E192", "A file of a dataset does not fit the others")
def mixed_dataset(path: str, reason: str) -> Message:
    """A file was exchanged or changed after the dataset was written."""
    return Message(f"it does not fit the other files of the dataset: {reason}", Place(path), "write the dataset again")


@diagnostic("E193", "The folder has other files")
def other_files(path: str, names: list[str]) -> Message:
    """Scores are written to a folder that has nothing else, so that programs can read all of its files as one table."""
    return Message(
        f"the folder has files that do not belong to a dataset of scores: {listing(names)}",
        Place(path),
        "choose another folder",
    )


@diagnostic("E011", "The file exists already")
def exists(path: str, what: str = "file") -> Message:
    """Nothing is overwritten unless you ask for it."""
    return Message(f"the {what} exists already", Place(path), f"choose another name, or overwrite it with {switch('force')}")


@diagnostic("E012", "The file became shorter while it was read")
def shrunk(path: str) -> Message:
    """Another program cut or rewrote the file meanwhile, so what was read of it is not what anybody wrote."""
    return Message("the file became shorter while it was read", Place(path), "wait until it is complete, and run again")


@diagnostic("E172", "Content and file name disagree")
def other_role(source: str, target: str, *, gold: bool) -> Message:
    """Files that end in .qrels hold judgements, files that end in .run hold an output; `--role` overrules both signs."""
    what, ending = ("judgements", "an output") if gold else ("an output", "judgements")
    return Message(
        f"it holds {what}, but files with the ending of {target} hold {ending}",
        Place(source),
        f"choose another ending, such as .txt, or say what it is with {option('role', 'gold' if gold else 'output')}",
    )


@diagnostic("E173", "The lines look like labels or clusters")
def labels_without_task(path: str, columns: int) -> Message:
    """Labels and clusters have lines of two or three columns, `item label` or `case item label`, and need no heading.

    Rankings have four columns (judgements), six (runs), or a heading that names them. The task is ranking by default.
    """
    return Message(
        f"{columns} columns and no heading, where a ranking has 4 (judgements) or 6 (a run)",
        Place(path),
        f"{_COUNTED[columns]} columns look like labels or clusters: add "
        f"{option('task', 'classification', 'filtering', 'clustering')}; a ranking needs a heading, such as case,item,score, "
        "or names of its columns: " + either('columns={"case": "NAME", ...}', "--columns case=NAME,item=NAME,score=NAME"),
    )


@diagnostic("E013", "The stream does not end")
def endless(path: str, limit: int) -> Message:
    """Standard input, pipes and devices are read until they end; some never do.

    The limit is 4 GiB. `--max-bytes` sets another one.
    """
    return Message(
        f"it has more than {limit:,} bytes and may never end",
        Place(path),
        f"if it is meant to be that large, allow it with {option('max_bytes', NUMBER)}",
    )


@diagnostic("E014", "A file needs more memory than its size allows")
def too_many_rows(path: str, kind: str, needed: int, limit: int) -> Message:
    """A small columnar file can hold rows that fill the memory of the machine, because equal values are stored once.

    The limit is 100 times the size of the file, at least 64 MiB. `--max-bytes` sets another one.
    """
    return Message(
        f"the {kind} data need about {needed:,} bytes, more than {limit:,}",
        Place(path),
        f"if the file is meant to be that large, allow it with {option('max_bytes', NUMBER)}",
    )


@diagnostic("N272", "The ending of a file says another format")
def format_of_file(path: str, form: str, meant: str | None) -> Message:
    """Unless a format is named, the ending of the file chooses it: .csv, .json, .md, .tex, .html and so on."""
    why = f"{either('the format', '--format')} says so; the ending means {meant}" if meant else "its ending means no format"
    return Message(f"written as {form}: {why}", Place(path))
