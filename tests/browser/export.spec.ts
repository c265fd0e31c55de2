// Files that are made of a dataset: without the invalid records, these by themselves, what fixes changed.

import { readFile } from "node:fs/promises";
import { type Page } from "@playwright/test";
import { zipSync } from "fflate";
import { act, expect, full, test } from "./support/app.ts";

const GOOD = '{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":null}';
const WRONG = GOOD.replace('"user"', '"tool"');
const MENDED = GOOD.replace("Hi", "Hello");
const COMMA = `${MENDED},`;

/** What a button downloads: its name and its text. */
async function downloaded(page: Page, button: string): Promise<[string, string]> {
  const [download] = await Promise.all([page.waitForEvent("download"), act(page, button)]);
  return [download.suggestedFilename(), await readFile(await download.path(), "utf8")];
}

test("invalid records are left out, or downloaded with their findings", async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "samples.jsonl", content: [GOOD, WRONG, COMMA, GOOD, "{", WRONG].join("\n") });
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("invalid-records")).toContainText("Remove 4 invalid records");
  const [name, text] = await downloaded(page, "download-invalid");
  expect(name).toBe("samples.invalid.jsonl");
  const records = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  expect(records.map(({ line, text }) => [line, text])).toEqual([[2, WRONG], [3, COMMA], [5, "{"], [6, WRONG]]);
  expect(records[0].findings[0]).toMatchObject({ code: "shape/invalid-enum-value", path: "input.messages.0.role" });
  // The results are still there.
  await app.findings.nth(1).click();
  await expect(page.getByTestId("source")).toContainText("Hi");

  await app.act("apply-safe");
  await expect(page.getByTestId("fixes-applied")).toContainText("1 fix applied, 3 findings left.");
  await app.act("drop-invalid");
  await app.expectVerdict("valid");
  await expect(page.getByTestId("fixes-applied")).toHaveText("1 fix applied, 3 records left out, 0 findings left.");
  expect(await downloaded(page, "download-fixed")).toEqual(["samples.fixed.jsonl", `${GOOD}\n${MENDED}\n${GOOD}\n`]);
  expect(await downloaded(page, "download-diff")).toEqual([
    "samples.diff",
    `--- a/samples.jsonl\n+++ b/samples.jsonl\n@@ -2,2 +2 @@\n-${WRONG}\n-${COMMA}\n+${MENDED}\n@@ -5,2 +3,0 @@\n-{\n-${WRONG}\n\\ No newline at end of file\n`,
  ]);
  await page.getByTestId("undo-fixes").click();
  await expect(page.getByTestId("fixes-applied")).toContainText("1 fix applied, 3 findings left.");
});

test("elements of a document and records in a ZIP are left out", full(), async ({ app, page }) => {
  await app.open();
  const query = (id: string) => `{"query_id": "${id}", "query_text": "b", "expected_answers": ["c"]}`;
  await app.choose({ name: "a.json", content: `{"queries": [${query("a")}, ${query("")}, ${query("b")}]}` });
  await app.expectVerdict("invalid");
  await app.act("drop-invalid");
  await app.expectVerdict("valid");
  expect((await downloaded(page, "download-fixed"))[1]).toBe(`{"queries": [${query("a")}, ${query("b")}]}`);

  const zip = zipSync({ "samples.jsonl": new TextEncoder().encode(`${WRONG}\n${GOOD}\n`) });
  await app.choose({ name: "data.zip", content: zip });
  await app.expectVerdict("invalid");
  const [name, text] = await downloaded(page, "download-invalid");
  expect([name, JSON.parse(text).text]).toEqual(["data.invalid.jsonl", WRONG]);
  await app.act("drop-invalid");
  await app.expectVerdict("valid");
  await expect(page.getByTestId("fixes-applied")).toContainText("1 record left out");
  await expect(page.getByTestId("download-diff")).toHaveCount(0);
});

test("the fixed file is streamed to where the user chooses", full(), async ({ app, page }) => {
  // A file of the browser's own file system stands for the one that the dialogue would give.
  await page.addInitScript(() => {
    const picked: unknown[] = [];
    Object.assign(window, {
      picked,
      cancels: false,
      async pick(options: unknown) {
        picked.push(options);
        if ((window as unknown as { cancels: boolean }).cancels) throw new DOMException("", "AbortError");
        const folder = await navigator.storage.getDirectory();
        return folder.getFileHandle("saved.jsonl", { create: true });
      },
    });
  });
  await app.open();
  await page.evaluate(() => Object.assign(window, { showSaveFilePicker: (window as unknown as { pick: unknown }).pick }));
  await app.choose({ name: "samples.jsonl", content: COMMA });
  await app.expectVerdict("invalid");
  await app.act("apply-safe");
  await app.expectVerdict("valid");
  const downloads: string[] = [];
  page.on("download", (download) => downloads.push(download.suggestedFilename()));
  await app.act("download-fixed");
  const saved = () => page.evaluate(async () => {
    const folder = await navigator.storage.getDirectory();
    return (await (await folder.getFileHandle("saved.jsonl", { create: true })).getFile()).text();
  });
  await expect.poll(saved).toBe(MENDED);
  expect(await page.evaluate(() => (window as unknown as { picked: unknown[] }).picked)).toEqual([{ suggestedName: "samples.fixed.jsonl" }]);

  await page.evaluate(() => Object.assign(window, { cancels: true }));
  await app.act("download-fixed");
  await expect.poll(() => page.evaluate(() => (window as unknown as { picked: unknown[] }).picked.length)).toBe(2);
  expect(downloads).toEqual([]);
});
