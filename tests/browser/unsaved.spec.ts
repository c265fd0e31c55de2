// Work that is not lost without a question: fixes that were not downloaded, and text that was typed. And the fixes of one
// file of several are kept.

import { readFile } from "node:fs/promises";
import { expect, full, test, type App } from "./support/app.ts";
import { violations } from "./support/axe.ts";
import { write } from "./support/files.ts";

const GOOD = '{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":null}';
const COMMA = `${GOOD},`;
const WRONG = GOOD.replace('"user"', '"tool"');
const BROKEN = `${COMMA}\n${WRONG}\n`;

const question = (app: App) => app.page.getByTestId("question");
const file = (app: App, path: string) => app.page.locator(`[data-testid=file][data-path="${path}"]`);

async function fixOne(app: App): Promise<void> {
  await app.act("apply-safe");
  await expect(app.page.getByTestId("fixes-applied")).toContainText("1 fix applied");
}

async function fixed(app: App): Promise<void> {
  await app.open();
  await app.choose({ name: "samples.jsonl", content: BROKEN });
  await app.expectVerdict("invalid");
  await fixOne(app);
}

/** Downloads the fixed dataset. */
async function download(app: App): Promise<string> {
  const [download] = await Promise.all([
    app.page.waitForEvent("download"),
    app.act("download-fixed"),
  ]);
  return readFile(await download.path(), "utf8");
}

test("the fixes of one file of several are kept while others are shown", full(), async ({ app, page, folder }) => {
  const paths = [await write(folder, "a.jsonl", BROKEN), await write(folder, "b.jsonl", BROKEN)];
  await app.open();
  await app.input.setInputFiles(paths);
  await expect(page.getByTestId("overview")).toHaveAttribute("data-verdict", "invalid");
  await file(app, "a.jsonl").click();
  await app.expectVerdict("invalid");
  await fixOne(app);
  await page.getByTestId("overview-back").click();
  await expect(file(app, "a.jsonl")).toContainText("1 fix applied, 1 left, not saved.");
  await expect(file(app, "b.jsonl").getByTestId("fixed")).toHaveCount(0);

  await file(app, "a.jsonl").click();
  await expect(page.getByTestId("fixes-applied")).toContainText("1 fix applied, 1 finding left.");
  await expect(app.findings).toHaveCount(1);
  await page.getByTestId("next-file").click();
  await expect(app.findings).toHaveCount(2);
  await expect(page.getByTestId("fixes-applied")).toHaveCount(0);
  await page.getByTestId("previous-file").click();
  expect(await download(app)).toBe(`${GOOD}\n${WRONG}\n`);
  await page.getByTestId("overview-back").click();
  await expect(file(app, "a.jsonl")).toContainText("1 fix applied, 1 left.");

  await file(app, "a.jsonl").click();
  await page.getByTestId("undo-fixes").click();
  await expect(app.findings).toHaveCount(2);
  await page.getByTestId("overview-back").click();
  await expect(file(app, "a.jsonl").getByTestId("fixed")).toHaveCount(0);
});

test("a second file asks before fixes are lost, and the start screen loses none", full(), async ({ app, page, folder }) => {
  await fixed(app);
  const other = await write(folder, "other.jsonl", `${GOOD}\n`);
  await app.drop(other, { x: 200, y: 200 });
  await expect(question(app)).toBeVisible();
  await expect(question(app)).toContainText("samples.jsonl has 1 fix that is not downloaded. Open other.jsonl?");
  await expect(page.getByTestId("keep")).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(question(app)).toBeHidden();
  await expect(app.verdict).toContainText("samples.jsonl");

  await app.act("start-over");
  await expect(page.getByTestId("drop-zone")).toBeVisible();
  await app.drop(other, { x: 200, y: 200 });
  await page.getByTestId("discard").click();
  await app.expectVerdict("valid");
  await expect(question(app)).toBeHidden();
  await expect(app.verdict).toContainText("other.jsonl");
});

test("the keyboard stays in the question, and returns to where it was", full(), async ({ app, page }) => {
  await fixed(app);
  await page.getByTestId("menu-open").focus();
  await app.choose({ name: "other.jsonl", content: `${GOOD}\n` });
  await expect(page.getByTestId("keep")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(question(app)).toBeHidden();
  await expect(page.getByTestId("menu-open")).toBeFocused();
  await expect(page.getByTestId("fixes-applied")).toBeVisible();
});

test("fixes are downloaded before the next file is opened", async ({ app, page }) => {
  await fixed(app);
  await app.choose({ name: "other.jsonl", content: `${GOOD}\n` });
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByTestId("save-first").click()]);
  expect(await readFile(await download.path(), "utf8")).toBe(`${GOOD}\n${WRONG}\n`);
  await app.expectVerdict("valid");
  await expect(app.verdict).toContainText("other.jsonl");
  await expect(page.getByTestId("saved")).toHaveText("Saved as samples.fixed.jsonl");
});

test("Escape in the editor asks once the text differs", full(), async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "samples.jsonl", content: `${WRONG}\n${WRONG}\n` });
  await app.expectVerdict("invalid");
  const text = page.getByTestId("edit-text");
  await page.getByTestId("edit").click();
  await text.press("Escape");
  await expect(page.getByTestId("editor")).toHaveCount(0);

  await page.getByTestId("edit").click();
  await text.fill("x");
  await text.press("Escape");
  await expect(question(app)).toContainText("The text that you typed was not applied");
  await page.keyboard.press("Escape");
  await expect(question(app)).toBeHidden();
  await expect(text).toBeFocused();
  await expect(text).toHaveValue("x");

  // A fix elsewhere would close the editor too.
  await page.getByTestId("drop-invalid").waitFor({ state: "detached" });
  await app.findings.nth(1).click();
  await page.getByTestId("edit").click();
  await expect(question(app)).toBeVisible();
  await page.getByTestId("keep").click();
  await app.findings.nth(0).click();
  await expect(text).toHaveValue("x");
  await page.getByTestId("stop-editing").click();
  await page.getByTestId("discard").click();
  await expect(page.getByTestId("editor")).toHaveCount(0);
});

test("leaving the page is asked about only while something would be lost", async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "samples.jsonl", content: BROKEN });
  await app.expectVerdict("invalid");
  const leaves = () =>
    page.evaluate(() => {
      const event = new Event("beforeunload", { cancelable: true });
      return dispatchEvent(event);
    });
  expect(await leaves()).toBe(true);

  await app.findings.nth(1).click();
  await page.getByTestId("edit").click();
  await page.getByTestId("edit-text").fill("x");
  await expect.poll(leaves).toBe(false);
  await page.getByTestId("stop-editing").click();
  await page.getByTestId("discard").click();
  await expect.poll(leaves).toBe(true);

  await fixOne(app);
  await expect.poll(leaves).toBe(false);
  // The browser's own question, on reload and when the site is left.
  const questions = app.expectUnloadQuestions();
  await page.evaluate(() => location.reload());
  await expect.poll(() => questions.length).toBe(1);
  await page.evaluate(() => history.go(1 - history.length));
  await expect.poll(() => questions.length).toBe(2);
  await expect(page.getByTestId("fixes-applied")).toBeVisible();

  await page.getByTestId("undo-fixes").click();
  await expect(page.getByTestId("fixes-applied")).toHaveCount(0);
  await expect.poll(leaves).toBe(true);
  await fixOne(app);
  await expect.poll(leaves).toBe(false);
  await download(app);
  await expect.poll(leaves).toBe(true);
});
