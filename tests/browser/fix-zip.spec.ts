// Fixes of a ZIP: entries are moved and left out, the dataset is changed; the downloaded ZIP has no such finding.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { expect, full, test } from "./support/app.ts";
import { PNG } from "./support/files.ts";

const line = (path: string): string =>
  JSON.stringify({
    input: { messages: [{ role: "user", content: [{ type: "file_ref", path }] }] },
    usage_output: null,
  });

const WRONG = '{"input":{"messages":[{"role":"tool","content":"Hi"}]},"usage_output":null}';
const LINES = [line("attachments/dot.png"), line("attachments/note.pdf"), `${WRONG},`];

const NOTE = `%PDF-1.4\n${"% Grüße\n".repeat(1000)}`;

const misplaced = (): Uint8Array =>
  zipSync({
    "data.jsonl": strToU8(`${LINES.join("\n")}\n`),
    "files/dot.png": [new Uint8Array(PNG), { level: 0 }],
    "files/note.pdf": strToU8(NOTE),
    "unused.txt": strToU8("nobody asks for it"),
    "__MACOSX/._data.jsonl": strToU8("junk"),
  });

test.beforeEach(async ({ app }) => {
  await app.open();
});

test("the safe fixes of a ZIP are applied, undone and downloaded", async ({ app, page, folder }) => {
  await app.choose({ name: "data.zip", content: misplaced() });
  await app.expectVerdict("invalid");
  await app.act("apply-safe");
  await expect(page.getByTestId("fixes-applied")).toContainText("5 fixes applied, ");
  await app.expectFindingLines([
    expect.stringContaining("line 3: input.messages.0.role: Invalid enum value."),
    expect.stringContaining("unused.txt"),
  ]);

  const downloading = page.waitForEvent("download");
  await app.act("download-fixed");
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("data.fixed.zip");
  const fixed = await readFile(await download.path());
  const entries = unzipSync(new Uint8Array(fixed));
  expect(Object.keys(entries).sort()).toEqual([
    "attachments/dot.png",
    "attachments/note.pdf",
    "samples.jsonl",
    "unused.txt",
  ]);
  expect(strFromU8(entries["samples.jsonl"]!)).toBe(
    `${[LINES[0], LINES[1], WRONG].join("\n")}\n`,
  );
  expect(Buffer.from(entries["attachments/dot.png"]!).equals(Buffer.from(PNG))).toBe(true);
  expect(strFromU8(entries["attachments/note.pdf"]!)).toBe(NOTE);

  await page.getByTestId("undo-fixes").click();
  await expect(page.getByTestId("review-fixes")).toBeVisible();

  const path = join(folder, "again.zip");
  await writeFile(path, fixed);
  await app.choose(path);
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("fix-bar")).toHaveCount(0);
});

test("one fix of a ZIP is shown and applied by itself", full(), async ({ app, page }) => {
  const content = zipSync({ "data.jsonl": strToU8(`${line("attachments/a.pdf")}\n`), "files/a.pdf": strToU8(NOTE) });
  await app.choose({ name: "data.zip", content });
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("fix")).toContainText('Fix: Move the file to "attachments/a.pdf"');
  await expect(page.getByTestId("fix-entry").locator("del")).toHaveText("files/a.pdf");
  await expect(page.getByTestId("fix-entry").locator("ins")).toHaveText("attachments/a.pdf");
  await page.getByTestId("apply-fix").click();
  await expect(page.getByTestId("fixes-applied")).toContainText("1 fix applied, ");
  await expect(page.getByTestId("fix")).toContainText("Fix: Rename it to samples.jsonl");
  await page.getByTestId("apply-fix").click();
  await app.expectVerdict("valid");
  await expect(page.getByTestId("fixes-applied")).toContainText("2 fixes applied, ");
});

test("damaged data of a ZIP is not written anew as if it were sound", async ({ app, page }) => {
  const dataset = strToU8(`${line("attachments/a.pdf")},\n`);
  const content = zipSync({ "samples.jsonl": [dataset, { level: 0 }], "attachments/a.pdf": strToU8(NOTE) });
  // A letter of the dataset, which is stored; not of its checksum.
  const at = Buffer.from(content).indexOf("usage_output");
  content[at] = "U".charCodeAt(0);
  await app.choose({ name: "data.zip", content });
  await app.expectVerdict("invalid");
  await app.act("apply-safe");
  await expect(page.getByText("The dataset in the ZIP is damaged, so nothing was changed.")).toBeVisible();
  await expect(page.getByTestId("fixes-applied")).toHaveCount(0);
  await app.expectVerdict("invalid");
});
