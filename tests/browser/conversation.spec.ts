// A record as a conversation: roles, numbers, folded turns, and findings in the turn that they are about.

import { expect, test } from "./support/app.ts";

const record = (messages: { role: string; content: unknown }[]): string =>
  JSON.stringify({ input: { messages }, usage_output: null });

const LONG = Array.from({ length: 40 }, (_, n) => `Sentence ${n + 1}.`).join("\n");

test.beforeEach(({ app }) => app.open());

test("a finding is in the turn that it is about, and opens", async ({ app, page }) => {
  const content = record([
    { role: "user", content: "Hi" },
    { role: "tool", content: "Hello" },
    { role: "user", content: 3 },
  ]);
  await app.choose({ name: "samples.jsonl", content });
  await app.expectVerdict("invalid");
  await app.showSample();
  const turns = page.getByTestId("turn");
  await expect(turns).toHaveCount(3);
  await expect(turns.locator(".turn-number")).toHaveText(["1", "2", "3"]);
  await expect(turns.nth(0).getByTestId("turn-finding")).toHaveCount(0);
  await expect(turns.nth(1).getByTestId("turn-finding")).toContainText("role");
  await expect(turns.nth(2).getByTestId("turn-finding")).toContainText("content");

  await turns.nth(2).getByTestId("turn-finding").click();
  const detail = page.getByTestId("finding-detail");
  await expect(detail).toContainText("input.messages.2.content");
  await expect(detail).toBeFocused();
  await expect(page.getByTestId("span")).toHaveText("3");
});

test("a finding that is in no turn is above the turns", async ({ app, page }) => {
  const content = JSON.stringify({ input: { messages: [{ role: "user", content: "Hi" }] }, usage_output: 1 });
  await app.choose({ name: "samples.jsonl", content });
  await app.expectVerdict("invalid");
  await app.showSample();
  await expect(page.getByTestId("sample").locator("> .turn-findings")).toContainText("usage_output");
  await expect(page.getByTestId("turn").getByTestId("turn-finding")).toHaveCount(0);
});

test("a long turn is folded", async ({ app, page }) => {
  const content = record([
    { role: "user", content: LONG },
    { role: "assistant", content: "Hi" },
    { role: "user", content: "Bye" },
  ]);
  await app.choose({ name: "samples.jsonl", content });
  await app.expectVerdict("valid");
  await app.showLines();
  await app.line(1).click();
  await app.showSample();
  const turn = page.getByTestId("turn").first();
  await expect(turn).toContainText("Sentence 12.");
  await expect(turn).not.toContainText("Sentence 13.");
  await expect(page.getByTestId("unfold")).toHaveCount(1);

  const unfold = page.getByRole("button", { name: "Show all" });
  await expect(unfold).toHaveAttribute("aria-expanded", "false");
  await unfold.press("Enter");
  await expect(turn).toContainText("Sentence 40.");
  await expect(page.getByRole("button", { name: "Show less" })).toBeFocused();
});

test("role and number of a turn stay in view", async ({ app, page }) => {
  await page.setViewportSize({ width: 1024, height: 600 });
  await app.choose({ name: "samples.jsonl", content: record([{ role: "user", content: LONG }]) });
  await app.expectVerdict("valid");
  await app.showLines();
  await app.line(1).click();
  await app.showSample();
  await page.getByTestId("unfold").click();
  await page.locator(".detail-body").evaluate((body) => (body.scrollTop = 400));
  await expect(page.getByTestId("turn").locator(".role")).toBeInViewport();
});
