// The records of two formats, as Zod 4 declares them.

import { z } from "zod4";

const part = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("file_ref"), path: z.string() }),
  z.object({ type: z.literal("image_url"), image_url: z.object({ url: z.string() }) }),
]);

const message = z.object({
  role: z.enum(["system", "user", "assistant"]),
  content: z.union([z.string(), z.array(part)]),
});

const sample = z.object({
  input: z.object({ messages: z.array(message) }),
  json_schema: z.record(z.string(), z.unknown()).optional(),
  usage_output: z.union([z.null(), z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())]).optional(),
});

const natural = z.int().min(0);
const milliseconds = z.number().min(0).nullish();
const texts = z.record(z.string(), z.string());

const turn = z.object({
  turn_idx: natural,
  role: z.string(),
  content: z.string().nullish(),
  reasoning_trace: z.string().nullish(),
  tool_calls: z.array(z.object({ id: z.string(), name: z.string(), arguments: texts.nullish() })).nullish(),
  tool_call_id: z.array(z.string()).nullish(),
});

const output = z.object({ raw: z.array(z.string()), reasoning_trace: z.array(z.string()).nullish() });

const common = {
  schema_version: z.string(),
  evaluation_id: z.string(),
  evaluation_result_id: z.string().optional(),
  model_id: z.string(),
  evaluation_name: z.string(),
  sample_id: z.string(),
  sample_hash: z.string().nullish(),
  input: z.object({
    raw: z.string(),
    reference: z.array(z.string()),
    formatted: z.string().nullish(),
    choices: z.array(z.string()).nullish(),
  }),
  answer_attribution: z.array(
    z.object({
      turn_idx: natural,
      source: z.string(),
      extracted_value: z.string(),
      extraction_method: z.string(),
      is_terminal: z.boolean(),
    }),
  ),
  evaluation: z.object({
    score: z.number(),
    is_correct: z.boolean(),
    num_turns: z.int().min(1).nullish(),
    tool_calls_count: natural.nullish(),
  }),
  token_usage: z
    .object({
      input_tokens: natural,
      output_tokens: natural,
      total_tokens: natural,
      input_tokens_cache_write: natural.nullish(),
      input_tokens_cache_read: natural.nullish(),
      reasoning_tokens: natural.nullish(),
    })
    .nullish(),
  performance: z
    .object({
      latency_ms: milliseconds,
      time_to_first_token_ms: milliseconds,
      generation_time_ms: milliseconds,
      additional_details: texts.nullish(),
    })
    .nullish(),
  error: z.string().nullish(),
  metadata: texts.nullish(),
};

/** An instance of Every Eval Ever 0.3.0: how it was asked decides whether it has an output or messages. */
const instance = z.discriminatedUnion("interaction_type", [
  z.strictObject({ ...common, interaction_type: z.literal("single_turn"), output, messages: z.null().optional() }),
  z.strictObject({
    ...common,
    interaction_type: z.enum(["multi_turn", "agentic"]),
    output: z.null().optional(),
    messages: z.array(turn),
  }),
]);

/** What a record is, by the format. */
export const FORMATS = { juryarena: sample, "eee-instance": instance };
