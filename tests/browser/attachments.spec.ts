// The files of an archive: what each is, which records refer to it, what is missing and what is unused.

import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { expect, full, test, type App } from "./support/app.ts";
import { ARCHIVE, record } from "./support/attachments.ts";
import { violations } from "./support/axe.ts";
import { evalcheck, has } from "./support/command.ts";
import { PNG } from "./support/files.ts";

async function open(app: App): Promise<void> {
  await app.open();
  await app.choose({ name: "dataset.zip", content: ARCHIVE });
  await app.expectVerdict("invalid");
  await app.showTab("attachments");
  await expect(app.page.getByTestId("attachment-row").first()).toBeVisible();
}

test("files are listed with what is known of them, and filtered and sorted", async ({ app, page }) => {
  await open(app);
  const rows = page.getByTestId("attachment-row");
  const row = (name: string) => rows.filter({ hasText: name });
  await expect(page.getByTestId("tab-attachments")).toContainText("9");
  await expect(rows).toHaveCount(9);
  await expect(row("dot.png")).toContainText("a PNG image, 1 × 1, 70 bytes, 6 records");
  await expect(row("picture.bmp")).toContainText("900 × 600");
  await expect(row("picture.bmp")).toContainText("unused");
  await expect(row("Report.PDF").last()).toContainText("missing, 1 record");
  await expect(row("copy.txt")).toContainText("same checksum");
  expect(page.url()).toContain("list=attachments");
  expect(await violations(page)).toEqual([]);

  const filter = page.getByTestId("attachment-filter");
  await filter.selectOption({ label: "Missing (2)" });
  await expect(rows).toHaveCount(2);
  await filter.selectOption({ label: "Unused (4)" });
  await expect(rows).toHaveCount(4);
  await page.getByTestId("attachment-order").selectOption("Largest first");
  await expect(rows.first()).toContainText("picture.bmp");
  await filter.selectOption({ label: "UTF-8 text (2)" });
  await expect(rows).toHaveCount(2);
  await filter.selectOption({ label: "Same content (2)" });
  await expect(rows).toHaveCount(2);
  await filter.selectOption({ label: "All files (9)" });
  await expect(rows.first()).toContainText("picture.bmp");

  const name = page.getByTestId("attachment-name");
  await name.fill("REPORT");
  await expect(rows).toHaveCount(2);
  await filter.selectOption({ label: "Missing (2)" });
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("Report.PDF");
  await name.fill("nothing");
  await expect(page.getByText("No files match.")).toBeVisible();
  await name.press("Escape");
  await name.fill("");
  await expect(rows).toHaveCount(2);
});

test("a file is shown with the records that refer to it", full(), async ({ app, page }) => {
  await open(app);
  const row = (name: string) => page.getByTestId("attachment-row").filter({ hasText: name });
  const detail = page.getByTestId("attachment-detail");
  const card = detail.getByTestId("attachment");

  await row("dot.png").click();
  await expect(card).toHaveAttribute("data-state", "image");
  await expect(detail.getByTestId("actual-size")).toHaveCount(0);
  await expect(detail.getByTestId("referenced-by")).toContainText("Referenced by 6 records");
  await expect(detail.getByTestId("referenced-by")).toContainText("and 3 others");
  await detail.getByRole("button", { name: "Record 2" }).click();
  await expect(page.locator(".detail-head h2")).toHaveText("Line 2");

  await row("page.html").click();
  await expect(card).toHaveAttribute("data-state", "text");
  await expect(card).toContainText("<script>");
  await expect(detail).toContainText("No record references this file.");
  expect(await page.title()).not.toContain("ran");

  await row("Report.PDF").last().click();
  await expect(card).toHaveAttribute("data-state", "missing");
  await expect(card).toContainText("Did you mean attachments/report.pdf");

  await row("copy.txt").click();
  await expect(detail).toContainText("The same checksum and size as attachments/other.txt");
});

test("a picture is shown in its own size", full(), async ({ app, page }) => {
  await open(app);
  await page.getByTestId("attachment-row").filter({ hasText: "picture.bmp" }).click();
  const image = page.getByTestId("attachment-detail").locator("img");
  const width = () => image.evaluate((shown: HTMLImageElement) => shown.getBoundingClientRect().width);
  await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(900);
  expect(await width()).toBeLessThan(800);
  await page.getByTestId("actual-size").check();
  expect(await width()).toBeGreaterThanOrEqual(900);
});

test("a recording is played", full(), async ({ app, page }) => {
  await open(app);
  await page.getByTestId("attachment-row").filter({ hasText: "silence.wav" }).click();
  const audio = page.getByTestId("attachment-detail").locator("audio");
  await expect(audio).toHaveAttribute("src", /^blob:/);
  await expect.poll(() => audio.evaluate((played: HTMLAudioElement) => played.duration)).toBeCloseTo(1, 1);
  expect(await violations(page)).toEqual([]);
});

test("the list has a shortcut and is shown on a narrow screen", full(), async ({ app, page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open(app);
  await page.getByTestId("tab-findings").click();
  await page.keyboard.press("5");
  await expect(page.getByTestId("tab-attachments")).toHaveAttribute("aria-selected", "true");
  await page.getByTestId("attachment-row").filter({ hasText: "dot.png" }).click();
  await expect(page.getByTestId("attachment-detail")).toBeVisible();
  await page.getByTestId("back").click();
  await expect(page.getByTestId("attachment-list")).toBeVisible();
});

test("an archive of a dataset alone has no such list", full(), async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "dataset.zip", content: zipSync({ "samples.jsonl": strToU8('{"input":{"messages":[{"role":"user","content":"Hi"}]}}\n') }) });
  await app.expectVerdict("valid");
  await expect(page.getByTestId("tab-records")).toBeVisible();
  await expect(page.getByTestId("tab-attachments")).toHaveCount(0);
});

const PDF = "%PDF-1.4\n%%EOF\n";

/** An archive in a folder, whose first record wants a file that is not there. */
const INCOMPLETE = zipSync({
  "data/samples.jsonl": strToU8(`${record("attachments/café.png")}\n${record("attachments/a.pdf")}\n`),
  "data/attachments/a.pdf": [strToU8(PDF), { level: 0 }],
});

/** Downloads the file with its fixes. */
async function download(app: App): Promise<string> {
  const downloading = app.page.waitForEvent("download");
  await app.act("download-fixed");
  return (await downloading).path();
}

test("a missing file is added by dropping it on its card", async ({ app, page, folder }) => {
  await app.open();
  await app.choose({ name: "dataset.zip", content: INCOMPLETE });
  await app.expectVerdict("invalid");
  await page.getByTestId("tab-attachments").click();
  await page.getByTestId("attachment-row").filter({ hasText: "café.png" }).click();
  const detail = page.getByTestId("attachment-detail");
  const card = detail.getByTestId("attachment");
  await expect(detail.getByTestId("added-as")).toHaveText("data/attachments/café.png");
  expect(await violations(page)).toEqual([]);

  const path = join(folder, "IMG_0001.png");
  await writeFile(path, PNG);
  await app.drop(path, await middle(card));
  await app.expectVerdict("valid");
  await expect(page.getByTestId("fixes-applied")).toContainText("1 fix applied, 0 findings left.");
  await expect(page.getByTestId("tab-attachments")).toHaveAttribute("aria-selected", "true");
  await expect(card).toHaveAttribute("data-state", "image");
  await expect(card).toContainText("attachments/café.png");
  await app.showTab("changes");
  await expect(page.getByTestId("change-note")).toHaveText("`data/attachments/café.png` was added.");

  const fixed = await download(app);
  const bytes = new Uint8Array(await readFile(fixed));
  const entries = unzipSync(bytes);
  expect(Object.keys(entries)).toEqual(["data/samples.jsonl", "data/attachments/a.pdf", "data/attachments/café.png"]);
  expect(Buffer.from(entries["data/attachments/café.png"]!).equals(PNG)).toBe(true);
  expect(strFromU8(entries["data/attachments/a.pdf"]!)).toBe(PDF);
  const before = unzipSync(INCOMPLETE)["data/samples.jsonl"]!;
  expect(Buffer.from(entries["data/samples.jsonl"]!).equals(before)).toBe(true);
  const zip = join(folder, "dataset.fixed.zip");
  await writeFile(zip, bytes);
  if (has("unzip")) expect(spawnSync("unzip", ["-tq", zip]).status).toBe(0);
  if (has("python3")) expect(spawnSync("python3", ["-m", "zipfile", "-t", zip]).stdout.toString()).toBe("Done testing\n");
  expect(JSON.parse(evalcheck(zip, "json"))).toMatchObject({ valid: true, findings: [] });

  await page.getByTestId("undo-fixes").click();
  await app.expectVerdict("invalid");
  await page.getByTestId("tab-attachments").click();
  await expect(page.getByTestId("attachment-row").filter({ hasText: "café.png" })).toContainText("missing");
});

test("a file is chosen for a missing one by the keyboard, and its content is checked", full(), async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "dataset.zip", content: INCOMPLETE });
  await app.expectVerdict("invalid");
  await page.getByTestId("tab-attachments").click();
  await page.getByTestId("attachment-filter").selectOption({ label: "Missing (1)" });
  await page.getByTestId("attachment-row").click();
  await page.getByTestId("add-file").focus();
  const choosing = page.waitForEvent("filechooser");
  await page.keyboard.press("Enter");
  const text = { name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") };
  await (await choosing).setFiles(text);
  await expect(page.getByTestId("fixes-applied")).toContainText("1 fix applied, 1 finding left.");
  await page.getByTestId("tab-findings").click();
  await app.expectFindingLines([
    expect.stringContaining("the name ends with .png, but the content is UTF-8 text"),
  ]);
});

test("what is dropped beside the card is opened", full(), async ({ app, page, folder }) => {
  await app.open();
  await app.choose({ name: "dataset.zip", content: INCOMPLETE });
  await app.expectVerdict("invalid");
  await page.getByTestId("tab-attachments").click();
  await page.getByTestId("attachment-row").filter({ hasText: "café.png" }).click();
  const card = page.getByTestId("attachment-detail").getByTestId("attachment");
  const path = join(folder, "other.jsonl");
  await writeFile(path, `${record("attachments/a.pdf")}\n`);

  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  const overlay = page.getByTestId("drop-overlay");
  const over = await middle(card);
  await session.send("Input.dispatchDragEvent", { type: "dragEnter", ...over, data });
  await session.send("Input.dispatchDragEvent", { type: "dragOver", ...over, data });
  await expect(overlay).toHaveText("Drop to add the file");
  const beside = { x: 20, y: 20 };
  await session.send("Input.dispatchDragEvent", { type: "dragOver", ...beside, data });
  await session.send("Input.dispatchDragEvent", { type: "dragOver", ...beside, data });
  await expect(overlay).toHaveText("Drop to check");
  await session.send("Input.dispatchDragEvent", { type: "drop", ...beside, data });
  await expect(page.locator(".bar .file-name").first()).toHaveText("other.jsonl");
});

test("unused files are removed at once, and come back with undo", full(), async ({ app, page }) => {
  const files = {
    "samples.jsonl": strToU8(`${record("attachments/a.pdf")}\n`),
    "attachments/a.pdf": strToU8(PDF),
    "attachments/b.txt": strToU8("b"),
    "c.txt": strToU8("c"),
    ".DS_Store": strToU8("d"),
  };
  await app.open();
  await app.choose({ name: "dataset.zip", content: zipSync(files) });
  await app.expectVerdict("valid");
  await page.getByTestId("tab-attachments").click();
  const note = page.getByTestId("unused-files");
  await expect(note).toContainText("2 unused files.");
  await page.getByTestId("attachment-filter").selectOption({ label: "Unused (2)" });
  expect(await violations(page)).toEqual([]);
  await page.getByTestId("remove-unused").click();
  await expect(page.getByTestId("fixes-applied")).toContainText("2 fixes applied");
  await expect(note).toHaveCount(0);
  await expect(page.getByTestId("tab-attachments")).toHaveAttribute("aria-selected", "true");
  const entries = unzipSync(new Uint8Array(await readFile(await download(app))));
  expect(Object.keys(entries)).toEqual(["samples.jsonl", "attachments/a.pdf", ".DS_Store"]);
  await app.showTab("changes");
  await expect(page.getByTestId("change-note")).toHaveText(["`attachments/b.txt` was left out.", "`c.txt` was left out."]);
  await page.getByTestId("undo-fixes").click();
  await page.getByTestId("tab-attachments").click();
  await expect(note).toContainText("2 unused files.");
});

test("unused files are not removed while a record may mean one", full(), async ({ app, page }) => {
  await open(app);
  // A reference to a missing file may be corrected to any.
  const note = page.getByTestId("unused-files");
  await expect(note).toContainText("4 unused files. Kept for now: 4 that a record with errors may mean.");
  await expect(page.getByTestId("remove-unused")).toHaveCount(0);
  await page.getByTestId("show-invalid").click();
  await expect(page.getByTestId("filter-field")).toHaveValue("is:invalid");
  await expect(page.getByTestId("hit")).toHaveCount(2);

  // A record with a comma too many mentions one of three.
  const content = zipSync({
    "samples.jsonl": strToU8(`${record("attachments/a.pdf")}\n${record("attachments/b.txt").replace("null", "null,")}\n`),
    "attachments/a.pdf": strToU8(PDF),
    "attachments/b.txt": strToU8("b"),
    "attachments/c.txt": strToU8("c"),
    "d.txt": strToU8("d"),
  });
  await app.choose({ name: "other.zip", content });
  await app.expectVerdict("invalid");
  await app.showTab("attachments");
  await expect(note).toContainText("3 unused files. Remove 2 Kept for now: 1 that a record with errors may mean.");
  expect(await violations(page)).toEqual([]);
  await page.getByTestId("remove-unused").click();
  await expect(page.getByTestId("fixes-applied")).toContainText("2 fixes applied");
  const entries = unzipSync(new Uint8Array(await readFile(await download(app))));
  expect(Object.keys(entries)).toEqual(["samples.jsonl", "attachments/a.pdf", "attachments/b.txt"]);
});

test("a recording has its seconds, a PDF its pages, and a CSV its cells", full(), async ({ app, page }) => {
  await open(app);
  const rows = page.getByTestId("attachment-row");
  await expect(rows.filter({ hasText: "silence.wav" })).toContainText("a WAV recording, 1 s, ");
  await rows.filter({ hasText: "report.pdf" }).first().click();
  const card = page.getByTestId("attachment-detail").getByTestId("attachment");
  await expect(card).toContainText("a PDF document, 1 page, ");

  const csv = `id;text\n1;"<b>a</b>, ""b"""\n${"2;c\n".repeat(200)}`;
  const content = zipSync({
    "samples.jsonl": strToU8(`${record("attachments/table.csv")}\n`),
    "attachments/table.csv": strToU8(csv),
  });
  await app.choose({ name: "other.zip", content });
  await app.expectVerdict("valid");
  await page.getByTestId("tab-attachments").click();
  await rows.first().click();
  const cells = card.getByTestId("attachment-table").locator("tr");
  await expect(cells).toHaveCount(100);
  expect(await cells.nth(1).locator("td").allTextContents()).toEqual(["1", '<b>a</b>, "b"']);
  await expect(card).toContainText("Shown: the first 100 rows.");
  expect(await violations(page)).toEqual([]);
});

async function middle(of: import("@playwright/test").Locator): Promise<{ x: number; y: number }> {
  const box = await of.boundingBox();
  if (!box) throw new Error("it is not shown");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
