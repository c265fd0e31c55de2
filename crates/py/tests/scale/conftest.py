"""The datasets of the recipes."""

from __future__ import annotations

from pathlib import Path

import pytest

from recipes import RANGE, lay
from support import quest


@pytest.fixture(scope="session")
def data() -> bytes:
    """A file of several ranges, with ids that are used again and lines that are wrong."""
    data = quest(15_000)
    assert len(data) > 4 * RANGE
    return data


@pytest.fixture
def few(tmp_path: Path, data: bytes) -> Path:
    """A folder with few files."""
    lay(tmp_path, data, 6)
    return tmp_path


@pytest.fixture
def many(tmp_path: Path, data: bytes) -> Path:
    """A folder with a thousand files."""
    lay(tmp_path, data, 999)
    return tmp_path
