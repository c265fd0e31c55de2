"""The recipes of docs/scale.md for engines that are too large to be installed for tests: `cargo xtask test --only engines` runs those that the
Python named by `EVALCHECK_ENGINES` has, and says which it has not.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from recipes import compare, need, python, recipes, shell, whole

JAVA = """
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
"""


def need_package(package: str, name: str) -> None:
    if find_spec(package) is None:
        pytest.skip(f"{name} not installed: the recipe is NOT run")


def test_parallel(few: Path) -> None:
    need("parallel")
    shell(recipes("GNU parallel", "sh")[0], few)
    assert (few / "report.json").read_text() == whole(few / "big.jsonl")


@pytest.mark.parametrize("recipe", [0, 1], ids=["source", "rdd"])
def test_spark_with_java(few: Path, recipe: int) -> None:
    need("java")
    need_package("py4j", "PySpark")
    python(recipes("Spark", "python")[recipe], few, JAVA, PYSPARK_PYTHON=sys.executable)
    compare(few)


def test_ray(few: Path) -> None:
    need_package("ray", "Ray")
    (recipe,) = recipes("Ray", "python")
    python(recipe, few, RAY_USAGE_STATS_ENABLED="0")
    compare(few)
