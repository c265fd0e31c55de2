"""Reads files for OpenAI's Batch API as vLLM's `run-batch` does before it runs them. Reads the names of files, and writes for each a line of
JSON: `refused`, why it refuses the file, or null.

`EVALCHECK_VLLM` is the path of the wheel of vLLM 0.33.0 (`pip download --no-deps vllm==0.33.0`), which is not installed: it is of 840 MB. Of it
only the modules that read a batch are loaded, and those with the types of requests. All others, and the packages that vLLM needs, are
replaced by modules whose names are of no use."""

import importlib
import importlib.abc
import importlib.machinery
import json
import os
import sys
import types
from importlib.metadata import distribution
from typing import Any
from zipfile import ZipFile

from pydantic_core import core_schema
from typing_extensions import Required, TypedDict

WHEEL = ZipFile(os.environ["EVALCHECK_VLLM"])
FILES = set(WHEEL.namelist())

# The modules of vLLM that decide.
OWN = {
    "vllm.envs",
    "vllm.exceptions",
    "vllm.renderers.chat_utils",
    "vllm.renderers.chat_utils.types",
    "vllm.renderers.params",
    "vllm.sampling_params",
    "vllm.tasks",
    *(
        f"vllm.entrypoints.{name}"
        for name in (
            "launchers.run_batch",
            "generate.base.protocol",
            "openai.chat_completion.protocol",
            "pooling.base.protocol",
            "pooling.embed.protocol",
            "pooling.scoring.protocol",
            "serve.engine.protocol",
            "speech_to_text.base.protocol",
            "speech_to_text.transcription.protocol",
            "speech_to_text.translation.protocol",
        )
    ),
}


class Nothing(type):
    """The type of a name that is imported from a replaced module: anything can be done with it."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return nothing(name)

    def __getitem__(cls, _: Any) -> Any:
        return cls

    def __or__(cls, _: Any) -> Any:
        return Any

    __ror__ = __or__

    def __iter__(cls) -> Any:
        return iter(())


def nothing(name: str) -> Nothing:
    def decorate(self: Any, *values: Any, **_: Any) -> Any:
        return values[0] if values and callable(values[0]) else self

    def member(self: Any, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return nothing(name)()

    return Nothing(
        name,
        (),
        {
            "__init__": lambda self, *_, **__: None,
            "__init_subclass__": classmethod(lambda cls, **_: None),
            "__call__": decorate,
            "__getattr__": member,
            "__get_pydantic_core_schema__": classmethod(lambda *_: core_schema.any_schema()),
        },
    )


class Replaced(types.ModuleType):
    """A module that has every name."""

    __path__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = nothing(name)
        setattr(self, name, value)
        return value


class Importer(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the modules of vLLM, or what nothing else imports."""

    def __init__(self, *, is_last: bool) -> None:
        self.is_last = is_last

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if not self.is_last and name.split(".")[0] != "vllm":
            return None
        is_package = name not in OWN or f"{name.replace('.', '/')}/__init__.py" in FILES
        return importlib.machinery.ModuleSpec(name, self, is_package=is_package)

    def create_module(self, spec: Any) -> Any:
        return types.ModuleType(spec.name) if spec.name in OWN else Replaced(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        if module.__name__ not in OWN:
            return
        path = module.__name__.replace(".", "/")
        path = next(path for path in (f"{path}.py", f"{path}/__init__.py") if path in FILES)
        exec(compile(WHEEL.read(path), path, "exec"), module.__dict__)


sys.meta_path.insert(0, Importer(is_last=False))
sys.meta_path.append(Importer(is_last=True))
openai = types.ModuleType("openai")
openai.__path__ = [str(distribution("openai").locate_file("openai"))]
sys.modules["openai"] = openai
# What is not replaced by anything: the bounds of numbers, and another form of messages, which no file has.
importlib.import_module("torch").iinfo = lambda _: types.SimpleNamespace(min=-(2**63), max=2**63 - 1)
Message = TypedDict("Message", {"author": Required[dict], "content": Required[list]})
importlib.import_module("openai_harmony").Message = Message
run_batch = importlib.import_module("vllm.entrypoints.launchers.run_batch")


def refused(name: str) -> str | None:
    try:
        # As `open_batch_input` opens it.
        with open(name, encoding="utf-8", newline="\n") as file:
            run_batch.validate_batch(file)
    except Exception as error:
        return f"{type(error).__name__}: {error}".replace("\n", " ")[:300]
    return None


for name in sys.stdin.read().splitlines():
    print(json.dumps({"refused": refused(name)}))
