// Fixed files that are written into the folder that was opened, with handles of the browser's own file system.

import { expect, full, test, type App } from "./support/app.ts";
import { violations } from "./support/axe.ts";
import { sample } from "./support/files.ts";

const GOOD = sample("Hi");
const COMMA = `${GOOD},`;
const BROKEN = `${COMMA}\n${GOOD}\n`;
const FIXED = `${GOOD}\n${GOOD}\n`;

const file = (app: App, path: string) => app.page.locator(`[data-testid=file][data-path="${path}"]`);

/** Writes a file of the folder. */
async function write(app: App, path: string, content: string): Promise<void> {
  await app.page.evaluate(
    async ([path, content]) => {
      let folder = await navigator.storage.getDirectory();
      const names = path.split("/");
      const name = names.pop() as string;
      for (const name of names) folder = await folder.getDirectoryHandle(name, { create: true });
      const out = await (await folder.getFileHandle(name, { create: true })).createWritable();
      await out.write(content);
      await out.close();
    },
    [path, content] as const,
  );
}

/** What is in a file of the folder. */
async function read(app: App, path: string): Promise<string> {
  return app.page.evaluate(async (path) => {
    let folder = await navigator.storage.getDirectory();
    const names = path.split("/");
    const name = names.pop() as string;
    for (const name of names) folder = await folder.getDirectoryHandle(name);
    return (await (await folder.getFileHandle(name)).getFile()).text();
  }, path);
}

/** Opens a folder with three files to fix and a valid one, and fixes them. */
async function fixed(app: App): Promise<void> {
  const { page } = app;
  await app.open();
  for (const name of ["a", "b", "deep/c"]) await write(app, `runs/${name}.jsonl`, BROKEN);
  await write(app, "runs/good.jsonl", FIXED);
  await write(app, "runs/README.md", "No dataset.");
  await page.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("runs");
    Object.assign(window, { showDirectoryPicker: async () => folder });
  });
  await page.getByTestId("choose-folder").click();
  await expect(page.getByTestId("overview")).toHaveAttribute("data-verdict", "invalid");
  await expect(page.getByTestId("file")).toHaveCount(4);
  await expect(page.getByTestId("write-back")).toHaveCount(0);
  await page.getByTestId("fix-all").click();
  await expect(page.getByTestId("fixed-all")).toHaveText("3 fixes in 3 files.");
}

async function writeAll(app: App): Promise<void> {
  await app.page.getByTestId("write-back").click();
  await app.page.getByTestId("write-files").click();
  await expect(app.page.getByTestId("fixing")).toHaveCount(0);
}

test("fixed files are written after a question, and restored", async ({ app, page }) => {
  await fixed(app);
  await page.getByTestId("write-back").click();
  const question = page.getByTestId("write-question");
  await expect(question).toContainText("Write 3 files into the folder?");
  await expect(question.locator("li")).toHaveText(["runs/a.jsonl", "runs/b.jsonl", "runs/deep/c.jsonl"]);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  expect(await read(app, "runs/a.jsonl")).toBe(BROKEN);

  await writeAll(app);
  await expect(page.getByTestId("fixed-all")).toHaveText("3 fixes in 3 files, 3 files on disk.");
  for (const name of ["a", "b", "deep/c", "good"]) expect(await read(app, `runs/${name}.jsonl`)).toBe(FIXED);
  await expect(file(app, "runs/a.jsonl").getByTestId("fixed")).toHaveText("1 fix applied, 0 left, written to disk. ");
  await expect(page.getByTestId("write-back")).toHaveCount(0);

  // What was written can still be read, and what it was before as well.
  await file(app, "runs/a.jsonl").click();
  await app.expectVerdict("valid");
  await page.getByTestId("undo-fixes").click();
  await app.expectVerdict("invalid");
  await app.act("apply-safe");
  await app.expectVerdict("valid");
  await page.getByTestId("overview-back").click();
  await expect(file(app, "runs/a.jsonl").getByTestId("fixed")).toContainText("not saved");
  await writeAll(app);
  expect(await read(app, "runs/a.jsonl")).toBe(FIXED);

  await page.getByTestId("undo-all").click();
  await expect(page.getByTestId("fixed")).toHaveCount(0);
  await expect(page.getByTestId("overview")).toHaveAttribute("data-verdict", "invalid");
  for (const name of ["a", "b", "deep/c"]) expect(await read(app, `runs/${name}.jsonl`)).toBe(BROKEN);
  await expect(page.getByTestId("fix-all")).toHaveText("Fix all files: 3 safe fixes in 3 files");

  // And once more.
  await page.getByTestId("fix-all").click();
  await expect(page.getByTestId("fixed-all")).toHaveText("3 fixes in 3 files.");
  await writeAll(app);
  expect(await read(app, "runs/deep/c.jsonl")).toBe(FIXED);
});

test("a file that changed on disk is neither written nor restored", full(), async ({ app, page }) => {
  await fixed(app);
  const mine = `${GOOD}\n${GOOD}\n${GOOD}\n`;
  await write(app, "runs/b.jsonl", mine);
  await writeAll(app);
  await expect(page.getByRole("alert")).toHaveText("Not written, because they changed on disk: runs/b.jsonl.");
  expect(await read(app, "runs/b.jsonl")).toBe(mine);
  expect(await read(app, "runs/a.jsonl")).toBe(FIXED);
  await expect(page.getByTestId("fixed-all")).toContainText("2 files on disk");

  await write(app, "runs/a.jsonl", mine);
  await page.getByTestId("undo-all").click();
  await expect(page.getByRole("alert")).toHaveText("Not written, because they changed on disk: runs/a.jsonl.");
  expect(await read(app, "runs/a.jsonl")).toBe(mine);
  expect(await read(app, "runs/deep/c.jsonl")).toBe(BROKEN);
});

test("a write that fails says what was written, and changes nothing else", full(), async ({ app, page }) => {
  await fixed(app);
  await page.evaluate(() => {
    const original = FileSystemFileHandle.prototype.createWritable;
    FileSystemFileHandle.prototype.createWritable = async function (...all) {
      if (this.name === "b.jsonl") throw new DOMException("The disk is full.", "QuotaExceededError");
      return original.apply(this, all);
    };
  });
  await writeAll(app);
  await expect(page.getByRole("alert")).toHaveText("runs/b.jsonl was not written: The disk is full. Not written either: 1 file after it.");
  await expect(page.getByTestId("fixed-all")).toContainText("1 file on disk");
  expect(await read(app, "runs/a.jsonl")).toBe(FIXED);
  for (const name of ["b", "deep/c"]) expect(await read(app, `runs/${name}.jsonl`)).toBe(BROKEN);
  await app.choose({ name: "other.jsonl", content: FIXED });
  await expect(page.getByTestId("question")).toContainText("2 files have fixes that are not downloaded.");
});

test("nothing is written where the browser does not allow it", full(), async ({ app, page }) => {
  await fixed(app);
  await page.evaluate(() => {
    Object.assign(FileSystemDirectoryHandle.prototype, { requestPermission: async () => "denied" });
  });
  await writeAll(app);
  await expect(page.getByRole("alert")).toContainText("runs/a.jsonl was not written: the browser was not allowed to write into the folder.");
  for (const name of ["a", "b", "deep/c"]) expect(await read(app, `runs/${name}.jsonl`)).toBe(BROKEN);
});
