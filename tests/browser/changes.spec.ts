// The tab Changes: what fixes made of which record, taking one back, and what undo leaves of the list.

import { readFile } from "node:fs/promises";
import { strToU8, unzipSync, zipSync } from "fflate";
import { expect, full, test } from "./support/app.ts";
import { COMMA, HUMAN, LINES, PYTHON, record } from "./support/fixable.ts";

test.beforeEach(async ({ app }) => {
  await app.open();
});

test("each changed record is listed with its diff, and one can be taken back", async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: LINES.join("\n") });
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("tab-changes")).toHaveCount(0);
  await app.act("apply-safe");
  await expect(page.getByTestId("fixes-applied")).toContainText("3 fixes applied");
  await page.keyboard.press("6");
  await expect(page.getByTestId("change-count")).toHaveText("3 places changed");
  const changes = page.getByTestId("change");
  await expect(changes).toHaveCount(3);
  await expect(changes.nth(0)).toContainText("Record 1, line 1");
  await expect(changes.nth(0).locator("del")).toHaveText("None");
  await expect(changes.nth(0).locator("ins")).toHaveText("null");
  await expect(changes.nth(1)).toContainText("Record 2, line 2");
  await expect(changes.nth(1).locator("del")).toHaveText(",");
  expect(page.url()).toContain("list=changes");

  await expect(page.getByTestId("take-back")).toBeDisabled();
  await changes.nth(1).click();
  await page.getByTestId("take-back").click();
  await expect(page.getByTestId("fixes-applied")).toContainText("3 fixes applied, 1 change taken back");
  await expect(page.getByTestId("change-count")).toHaveText("2 places changed");

  const downloading = page.waitForEvent("download");
  await page.getByTestId("download-changed").click();
  const fixed = await readFile(await (await downloading).path(), "utf8");
  expect(fixed).toBe([record("a"), COMMA, HUMAN, record("a"), record("d")].join("\n"));

  await page.getByTestId("undo-fixes").click();
  await expect(page.getByTestId("change-count")).toHaveText("3 places changed");
  await page.getByTestId("undo-fixes").click();
  await expect(page.getByTestId("tab-changes")).toHaveCount(0);
});

test("a fix that is not safe is marked, records that were left out too, and changed records are found", full(), async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: LINES.join("\n") });
  await app.expectVerdict("invalid");
  await app.findings.filter({ hasText: "shape/invalid-enum-value" }).click();
  await page.getByTestId("apply-fix").click();
  await expect(page.getByTestId("fixes-applied")).toContainText("1 fix applied");
  await app.showTab("changes");
  await expect(page.getByTestId("change")).toHaveCount(1);
  await expect(page.getByTestId("change")).toContainText("guesses or drops something");
  await app.act("drop-invalid");
  await expect(page.getByTestId("fixes-applied")).toContainText("3 records left out");
  await expect(page.getByTestId("change-count")).toHaveText("3 places changed");
  await expect(page.getByTestId("change").first()).toContainText("efore record 1");

  await page.keyboard.press("2");
  await page.getByTestId("filter-field").fill("is:changed");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("search-status")).toContainText("1 record");
});

test("changes of a dataset in a ZIP are listed and taken back", full(), async ({ app, page }) => {
  const files = { "samples.jsonl": strToU8(LINES.join("\n")), "attachments/a.txt": strToU8("a") };
  await app.choose({ name: "samples.zip", content: zipSync(files) });
  await app.expectVerdict("invalid");
  await app.act("apply-safe");
  await expect(page.getByTestId("fixes-applied")).toContainText("3 fixes applied");
  await app.showTab("changes");
  await expect(page.getByTestId("change")).toHaveCount(3);
  await page.getByTestId("change").nth(0).click();
  await page.getByTestId("take-back").click();
  await expect(page.getByTestId("change-count")).toHaveText("2 places changed");
  const downloading = page.waitForEvent("download");
  await page.getByTestId("download-changed").click();
  const fixed = unzipSync(new Uint8Array(await readFile(await (await downloading).path())));
  const expected = [PYTHON, record("b"), HUMAN, record("a"), record("d")].join("\n");
  expect(new TextDecoder().decode(fixed["samples.jsonl"])).toBe(expected);
});
