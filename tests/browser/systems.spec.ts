// A file that fits several systems alike: no verdict before the user chooses, and what each of them does with it.

import { expect, full, test } from "./support/app.ts";

const conversations = (content: unknown) =>
  Array.from({ length: 12 }, (_, n) => {
    const messages = [{ role: "user", content: `What is ${n} + 1?` }, { role: "assistant", content }];
    return `${JSON.stringify({ messages })}\n`;
  }).join("");

test("of a file that fits two systems alike, the page says what each does, and one click decides", async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "chat.jsonl", content: conversations("2") });
  await app.expectVerdict("undecided");
  await expect(app.verdict.getByRole("heading")).toHaveText("This looks like a dataset of OpenAI fine-tuning, or of Tencent Cloud TI Platform.");
  await expect(page).toHaveTitle(/^Undecided, chat.jsonl/);
  await expect(page.getByRole("tab", { name: "Systems" })).toHaveAttribute("aria-selected", "true");
  const systems = page.getByTestId("system");
  await expect(systems).toHaveCount(3);
  await expect(systems.last()).toContainText("Hugging Face datasets");
  await expect(systems.first()).toContainText("OpenAI and Azure, fine-tuning");
  await expect(systems.first()).toContainText("takes all 12 records");
  await systems.nth(1).getByRole("button").click();
  await app.expectVerdict("valid");
  await expect(app.verdict.getByRole("heading")).toHaveText("Valid: Tencent Cloud TI Platform will load it");
  await expect(page.getByRole("tab", { name: "Findings" })).toHaveAttribute("aria-selected", "true");
});

test("what both systems refuse is shown with the first error of each", full(), async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "chat.jsonl", content: conversations(2) });
  await app.expectVerdict("undecided");
  const systems = page.getByTestId("system");
  for (const index of [0, 1]) {
    await expect(systems.nth(index)).toContainText("refuses it at line 1: messages.1.content: Expected");
    await expect(systems.nth(index)).toContainText("(12 errors)");
  }
  await systems.first().getByRole("button").click();
  await app.expectVerdict("invalid");
  await expect(app.verdict.getByRole("heading")).toHaveText("Not valid: 12 of 12 records would be rejected");
});

test("of data of no system, the page says whether a system that loads any data takes it", full(), async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "data.jsonl", content: '{"question":"What is 1 + 1?","answer":2}\n{"question":"What is 2 + 2?","answer":4}\n' });
  await app.expectVerdict("readable");
  await app.showTab("systems");
  const systems = page.getByTestId("system");
  await expect(systems).toHaveCount(1);
  await expect(systems).toContainText("Hugging Face datasets");
  await expect(systems).toContainText("takes all 2 records");
  await systems.getByRole("button").click();
  await app.expectVerdict("valid");
});
