"""Reads files for OpenAI's fine-tuning as three readers do. Reads the names of files, and writes for each a line of JSON: for each reader
why it refuses the file, or null. Two of the readers go on after a fault: their texts have a line for each.

- `llmcomp`: the validator of llmcomp, which was written from refusals of the service. It knows supervised fine-tuning only.
- `sdk`: the types of messages of OpenAI's own package, put together as the published schema of fine-tuning does. A name such as
  `preference-1.jsonl` begins with the method of the job; without it each record decides itself.
- `together`: the check of the client of Together, which takes a similar format.

Only the modules that decide are loaded: the packages around them import much more than a check needs."""

import importlib
import json
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import distribution
from typing import Annotated, Any, Union

from pydantic import Field, TypeAdapter, ValidationError
from typing_extensions import NotRequired, TypedDict


def bare_package(name: str) -> types.ModuleType:
    """Registers a package whose modules can be imported, and whose own `__init__` is not run."""
    package = types.ModuleType(name)
    package.__path__ = [str(distribution(name.split(".")[0]).locate_file(name.replace(".", "/")))]
    sys.modules[name] = package
    return package


def lines_of(faults: Iterable[str]) -> str | None:
    """Faults, each cut to a length that is enough for a message."""
    return "\n".join(fault.replace("\n", " ")[:300] for fault in faults) or None


# llmcomp

bare_package("llmcomp")
bare_package("llmcomp.finetuning")
validation = importlib.import_module("llmcomp.finetuning.validation")

# The schema ignores other keys, and has the role.
TAKEN = ("unknown key(s) for role", "invalid role 'function'")


def llmcomp(name: str) -> str | None:
    errors = [str(error) for error in validation.validate_finetuning_file(name).errors]
    return lines_of(error for error in errors if not any(taken in error for taken in TAKEN))


# OpenAI's package

for name in ("openai", "openai.types", "openai.types.chat", "openai.types.shared_params"):
    bare_package(name)


def of_sdk(module: str, name: str) -> Any:
    return getattr(importlib.import_module(f"openai.types.{module}"), name)


Developer = of_sdk("chat.chat_completion_developer_message_param", "ChatCompletionDeveloperMessageParam")
System = of_sdk("chat.chat_completion_system_message_param", "ChatCompletionSystemMessageParam")
User = of_sdk("chat.chat_completion_user_message_param", "ChatCompletionUserMessageParam")
Assistant = of_sdk("chat.chat_completion_assistant_message_param", "ChatCompletionAssistantMessageParam")
ToolResult = of_sdk("chat.chat_completion_tool_message_param", "ChatCompletionToolMessageParam")
FunctionResult = of_sdk("chat.chat_completion_function_message_param", "ChatCompletionFunctionMessageParam")
Tool = of_sdk("chat.chat_completion_function_tool_param", "ChatCompletionFunctionToolParam")
FunctionDefinition = of_sdk("shared_params.function_definition", "FunctionDefinition")

# The types say `Iterable`, because callers may pass a generator. JSON has lists, and pydantic does not look into an `Iterable`. The
# annotations are texts that pydantic resolves in their modules.
for name, module in sys.modules.items():
    if name.startswith("openai.types.") and hasattr(module, "Iterable"):
        module.Iterable = list


class TrainedAssistant(Assistant, total=False):
    # Not `Literal[0, 1]`, which takes true and 1.0.
    weight: Annotated[int, Field(ge=0, le=1)]


def list_of(*messages: Any) -> Any:
    """A list of messages, which their roles tell apart."""
    return Annotated[list[Annotated[Union[messages], Field(discriminator="role")]], Field(min_length=1)]


SupervisedMessages = list_of(System, User, TrainedAssistant, ToolResult, FunctionResult)
ReinforcementMessages = list_of(Developer, System, User, TrainedAssistant, ToolResult)
Output = Annotated[list[Assistant], Field(min_length=1, max_length=1)]


class Supervised(TypedDict):
    messages: SupervisedMessages
    tools: NotRequired[list[Tool]]
    parallel_tool_calls: NotRequired[bool]
    functions: NotRequired[Annotated[list[FunctionDefinition], Field(min_length=1, max_length=128)]]


class Reinforcement(TypedDict):
    """Its other keys are the grader's."""

    messages: ReinforcementMessages
    tools: NotRequired[list[Tool]]


class PreferenceInput(TypedDict):
    messages: SupervisedMessages
    tools: NotRequired[list[Tool]]
    parallel_tool_calls: NotRequired[bool]


class Preference(TypedDict):
    input: PreferenceInput
    preferred_output: Output
    non_preferred_output: Output


class Completion(TypedDict):
    prompt: str
    completion: str


SCHEMAS = {kind: TypeAdapter(kind) for kind in (Supervised, Reinforcement, Preference, Completion)}
METHODS = {"supervised": Supervised, "reinforcement": Reinforcement, "preference": Preference}


def kind_of(record: dict[str, Any]) -> type | None:
    """The kind of a record, without a method. The last message tells conversations apart."""
    if "messages" in record:
        match record["messages"]:
            case [*_, {"role": "user"}]:
                return Reinforcement
        return Supervised
    if "input" in record:
        return Preference
    return Completion if "prompt" in record and "completion" in record else None


def fault_of_record(line: bytes, kind: type | None) -> str | None:
    # Reads the bytes as UTF-8: `json.loads` would take UTF-16 too.
    record = json.loads(line.decode())
    if not isinstance(record, dict):
        return "no object"
    kind = kind or kind_of(record)
    if kind is None:
        return "none of messages, input, prompt with completion"
    try:
        SCHEMAS[kind].validate_python(record, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}, not {json.dumps(first['input'])}"
    return None


def faults_of_lines(name: str) -> Iterator[str]:
    """The package has no reader of files: lines are cut at `\\n`, and blank ones are skipped, as nobody knows what the service does."""
    kind = METHODS.get(name.split("-")[0])
    with open(name, "rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip(b" \t\r\n"):
                continue
            try:
                fault = fault_of_record(line, kind)
            except ValueError as error:
                fault = f"{type(error).__name__}: {error}"
            if fault is not None:
                yield f"Line {number}: {fault}"


def sdk(name: str) -> str | None:
    return lines_of(faults_of_lines(name))


# Together

bare_package("together")
together_types = bare_package("together.types")
bare_package("together.utils")


class FilePurpose:
    """Stands for an enumeration whose module imports more of the client."""

    FineTune = "fine-tune"
    Eval = "eval"


together_types.FilePurpose = FilePurpose
# A bar of progress.
sys.modules["tqdm"] = types.SimpleNamespace(tqdm=lambda lines, **_: lines)
files = importlib.import_module("together.utils.files")


def together(name: str) -> str | None:
    report = files.check_file(name)
    if report["is_check_passed"]:
        return None
    # Not every message says its line.
    line = f"Line {report['line_number']}: " if "line_number" in report else ""
    return lines_of([f"{line}{report['message']}"])


READERS = (llmcomp, sdk, together)


def refusal(reader: Callable[[str], str | None], name: str) -> str | None:
    try:
        return reader(name)
    except (AttributeError, RecursionError, TypeError, ValueError) as error:
        return lines_of([f"{type(error).__name__}: {error}"])


for name in sys.stdin.read().splitlines():
    print(json.dumps({reader.__name__: refusal(reader, name) for reader in READERS}))
