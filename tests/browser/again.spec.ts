// The same file once more: opened again under its name, or changed on disk.

import { expect, full, test, type App } from "./support/app.ts";

const good = '{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":null}';
const bad = good.replace('"user"', '"User"');
const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join("");

/** Lets the picker return a handle of a file of the browser's own file system, which is written like a file on disk. */
async function pickFrom(app: App, name: string): Promise<(content: string) => Promise<void>> {
  const write = (content: string) =>
    app.page.evaluate(
      async ([name, content]) => {
        const root = await navigator.storage.getDirectory();
        const handle = await root.getFileHandle(name, { create: true });
        const out = await handle.createWritable();
        await out.write(content);
        await out.close();
        Object.assign(window, { showOpenFilePicker: async () => [handle] });
      },
      [name, content] as const,
    );
  return write;
}

test("a file that is opened again under its name keeps the place, and says what differs", async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "samples.jsonl", content: lines(good, bad, bad, good, bad) });
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("since")).toHaveCount(0);
  await app.showLines();
  await app.line(3).click();
  await page.getByTestId("tab-loaded").click();
  await app.choose({ name: "samples.jsonl", content: lines(good, good, bad, good, good, "") });
  await expect(page.getByTestId("since")).toHaveText("Since the last check: 2 fixed (lines 2, 5).");
  await expect(page.getByTestId("tab-lines")).toHaveAttribute("aria-selected", "true");
  await expect(app.line(3)).toHaveAttribute("aria-selected", "true");
  await expect(page.getByTestId("tab-loaded")).toHaveAttribute("aria-selected", "true");
  // Another file begins anew.
  await app.choose({ name: "others.jsonl", content: lines(good) });
  await app.expectVerdict("valid");
  await expect(page.getByTestId("since")).toHaveCount(0);
});

test("a file that changes on disk is checked again on demand, and then by itself", full(), async ({ app, page }) => {
  await app.open();
  const write = await pickFrom(app, "samples.jsonl");
  await write(lines(bad, bad));
  await page.getByTestId("choose-file").click();
  await app.expectVerdict("invalid");
  await app.showLines();
  await app.line(2).click();
  await write(lines(good, bad));
  await expect(page.getByTestId("changed-on-disk")).toContainText("samples.jsonl changed on disk.");
  await page.getByTestId("check-changed").click();
  await expect(page.getByTestId("changed-on-disk")).toHaveCount(0);
  await expect(page.getByTestId("since")).toHaveText("Since the last check: 1 fixed (line 1).");
  await expect(app.line(2)).toHaveAttribute("aria-selected", "true");

  await app.act("watch-file");
  await write(lines(good, good, good));
  await app.expectVerdict("valid");
  await expect(page.getByTestId("since")).toHaveText("Since the last check: 1 fixed (line 2), 1 record more.");
  await write(lines(good, good, bad));
  await app.expectVerdict("invalid");
});

test("a watched file with fixes that were not downloaded is not replaced", full(), async ({ app, page }) => {
  await app.open();
  const write = await pickFrom(app, "samples.jsonl");
  await write(lines(bad, good));
  await page.getByTestId("choose-file").click();
  await app.expectVerdict("invalid");
  await app.act("watch-file");
  await app.act("apply-safe");
  await app.expectVerdict("valid");
  await write(lines(bad, bad));
  await expect(page.getByTestId("changed-on-disk")).toBeVisible();
  await page.getByTestId("check-changed").click();
  await page.getByTestId("keep").click();
  await app.expectVerdict("valid");
  await page.getByTestId("check-changed").click();
  await page.getByTestId("discard").click();
  await app.expectVerdict("invalid");
});
