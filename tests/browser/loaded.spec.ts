// The tab "As loaded": a record as the system holds it, with what differs from the file.

import { expect, full, test } from "./support/app.ts";

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

test("a record without changes, one with errors, one that is dropped, and a header", full(), async ({ app, page }) => {
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

test("a record without errors that the system does not load because of the header", full(), async ({ app, page }) => {
  const record = JSON.stringify([{ type: "text", id: "a", text: "x" }]);
  const header = (changed: object) => JSON.stringify({ total_samples: 1, sample_type: "text", samples_per_line: 1, hidden_metadata: [], ...changed });
  await app.choose({ name: "samples.jsonl", content: `${header({ total_samples: 0 })}\n${record}\n` });
  await app.expectVerdict("invalid");
  await app.showLines();
  await app.line(2).click();
  await page.getByTestId("tab-loaded").click();
  await expect(page.getByTestId("loaded")).toContainText("loads no record of this dataset as it is written, because of a mistake that is not in this record");
  await app.choose({ name: "labels.jsonl", content: `${header({ samples_per_line: "1" })}\n${record}\n` });
  await app.expectVerdict("invalid");
  await app.showLines();
  await app.line(2).click();
  await page.getByTestId("tab-loaded").click();
  await expect(page.getByTestId("loaded")).toContainText("drops this record, because of the mistake in the header");
});

test("the beginning of a large record is shown", full(), async ({ app, page }) => {
  const content = Array.from({ length: 20_000 }, (_, index) => ({ type: "text", text: `part ${index}` }));
  const record = { input: { messages: [{ role: "user", content }] }, extra: 1 };
  await app.choose({ name: "samples.jsonl", content: JSON.stringify(record) });
  await app.expectVerdict("valid");
  await page.getByTestId("tab-loaded").click();
  await expect(page.getByTestId("loaded")).toContainText("Only the beginning of the record is shown.");
  await expect(page.getByTestId("changes")).toContainText("extra");
});

test("the tab, the overview and the details say how many records differ, and a format of which nothing is known has no tab", full(), async ({ app, page }) => {
  const dropped = GOOD.replace("null}", 'null,"owner":"x"}');
  await app.choose({ name: "samples.jsonl", content: `${GOOD}\n${dropped}\n${dropped}\n${GOOD.replace("user", "tool")}\n` });
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("tab-loaded")).toContainText("differs in 2 of 3");
  await page.getByTestId("tab-overview").click();
  const section = (heading: string) => page.getByTestId("overview-section").filter({ hasText: heading });
  await expect(section("Differs as loaded").getByRole("row", { name: "owner" })).toContainText("dropped");
  await app.showBarDetails();
  await expect(page.getByTestId("as-loaded")).toHaveText(
    "As JuryArena loads it, 2 of 4 records differ from the file: owner is dropped in 2. JuryArena rejects 1 record.",
  );
  const header = { total_samples: 1, sample_type: "text", samples_per_line: 1, hidden_metadata: [] };
  const lines = [header, [{ type: "text", id: "a", text: "x" }], [{ type: "texts", id: "b", text: "x" }]];
  await app.choose({ name: "labels.jsonl", content: lines.map((line) => `${JSON.stringify(line)}\n`).join("") });
  await app.expectVerdict("invalid");
  await expect(app.verdict.getByRole("heading")).toHaveText("Not valid: it loads, but loses 1 line");

  const result = { sample: { type: "text", id: "a", text: "x" }, feedback: {}, timestamp: "2026-01-01T00:00:00.000Z" };
  await app.choose({ name: "results.jsonl", content: `${JSON.stringify(result)}\n` });
  await expect(page.getByTestId("tab-sample")).toBeVisible();
  await expect(page.getByTestId("tab-loaded")).toHaveCount(0);
});
