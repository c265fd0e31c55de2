// A worker that dies: the page says what was not checked, and the next check works.

import { expect, test } from "./support/app.ts";
import { sample } from "./support/files.ts";

const file = (name: string) => ({ name, content: `${sample("Hi")}\n`.repeat(20) });

test("a silent worker is replaced", async ({ app, page }) => {
  await page.clock.install();
  await app.open();
  await page.workers()[0]?.evaluate(() => close());
  await app.choose(file("silent.jsonl"));
  await expect(page.getByTestId("progress")).toBeVisible();
  await page.clock.runFor(15_000);
  await app.expectVerdict("not-checked");
  await expect(app.verdict).toContainText("stopped responding");
  expect(await app.copiedReport()).toMatch(/^not checked: /m);
  await page.getByRole("button", { name: "Check again" }).click();
  await app.expectVerdict("valid");
  await expect(app.count("records")).toHaveText("20");
});

test("a worker that fails between two checks is replaced", async ({ app }) => {
  await app.open();
  await app.choose(file("first.jsonl"));
  await app.expectVerdict("valid");
  await app.crashWorker();
  await app.choose(file("second.jsonl"));
  await expect(app.verdict).toContainText("second.jsonl");
  await app.expectVerdict("valid");
});
