// The model of Quest's reader against evalcheck.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { isFull, sized } from "../suite.mjs";
import { spoil } from "./mutate.js";
import { hold, read } from "./quest_reader.js";
import { compare, listed, loaded, Random, reports, withFiles } from "./support.js";

const FILES = sized(200, 6_500);

/** Errors of evalcheck in files that Quest loads and whose document does not forbid them. */
const CHOICES = [
  { code: "dataset/no-records", reason: "a dataset of nothing but metadata gives labellers nothing to do" },
  {
    code: "json/stray-character",
    reason: "a carriage return alone separates records for Quest, but not for other tools, whose lines are counted here",
  },
  { code: "text/invalid-utf8", reason: "Quest replaces the byte by U+FFFD, and labellers see another text" },
];

const OWN = ["text", "text_completion", "chat_completion", "Text", "user", "assistant", "tool", 2, "2", "s0", ["model"]];

const TEXTS = ["One.", "“Zwei” – drei…", "\u2028", "\u20ac\u4e2d\u6587", "a\nb", "\ud83d\ude00"];

/** A file of Quest's. */
function dataset(random) {
  const type = random.of(["text", "text_completion", "chat_completion"]);
  const [perLine, lines] = [1 + random.below(2), 1 + random.below(6)];
  const turns = (roles) => roles.map((role) => ({ role, content: random.of(TEXTS) }));
  const samples = Array.from({ length: perLine * lines }, (_, index) => ({
    type,
    id: `s${index}`,
    ...(random.chance(0.5) && { metadata: { model: "m1" } }),
    ...(type === "text" && { text: random.of(TEXTS) }),
    ...(type === "text_completion" && { prompt: random.of(TEXTS), completion: random.of(TEXTS) }),
    ...(type === "chat_completion" && {
      prompt: turns(random.of([["user"], ["system", "user"], ["user", "assistant", "user"]])),
      completion: turns(["assistant"]),
    }),
  }));
  const metadata = { total_samples: samples.length, sample_type: type, samples_per_line: perLine, hidden_metadata: ["model"] };
  return [metadata, ...Array.from({ length: lines }, (_, line) => samples.slice(line * perLine, (line + 1) * perLine))];
}

/** Compares files in the folder where they are. */
async function agree(files, folder) {
  const names = files.map(({ name }) => name);
  const verdicts = await Promise.all(names.map((name) => read(join(folder, name))));
  const refusals = verdicts.map(({ refused, forbidden }) => refused ?? forbidden);
  const checked = await reports(folder, names, ["--format", "quest"]);
  const outcome = compare(files, checked, refusals, CHOICES);
  const byName = new Map(names.map((name, index) => [name, checked[index]]));
  return { ...outcome, byName, dropped: verdicts.filter(({ refused }) => refused !== null).length };
}

test("Quest loads the built-in examples, and refuses or drops lines of the broken one", async () => {
  const names = ["minimal.jsonl", "full.jsonl", "broken.jsonl"];
  const folder = new URL("../../crates/formats/src/quest/", import.meta.url);
  const files = await Promise.all(names.map(async (name) => ({ name, content: await readFile(new URL(name, folder)) })));
  await withFiles(files, async (folder) => {
    const outcome = await agree(files, folder);
    assert.equal(outcome.disagreements.length, 0, listed(outcome.disagreements));
    assert.equal(outcome.dropped, 1);
  });
});

test("what Quest refuses or drops is an error, and nothing else but what its document forbids", async (t) => {
  const random = new Random(41);
  const files = Array.from({ length: FILES }, (_, index) => ({
    name: `${index}.jsonl`,
    content: spoil(random, dataset(random), OWN),
  }));
  await withFiles(files, async (folder) => {
    const { disagreements, refused, dropped, chosen, byName } = await agree(files, folder);
    const choices = [...chosen].map(([{ code }, count]) => `${code}: ${count}`).join(", ");
    t.diagnostic(`${files.length} files: ${dropped} refused or with a dropped line, ${refused - dropped} forbidden by the document, ${choices}`);
    assert.equal(disagreements.length, 0, listed(disagreements));
    // Few files show only the usual ones.
    if (isFull) assert.ok([...chosen.values()].every((count) => count > 0), "each documented choice is needed");
    const held = await loaded(folder, files.map(({ name }) => name), ["--format", "quest"]);
    const states = { held: 0, dropped: 0, refused: 0 };
    let ruled = 0;
    for (const { name, content } of files) {
      const theirs = await hold(join(folder, name));
      // Lines are counted in another way.
      if (/[\r\u2028\u2029]/.test(content.toString().replaceAll("\r\n", "\n"))) continue;
      const ours = new Map(held.get(name).map((record) => [record.line, record]));
      const about = `${name}: ${content.toString().slice(0, 600)}`;
      const lines = content.toString().split("\n");
      // We cannot read it, and Quest reads infinity.
      if (lines[0].includes("1e400")) continue;
      for (const [line, { state: their, samples }] of theirs) {
        // Reading ends at a number out of range, and what Quest makes of the line may hang on what is behind it.
        if (lines[line - 1].includes("1e400")) continue;
        // A record over several lines is none for us.
        const { state, record } = ours.get(line) ?? { state: their === "held" ? "dropped" : their };
        if (state === "held") assert.deepEqual(record, samples, about);
        // What the document forbids is refused here; Quest may hold it.
        else assert.ok(state === their || (state === "refused" && their === "held"), `line ${line}: ${their}, and we say ${state}: ${about}`);
        states[state] += 1;
        if (state !== "held" && byName.get(name).findings.every((finding) => finding.line !== line)) ruled += 1;
      }
    }
    t.diagnostic(`lines: ${JSON.stringify(states)}, of which ${ruled} without a finding, by their first line`);
    assert.ok(states.held > FILES / 4 && states.dropped > FILES / 40 && states.refused > FILES / 40, JSON.stringify(states));
    assert.ok(ruled > FILES / 40, `${ruled} lines have the fate of the first`);
    assert.ok(refused - dropped > FILES / 20 && refused < FILES * 0.9, `${refused} of ${FILES} are refused`);
  });
});
