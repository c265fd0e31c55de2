// The copied and downloaded report, and the marks at the locations of findings.

import { readFileSync } from "node:fs";

import { Ajv2020 } from "ajv/dist/2020.js";

import { expect, test, type App } from "./support/app.ts";
import { evalcheck } from "./support/command.ts";
import { pack, read, sample, write, WRONG_ROLE_ON_LINE_12 } from "./support/files.ts";

const schema = new URL("../../crates/wire/report.schema.json", import.meta.url);
// Unknown keywords are errors; a subschema may leave its type to its parent.
const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
const validate = ajv.compile(JSON.parse(readFileSync(schema, "utf8")));

/** Errors of many kinds, with characters of one to four bytes. */
const MANY_KINDS = [
  sample("fine"),
  sample("日本語 👩‍👩‍👧 é", "tööl 👍"),
  '{"input":{"messages":[{"role":"user","content":"👍👍"},{"role":7,"content":[{"type":"text"},{"type":"imäge"}]}]},"extra 🎉":1}',
  '{"input":{"messages":[{"role":"user","content":"é'.concat('"},]}}'),
  "{'input': {}}",
  "",
  '{"input":{"messages":[]},"usage_output":true}',
  '["not an object"]',
  sample("tail").slice(0, -9),
].join("\n");

async function files(folder: string): Promise<Record<string, string>> {
  const packed = await pack(folder, "dataset.zip", {
    "samples.jsonl": `${sample([{ type: "file_ref", path: "attachments/a.txt" }, { type: "file_ref", path: "gone.txt" }])}\n`,
    "attachments/b.txt": "b",
  });
  return {
    "good lines and a wrong role": await write(folder, "samples.jsonl", WRONG_ROLE_ON_LINE_12),
    "mistakes of many kinds": await write(folder, "many-kinds.jsonl", MANY_KINDS),
    "an archive": packed.path,
    "an empty file": await write(folder, "empty.jsonl", ""),
    "a file of another kind": await write(folder, "data.jsonl", "PK\u0003\u0004 and no more"),
  };
}

test("the downloaded and the copied report equal the output of the command", async ({
  app,
  folder,
}) => {
  await app.open();
  for (const [what, path] of Object.entries(await files(folder))) {
    await test.step(what, async () => {
      await app.choose(path);
      const expected = JSON.parse(evalcheck(path, "json"));
      await app.expectVerdict(expected.valid ? "valid" : "invalid");
      await expect(app.verdict).toContainText(expected.file.name);
      const { name, report } = await app.downloadedReport();
      expect(name).toBe(`${expected.file.name}.evalcheck.json`);
      expect(validate(report), JSON.stringify(validate.errors, null, 1)).toBe(true);
      expect(report).toEqual(expected);
      expect(await app.copiedReport()).toBe(evalcheck(path, "short"));
    });
  }
});

async function selectedMark(app: App): Promise<string> {
  const marks = app.page.getByTestId("span");
  return (await marks.count()) === 0 ? "" : marks.first().innerText();
}

test("selecting a finding marks exactly its bytes", async ({ app, folder }) => {
  const path = await write(folder, "many-kinds.jsonl", MANY_KINDS);
  const content = await read(path);
  await app.open();
  await app.choose(path);
  await app.expectVerdict("invalid");
  const { report } = await app.downloadedReport();
  expect(report.findings.length).toBeGreaterThan(10);
  for (const [index, finding] of report.findings.entries()) {
    if (finding.line === null || finding.byte_start === null || finding.byte_end === null) continue;
    await app.findings.nth(index).click();
    await expect(app.findings.nth(index)).toHaveAttribute("aria-selected", "true");
    await expect(app.page.getByTestId("finding-detail")).toContainText(finding.code);
    const expected = content.subarray(finding.byte_start, finding.byte_end).toString("utf8");
    await expect.poll(() => selectedMark(app), { message: `finding ${index}: ${finding.message}` }).toBe(expected);
  }
});

test("every finding shows its rule", async ({ app, page }) => {
  await app.open();
  await app.example("juryarena/broken").click();
  await app.expectVerdict("invalid");
  const { report } = await app.downloadedReport();
  for (const index of report.findings.keys()) {
    await app.findings.nth(index).click();
    await expect(page.getByTestId("finding-detail")).toContainText(report.findings[index]?.code ?? "?");
    await expect(page.getByTestId("rule-detail")).toContainText("Fixed");
  }
});

test("selecting a finding selects its line and shows the lines around it", async ({
  app,
  page,
}) => {
  await app.open();
  await app.choose({ name: "samples.jsonl", content: WRONG_ROLE_ON_LINE_12 + `${sample("after")}\n`.repeat(3) });
  await app.expectVerdict("invalid");
  await app.findings.first().click();
  const rows = page.getByTestId("source").locator(".source-line .number");
  await expect(rows).toHaveText(["10", "11", "12", "13", "14"]);
  await app.showLines();
  await expect(app.line(12)).toBeInViewport();
  await expect(app.line(12)).toHaveAttribute("aria-selected", "true");
  await expect(app.line(12)).toHaveAttribute("data-severity", "error");
});
