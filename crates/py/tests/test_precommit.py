"""The hooks of pre-commit, in a repository of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support import INVALID, ROOT, SUITE, VALID, needs_the_wheel, run

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a valid dataset, and with files that are no datasets."""
    folder = tmp_path / "project"
    (folder / "data").mkdir(parents=True)
    (folder / "valid.jsonl").write_bytes(VALID)
    (folder / "package.json").write_text("{}")
    (folder / "README.md").write_text("Hello")
    (folder / "data" / "table.csv").write_bytes(b"a,b\n1\n")
    run("git", "init", "-q", cwd=folder)
    run("git", "add", ".", cwd=folder)
    return folder


def precommit(project: Path, home: Path, *arguments: object, status: int) -> str:
    """What pre-commit writes for all files of a project."""
    command = [sys.executable, "-m", "pre_commit", *map(str, arguments), "--all-files", "--color=never"]
    environment = {**os.environ, "PRE_COMMIT_HOME": str(home), "PIP_FIND_LINKS": os.environ["EVALCHECK_WHEELS"]}
    done = subprocess.run(
        command, cwd=project, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
    )
    assert done.returncode == status, done.stdout
    return done.stdout


@needs_the_wheel
def test_the_hook_checks_the_datasets_of_a_repository(project: Path, tmp_path: Path) -> None:
    (project / "invalid.jsonl").write_bytes(INVALID)
    run("git", "add", ".", cwd=project)
    shown = precommit(project, tmp_path / "home", "try-repo", ROOT, "evalcheck", status=1)
    assert "- exit code: 1" in shown
    assert "invalid.jsonl:1:31: error[shape/invalid-enum-value]" in shown
    assert "package.json" not in shown and "table.csv" not in shown


@needs_the_wheel
def test_the_hook_takes_what_its_user_says(project: Path, tmp_path: Path) -> None:
    run("git", "clone", "-q", ROOT, tmp_path / "hooks")
    for name in (".pre-commit-hooks.yaml", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / "hooks" / name)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    run("git", "add", ".", cwd=tmp_path / "hooks")
    run(*git, "commit", "-q", "--allow-empty", "-m", "hooks", cwd=tmp_path / "hooks")
    commit = run("git", "rev-parse", "HEAD", cwd=tmp_path / "hooks").stdout.strip()
    documented = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    example = documented.split("```yaml\n")[3].split("```")[0]
    example = example.replace("https://github.com/OWNER/evalcheck", str(tmp_path / "hooks")).replace("v0.1.0", commit)
    assert str(tmp_path) in example and commit in example
    (project / ".pre-commit-config.yaml").write_text(example, encoding="utf-8")
    shown = precommit(project, tmp_path / "home", "run", status=1)
    assert "data/table.csv" in shown and "package.json" not in shown


@pytest.mark.skipif(SUITE == "quick", reason="only the full suite builds the command as it is released")
@pytest.mark.skipif(sys.platform == "win32", reason="it is a shell script")
def test_the_hook_that_is_built_by_cargo_checks_datasets(project: Path, tmp_path: Path) -> None:
    """In place: in the clone that pre-commit makes, the command would be built once more, for minutes."""
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    entry = "crates/cli/pre-commit.sh"
    assert f"entry: {entry} check\n" in hooks
    (project / ".pre-commit-config.yaml").write_text(
        "repos:\n- repo: local\n  hooks:\n"
        f"  - {{id: evalcheck-src, name: x, language: system, entry: {ROOT / entry} check, files: jsonl$}}\n",
        encoding="utf-8",
    )
    assert "Passed" in precommit(project, tmp_path / "home", "run", status=0)
    (project / "invalid.jsonl").write_bytes(INVALID)
    run("git", "add", ".", cwd=project)
    assert "invalid.jsonl:1:31: error" in precommit(project, tmp_path / "home", "run", status=1)


def test_the_hook_installs_the_wheel_of_this_version() -> None:
    version = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]["version"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == version
    assert project["dependencies"] == [f"evalcheck-datasets=={version}"]
