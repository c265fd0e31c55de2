// The tab "As loaded": a record as the system holds it, with what differs from the file.

import { expect, test } from "./support/app.ts";

const GOOD = '{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":null}';

test.beforeEach(async ({ app }) => {
  await app.open();
});

test("what the system changes is marked and explained", async ({ app, page }) => {
  const query = { id: 7, query_text: " how high", relevant_doc_ids: ["d1", "", "d1"], note: "<b>mine</b>" };
  await app.choose({ name: "data.json", content: JSON.stringify({ queries: [query] }) });
  await app.expectVerdict("valid");
  await page.getByTestId("tab-loaded").click();
  await expect(page.getByTestId("loaded")).toContainText("Evret's loader");
  const held = page.getByTestId("held");
  await expect(held.locator(".changed")).toHaveText(['  "query_id": "7",', '  "query_text": "how high",']);
  await expect(held.locator(".removed")).toHaveText(['    ""', '    "d1"', '  "note": "<b>mine</b>"']);
  await expect(held.locator(".added")).toHaveText(['  "expected_answers": []']);
  await expect(page.getByTestId("changes").locator("li")).toHaveCount(6);
  await expect(page.getByTestId("changes")).toContainText('The loader makes a string of it, as Python\'s str() does. It stands in the file under the key "id".');
});

test("a record without changes, one with errors, one that is dropped, and a header", async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: `${GOOD}\n${GOOD.replace("user", "tool")}\n` });
  await app.expectVerdict("invalid");
  await page.getByTestId("tab-loaded").click();
  await expect(page.getByTestId("loaded")).toContainText("This record has errors.");
  await app.showLines();
  await app.line(1).click();
  await expect(page.getByTestId("unchanged")).toHaveText("JuryArena holds the record as it is in the file.");
  await expect(page.getByTestId("held")).toContainText('"content": "Hi"');

  const header = { total_samples: 2, sample_type: "text", samples_per_line: 1, hidden_metadata: [] };
  const lines = [header, [{ type: "text", id: "a", text: "x" }], [{ type: "texts", id: "b", text: "x" }]];
  await app.choose({ name: "labels.jsonl", content: lines.map((line) => `${JSON.stringify(line)}\n`).join("") });
  await expect(page.getByTestId("finding").first()).toContainText("line 3");
  await page.getByTestId("tab-loaded").click();
  await expect(page.getByTestId("loaded")).toContainText("Quest Data Labeler drops this record");
  await app.showLines();
  await app.line(1).click();
  await page.getByTestId("tab-loaded").click();
  await expect(page.locator(".detail-body")).toContainText("This line is not a record.");
});

test("a record without errors that the system does not load because of the header", async ({ app, page }) => {
  const record = JSON.stringify([{ type: "text", id: "a", text: "x" }]);
  const header = (changed: object) => JSON.stringify({ total_samples: 1, sample_type: "text", samples_per_line: 1, hidden_metadata: [], ...changed });
  await app.choose({ name: "samples.jsonl", content: `${header({ total_samples: 0 })}\n${record}\n` });
  await app.expectVerdict("invalid");
  await app.showLines();
  await app.line(2).click();
  await page.getByTestId("tab-loaded").click();
  await expect(page.getByTestId("loaded")).toContainText("loads no record of this dataset, because of the mistake at its beginning");
  await app.choose({ name: "labels.jsonl", content: `${header({ samples_per_line: "1" })}\n${record}\n` });
  await app.expectVerdict("invalid");
  await app.showLines();
  await app.line(2).click();
  await page.getByTestId("tab-loaded").click();
  await expect(page.getByTestId("loaded")).toContainText("drops this record, because of the mistake in the header");
});

test("the beginning of a large record is shown", async ({ app, page }) => {
  const content = Array.from({ length: 20_000 }, (_, index) => ({ type: "text", text: `part ${index}` }));
  const record = { input: { messages: [{ role: "user", content }] }, extra: 1 };
  await app.choose({ name: "samples.jsonl", content: JSON.stringify(record) });
  await app.expectVerdict("valid");
  await page.getByTestId("tab-loaded").click();
  await expect(page.getByTestId("loaded")).toContainText("Only the beginning of the record is shown.");
  await expect(page.getByTestId("changes")).toContainText("extra");
});
