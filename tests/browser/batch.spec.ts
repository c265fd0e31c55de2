// Several files and folders: one report for each file, and an overview.

import { readdirSync } from "node:fs";
import { copyFile, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { unzipSync } from "fflate";

import { sized } from "../suite.mjs";
import { expect, full, test, type App, type Report } from "./support/app.ts";
import { evalcheckAll, fixInPlace, reportsOf } from "./support/command.ts";
import { sample, write, WRONG_ROLE_ON_LINE_12 } from "./support/files.ts";

const overview = (app: App) => app.page.getByTestId("overview");
const total = (app: App, name: string) => app.page.getByTestId("totals").locator(`[data-count=${name}] dd`);
const file = (app: App, path: string) => app.page.locator(`[data-testid=file][data-path="${path}"]`);

async function done(app: App, verdict: string): Promise<void> {
  await expect(overview(app)).toHaveAttribute("data-verdict", verdict);
}

/** A folder of so many files, every ninth of them invalid, with subfolders and files of operating systems. */
async function folderOf(files: number, folder: string): Promise<{ path: string; names: string[] }> {
  const path = join(folder, "runs");
  const names: string[] = [];
  await mkdir(join(path, "deep", "deeper"), { recursive: true });
  await mkdir(join(path, "empty"));
  await mkdir(join(path, "__MACOSX"));
  for (let n = 0; n < files; n += 1) {
    const name = `${["", "deep/", "deep/deeper/"][n % 3]}part-${String(n).padStart(3, "0")}.jsonl`;
    await writeFile(join(path, name), n % 9 === 0 ? WRONG_ROLE_ON_LINE_12 : `${sample(`Hi ${n}`)}\n`.repeat(3));
    names.push(`runs/${name}`);
  }
  await writeFile(join(path, ".DS_Store"), "x");
  await writeFile(join(path, "deep", "Thumbs.db"), "x");
  await writeFile(join(path, "__MACOSX", "._part-000.jsonl"), "x");
  return { path, names };
}

test("every file of a folder of 250 files has a report", async ({ app, page, folder }) => {
  const { path, names } = await folderOf(250, folder);
  await app.open();
  await app.drop(path, { x: 200, y: 200 });
  await done(app, "invalid");
  const wrong = Math.ceil(250 / 9);
  for (const [name, n] of Object.entries({
    files: 250,
    valid: 250 - wrong,
    invalid: wrong,
    "not-checked": 0,
    records: (250 - wrong) * 3 + wrong * 12,
    errors: wrong,
    warnings: 0,
  })) {
    await expect(total(app, name), name).toHaveText(n.toLocaleString("en"));
  }
  for (const junk of [".DS_Store", "Thumbs.db", "__MACOSX", "1 empty folder"]) {
    await expect(page.getByTestId("skipped")).toContainText(junk);
  }
  // Only visible rows are rendered, sorted by folder and name.
  expect(await page.getByTestId("file").count()).toBeLessThan(60);
  const first = [...names].sort()[0] ?? "";
  await expect(page.getByTestId("file").first()).toHaveAttribute("data-path", first);

  const { name, report } = await app.downloadedReport();
  expect(name).toBe("reports.evalcheck.json");
  const reports = report as unknown as Report[];
  expect(reports).toHaveLength(250);
  expect(reports.filter(({ valid }) => !valid)).toHaveLength(wrong);
});

test("one file is opened, then the next, then the overview", full(), async ({ app, page, folder }) => {
  const { path } = await folderOf(50, folder);
  await app.open();
  await app.drop(path, { x: 200, y: 200 });
  await done(app, "invalid");
  await page.getByTestId("files-invalid").click();
  await expect(page.getByTestId("file").first()).toHaveAttribute("data-verdict", "invalid");
  const names = await page.getByTestId("file").evaluateAll((rows) => rows.map((row) => row.dataset.path ?? ""));
  await file(app, names[1] ?? "").click();
  await app.expectVerdict("invalid");
  await expect(app.verdict).toContainText((names[1] ?? "").split("/").at(-1) ?? "");
  await expect(page.getByTestId("span")).toHaveText('"tool"');
  await app.showLines();
  await app.goToLine(12);

  // The filtered list determines the next file.
  await page.getByTestId("next-file").click();
  await expect(app.verdict).toContainText((names[2] ?? "").split("/").at(-1) ?? "");
  await app.expectVerdict("invalid");

  await page.getByTestId("overview-back").click();
  await done(app, "invalid");
  await expect(total(app, "invalid")).toHaveText("6");
  await expect(file(app, names[2] ?? "")).toHaveAttribute("aria-selected", "true");
  await app.act("start-over");
  await expect(page.getByTestId("drop-zone")).toBeVisible();
});

test("hundreds of files that are chosen at once are checked", full(), async ({ app, page }) => {
  await app.open();
  const file = (n: number) => ({
    name: `${n}.jsonl`,
    mimeType: "application/octet-stream",
    buffer: Buffer.from(n % 50 === 0 ? WRONG_ROLE_ON_LINE_12 : sample(`Hi ${n}`)),
  });
  await app.input.setInputFiles(Array.from({ length: 250 }, (_, n) => file(n)));
  await expect(page.getByTestId("overview")).toHaveAttribute("data-verdict", "invalid");
  await expect(page.getByTestId("overview")).toContainText("Not valid: 5 of 250 files");
  await page.getByTestId("tab-mistakes").click();
  await expect(page.getByTestId("mistake")).toHaveCount(1);
  await expect(page.getByTestId("mistake")).toContainText("5 files");
});

test("the copied report equals the output of the command", async ({ app, folder }) => {
  const paths: string[] = [];
  for (const [name, content] of Object.entries({
    "good.jsonl": `${sample("Hi")}\n`,
    "wrong.jsonl": WRONG_ROLE_ON_LINE_12,
    "empty.jsonl": "",
    "warned.jsonl": sample("Hi").replace("{", '{"id":1,'),
    "letter.jsonl": "Dear all,\nno dataset.\n",
    "broken.jsonl": `{"input":\n${sample("x", "töol")}\n['not JSON']\n`,
  })) {
    paths.push(await write(folder, name, content));
  }
  await app.open();
  await app.input.setInputFiles(paths);
  await done(app, "invalid");
  await expect(total(app, "files")).toHaveText(String(paths.length));
  const names = paths.map((path) => path.slice(folder.length + 1));
  expect(await app.copiedReport()).toBe(evalcheckAll(folder, names));
  expect((await app.downloadedReport()).report).toEqual(reportsOf(folder, names));
});

const CASES = fileURLToPath(new URL("../cases/", import.meta.url));

/** The inputs of golden cases, with the names under which they are opened together. */
const INPUTS = readdirSync(CASES, { recursive: true, encoding: "utf8" }).flatMap((path) => {
  const [, format, name, type] = /^(.*?)[/\\](.*?)[/\\]input\.(jsonl|json|csv)$/.exec(path) ?? [];
  return type ? [{ path: join(CASES, path), name: `${format}-${name}.${type}` }] : [];
});

/** With more than 200 files, the page keeps fewer findings of each. */
const TOGETHER = 180;

const CHOSEN = INPUTS.filter((_, n) => n % sized(3, 1) === 0);

/** All groups have the same size, so that each has files with fixes. */
const GROUP = Math.ceil(CHOSEN.length / Math.ceil(CHOSEN.length / TOGETHER));

for (let from = 0; from < CHOSEN.length; from += GROUP) {
  const some = CHOSEN.slice(from, from + GROUP);
  test(`golden cases from ${from} on have the same reports and are fixed alike in the page and by the command`, async ({ app, page, folder }) => {
    const names = some.map(({ name }) => name);
    for (const { path, name } of some) await copyFile(path, join(folder, name));
    await app.open();
    await app.input.setInputFiles(names.map((name) => join(folder, name)));
    await expect(total(app, "files")).toHaveText(String(names.length));
    await expect(overview(app)).not.toHaveAttribute("data-verdict", "running");
    const reports = (await app.downloadedReport()).report as unknown as unknown[];
    const expected = reportsOf(folder, names);
    // One expectation for each file, for readable differences.
    names.forEach((name, at) => expect.soft(reports[at], name).toEqual(expected[at]));

    await page.getByTestId("fix-all").click();
    await expect(page.getByTestId("fixed-all")).toBeVisible();
    await expect(page.getByTestId("fixing")).toHaveCount(0);
    await expect(page.getByTestId("fix-all"), "no safe fix is left").toHaveCount(0);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByTestId("download-all").click()]);
    const entries = unzipSync(await readFile(await download.path()));
    expect(Object.keys(entries).length).toBeGreaterThan(names.length / 5);
    const before = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
    fixInPlace(folder, names);
    for (const [at, name] of names.entries()) {
      const entry = entries[name];
      expect.soft(entry ? Buffer.from(entry).toString() : before[at], name).toBe(await readFile(join(folder, name), "utf8"));
    }
  });
}

test("the golden cases are found", () => {
  expect(INPUTS.length).toBeGreaterThan(500);
});

test("a format is chosen for all files or for one", full(), async ({ app, page, folder }) => {
  const paths = [await write(folder, "a.jsonl", `${sample("Hi")}\n`), await write(folder, "b.jsonl", `${sample("Ho")}\n`)];
  await app.open();
  const select = page.getByTestId("format-select");
  const other = await select.locator("option").evaluateAll((options) =>
    options.map((option) => (option as HTMLOptionElement).value).find((value) => value !== "" && value !== "juryarena"),
  );
  test.skip(!other, "there is one format only");
  await app.input.setInputFiles(paths);
  await done(app, "valid");
  await select.selectOption(other ?? "");
  await done(app, "invalid");
  await expect(total(app, "invalid")).toHaveText("2");

  await file(app, "a.jsonl").click();
  await app.expectVerdict("invalid");
  await select.selectOption("juryarena");
  await app.expectVerdict("valid");
  await page.getByTestId("overview-back").click();
  await expect(total(app, "valid")).toHaveText("1");
  await expect(select).toHaveValue(other ?? "");
});

test("a batch is cancelled and continued", async ({ app, folder }) => {
  const line = `${sample("x".repeat(4_000))}\n`;
  const first = await write(folder, "large-0.jsonl", line.repeat(5_000));
  const paths = [first];
  for (let n = 1; n < 4; n += 1) {
    const path = join(folder, `large-${n}.jsonl`);
    await cp(first, path);
    paths.push(path);
  }
  await app.open();
  await app.cancelAt("progress", /of 4 files/);
  await app.input.setInputFiles(paths);
  await done(app, "not-checked");
  await expect(file(app, "large-3.jsonl")).toHaveAttribute("data-verdict", "not-checked");
  expect(Number(await total(app, "not-checked").textContent())).toBeGreaterThan(0);
  await app.act("check-again");
  await done(app, "valid");
  await expect(total(app, "records")).toHaveText("20,000");
});

test("a file that was deleted before its check is not valid", full(), async ({ app, folder }) => {
  const paths = [await write(folder, "a.jsonl", `${sample("Hi")}\n`), await write(folder, "b.jsonl", `${sample("Ho")}\n`)];
  const startEngine = await app.delayEngine();
  await app.goto();
  await app.input.setInputFiles(paths);
  await expect(overview(app)).toHaveAttribute("data-verdict", "running");
  await rm(paths[0] ?? "");
  startEngine();
  await done(app, "not-checked");
  await expect(file(app, "a.jsonl")).toHaveAttribute("data-verdict", "not-checked");
  await expect(file(app, "b.jsonl")).toHaveAttribute("data-verdict", "valid");
});

test("a folder with one file shows that file", full(), async ({ app, page, folder }) => {
  const path = join(folder, "dataset");
  await mkdir(path);
  await writeFile(join(path, "samples.jsonl"), `${sample("Hi")}\n`);
  await writeFile(join(path, ".DS_Store"), "x");
  await app.open();
  await app.drop(path, { x: 200, y: 200 });
  await app.expectVerdict("valid");
  await expect(app.verdict).toContainText("samples.jsonl");
  await expect(page.getByTestId("skipped")).toContainText(".DS_Store");
});

test("files of a folder that can be no dataset are counted and listed", full(), async ({ app, page, folder }) => {
  const path = join(folder, "dataset");
  await mkdir(join(path, ".hidden"), { recursive: true });
  await mkdir(join(path, "pictures"));
  const good = `${sample("Hi")}\n`;
  for (const name of ["a.jsonl", "b.jsonl", "dump", ".hidden/old.jsonl", "README.md"]) await writeFile(join(path, name), good);
  await writeFile(join(path, "LICENSE"), "All rights.");
  for (let n = 0; n < 5; n += 1) await writeFile(join(path, "pictures", `${n}.png`), "x");
  const skipped = ["dataset/.hidden/", "dataset/LICENSE", "dataset/README.md"];
  for (let n = 0; n < 5; n += 1) skipped.push(`dataset/pictures/${n}.png`);
  await app.open();
  await app.drop(path, { x: 200, y: 200 });
  await done(app, "valid");
  await expect(total(app, "files")).toHaveText("3");
  await expect(total(app, "skipped")).toHaveText("8");
  await app.showBarDetails();
  await expect(page.getByTestId("skipped")).toContainText("8 files skipped, which can be no dataset");
  await page.getByTestId("skipped-files").locator("summary").click();
  const listed = await page.getByTestId("skipped-files").locator("li").allTextContents();
  expect(listed.sort()).toEqual(skipped.sort());

  // Dropped by itself, any file is checked.
  await app.act("start-over");
  await app.drop(join(path, "LICENSE"), { x: 200, y: 200 });
  await expect(app.verdict).toContainText("LICENSE");
  await app.act("start-over");

  // A folder that is chosen and not dropped is the same.
  await app.input.evaluate((input) => (input as HTMLInputElement).webkitdirectory = true);
  await app.input.setInputFiles(path);
  await done(app, "valid");
  await expect(total(app, "files")).toHaveText("3");
  await app.showBarDetails();
  await expect(page.getByTestId("skipped")).toContainText("8 files skipped");
});

test("files are sorted by every column and filtered by name", full(), async ({ app, page, folder }) => {
  const path = join(folder, "runs");
  await mkdir(path);
  await writeFile(join(path, "a.jsonl"), `${sample("Hi")}\n`.repeat(30));
  await writeFile(join(path, "b.jsonl"), `${sample("Hi", "tool")}\n`.repeat(2));
  await writeFile(join(path, "c.jsonl"), `${sample("Hi").replace("{", '{"id":1,')}\n`.repeat(3));
  await writeFile(join(path, "d.jsonl"), WRONG_ROLE_ON_LINE_12);
  await writeFile(join(path, "e.zip"), "%PDF-1.7");
  await app.open();
  await app.drop(path, { x: 200, y: 200 });
  await done(app, "invalid");
  const names = async () =>
    (await page.getByTestId("file").evaluateAll((rows) => rows.map((row) => (row.dataset.path ?? "").slice(5, 6)))).join("");
  const amounts = async (cell: string) =>
    page.getByTestId("file").evaluateAll((rows, cell) => rows.map((row) => parseInt(row.querySelector(`[data-cell=${cell}]`)?.textContent ?? "", 10)), cell);
  expect(await names()).toBe("abcde");
  for (const column of ["records", "errors", "warnings"]) {
    const header = page.getByRole("columnheader").filter({ has: page.getByTestId(`sort-${column}`) });
    await page.getByTestId(`sort-${column}`).click();
    await expect(header).toHaveAttribute("aria-sort", "descending");
    const shown = await amounts(column);
    expect(shown, column).toEqual([...shown].sort((a, b) => b - a));
    await page.getByTestId(`sort-${column}`).click();
    await expect(header).toHaveAttribute("aria-sort", "ascending");
    expect(await amounts(column), column).toEqual([...shown].sort((a, b) => a - b));
    await page.getByTestId(`sort-${column}`).click();
    await expect(header).toHaveAttribute("aria-sort", "none");
    expect(await names()).toBe("abcde");
  }
  await page.getByTestId("sort-size").click();
  expect((await names())[0]).toBe("a");
  expect((await names()).at(-1)).toBe("e");
  await page.getByTestId("sort-status").click();
  expect((await names()).startsWith("bd")).toBe(true);
  await page.getByTestId("sort-format").click();
  // What has no format is last.
  expect((await names()).at(-1)).toBe("e");
  await page.getByTestId("sort-name").click();
  await page.getByTestId("sort-name").click();
  expect(await names()).toBe("edcba");

  // The order and the filter determine the next file.
  await file(app, "runs/d.jsonl").click();
  await app.expectVerdict("invalid");
  await page.getByTestId("next-file").click();
  await expect(app.verdict).toContainText("c.jsonl");
  await page.getByTestId("overview-back").click();
  await page.getByTestId("find-files").fill("JSONL");
  expect(await names()).toBe("dcba");
  await page.getByTestId("files-invalid").click();
  expect(await names()).toBe("db");
  await page.getByTestId("find-files").fill("nothing");
  await expect(page.getByText("No files match the filter.")).toBeVisible();
});

test("mistakes are grouped across files, and lead to them", full(), async ({ app, page, folder }) => {
  const path = join(folder, "runs");
  await mkdir(path);
  for (let n = 0; n < 30; n += 1) {
    const role = n % 3 === 0 ? "user" : "tool";
    const id = n === 7 ? '{"id":1,' : "{";
    await writeFile(join(path, `${String(n).padStart(2, "0")}.jsonl`), `${sample("Hi", role)}\n`.replace("{", id).repeat(5));
  }
  await app.open();
  await app.drop(path, { x: 200, y: 200 });
  await done(app, "invalid");
  await page.getByTestId("tab-mistakes").click();
  const groups = page.getByTestId("mistake");
  await expect(groups).toHaveCount(2);
  await expect(groups.first().locator("[data-cell=counts]")).toContainText("100 in 20 files");
  await expect(groups.first().locator(".path")).toHaveText("input.messages.*.role");
  await expect(groups.last().locator("[data-cell=counts]")).toContainText("5 in 1 file");
  await groups.first().click();
  const files = page.getByTestId("mistake-file");
  expect(await files.count()).toBeGreaterThan(5);
  await expect(files.first()).toContainText("runs/01.jsonl");
  await expect(files.first()).toContainText("5 findings");

  await files.nth(1).click();
  await app.expectVerdict("invalid");
  await expect(app.verdict).toContainText("02.jsonl");
  await expect(page.getByTestId("filter-field")).toHaveValue(/^rule:\S+ path:input\.messages\.\*\.role$/);
  await expect(app.findings).toHaveCount(5);
  await page.getByTestId("overview-back").click();
  await expect(page.getByTestId("mistake-list")).toBeVisible();
  await page.getByTestId("tab-files").click();
  await expect(page.getByTestId("file").first()).toBeVisible();
});

test("a folder without files is an error", full(), async ({ app, page, folder }) => {
  const path = join(folder, "nothing");
  await mkdir(join(path, "inner"), { recursive: true });
  await app.open();
  await app.drop(path, { x: 200, y: 200 });
  await expect(page.getByRole("alert")).toContainText("Nothing to check");
  await expect(page.getByRole("alert")).toContainText("1 empty folder");
  await expect(app.verdict).toHaveCount(0);
});

test("all entries of a folder are read, also in several batches", full(), async ({ app, page }) => {
  await app.open();
  // A fake folder with 250 files, one of them unreadable, that returns 100 entries at a time.
  await page.evaluate((text) => {
    const all = Array.from({ length: 250 }, (_, n) => ({
      isDirectory: false,
      isFile: true,
      name: `f${String(n).padStart(3, "0")}.jsonl`,
      fullPath: `/fake/f${String(n).padStart(3, "0")}.jsonl`,
      file(resolve: (file: File) => void, reject: (why: unknown) => void) {
        if (n === 7) reject(new DOMException("gone", "NotFoundError"));
        else resolve(new File([text], this.name));
      },
    }));
    const folder = {
      isDirectory: true,
      isFile: false,
      name: "fake",
      fullPath: "/fake",
      createReader() {
        let at = 0;
        return {
          readEntries(resolve: (entries: unknown[]) => void) {
            const some = all.slice(at, at + 100);
            at += some.length;
            setTimeout(() => resolve(some));
          },
        };
      },
    };
    const item = { kind: "file", webkitGetAsEntry: () => folder, getAsFile: () => null };
    const transfer = { types: ["Files"], items: { length: 1, 0: item }, files: { length: 0 } };
    const event = new DragEvent("drop", { bubbles: true, cancelable: true });
    Object.defineProperty(event, "dataTransfer", { value: transfer });
    document.body.dispatchEvent(event);
  }, `${sample("Hi")}\n`);
  await done(app, "valid");
  await expect(total(app, "files")).toHaveText("249");
  await expect(page.getByTestId("skipped")).toContainText("could not read it: fake/f007.jsonl");
});
