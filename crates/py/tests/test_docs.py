"""The examples of the documentation run, and write what they say that they write."""

from __future__ import annotations

import os
import re
import subprocess
import sysconfig
import venv
from pathlib import Path

import pytest

from support import FIXABLE, INVALID, ROOT, SUITE, VALID, blocks, needs_the_wheel

DOCUMENTS = [ROOT / "docs" / "python.md", ROOT / "crates" / "py" / "README.md"]

NOT_RUN = {"yaml"}
"""Languages of examples that others run."""


FROM_A_CLONE = "pip install ./crates/py"
"""How a clone installs the package; another test does so in the full suite."""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment of a reader, where pip finds the built wheel; of the tests it sees pytest only."""
    folder = tmp_path_factory.mktemp("reader")
    venv.create(folder, with_pip=True)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    (packages,) = (folder / "lib").glob("python*/site-packages")
    for name in ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "exceptiongroup", "tomli", "py.py"):
        for found in Path(sysconfig.get_path("purelib")).glob(f"{name}*"):
            (packages / found.name).symlink_to(found)
    pytest_script = scripts / "pytest"
    pytest_script.write_text(f"#!{scripts / 'python'}\nimport sys, pytest\nsys.exit(pytest.main())\n")
    pytest_script.chmod(0o755)
    path = os.pathsep.join([str(scripts), os.environ["PATH"]])
    wheels = os.environ["EVALCHECK_WHEELS"]
    return {**os.environ, "PATH": path, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": wheels, "PYTHONPATH": ""}


@needs_the_wheel
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: str(document.relative_to(ROOT)))
def test_the_examples_run(document: Path, environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "train.jsonl").write_bytes(VALID + FIXABLE + INVALID)
    (tmp_path / "valid").mkdir()
    (tmp_path / "valid" / "train.jsonl").write_bytes(VALID)
    (tmp_path / "samples.jsonl").write_bytes(VALID)
    ran = 0
    written = ""
    for block in blocks(document):
        place = f"{document.name}, line {block.line}"
        if block.language in NOT_RUN:
            continue
        if block.language == "text":
            assert written == block.text, place
            continue
        named = re.match(r"# (test_\w+\.py)\n", block.text)
        if named is not None:
            # Another example runs it.
            (tmp_path / named[1]).write_text(block.text, encoding="utf-8")
            continue
        if block.text.strip() == FROM_A_CLONE:
            assert (ROOT / "crates" / "py" / "pyproject.toml").is_file()
            continue
        command = {"python": ["python", "-c"], "sh": ["sh", "-e", "-c"]}[block.language]
        done = subprocess.run(
            [*command, block.text], cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8"
        )
        assert done.returncode == 0, f"{place}:\n{done.stdout}\n{done.stderr}"
        if "pytest" in block.text:
            assert "2 passed" in done.stdout, place
        written = done.stdout
        ran += 1
    assert ran >= 2


@pytest.mark.skipif(SUITE == "quick", reason="only the full suite builds the module once more")
def test_a_clone_installs_the_package(environment: dict[str, str], tmp_path: Path) -> None:
    assert all(FROM_A_CLONE in document.read_text(encoding="utf-8") for document in DOCUMENTS)
    online = {name: value for name, value in environment.items() if not name.startswith("PIP_")}
    subprocess.run(FROM_A_CLONE.split(), cwd=ROOT, env=online, check=True)
    (tmp_path / "samples.jsonl").write_bytes(VALID)
    subprocess.run(["evalcheck", "samples.jsonl"], cwd=tmp_path, env=environment, check=True)


@needs_the_wheel
def test_the_example_of_pytest_fails_for_an_invalid_dataset(environment: dict[str, str], tmp_path: Path) -> None:
    (test,) = (block.text for block in blocks(DOCUMENTS[0]) if block.text.startswith("# test_datasets.py"))
    (tmp_path / "test_datasets.py").write_text(test, encoding="utf-8")
    (tmp_path / "valid").mkdir()
    (tmp_path / "valid" / "train.jsonl").write_bytes(INVALID)
    subprocess.run(["pip", "install", "-q", "evalcheck-datasets"], env=environment, check=True)
    done = subprocess.run(["pytest", "-q"], cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8")
    assert done.returncode == 1 and "2 failed" in done.stdout, done.stdout
    assert "train.jsonl: invalid (juryarena): 1 record" in done.stdout
