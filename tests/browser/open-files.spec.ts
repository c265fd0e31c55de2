// Opening files: file picker, drop, several in a row; and files that change before they are checked.

import { rm, truncate, writeFile } from "node:fs/promises";

import { expect, full, test, type App } from "./support/app.ts";
import { sample, write, WRONG_ROLE_ON_LINE_12 } from "./support/files.ts";

test("the button opens the file picker", full(), async ({ app, page, folder }) => {
  const path = await write(folder, "samples.jsonl", WRONG_ROLE_ON_LINE_12);
  await app.open();
  await expect(app.input).toHaveCount(1);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByTestId("choose-file").click()]);
  await chooser.setFiles(path);
  await app.expectVerdict("invalid");
  await expect(app.input).toHaveCount(1);
});

for (const where of ["the drop zone", "a corner of the window"]) {
  test(`a file dropped on ${where} is checked`, full(where !== "the drop zone"), async ({ app, page, folder }) => {
    const path = await write(folder, "samples.jsonl", WRONG_ROLE_ON_LINE_12);
    await app.open();
    const box = await page.getByTestId("drop-zone").boundingBox();
    if (!box) throw new Error("there is no drop zone");
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await app.drop(path, where === "the drop zone" ? middle : { x: 3, y: 3 });
    await app.expectVerdict("invalid");
    await expect(app.verdict).toContainText("samples.jsonl");
    await expect(app.count("records")).toHaveText("12");

    // A second file, dropped on the verdict of the first.
    await app.drop(await write(folder, "second.jsonl", sample("Hi")), { x: 200, y: 200 });
    await expect(app.verdict).toContainText("second.jsonl");
    await app.expectVerdict("valid");
    await expect(app.findings).toHaveCount(0);
  });
}

test("a drop event created by a script is handled", full(), async ({ app, page }) => {
  await app.open();
  const transfer = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "scripted.jsonl"));
    return data;
  }, WRONG_ROLE_ON_LINE_12);
  await page.getByTestId("drop-zone").dispatchEvent("dragover", { dataTransfer: transfer });
  await page.getByTestId("drop-zone").dispatchEvent("drop", { dataTransfer: transfer });
  await app.expectVerdict("invalid");
  await expect(app.verdict).toContainText("scripted.jsonl");
});

test("a second file replaces the first completely", async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "first.jsonl", content: WRONG_ROLE_ON_LINE_12 });
  await app.expectVerdict("invalid");
  await app.act("start-over");
  await expect(page.getByTestId("drop-zone")).toBeVisible();
  await app.choose({ name: "second.jsonl", content: `${sample("one")}\n${sample("two")}\n` });
  await app.expectVerdict("valid");
  await expect(app.verdict).toContainText("second.jsonl");
  await expect(app.count("records")).toHaveText("2");
  await expect(app.findings).toHaveCount(0);
  await expect(page.locator(".workspace")).not.toContainText("first.jsonl");

  await app.choose({ name: "third.jsonl", content: sample("x", "tool") });
  await expect(app.verdict).toContainText("third.jsonl");
  await app.expectVerdict("invalid");
});

test("the same file can be chosen again after it was fixed", full(), async ({ app, folder }) => {
  const path = await write(folder, "samples.jsonl", WRONG_ROLE_ON_LINE_12);
  await app.open();
  await app.choose(path);
  await app.expectVerdict("invalid");
  await writeFile(path, WRONG_ROLE_ON_LINE_12.replace('"tool"', '"user"'));
  await app.choose(path);
  await app.expectVerdict("valid");
});

/** Opens a file and changes it before the engine is ready. */
async function changeBeforeCheck(app: App, path: string, change: () => Promise<unknown>): Promise<void> {
  const startEngine = await app.delayEngine();
  await app.goto();
  await app.choose(path);
  await expect(app.page.getByTestId("progress")).toBeVisible();
  await change();
  startEngine();
}

for (const [what, change] of [
  ["deleted", (path: string) => rm(path)],
  ["truncated", (path: string) => truncate(path, 100)],
  ["emptied", (path: string) => truncate(path, 0)],
  ["overwritten with the same size", (path: string) => writeFile(path, WRONG_ROLE_ON_LINE_12.replace("tool", "user"))],
  ["extended", (path: string) => writeFile(path, WRONG_ROLE_ON_LINE_12.repeat(2))],
] as const) {
  test(`a file that is ${what} before the check is not valid`, full(!["deleted", "overwritten with the same size"].includes(what)), async ({ app, folder }) => {
    const path = await write(folder, "samples.jsonl", `${sample("Hi")}\n`.repeat(12));
    await changeBeforeCheck(app, path, () => change(path));
    await app.expectVerdict("not-checked");
    await expect(app.verdict).toContainText(/Not checked/);
    await expect(app.verdict).not.toContainText("will load it");
    const { report } = await app.downloadedReport();
    expect(report).toMatchObject({ valid: false, checked: false });
    expect(await app.copiedReport()).toMatch(/: not checked \(.*\): \d+ records?/);
  });
}

test("lines of a file that was deleted after the check cannot be shown", full(), async ({
  app,
  page,
  folder,
}) => {
  // Larger than the part that the engine keeps in memory.
  const path = await write(folder, "samples.jsonl", `${sample("x".repeat(900))}\n`.repeat(3000));
  await app.open();
  await app.choose(path);
  await app.expectVerdict("valid");
  await rm(path);
  await app.showLines();
  await app.goToLine(2900);
  await app.line(2900).click();
  await expect(page.locator(".detail-pane")).toContainText("moved or deleted");
});
