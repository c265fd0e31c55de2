// Data of no system: what is shown of it, and what can be done with it.

import { strToU8, zipSync } from "fflate";

import { expect, full, test } from "./support/app.ts";

const LINES = [
  ...Array.from({ length: 24 }, (_, n) => ({ id: `q${n}`, question: `What is ${n} + ${n}?`, target: String(2 * n), score: 1 })),
  { id: "q24", question: "What is 24 + 24?", target: "48", score: "1" },
];
const CONTENT = LINES.map((line) => `${JSON.stringify(line)}\n`).join("");

const SEVERAL = zipSync({
  "data/train.jsonl": strToU8(CONTENT),
  "data/test.jsonl": strToU8('{"id": "q1", "question": "What is 1 + 1?", "target": "2",}\n'),
  "data/table.csv": strToU8("question,answer\nWhat is 1 + 1?,2\nWhat is 2 + 2?\n"),
});

test("data of no system is readable, in grey, and its records can be searched and counted", async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "data.jsonl", content: '{"input":"What is 1 + 1?","target":"2"}\n' });
  await app.expectVerdict("readable");
  await expect(app.verdict.getByRole("heading")).toHaveText("1 record, readable");
  await expect(app.verdict).toContainText("Not checked for a system: the file has the keys input and target, as in datasets of Inspect AI.");
  await expect(page).toHaveTitle(/^Readable, data.jsonl/);

  await app.choose({ name: "scores.jsonl", content: CONTENT });
  await app.expectVerdict("readable");
  await expect(app.verdict.getByRole("heading")).toHaveText("25 records, all readable");
  await expect(app.findings.first()).toContainText('"score" is a number 24 times and a string 1 time');
  const { report } = await app.downloadedReport();
  expect((report as unknown as { format: object }).format).toMatchObject({ id: "jsonl", plain: true, confidence: 0 });
});

test("a table of no system is read with its own separator", full(), async ({ app }) => {
  await app.open();
  await app.choose({ name: "data.tsv", content: "id\tquestion\tanswer\nq1\tWhat is 1 + 1?\t2\nq2\tWhat is 2 + 2?\t4\n" });
  await app.expectVerdict("readable");
  await app.choose({ name: "data.csv", content: "id,question,answer\nq1,What is 1, and 1?,2\nq2,What is 2 + 2?,4\n" });
  await app.expectVerdict("invalid");
  await expect(app.verdict.getByRole("heading")).toHaveText("1 of 2 records have errors");
});

test("an array that is pasted is a document, and its elements are records", full(), async ({ app, page }) => {
  await app.open();
  await page.getByTestId("paste-open").click();
  await page.getByTestId("paste-text").fill('[\n  {"question": "What is 1 + 1?", "points": 2},\n  {"question": "What is 2 + 2?", "points": 4}\n]\n');
  await page.getByTestId("paste-check").click();
  await app.expectVerdict("readable");
  await expect(app.verdict.getByRole("heading")).toHaveText("2 records, all readable");
});

test("of several files in a ZIP, one is checked and the others can be chosen", async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "data.zip", content: SEVERAL });
  await app.expectVerdict("readable");
  const select = page.getByTestId("entry-select");
  await expect(select).toHaveValue("data/train.jsonl");
  await select.selectOption("data/table.csv");
  await app.expectVerdict("invalid");
  await expect(select).toHaveValue("data/table.csv");
  await expect(app.verdict.getByRole("heading")).toHaveText("1 of 3 files: 1 of 2 records have errors");
  // Fixed, it is the same file of the ZIP.
  await select.selectOption("data/test.jsonl");
  await app.expectVerdict("invalid");
  await app.act("apply-safe");
  await app.expectVerdict("readable");
  await expect(select).toHaveValue("data/test.jsonl");
});
