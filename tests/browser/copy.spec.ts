// Copies parts of a finding and its record.

import { expect, full, test, type App } from "./support/app.ts";

const RECORD = '{"input": {"messages": [{"role": "user", "content": 3}]}, "usage_output": null}';

test.beforeEach(async ({ app }) => {
  await app.open();
});

/** Copies something from the menu of the details. */
async function copied(app: App, what: string): Promise<string> {
  const { page } = app;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const menu = page.getByTestId("copy-menu");
  if ((await menu.getAttribute("open")) === null) await page.getByTestId("copy-menu-open").click();
  const button = page.getByTestId(`copy-${what}`);
  await button.click();
  await expect(button).toHaveText("Copied");
  return page.evaluate(() => navigator.clipboard.readText());
}

test("parts of a finding and its record are copied", async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: RECORD });
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("finding-detail")).toContainText("input.messages.0.content");

  expect(await copied(app, "value")).toBe("3");
  expect(await copied(app, "record")).toBe(RECORD);
  expect(await copied(app, "path")).toBe("input.messages.0.content");
  expect(await copied(app, "jq-path")).toBe(".input.messages[0].content");
  expect(await copied(app, "finding")).toMatch(/^samples\.jsonl:1:\d+: error\[shape\/[a-z-]+\]: input\.messages\.0\.content: /);
  const issue = await copied(app, "markdown");
  expect(issue).toContain("in `samples.jsonl`, line 1\n");
  expect(issue).toContain("- Path: `input.messages.0.content`\n- Message: `");
  expect(issue).toContain("\n```\n" + RECORD + "\n```\n");

  await page.keyboard.press("Escape");
  await expect(page.getByTestId("copy-menu")).not.toHaveAttribute("open");
  await expect(page.getByTestId("copy-menu-open")).toBeFocused();
});

test("a record that is not JSON has no value, and a clipped one has no text", full(), async ({ app, page }) => {
  const long = JSON.stringify({ input: { messages: [{ role: "tool", content: "x".repeat(300_000) }] }, usage_output: null });
  await app.choose({ name: "samples.jsonl", content: `${RECORD},\n${long}\n` });
  await app.expectVerdict("invalid");
  await app.showLines();
  await app.line(1).click();
  await page.getByTestId("copy-menu-open").click();
  await expect(page.getByTestId("copy-record")).toBeVisible();
  await expect(page.getByTestId("copy-value")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await app.line(2).click();
  await expect(page.getByTestId("finding-detail")).toContainText("input.messages.0.role");
  await page.getByTestId("copy-menu-open").click();
  await expect(page.getByTestId("copy-path")).toBeVisible();
  await expect(page.getByTestId("copy-record")).toHaveCount(0);
});
