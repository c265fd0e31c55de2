// The review of fixes: their kinds with examples, which of them are applied, and what that makes of the file.

import { readFile } from "node:fs/promises";
import { zipSync, strToU8 } from "fflate";
import type { Page } from "@playwright/test";
import { expect, full, test } from "./support/app.ts";
import { COMMA, HUMAN, LINES, PYTHON, record } from "./support/fixable.ts";

const kind = (page: Page, code: string) => page.locator(`[data-testid=fix-kind][data-code="${code}"]`);

test.beforeEach(async ({ app }) => {
  await app.open();
});

test("what is not chosen is not applied, and what guesses is applied when it is chosen", async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: LINES.join("\n") });
  await app.expectVerdict("invalid");
  await page.getByTestId("review-fixes").click();
  await expect(page.getByTestId("tab-fixes")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByTestId("fix-kind")).toHaveCount(3);

  const python = kind(page, "json/python-literal");
  await expect(python).toContainText("2 × ");
  await expect(python.getByTestId("fix-example")).toHaveCount(2);
  await expect(python.locator("del").first()).toHaveText("None");
  await expect(python.locator("ins").first()).toHaveText("null");
  const human = kind(page, "shape/invalid-enum-value");
  await expect(python.getByRole("checkbox")).toBeChecked();
  await expect(human.getByRole("checkbox")).not.toBeChecked();
  await expect(human).toContainText("input.messages.*.role");

  await expect(page.getByTestId("apply-safe")).toHaveText("Apply 3 fixes");
  await python.getByRole("checkbox").uncheck();
  await human.getByRole("checkbox").check();
  await expect(page.getByTestId("apply-safe")).toHaveText("Apply 2 fixes");
  await page.getByTestId("apply-safe").click();
  await expect(page.getByTestId("fixes-applied")).toContainText("2 fixes applied, 2 findings left");

  const downloading = page.waitForEvent("download");
  await app.act("download-fixed");
  const fixed = await readFile(await (await downloading).path(), "utf8");
  expect(fixed).toBe([PYTHON, record("b"), record("c"), PYTHON, record("d")].join("\n"));
});

test("an example leads to its record, and what was chosen stays", full(), async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: LINES.join("\n") });
  await app.expectVerdict("invalid");
  await page.getByTestId("review-fixes").click();
  await kind(page, "json/trailing-comma").getByRole("checkbox").uncheck();
  await kind(page, "json/trailing-comma").getByRole("button", { name: "Line 2" }).click();
  await expect(page.getByTestId("finding-detail")).toContainText("comma");
  await expect(kind(page, "json/trailing-comma").getByRole("checkbox")).not.toBeChecked();
  await page.getByTestId("tab-findings").click();
  await expect(page.getByTestId("review-fixes")).toHaveText("Review 3 fixes");
  await page.keyboard.press("5");
  await expect(page.getByTestId("apply-safe")).toHaveText("Apply 2 fixes");
  expect(page.url()).toContain("list=fixes");
});

test("a fix shows what it changes in lines of any length, and in a ZIP", full(), async ({ app, page }) => {
  const long = (length: number): string => record("x".repeat(length)).replace("null", "None");
  const content = [1_000, 200_000, 10_000_000].map(long).join("\n");
  const files = [
    { name: "long.jsonl", content },
    { name: "long.zip", content: zipSync({ "samples.jsonl": strToU8(content), "attachments/a.txt": strToU8("a") }) },
  ];
  for (const file of files) {
    await app.choose(file);
    await app.expectVerdict("invalid");
    for (const line of [1, 2, 3]) {
      await app.findings.filter({ hasText: "json/python-literal" }).nth(line - 1).click();
      await expect(page.getByTestId("fix").locator("del")).toHaveText("None");
      await expect(page.getByTestId("fix-diff")).toContainText('"usage_output":');
    }
    await page.getByTestId("review-fixes").click();
    const python = kind(page, "json/python-literal");
    await expect(python.locator("ins")).toHaveText(["null", "null", "null"]);
  }
});
