// The filter: one text that findings, records, chips and groups share; what it keeps, its suggestions, and what is said of a wrong one.

import { expect, full, test } from "./support/app.ts";
import { sample } from "./support/files.ts";

const CONVERSATIONS = [
  '{"input":{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Where is Paris?"}]}}',
  '{"input":{"messages":[{"role":"user","content":"Gr\\u00fc\\u00dfe aus \\u6771\\u4eac"}]}}',
  '{"input":{"messages":[{"role":"human","content":"I like PARIS"}]}}',
].join("\n");

test.beforeEach(async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "data.jsonl", content: CONVERSATIONS });
  await app.expectVerdict("invalid");
  await page.getByTestId("tab-records").click();
  await page.keyboard.press("/");
});

test("records are found and shown", async ({ page }) => {
  const field = page.getByTestId("filter-field");
  await expect(field).toBeFocused();
  const status = page.getByTestId("search-status");
  const hits = page.getByTestId("hit");
  await field.fill("paris");
  await field.press("Enter");
  await expect(status).toHaveText("2 records match.");
  await expect(hits).toHaveCount(2);
  await expect(hits.nth(1).locator("mark")).toHaveText("PARIS");
  await expect(hits.nth(1)).toContainText("I like PARIS");
  await hits.nth(1).click();
  await expect(page.locator(".detail-pane h2")).toHaveText("Line 3");

  await field.fill("東京");
  await field.press("Enter");
  await expect(status).toHaveText("1 record matches.");
  await expect(hits).toContainText("Grüße aus 東京");

  await field.fill("role:user -paris");
  await field.press("Enter");
  await expect(hits).toHaveCount(1);
  await expect(hits).toHaveAttribute("data-line", "2");

  await field.fill("London");
  await field.press("Enter");
  await expect(status).toHaveText("No record matches.");
  await expect(hits).toHaveCount(0);
  await page.getByTestId("clear-filter").click();
  await expect(page.getByTestId("record")).toHaveCount(3);
});

/** A record of Every Eval Ever. */
const answered = (id: string, question: string, raw: string, score: number, model_id = "aurora/aurora-7b"): string =>
  JSON.stringify({
    schema_version: "0.2.0",
    evaluation_id: "gsm8k/model/1731000000",
    model_id,
    evaluation_name: "GSM8K",
    sample_id: id,
    interaction_type: "single_turn",
    input: { raw: question, reference: "9" },
    output: { raw },
    answer_attribution: [
      { turn_idx: 0, source: "output.raw", extracted_value: "9", extraction_method: "regex", is_terminal: true },
    ],
    evaluation: { score, is_correct: score > 0.5 },
  });

test("hits are records, their words are marked, and the details show one of them", async ({ app, page }) => {
  const content = [
    answered("q1", "Where is the Rhine?", "In Europe, 9.", 1, "other/model"),
    answered("q2", "Where is Paris?", "In France: 9.", 0.5),
    answered("q3", "Which city is on the Seine?", "It is Paris, so 9.", 0),
    answered("q4", `${"Say where. ".repeat(60)}Is it Rome? ${"Say where. ".repeat(60)}`, "In Italy, 9.", 1),
  ].join("\n");
  await app.act("start-over");
  await app.choose({ name: "answers.jsonl", content });
  await app.expectVerdict("valid");
  await page.getByTestId("tab-records").click();
  const field = page.getByTestId("filter-field");
  const hits = page.getByTestId("hit");
  const title = page.locator(".detail-pane h2");
  const filter = async (text: string) => {
    await field.fill(text);
    await field.press("Enter");
  };
  // The row of a record is the same with a filter; the value that it does not show is added.
  const row = page.getByTestId("record").nth(1);
  await expect(row).toContainText("Score 0.5");
  const shown = (await row.textContent()) ?? "";
  await filter("model:aurora");
  await expect(hits).toHaveCount(3);
  await expect(hits.first().locator(".record-words")).toHaveText("Where is Paris?→In France: 9.");
  await expect(hits.first().locator(".record-found")).toHaveText("aurora/aurora-7b model_id");
  expect(await hits.first().textContent()).toBe(shown.replace("Answer 9", "aurora/aurora-7b model_idAnswer 9"));
  // The selected record is none of them: the first one is.
  await expect(hits.first()).toHaveAttribute("aria-selected", "true");
  await expect(title).toHaveText("Line 2");

  await filter("paris");
  await expect(hits).toHaveCount(2);
  await expect(hits.locator("mark")).toHaveText(["Paris", "Paris"]);
  await expect(hits.nth(1).locator(".record-answer mark")).toBeVisible();
  await app.showSample();
  await expect(page.getByTestId("turn").first().getByTestId("found-mark")).toHaveText("Paris");
  await hits.nth(1).click();
  await expect(title).toHaveText("Line 3");
  await expect(page.getByTestId("turn").nth(1).getByTestId("found-mark")).toHaveText("Paris");

  // A selected record that is kept stays, with the marks of the new filter.
  await filter("seine");
  await expect(hits).toHaveCount(1);
  await expect(hits).toHaveAttribute("aria-selected", "true");
  await expect(page.getByTestId("found-mark").filter({ visible: true })).toHaveText(["Seine", "Seine"]);
  await expect(title).toHaveText("Line 3");
  // In a long text, the row shows the part with the word.
  await filter("rome");
  await expect(hits.locator(".record-question mark")).toBeInViewport();
  await expect(title).toHaveText("Line 4");

  await filter("score:abc");
  await expect(page.getByTestId("search-status")).toHaveText("No record has such a value of score.");
  await expect(page.locator(".detail-pane")).toContainText("Select a row of the list");
  await filter("Rome");
  await expect(page.getByTestId("filter-case")).toHaveText("A capital makes the search case-sensitive.");
  await filter("rome");
  await expect(page.getByTestId("filter-case")).toHaveCount(0);
});

test("records are listed by a value, and stay selected", async ({ app, page }) => {
  const record = (sample: string, score: number) =>
    JSON.stringify({ input: { messages: [{ role: "user", content: sample }] }, usage_output: String(score) });
  const content = [record("beta", 2), record("gamma", 3), record("alpha", 1)].join("\n");
  await app.choose({ name: "scores.jsonl", content });
  await app.expectVerdict("valid");
  await page.getByTestId("tab-records").click();
  await page.getByTestId("record").nth(1).click();
  const order = page.getByTestId("record-order");
  await order.selectOption({ label: "content, least first" });
  await expect(page.getByTestId("filter-field")).toHaveValue("sort:content");
  const hits = page.getByTestId("hit");
  await expect(hits.locator(".record-question")).toHaveText(["alpha", "beta", "gamma"]);
  await expect(hits.nth(2)).toHaveAttribute("aria-selected", "true");
  await order.selectOption({ label: "content, greatest first" });
  await expect(hits.locator(".record-question")).toHaveText(["gamma", "beta", "alpha"]);
  await page.getByTestId("filter-field").fill("a sort:.usage_output");
  await page.getByTestId("filter-field").press("Enter");
  await expect(hits.locator(".record-question")).toHaveText(["alpha", "beta", "gamma"]);
  await expect(order).toHaveValue(/\d+/);
  await order.selectOption({ label: "Order of the file" });
  await expect(page.getByTestId("filter-field")).toHaveValue("a");
});

test("values complete terms in a file whose statistics were not counted", full(), async ({ app, page }) => {
  const long = "word ".repeat(500);
  const lines = Array.from({ length: 2_500 }, (_, n) => sample(`${n} ${long}`, n % 3 ? "user" : "assistant"));
  await app.act("start-over");
  await app.choose({ name: "long.jsonl", content: lines.join("\n") });
  await app.expectVerdict("valid");
  const field = page.getByTestId("filter-field");
  await field.fill("role:");
  await expect(page.getByTestId("suggestion")).toHaveText(["role:=user", "role:=assistant"]);
  await page.getByTestId("tab-overview").click();
  await expect(page.getByTestId("dataset-overview")).toBeVisible();
});

test("findings are those of the records that match", full(), async ({ app, page }) => {
  const field = page.getByTestId("filter-field");
  await field.fill("paris");
  await field.press("Enter");
  await page.getByTestId("tab-findings").click();
  await expect(app.findings).toHaveCount(1);
  await field.fill("paris -role:human");
  await field.press("Enter");
  await expect(app.findings).toHaveCount(0);
  await expect(page.locator(".list-pane .empty")).toHaveText("No findings match the filter.");
});

test("chips write the filter and read it", full(), async ({ app, page }) => {
  const field = page.getByTestId("filter-field");
  await page.getByTestId("filter-errors").click();
  await expect(field).toHaveValue("severity:error");
  await expect(page.getByTestId("tab-findings")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByTestId("filter-errors")).toHaveAttribute("aria-pressed", "true");
  await field.fill("severity:info");
  await field.press("Enter");
  await expect(page.getByTestId("filter-errors")).toHaveAttribute("aria-pressed", "false");
  await expect(app.findings).toHaveCount(0);
  await page.getByTestId("filter-errors").click();
  await page.getByTestId("filter-errors").click();
  await expect(field).toHaveValue("");
  await expect(app.findings).toHaveCount(1);
});

test("a wrong text says what is wrong, and where, and the last filter stays", async ({ page }) => {
  const field = page.getByTestId("filter-field");
  await field.fill("paris");
  await field.press("Enter");
  await expect(page.getByTestId("hit")).toHaveCount(2);
  await field.fill("東京 is:good");
  await field.press("Enter");
  await expect(page.getByTestId("filter-why")).toHaveText('"is" takes valid, invalid, lost, fixable, changed, duplicate.');
  const mistake = page.getByTestId("query-mistake");
  await expect(mistake).toHaveText("東京 is:good");
  await expect(mistake.locator("mark")).toHaveText("good");
  await expect(page.getByTestId("hit")).toHaveCount(2);
  await field.fill("東京");
  await field.press("Enter");
  await expect(page.getByTestId("hit")).toHaveCount(1);
  await expect(mistake).toBeHidden();
});

test("the keyboard completes terms", full(), async ({ page }) => {
  const field = page.getByTestId("filter-field");
  const suggestions = page.getByTestId("suggestion");
  await expect(suggestions.first()).toBeVisible();
  await expect(field).toHaveAttribute("aria-expanded", "true");
  await page.keyboard.type("seve");
  await expect(suggestions).toHaveCount(1);
  await page.keyboard.press("ArrowDown");
  await expect(field).toHaveAttribute("aria-activedescendant", "filter-suggestions-0");
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue("severity:");
  await page.keyboard.type("err");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue("severity:error");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("hit")).toHaveCount(1);
  await field.fill("paris rule:");
  await suggestions.first().click();
  await expect(field).toHaveValue(/^paris rule:\S+$/);
  await page.keyboard.press("Escape");
  await expect(suggestions.first()).toBeHidden();
});

test("the list of hits is used by keyboard", full(), async ({ page }) => {
  const field = page.getByTestId("filter-field");
  await field.fill("is:invalid");
  await field.press("Enter");
  await expect(page.getByTestId("hit")).toHaveCount(1);
  await page.getByTestId("hit-list").focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByTestId("hit")).toHaveAttribute("aria-selected", "true");
  await expect(page.locator(".detail-pane h2")).toHaveText("Line 3");
});

test("with a filter, the lines of the records that match are marked, and gone to", full(), async ({ app, page }) => {
  await app.showLines();
  await expect(page.getByTestId("next-invalid")).toBeVisible();
  const field = page.getByTestId("filter-field");
  await field.fill("paris");
  await field.press("Enter");
  await expect(page.getByTestId("line-matches")).toHaveText("2 records match. Other lines are dimmed.");
  await expect(app.line(1)).toHaveClass(/\bmatch\b/);
  await expect(app.line(2)).toHaveClass(/\bdimmed\b/);
  await expect(app.line(3)).toHaveClass(/\bmatch\b/);
  await expect(app.line(3)).toContainText("matches");
  await app.line(1).click();
  await page.getByTestId("next-match").click();
  await expect(app.line(3)).toHaveAttribute("aria-selected", "true");
  await page.getByTestId("line-list").focus();
  await page.keyboard.press("p");
  await expect(app.line(1)).toHaveAttribute("aria-selected", "true");
  await page.getByTestId("clear-filter").click();
  await expect(page.getByTestId("line-matches")).toHaveCount(0);
  await expect(app.line(2)).not.toHaveClass(/\bdimmed\b/);
  await field.fill("is:blank");
  await field.press("Enter");
  await expect(page.getByTestId("filter-why")).toContainText("the list of lines shows them");
});
