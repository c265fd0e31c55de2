// The safe fixes of all files of a folder at once.

import { spawnSync } from "node:child_process";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, full, test, type App } from "./support/app.ts";
import { violations } from "./support/axe.ts";
import { evalcheckAll } from "./support/command.ts";
import { sample } from "./support/files.ts";

const GOOD = sample("Hi");
const COMMA = `${GOOD},`;
const WRONG = sample("Hi", "tool");

const file = (app: App, path: string) => app.page.locator(`[data-testid=file][data-path="${path}"]`);
const total = (app: App, name: string) => app.page.getByTestId("totals").locator(`[data-count=${name}] dd`);

/** A folder of files: every third one is valid, the others have safe fixes, and every second one of these another error. */
async function open(app: App, folder: string, files = 6): Promise<void> {
  const path = join(folder, "runs");
  await mkdir(join(path, "deep"), { recursive: true });
  for (let n = 0; n < files; n += 1) {
    const lines = [n % 3 === 0 ? GOOD : COMMA, n % 3 === 2 ? WRONG : GOOD, n % 3 === 0 ? GOOD : COMMA];
    await writeFile(join(path, `${n % 2 ? "deep/" : ""}${n}.jsonl`), lines.map((line) => `${line}\n`).join(""));
  }
  await app.open();
  await app.drop(path, { x: 200, y: 200 });
  await expect(app.page.getByTestId("overview")).toHaveAttribute("data-verdict", "invalid");
}

async function fixAll(app: App): Promise<void> {
  await app.page.getByTestId("fix-all").click();
  await expect(app.page.getByTestId("fixed-all")).toBeVisible();
  await expect(app.page.getByTestId("fixing")).toHaveCount(0);
}

test("all files are fixed, shown as fixed, and taken back", async ({ app, page, folder }) => {
  await open(app, folder);
  await expect(page.getByTestId("fix-all")).toHaveText("Fix all files: 8 safe fixes in 4 files");
  await expect(total(app, "errors")).toHaveText("10");
  await fixAll(app);
  await expect(page.getByTestId("fixed-all")).toHaveText("8 fixes in 4 files. 2 files are still not valid.");
  await expect(page.getByTestId("fix-all")).toHaveCount(0);
  await expect(total(app, "errors")).toHaveText("2");
  await expect(total(app, "valid")).toHaveText("4");
  await expect(file(app, "runs/deep/1.jsonl")).toHaveAttribute("data-verdict", "valid");
  await expect(file(app, "runs/deep/1.jsonl").getByTestId("fixed")).toHaveText("2 fixes applied, 0 left, not saved. ");
  await expect(file(app, "runs/2.jsonl")).toHaveAttribute("data-verdict", "invalid");
  await expect(file(app, "runs/2.jsonl").getByTestId("fixed")).toHaveText("2 fixes applied, 1 left, not saved. ");
  await expect(file(app, "runs/0.jsonl").getByTestId("fixed")).toHaveCount(0);
  expect(await violations(page)).toEqual([]);

  // A fixed file is opened as if it had been fixed alone.
  await file(app, "runs/2.jsonl").click();
  await expect(page.getByTestId("fixes-applied")).toHaveText("2 fixes applied, 1 finding left.");
  await expect(app.findings).toHaveCount(1);
  await page.getByTestId("undo-fixes").click();
  await expect(app.findings).toHaveCount(3);
  await page.getByTestId("overview-back").click();
  await expect(page.getByTestId("fixed-all")).toHaveText("6 fixes in 3 files. 2 files are still not valid.");
  await expect(page.getByTestId("fix-all")).toHaveText("Fix all files: 2 safe fixes in 1 file");
  await fixAll(app);
  await expect(page.getByTestId("fixed-all")).toHaveText("8 fixes in 4 files. 2 files are still not valid.");

  await page.getByTestId("undo-all").click();
  await expect(page.getByTestId("fixed-all")).toHaveCount(0);
  await expect(total(app, "errors")).toHaveText("10");
  await expect(total(app, "valid")).toHaveText("2");
  await expect(page.getByTestId("fixed")).toHaveCount(0);
});

test("one mistake is fixed in all files that have it", full(), async ({ app, page, folder }) => {
  await open(app, folder);
  await page.getByTestId("tab-mistakes").click();
  const rows = page.getByTestId("mistake");
  await expect(rows.last()).toContainText("input.messages.*.role is not one of the allowed values");
  await expect(page.getByTestId("fix-these")).toHaveText("Fix these 8");
  await page.getByTestId("fix-these").click();
  await expect(page.getByTestId("fixed-all")).toHaveText("8 fixes in 4 files. 2 files are still not valid.");
  await expect(rows.first().locator("[data-cell=counts]")).toHaveText("2 in 2 files");
  await expect(page.getByTestId("fix-these")).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
  await page.getByTestId("undo-all").click();
  await expect(page.getByTestId("fix-these")).toHaveText("Fix these 8");
});

test("mistakes say what was fixed", full(), async ({ app, page, folder }) => {
  await open(app, folder);
  await fixAll(app);
  await page.getByTestId("tab-mistakes").click();
  const counts = page.getByTestId("mistake").locator("[data-cell=counts]");
  await expect(counts).toHaveText(["2 in 2 files", "8 in 4 files, all fixed"]);
  await page.getByTestId("mistake").last().click();
  await expect(page.getByTestId("mistake-file").first()).toContainText("2 fixed");
  await page.getByTestId("undo-all").click();
  await expect(counts).toHaveText(["8 in 4 files, all with a safe fix", "2 in 2 files"]);
});

test("fixes of all files that were not saved are not lost without a question", full(), async ({ app, page, folder }) => {
  await open(app, folder);
  await fixAll(app);
  await app.act("start-over");
  await app.choose({ name: "other.jsonl", content: GOOD });
  await expect(page.getByTestId("question")).toContainText("4 files have fixes that are not downloaded. Open other.jsonl?");
  await page.getByTestId("keep").click();
  await page.getByTestId("return").click();
  await page.getByTestId("undo-all").click();
  await app.choose({ name: "other.jsonl", content: GOOD });
  await app.expectVerdict("valid");
});

test("what is fixed stays after Cancel", full(), async ({ app, page, folder }) => {
  await open(app, folder, 120);
  const cancelled = await app.cancelAt("fixing", /([2-9]|\d\d) of 80 files/);
  await page.getByTestId("fix-all").click();
  await cancelled();
  await expect(page.getByTestId("fixing")).toHaveCount(0);
  const applied = (await page.getByTestId("fixed-all").textContent()) ?? "";
  const files = Number(/in ([\d,]+) files?/.exec(applied)?.[1]);
  expect(files).toBeGreaterThan(0);
  expect(files).toBeLessThan(80);
  await expect(page.getByTestId("fix-all")).toContainText(`in ${80 - files} files`);
  await fixAll(app);
  await expect(page.getByTestId("fixed-all")).toContainText("160 fixes in 80 files. 40 files are still not valid.");
});

/** Unpacks a ZIP with another program. */
function unpack(path: string, into: string): void {
  const ran = spawnSync("python3", ["-c", "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; z.extractall(sys.argv[2])", path, into], { encoding: "utf8" });
  expect(ran.stderr).toBe("");
}

test("the fixed files are downloaded as a ZIP that other programs read", full(), async ({ app, page, folder }) => {
  await open(app, folder);
  await fixAll(app);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByTestId("download-all").click()]);
  expect(download.suggestedFilename()).toBe("runs.fixed.zip");
  const into = join(folder, "unpacked");
  unpack(await download.path(), into);
  const names = (await readdir(into, { recursive: true })).filter((name) => name.endsWith(".jsonl")).sort();
  expect(names).toEqual(["runs/2.jsonl", "runs/4.jsonl", "runs/deep/1.jsonl", "runs/deep/5.jsonl"]);
  for (const name of names) {
    const wrong = /[25]\.jsonl$/.test(name);
    expect(await readFile(join(into, name), "utf8")).toBe(`${GOOD}\n${wrong ? WRONG : GOOD}\n${GOOD}\n`);
  }
  expect(evalcheckAll(into, names)).toContain("Found 2 errors in 2 of 4 files.");
  await expect(file(app, "runs/2.jsonl").getByTestId("fixed")).toHaveText("2 fixes applied, 1 left. ");
  // They are saved.
  await expect(page.getByTestId("saved")).toHaveText("Saved as runs.fixed.zip");
  await expect(page.getByTestId("download-all")).not.toBeVisible();
  await app.choose({ name: "other.jsonl", content: GOOD });
  await app.expectVerdict("valid");
});
