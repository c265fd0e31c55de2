// The sets that evalcheck and its rivals check: records of several kinds, some with a mistake that a schema finds.
// Mistakes are of as many kinds as a schema has ways to refuse a record, so that no way of checking is fast because it looks at less.

/** About one record in 500, at places that have no pattern. */
export const scattered = (index) => mixed32(index + 1) % 500 === 0;

/** A JuryArena sample as the rivals get it: one in 16 has its question as parts. */
export const juryarenaOfRivals = (record) => (choices, index, bad) => {
  const sample = JSON.parse(record(choices, index, false));
  const [, question] = sample.input.messages;
  if (index % 16 === 3) question.content = [{ type: "text", text: question.content }];
  return bad ? spoil(sample, JURYARENA, index) : JSON.stringify(sample);
};

/** An Every Eval Ever instance as the rivals get it: one in 16 is a conversation. */
export const instanceOfRivals = (record) => (choices, index, bad) => {
  const instance = JSON.parse(record(choices, index, false));
  if (index % 16 === 3) {
    instance.interaction_type = "multi_turn";
    instance.messages = [
      { turn_idx: 0, role: "user", content: instance.input.raw },
      { turn_idx: 1, role: "assistant", content: instance.output.raw[0] },
    ];
    instance.output = null;
    instance.evaluation.num_turns = 2;
    instance.answer_attribution[0].turn_idx = 1;
    instance.answer_attribution[0].source = "messages[1].content";
  }
  return bad ? spoil(instance, INSTANCE, index) : JSON.stringify(instance);
};

/** What is wrong with a bad sample: each changes one. */
const JURYARENA = [
  (sample) => delete sample.input,
  (sample) => delete sample.input.messages,
  (sample) => (sample.input = [sample.input]),
  (sample) => (sample.input.messages = { 0: sample.input.messages[0] }),
  (sample) => (sample.input.messages[1].role = "tool"),
  (sample) => (sample.input.messages[1].role = null),
  (sample) => delete sample.input.messages[0].role,
  (sample) => delete sample.input.messages[2].content,
  (sample) => (sample.input.messages[1].content = 7),
  (sample) => (sample.input.messages[2].content = null),
  (sample) => (sample.input.messages[1].content = [{ type: "text" }]),
  (sample) => (sample.input.messages[1].content = [{ type: "text", text: 7 }]),
  (sample) => (sample.input.messages[1].content = [{ type: "audio", text: "a" }]),
  (sample) => (sample.input.messages[1].content = ["a"]),
  (sample) => (sample.input.messages[1].content = [{ type: "image_url", image_url: {} }]),
  (sample) => (sample.input.messages[2] = sample.input.messages[2].content),
  (sample) => (sample.usage_output = 7),
  (sample) => (sample.json_schema = "object"),
];

/** What is wrong with a bad instance. None has a key that is not known, which DuckDB does not see. */
const INSTANCE = [
  (instance) => delete instance.sample_id,
  (instance) => delete instance.evaluation,
  (instance) => delete instance.answer_attribution,
  (instance) => delete instance.evaluation.is_correct,
  (instance) => delete instance.input.reference,
  (instance) => (instance.sample_id = 7),
  (instance) => (instance.model_id = null),
  (instance) => (instance.sample_hash = 7),
  (instance) => (instance.input.reference = "12"),
  (instance) => (instance.input.choices = [1, 2]),
  (instance) => (instance.output = { raw: "12" }),
  (instance) => (instance.interaction_type = "chat"),
  (instance) => Object.assign(instance, { interaction_type: "single_turn", output: null, messages: null }),
  (instance) => Object.assign(instance, { interaction_type: "agentic", output: null, messages: null }),
  (instance) => (instance.evaluation.score = "1"),
  (instance) => (instance.evaluation.is_correct = 1),
  (instance) => (instance.evaluation.num_turns = 0),
  (instance) => (instance.answer_attribution[0].turn_idx = "0"),
  (instance) => (instance.answer_attribution[0].is_terminal = "true"),
  (instance) => (instance.token_usage.total_tokens = -1),
  (instance) => (instance.token_usage.input_tokens = 31.5),
  (instance) => (instance.performance.latency_ms = "812.5"),
  (instance) => (instance.metadata.subject = 7),
];

/** A record with a mistake; one in eight is cut off and no JSON. */
function spoil(record, mistakes, index) {
  const chosen = mixed32(~index);
  if (chosen % 8 === 0) return JSON.stringify(record).slice(0, -2);
  mistakes[(chosen >>> 3) % mistakes.length](record);
  return JSON.stringify(record);
}

/** A number of 32 bits that looks nothing like the one it is made from (the last step of MurmurHash3). */
function mixed32(number) {
  let x = number;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}
