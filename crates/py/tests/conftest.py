"""The fixtures. `cargo xtask test --only python` runs them on the built packages, and sets these variables:

- `EVALCHECK_CLI`: the command that is built by cargo;
- `EVALCHECK_CASES`: a folder with the files of the golden cases.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support import FIXABLE, INVALID, VALID


@pytest.fixture
def command() -> Path:
    """The command that is built by cargo."""
    return Path(os.environ["EVALCHECK_CLI"])


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """A dataset with one valid and two broken records."""
    path = tmp_path / "samples.jsonl"
    path.write_bytes(VALID + FIXABLE + INVALID)
    return path
