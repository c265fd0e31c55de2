// A file that is not UTF-8: the encodings that it may be in, each with a sample, and the whole file converted from the one that is chosen.

import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { zipSync } from "fflate";
import { expect, full, test } from "./support/app.ts";
import { sample } from "./support/files.ts";

/** A text in an encoding of one or two bytes for a character. */
function encode(text: string, encoding: string): Buffer {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const bytes = new Map<string, number[]>();
  const add = (...sequence: number[]) => {
    try {
      const character = decoder.decode(Uint8Array.from(sequence));
      if (!bytes.has(character)) bytes.set(character, sequence);
    } catch {
      // These bytes are no text.
    }
  };
  for (let first = 0; first < 256; first += 1) add(first);
  for (let first = 0x81; first < 256; first += 1) for (let second = 0x40; second < 256; second += 1) add(first, second);
  return Buffer.concat(
    [...text].map((character) => {
      const sequence = bytes.get(character);
      if (!sequence) throw new Error(`${character} is not in ${encoding}`);
      return Buffer.from(sequence);
    }),
  );
}

const lines = (...texts: string[]): string => texts.map((text) => `${sample(text)}\n`).join("");

const row = (page: Page, encoding: string) => page.locator(`[data-testid=encoding][data-encoding="${encoding}"]`);

test.beforeEach(async ({ app }) => {
  await app.open();
});

const DATASETS = [
  { encoding: "Shift_JIS", texts: ["日本の首都はどこですか。", "表示できますか。"], left_out: "EUC-KR" },
  { encoding: "GBK", texts: ["中国的首都是哪里？", "你好，世界"], left_out: "Shift_JIS" },
  { encoding: "windows-1252", texts: ["Où est la bibliothèque ?", "Ça va, été comme hiver ?"], left_out: "Big5" },
];

for (const { encoding, texts, left_out } of DATASETS) {
  test(`a file in ${encoding} is converted and taken back`, full(encoding !== "Shift_JIS"), async ({ app, page }) => {
    const dataset = lines(...texts);
    await app.choose({ name: "data.jsonl", content: encode(dataset, encoding) });
    await app.expectVerdict("invalid");
    await expect(row(page, encoding).locator("bdi")).toContainText(texts[0] as string);
    await expect(row(page, left_out)).toHaveCount(0);

    await row(page, encoding).getByRole("button").click();
    await app.expectVerdict("valid");
    await expect(page.getByTestId("encodings")).toHaveCount(0);
    await expect(page.getByTestId("fixes-applied")).toContainText("1 fix applied, 0 findings left.");
    const downloading = page.waitForEvent("download");
    await app.act("download-fixed");
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("data.fixed.jsonl");
    expect(await readFile(await download.path(), "utf8")).toBe(dataset);

    await page.getByTestId("undo-fixes").click();
    await app.expectVerdict("invalid");
    await expect(row(page, encoding)).toBeVisible();
  });
}

test("the dataset in a ZIP is converted", full(), async ({ app, page }) => {
  const content = encode(lines("日本の首都はどこですか。"), "Shift_JIS");
  await app.choose({ name: "data.zip", content: zipSync({ "samples.jsonl": new Uint8Array(content) }) });
  await app.expectVerdict("invalid");
  await row(page, "Shift_JIS").getByRole("button").click();
  await app.expectVerdict("valid");
});

test("a file with other bytes too stays as it is", full(), async ({ app, page }) => {
  const content = Buffer.concat([
    encode(lines("日本の首都はどこですか。"), "Shift_JIS"),
    Buffer.from(lines("byte ?").replace("?", "\xff"), "latin1"),
  ]);
  await app.choose({ name: "data.jsonl", content });
  await app.expectVerdict("invalid");
  await row(page, "Shift_JIS").getByRole("button").click();
  await expect(page.getByRole("alert")).toContainText("The file has bytes that are not Shift_JIS.");
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("fixes-applied")).toHaveCount(0);
});

test("no encoding is offered for damaged UTF-8", full(), async ({ app, page }) => {
  const content = Buffer.from(lines("日本の首都はどこですか。"));
  await app.choose({ name: "data.jsonl", content: Buffer.concat([content.subarray(0, 60), content.subarray(61)]) });
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("finding-detail")).toContainText("invalid UTF-8");
  await expect(page.getByTestId("encodings")).toHaveCount(0);
});
