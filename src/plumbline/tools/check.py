"""Validation without scoring: what each file is, and what is wrong or worth knowing about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from plumbline.align.alignment import AlignOptions
from plumbline.align.judgements import prepare_judgements
from plumbline.align.policy import Policy
from plumbline.align.ranking import align_with_judgements
from plumbline.errors import BadData, Diagnostic, PlumblineError
from plumbline.evaluation.evaluate import prepare
from plumbline.io.bytes.content import load
from plumbline.io.paths import name_of
from plumbline.io.read import read
from plumbline.io.roles import role_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plumbline.evaluation.request import Request
    from plumbline.io.table import ReadOptions, Role, Table


@dataclass(frozen=True)
class Checked:
    """What was found out about one file."""

    path: str
    role: Role | None
    rows: int
    cases: int
    diagnostics: tuple[Diagnostic, ...]


def check_files(
    paths: Iterable[str], options: ReadOptions, role: Role | None = None, policy: Policy | None = None
) -> list[Checked]:
    """Read every file of rankings; if judgements are among them, also align the outputs with them."""
    policy = policy or Policy()
    tables: dict[str, tuple[Role, Table]] = {}
    found: dict[str, Checked] = {}
    for path in paths:
        found[path] = _one(path, options, role, tables)
    golds = [table for kind, table in tables.values() if kind == "gold"]
    for path, (kind, table) in tables.items():
        said = _aligned(table, golds[0] if kind == "output" and golds else None, kind, policy)
        found[path] = Checked(path, kind, len(table.frame), table.frame["case"].n_unique(), tuple(said))
    return list(found.values())


def check_labels(paths: Iterable[str], asked: Request) -> list[Checked]:
    """Read every file of labels; the first is the gold, and the others are aligned with it."""
    gold, *outputs = paths
    tables: dict[str, tuple[Role, Table]] = {}
    found = [_one(gold, asked.reading, "gold", tables), *(_one(path, asked.reading, "output", tables) for path in outputs)]
    if gold not in tables:
        return [_read_alone(one, tables) for one in found]
    return [_labelled(one, tables, tables[gold][1], asked) if one.path in tables else one for one in found]


def _read_alone(one: Checked, tables: dict[str, tuple[Role, Table]]) -> Checked:
    """What reading alone tells, where there is no gold to align with."""
    if one.path not in tables:
        return one
    kind, table = tables[one.path]
    return Checked(one.path, kind, len(table.frame), table.frame["case"].n_unique(), table.notices)


def _labelled(one: Checked, tables: dict[str, tuple[Role, Table]], gold: Table, asked: Request) -> Checked:
    kind, table = tables[one.path]
    try:
        aligned = prepare(asked, gold, {name_of(one.path): table})
        of_gold = len(aligned.gold.notices)
        said = aligned.gold.notices if kind == "gold" else aligned.notices[of_gold:]
    except PlumblineError as error:
        said = error.diagnostics
    return Checked(one.path, kind, len(table.frame), table.frame["case"].n_unique(), tuple(said))


def _one(path: str, options: ReadOptions, role: Role | None, tables: dict[str, tuple[Role, Table]]) -> Checked:
    kind = role
    try:
        kind = kind or role_of(load(path, options.max_bytes), options) or "output"
        tables[path] = (kind, read(path, kind, options))
    except BadData as error:
        return Checked(path, kind, 0, 0, error.diagnostics)
    return Checked(path, kind, 0, 0, ())


def _aligned(table: Table, gold: Table | None, kind: Role, policy: Policy) -> list[Diagnostic]:
    """Notices of reading and aligning; without judgements an output is checked against itself."""
    try:
        if kind == "gold":
            return list(prepare_judgements(table, policy).notices)
        prepared = (
            prepare_judgements(gold, policy) if gold else prepare_judgements(table, replace(policy, on_duplicate="first"))
        )
        aligned = align_with_judgements(prepared, [(name_of(table.label), table)], AlignOptions(policy))
        said = aligned.notices[len(prepared.notices) :]
        return [notice for notice in said if gold is not None or notice.code in {"N205", "N208", "N212", "N213", "N214"}]
    except PlumblineError as error:
        return list(error.diagnostics)
