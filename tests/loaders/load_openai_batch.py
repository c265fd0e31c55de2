"""Reads files for OpenAI's Batch API as two readers do. Reads the names of files, and writes for each a line of JSON: for each reader why it
refuses the file, or null.

- `litellm`: the check of LiteLLM's proxy on files that are uploaded for a batch. It stops at the first fault.
- `sdk`: the types of requests of OpenAI's own package, for the bodies alone. Its text has a line for each fault.

Only the modules that decide are loaded: the packages around them import much more than a check needs."""

import importlib
import json
import sys
import types
from collections.abc import Iterator, Mapping
from importlib.metadata import distribution
from typing import Any

from pydantic import TypeAdapter, ValidationError


def bare_package(name: str) -> types.ModuleType:
    """Registers a package whose modules can be imported, and whose own `__init__` is not run."""
    package = types.ModuleType(name)
    package.__path__ = [str(distribution(name.split(".")[0]).locate_file(name.replace(".", "/")))]
    sys.modules[name] = package
    return package


def stand_in(name: str, **names: Any) -> None:
    """Registers a module that has only these names."""
    module = types.ModuleType(name)
    module.__dict__.update(names)
    sys.modules[name] = module


# LiteLLM

for name in ("", ".proxy", ".proxy.openai_files_endpoints", ".litellm_core_utils"):
    bare_package(f"litellm{name}")


class ProxyException(Exception):
    """What the proxy answers with."""

    def __init__(self, message: str, **_: Any) -> None:
        super().__init__(message)


# The names that the check imports. Limits of a user's own are not set.
stand_in("litellm.proxy._types", ProxyException=ProxyException)
stand_in("litellm.proxy.openai_files_endpoints.file_usage_caps", FileUsageLimit=type(None), describe_limit_source=str)
stand_in(
    "litellm.litellm_core_utils.core_helpers",
    as_str_mapping=lambda value: value if isinstance(value, Mapping) else None,
)
validation = importlib.import_module("litellm.proxy.openai_files_endpoints.batch_file_validation")


def litellm(name: str) -> str | None:
    with open(name, "rb") as file:
        failure = validation.check_batch_file_upload(name, file, None)
    try:
        if failure is not None:
            validation.raise_batch_file_validation_failure(failure)
    except ProxyException as error:
        return str(error).removesuffix(" The file was not forwarded to the provider.")
    return None


# OpenAI's package

for name in ("", ".types", ".types.chat", ".types.shared", ".types.shared_params", ".types.responses"):
    bare_package(f"openai{name}")
# The types say `Iterable`, because callers may pass a generator. JSON has lists, and pydantic does not look into an `Iterable`. The
# annotations are texts that pydantic resolves in their modules.
stand_in("openai._types", SequenceNotStr=list, FileTypes=Any)
REQUESTS = {
    "/v1/chat/completions": ("chat.completion_create_params", "CompletionCreateParamsNonStreaming"),
    "/v1/embeddings": ("embedding_create_params", "EmbeddingCreateParams"),
    "/v1/responses": ("responses.response_create_params", "ResponseCreateParamsNonStreaming"),
    "/v1/completions": ("completion_create_params", "CompletionCreateParamsNonStreaming"),
    "/v1/moderations": ("moderation_create_params", "ModerationCreateParams"),
}
found = {url: getattr(importlib.import_module(f"openai.types.{module}"), name) for url, (module, name) in REQUESTS.items()}
for name, module in sys.modules.items():
    if name.startswith("openai.types.") and hasattr(module, "Iterable"):
        module.Iterable = list
SCHEMAS = {url: TypeAdapter(request) for url, request in found.items()}
# The samples of Azure.
SCHEMAS["/chat/completions"] = SCHEMAS["/v1/chat/completions"]


def fault_of_body(line: bytes) -> str | None:
    record = json.loads(line)
    url = record.get("url") if isinstance(record, dict) else None
    schema = SCHEMAS.get(url) if isinstance(url, str) else None
    if schema is None or "body" not in record:
        return None
    try:
        schema.validate_python(record["body"], strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        return f"{'.'.join(map(str, ('body', *first['loc'])))}: {first['msg']}, not {json.dumps(first['input'])}"
    return None


def faults_of_lines(name: str) -> Iterator[str]:
    with open(name, "rb") as file:
        for number, line in enumerate(file, 1):
            try:
                fault = fault_of_body(line)
            except (ValueError, RecursionError):
                # It says nothing on lines that are not JSON.
                continue
            if fault is not None:
                yield f"line {number}: {fault}"


def sdk(name: str) -> str | None:
    return "\n".join(fault.replace("\n", " ")[:300] for fault in faults_of_lines(name)) or None


READERS = (litellm, sdk)

for name in sys.stdin.read().splitlines():
    print(json.dumps({reader.__name__: reader(name) for reader in READERS}))
