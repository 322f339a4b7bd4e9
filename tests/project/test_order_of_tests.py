"""The tests of a folder run together, so that one process makes what they share; otherwise their order is random."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.conftest import TESTS, pytest_collection_modifyitems

if TYPE_CHECKING:
    from pathlib import Path


class Item:
    """A test as far as its place in the order goes."""

    def __init__(self, path: Path, name: str) -> None:
        self.path, self.name = path, name


def test_folders_stand_together_and_keep_the_order_that_their_tests_have(tmp_path: Path) -> None:
    paths = [
        TESTS / "io" / "test_a.py",
        TESTS / "cli" / "test_b.py",
        TESTS / "io" / "formats" / "test_c.py",
        tmp_path / "test_d.py",
    ]
    items: list[Any] = [Item(path, f"{number}") for number in range(3) for path in paths]
    pytest_collection_modifyitems(items)
    assert [item.path.name for item in items] == [
        *("test_a.py", "test_c.py") * 3,
        *("test_b.py",) * 3,
        *("test_d.py",) * 3,
    ]
    assert [item.name for item in items if item.path == paths[0]] == ["0", "1", "2"]
