// What a finding says beside its message: other places, whose words they are, and the rule with an example of the format.

import type { Locator } from "@playwright/test";

import { expect, full, test } from "./support/app.ts";
import { WRONG_ROLE_ON_LINE_12, sample } from "./support/files.ts";

const METADATA = '{"total_samples":2,"sample_type":"text","samples_per_line":1,"hidden_metadata":[]}';
const SAMPLE = '[{"type":"text","id":"a","text":"One."}]';

test.beforeEach(({ app }) => app.open());

test("a place that belongs to a finding is a link to its line", full(), async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: `${METADATA}\n${SAMPLE}\n${SAMPLE}\n` });
  await app.expectVerdict("invalid");
  await app.expectFindingLines(['line 3: 0.id: id "a" is already used by the sample on line 2']);

  await expect(page.getByTestId("related")).toContainText("first used here");
  await page.getByTestId("related").getByRole("button", { name: "line 2" }).click();
  await expect(page.getByRole("heading", { name: "Line 2" })).toBeVisible();
});

test("a rule is explained with an example of its format", async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: `${METADATA}\n${SAMPLE.replace("}]", ",}]")}\n` });
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("rule-detail")).toContainText('"sample_type":"text"');
  await expect(page.getByTestId("rule-detail")).toContainText("Illegal trailing comma before end of object");
});

test("the details show a finding that the list has, whatever the filter", full(), async ({ app, page }) => {
  const repeated = sample("Hi").replace("{", '{"extra":1,"extra":1,');
  await app.choose({ name: "samples.jsonl", content: [sample("Hi", "tool"), repeated, sample(3)].join("\n") });
  await app.expectVerdict("invalid");
  const details = page.getByTestId("finding-detail");
  const selected = page.getByRole("listbox", { name: "Findings" }).getByRole("option", { selected: true });
  await expect(details).toContainText("input.messages.0.role");

  await page.getByTestId("filter-warnings").click();
  await expect(selected).toContainText("line 2:");
  await expect(page.getByRole("heading", { name: "Line 2" })).toBeVisible();
  await expect(details).toContainText(await selected.locator(".code").innerText());

  await page.getByTestId("filter-errors").click();
  await expect(selected).toContainText("line 3:");
  await expect(details).toContainText("input.messages.0.content");
  // A pressed chip that is pressed again shows all.
  await page.getByTestId("filter-errors").click();
  await expect(page.getByTestId("filter-field")).toHaveValue("");
  await expect(selected).toContainText("line 3:");
});

test("only a role with a finding has the colour of errors", full(), async ({ app, page }) => {
  const color = (element: Locator) => element.evaluate((role) => getComputedStyle(role).color);
  await app.openExample("eee-instance/full");
  await app.expectVerdict("valid");
  await app.showLines();
  await app.line(3).click();
  await app.showSample();
  const tool = page.getByTestId("turn").filter({ hasText: "tool" }).locator(".role").first();
  const neutral = await color(tool);
  expect(neutral).toBe(await color(page.getByRole("heading", { name: "Line 3" })));

  await app.choose({ name: "samples.jsonl", content: WRONG_ROLE_ON_LINE_12 });
  await app.expectVerdict("invalid");
  const error = await color(page.getByTestId("span"));
  await app.showSample();
  expect(await color(page.getByTestId("turn").locator(".role"))).toBe(error);
  expect(error).not.toBe(neutral);
});

test("JSON is coloured, and broken text as far as it goes", full(), async ({ app, page }) => {
  const content = '{"input":{"messages":[{"role":"user","content":"a \\"<b>\\""}]},"usage_output":null,"n":-1.5e3,"ok":tru}';
  await app.choose({ name: "samples.jsonl", content });
  await app.expectVerdict("invalid");
  const source = page.getByTestId("source");
  await expect(source.locator(".json-key").first()).toHaveText('"input"');
  await expect(source.locator(".json-string")).toHaveText(['"user"', '"a \\"<b>\\""']);
  await expect(source.locator(".json-number")).toHaveText("-1.5e3");
  await expect(source.locator(".json-literal")).toHaveText("null");
  await expect(source.locator(".record-text")).toHaveText(content);
});

test("the cells of a row are not coloured as JSON", full(), async ({ app, page }) => {
  await app.choose({ name: "rows.csv", content: 'system,prompt,response\nx,"5",true\n' });
  await expect(app.verdict).toBeVisible();
  await app.showLines();
  await app.line(2).click();
  await page.getByTestId("tab-source").click();
  await expect(page.getByTestId("source").locator(".record-text")).toContainText("true");
  await expect(page.locator("[class^=json-]")).toHaveCount(0);
});
