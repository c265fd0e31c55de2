// The overview of a dataset: counted when it is looked at, and rows that lead to their records.

import { zipSync, strToU8 } from "fflate";
import { expect, full, test } from "./support/app.ts";
import { violations } from "./support/axe.ts";

const record = (role: string, content: string): string =>
  JSON.stringify({ input: { messages: [{ role, content }] }, usage_output: null });

const LINES = [record("user", "Where is Paris?"), record("system", "Be brief."), record("user", "東京はどこですか"), record("User", "Rome?")];

for (const [name, content] of [
  ["samples.jsonl", LINES.join("\n")],
  ["samples.zip", zipSync({ "samples.jsonl": strToU8(LINES.join("\n")), "attachments/a.txt": strToU8("a") })],
] as const) {
  test(`what is in ${name} is counted, and a row leads to its records`, full(name !== "samples.zip"), async ({ app, page }) => {
    await app.open();
    await app.choose({ name, content });
    await app.expectVerdict("invalid");
    await page.getByTestId("tab-overview").click();
    const section = (heading: string) => page.getByTestId("overview-section").filter({ hasText: heading });
    await expect(section("4 records").getByRole("row", { name: "valid 3" })).toBeVisible();
    await expect(section("Roles").getByRole("row", { name: "user 2" })).toContainText("50.0 %");
    await expect(section("Scripts of texts")).toContainText("Kana");
    await expect(section("Keys").getByRole("row", { name: "input.messages.*.role" })).toContainText("string");
    expect(await violations(page)).toEqual([]);
    expect(page.url()).toContain("list=overview");

    await section("4 records").getByRole("button", { name: "invalid" }).click();
    await expect(page.getByTestId("filter-field")).toHaveValue("is:invalid");
    await expect(page.getByTestId("search-status")).toContainText("1 record matches");
    await page.getByTestId("tab-overview").click();
    await section("Roles").getByRole("button", { name: "system" }).click();
    await expect(page.getByTestId("search-status")).toContainText("1 record matches");
  });
}

/** Answers of two models to 60 questions each. Model a is right on the even ones. */
const ANSWERS = Array.from({ length: 120 }, (_, n) => {
  const [model, question] = [n % 2 ? "org/b" : "org/a", n >> 1];
  const score = model === "org/a" ? 1 - (question % 2) : question / 60;
  return JSON.stringify({
    schema_version: "0.2.0",
    evaluation_id: `run/${model}`,
    model_id: model,
    evaluation_name: "sums",
    sample_id: `q${question}`,
    interaction_type: "single_turn",
    input: { raw: `${question} + 1?`, reference: `${question + 1}` },
    output: { raw: `${question + 1}` },
    answer_attribution: [{ turn_idx: 0, source: "output.raw", extracted_value: "1", extraction_method: "regex", is_terminal: true }],
    evaluation: { score, is_correct: score === 1 },
    latency_ms: 1990 + (n % 24),
  });
});

test("the overview has the whole width, and its rows, bars and cells are filters", async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "answers.jsonl", content: ANSWERS.join("\n") });
  await expect(page.locator(".detail-pane")).toBeVisible();
  const section = (heading: string) => page.getByTestId("overview-section").filter({ hasText: heading });
  const status = page.getByTestId("search-status");
  const field = page.getByTestId("filter-field");
  const overview = async () => {
    await page.getByTestId("tab-overview").click();
    await expect(page.locator(".detail-pane")).toBeHidden();
    await expect(page.locator(".divider")).toBeHidden();
  };
  await overview();
  expect(await violations(page)).toEqual([]);
  // A bar is the share of the whole.
  const half = section("Models").getByRole("row", { name: "org/a 60 50.0 %" });
  await expect(half.locator("path").last()).toHaveAttribute("d", /^M0 0h500/);

  const correct = section("Correct by model_id");
  await expect(correct.getByRole("row", { name: "org/a" })).toHaveText("org/a6030 (50.0 %)30 (50.0 %)");
  await correct.getByRole("row", { name: "org/a" }).getByRole("button", { name: "30 (50.0 %)" }).last().click();
  await expect(field).toHaveValue(".model_id:=org/a evaluation.is_correct:=true");
  await expect(status).toContainText("30 records match");

  await overview();
  const scores = section("Scores").filter({ hasNotText: "by model_id" });
  await expect(scores).toContainText("smallest 0, median");
  await scores.getByRole("row", { name: "0.75 to 0.867" }).locator("svg").click();
  await expect(field).toHaveValue(/^evaluation\.score:0\.75\.\.0\.86/);
  await expect(status).toContainText("8 records match");

  // Numbers with many different values have bins.
  await overview();
  const latency = section("latency_ms").filter({ hasText: "largest" });
  await expect(latency.getByRole("row")).toHaveCount(12);
  await latency.getByRole("row", { name: "1,992 to 1,993 10" }).click();
  await expect(field).toHaveValue(".latency_ms:1992..1993");
  await expect(status).toContainText("10 records match");
  await overview();
  await page.keyboard.press("Tab");
  await expect(page.locator(".detail-pane")).toBeHidden();
});

test("duplicates and lists of some length are filters, and few of many are no 0.0 %", full(), async ({ app, page }) => {
  await app.open();
  const messages = (count: number) => Array.from({ length: count }, (_, n) => ({ role: n % 2 ? "assistant" : "user", content: `${n}` }));
  const line = (count: number, id: number) => JSON.stringify({ input: { messages: messages(count) }, usage_output: `${id}` });
  const lines = Array.from({ length: 2_000 }, (_, n) => line(n < 3 ? 2 : 1, n));
  await app.choose({ name: "samples.jsonl", content: [...lines, lines[7]].join("\n") });
  await app.expectVerdict("valid");
  await page.getByTestId("tab-overview").click();
  const section = (heading: string) => page.getByTestId("overview-section").filter({ hasText: heading });
  const field = page.getByTestId("filter-field");
  await expect(section("2,001 records").getByRole("row", { name: "duplicate 1 <0.1 %" })).toBeVisible();
  await expect(section("2,001 records").getByRole("row", { name: "valid 2,001 100.0 %" })).toBeVisible();
  await section("2,001 records").getByRole("button", { name: "duplicate" }).click();
  await expect(field).toHaveValue("is:duplicate");
  await expect(page.getByTestId("search-status")).toContainText("1 record matches");
  await page.getByTestId("tab-overview").click();
  await section("Turns").getByRole("button", { name: "2" }).click();
  await expect(field).toHaveValue("input.messages:2");
  await expect(page.getByTestId("search-status")).toContainText("3 records match");
});

test("the schema lists keys with their types and the records that have them", async ({ app, page }) => {
  await app.open();
  const metadata = [{ "a.b": 1 }, { "a.b": "x", tags: ["x"] }, undefined];
  const lines = metadata.map((metadata) => JSON.stringify({ ...JSON.parse(record("user", "Rome?")), metadata }));
  await app.choose({ name: "samples.jsonl", content: lines.join("\n") });
  await app.showTab("schema");
  const key = (name: string) => page.getByTestId("schema-key").filter({ has: page.getByText(name, { exact: true }) });
  await expect(key("usage_output")).toHaveText("usage_output null in all records");
  await expect(key("metadata").first()).toContainText("metadata object in 2 of 3 records");
  await expect(key("metadata").getByTestId("schema-key").first()).toHaveText('"a.b" string 50.0 %, number 50.0 % in 2 of 3 records');
  await expect(page.getByTestId("schema-key").last()).toHaveText("each element string in 1 of 3 records");
  expect(page.url()).toContain("list=schema");
  expect(await violations(page)).toEqual([]);
});
