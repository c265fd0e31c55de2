// The fixed examples of rules, loaded by the systems whose rules they are.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { read } from "./quest_reader.js";
import { drive, explained, reports, withFiles } from "./support.js";

const isTable = (text) => !/^[[{]/.test(text);

const MINIMAL = JSON.parse(readFileSync(new URL("../../crates/formats/src/eee_instance/minimal.jsonl", import.meta.url), "utf8"));

/** An example as a dataset. The lines of Every Eval Ever's own rules are parts, which replace what a minimal record has. */
const whole = (code, text) => (code.startsWith("eee/") ? text.split("\n").map(completed).join("\n") : text);

const completed = (line) => JSON.stringify({ ...MINIMAL, ...JSON.parse(line) });

/** For each format the name of a file, and why its system refuses files. */
const SYSTEMS = {
  evret: {
    name: (text, index) => `${index}.${isTable(text) ? "csv" : "json"}`,
    // One of the releases loads it: the one that it is written for.
    async refusals(folder, names) {
      const loaded = ["evret-0.0.1", "evret-0.0.2", "evret-0.0.3"].map((release) => drive(release, "load_evret.py", folder, names));
      const refusals = await Promise.all(loaded);
      return names.map((_, index) => refusals.map((of) => of[index].refused).reduce((one, other) => one && other));
    },
  },
  deepeval: {
    name: (text, index) => `${index}.${isTable(text) ? "csv" : text.startsWith("[") ? "json" : "jsonl"}`,
    async refusals(folder, names) {
      return (await drive("deepeval", "load_deepeval.py", folder, names)).map(({ refused }) => refused);
    },
  },
  quest: {
    name: (_, index) => `${index}.jsonl`,
    async refusals(folder, names) {
      const verdicts = await Promise.all(names.map((name) => read(join(folder, name))));
      return verdicts.map(({ refused, forbidden }) => refused ?? forbidden);
    },
  },
  "openai-batch": {
    name: (_, index) => `${index}.jsonl`,
    async refusals(folder, names) {
      return (await drive("openai-batch", "load_openai_batch.py", folder, names)).map(({ litellm, sdk }) => litellm ?? sdk);
    },
  },
  "eee-instance": {
    name: (text, index) => `${/"schema_version":"(0.3.0)"/.exec(text)?.[1] ?? "0.2.0"}-${index}.jsonl`,
    async refusals(folder, names) {
      return (await drive("eee-instance", "load_eee_instance.py", folder, names)).map(({ refused }) => refused);
    },
  },
};

for (const [format, { name, refusals }] of Object.entries(SYSTEMS)) {
  test(`${format} loads what the rules call fixed`, async (t) => {
    const all = (await explained(format)).map(({ code, invalid, valid }) => ({ code, invalid: whole(code, invalid), valid: whole(code, valid) }));
    const invalid = all.map((example, index) => ({ name: name(example.invalid, index), content: example.invalid }));
    const found = await withFiles(invalid, (folder) => reports(folder, invalid.map((file) => file.name), ["--format", format]));
    // A rule that finds nothing in its example is not about this format.
    const own = all.filter(({ code }, index) => code in found[index].counts.by_code);
    const valid = own.map((example, index) => ({ name: name(example.valid, index), content: example.valid }));
    const reasons = await withFiles(valid, (folder) => refusals(folder, valid.map((file) => file.name)));
    const refused = own.map(({ code, valid }, index) => [code, reasons[index], valid]).filter(([, reason]) => reason !== null);
    assert.deepEqual(refused, []);
    t.diagnostic(`${own.length} examples`);
    assert.ok(own.length > 20, `${own.length} examples`);
  });
}
