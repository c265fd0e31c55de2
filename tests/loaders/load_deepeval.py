"""Loads goldens with DeepEval itself. Reads the names of files, and writes for each a line of JSON: `refused`, the exception or null, and
`goldens`, what was loaded, also before the exception.

Only the modules that load are run: the package imports clients of models, a console and telemetry, which loading does not use."""

import importlib
import json
import math
import sys
import types
import warnings
from dataclasses import asdict, is_dataclass
from importlib.metadata import distribution
from typing import Any

from pydantic import BaseModel

# `user_description` is deprecated.
warnings.simplefilter("ignore")


class Stub(types.ModuleType):
    """A module whose names are all classes that do nothing."""

    __path__: list[str] = []

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


def bare_package(name: str) -> types.ModuleType:
    """Registers a package whose modules can be imported, and whose own `__init__` is not run."""
    package = types.ModuleType(name)
    package.__path__ = [str(distribution("deepeval").locate_file(name.replace(".", "/")))]
    sys.modules[name] = package
    return package


for name in ("rich", "rich.console", "rich.progress"):
    sys.modules[name] = Stub(name)
for name in (
    "confident", "confident.api", "evaluate", "evaluate.console_report", "metrics", "metrics.base_metric", "models", "prompt", "telemetry",
    "test_run", "test_run.hyperparameters", "test_run.test_run", "tracing",
):
    sys.modules[f"deepeval.{name}"] = Stub(f"deepeval.{name}")

bare_package("deepeval")
bare_package("deepeval.dataset")
bare_package("deepeval.config")
sys.modules["deepeval.utils"] = Stub("deepeval.utils")
sys.modules["deepeval.utils"].make_model_config = lambda **options: options
# Types of the platform's API.
api = sys.modules["deepeval.dataset.api"] = Stub("deepeval.dataset.api")
golden = importlib.import_module("deepeval.dataset.golden")
api.Golden = golden.Golden
EvaluationDataset = importlib.import_module("deepeval.dataset.dataset").EvaluationDataset

SINGLE = (
    "input", "actual_output", "expected_output", "context", "retrieval_context", "additional_metadata", "comments", "tools_called",
    "expected_tools", "token_cost", "input_token_count", "output_token_count", "source_file", "name", "custom_column_key_values",
    "expectations",
)
CONVERSATIONAL = (
    "scenario", "turns", "expected_outcome", "persona", "user_description", "context", "additional_metadata", "comments", "name",
    "custom_column_key_values", "expectations",
)


def plain(value: Any) -> Any:
    """The value as JSON has it. Of a model only what was set."""
    if isinstance(value, BaseModel):
        return {name: plain(getattr(value, name)) for name in type(value).model_fields if name in value.model_fields_set}
    if is_dataclass(value):
        return {name: plain(inner) for name, inner in asdict(value).items() if inner is not None and not name.startswith("_")}
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if isinstance(value, golden.ToolCall.model_fields["type"].annotation):
        return value.value
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def held(loaded: Any) -> dict:
    names = SINGLE if isinstance(loaded, golden.Golden) else CONVERSATIONAL
    members = {name: plain(getattr(loaded, name)) for name in names}
    return {name: value for name, value in members.items() if value is not None}


def load(name: str) -> dict:
    dataset = EvaluationDataset()
    kind = name.rsplit(".", 1)[1]
    refused = None
    try:
        getattr(dataset, f"add_goldens_from_{kind}_file")(name)
    except Exception as error:
        refused = f"{type(error).__name__}: {error}"[:400]
    goldens = dataset._conversational_goldens if dataset._multi_turn else dataset._goldens
    return {"refused": refused, "goldens": [held(golden) for golden in goldens]}


for name in sys.stdin.read().splitlines():
    print(json.dumps(load(name)))
