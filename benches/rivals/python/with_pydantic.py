"""pydantic: `python with_pydantic.py FORMAT FILE`."""

import sys
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

import lines

Natural = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
Milliseconds = Annotated[float, Field(ge=0)]


class Struct(BaseModel):
    """A part of a record: of numbers and texts none is taken for the other."""

    model_config = ConfigDict(strict=True)


class Text(Struct):
    type: Literal["text"]
    text: str


class FileRef(Struct):
    type: Literal["file_ref"]
    path: str


class Url(Struct):
    url: str


class ImageUrl(Struct):
    type: Literal["image_url"]
    image_url: Url


class Message(Struct):
    role: Literal["system", "user", "assistant"]
    content: str | list[Annotated[Text | FileRef | ImageUrl, Field(discriminator="type")]]


class Messages(Struct):
    messages: list[Message]


class Sample(Struct):
    """A sample of JuryArena."""

    input: Messages
    json_schema: dict[str, Any] = {}
    usage_output: str | dict[str, Any] | list[Any] | None = None


class Question(Struct):
    raw: str
    reference: list[str]
    formatted: str | None = None
    choices: list[str] | None = None


class Output(Struct):
    raw: list[str]
    reasoning_trace: list[str] | None = None


class ToolCall(Struct):
    id: str
    name: str
    arguments: dict[str, str] | None = None


class Turn(Struct):
    turn_idx: Natural
    role: str
    content: str | None = None
    reasoning_trace: str | None = None
    tool_calls: list[ToolCall] | None = None
    tool_call_id: list[str] | None = None


class Attribution(Struct):
    turn_idx: Natural
    source: str
    extracted_value: str
    extraction_method: str
    is_terminal: bool


class Evaluation(Struct):
    score: float
    is_correct: bool
    num_turns: Positive | None = None
    tool_calls_count: Natural | None = None


class TokenUsage(Struct):
    input_tokens: Natural
    output_tokens: Natural
    total_tokens: Natural
    input_tokens_cache_write: Natural | None = None
    input_tokens_cache_read: Natural | None = None
    reasoning_tokens: Natural | None = None


class Performance(Struct):
    latency_ms: Milliseconds | None = None
    time_to_first_token_ms: Milliseconds | None = None
    generation_time_ms: Milliseconds | None = None
    additional_details: dict[str, str] | None = None


class Instance(Struct):
    """An instance of Every Eval Ever 0.3.0."""

    model_config = ConfigDict(extra="forbid")

    schema_version: str
    evaluation_id: str
    model_id: str
    evaluation_name: str
    sample_id: str
    interaction_type: Literal["single_turn", "multi_turn", "agentic"]
    input: Question
    answer_attribution: list[Attribution]
    evaluation: Evaluation
    evaluation_result_id: str = ""
    sample_hash: str | None = None
    output: Output | None = None
    messages: list[Turn] | None = None
    token_usage: TokenUsage | None = None
    performance: Performance | None = None
    error: str | None = None
    metadata: dict[str, str] | None = None

    @model_validator(mode="after")
    def has_turns_or_output(self):
        if self.interaction_type == "single_turn":
            if self.output is None or self.messages is not None:
                raise ValueError("a single turn has an output and no messages")
        elif self.messages is None or self.output is not None:
            raise ValueError("several turns have messages and no output")
        return self


FORMATS = {"juryarena": Sample, "eee-instance": Instance}

format, path = sys.argv[1:3]
lines.check(path, FORMATS[format].model_validate_json, ValidationError)
