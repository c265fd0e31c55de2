// The ways in which a file comes to the page, and what may happen to it on the way.

import { rm, truncate, writeFile } from "node:fs/promises";

import { expect, test, type App } from "./support/app.ts";
import { sample, write, WRONG_ROLE_ON_LINE_12 } from "./support/files.ts";

test("there is one file input, and a button that opens it", async ({ app, page, folder }) => {
  const path = await write(folder, "samples.jsonl", WRONG_ROLE_ON_LINE_12);
  await app.open();
  await expect(app.input).toHaveCount(1);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByTestId("choose-file").click()]);
  await chooser.setFiles(path);
  await app.expectVerdict("invalid");
  await expect(app.input).toHaveCount(1);
});

for (const where of ["the drop zone", "a corner of the window"]) {
  test(`a file dropped on ${where} is checked`, async ({ app, page, folder }) => {
    const path = await write(folder, "samples.jsonl", WRONG_ROLE_ON_LINE_12);
    await app.open();
    const box = await page.getByTestId("drop-zone").boundingBox();
    if (!box) throw new Error("there is no drop zone");
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await app.drop(path, where === "the drop zone" ? middle : { x: 3, y: 3 });
    await app.expectVerdict("invalid");
    await expect(app.verdict).toContainText("samples.jsonl");
    await expect(app.count("records")).toHaveText("12");

    // And again, over the verdict of the first.
    await app.drop(await write(folder, "second.jsonl", sample("Hi")), { x: 200, y: 200 });
    await expect(app.verdict).toContainText("second.jsonl");
    await app.expectVerdict("valid");
    await expect(app.findings).toHaveCount(0);
  });
}

test("a drop that a script makes is taken too, as an embedding page makes it", async ({ app, page }) => {
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

test("one file after the other: nothing of the first stays", async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "first.jsonl", content: WRONG_ROLE_ON_LINE_12 });
  await app.expectVerdict("invalid");
  await page.getByTestId("start-over").click();
  await expect(page.getByTestId("drop-zone")).toBeVisible();
  await app.choose({ name: "second.jsonl", content: `${sample("one")}\n${sample("two")}\n` });
  await app.expectVerdict("valid");
  await expect(app.verdict).toContainText("second.jsonl");
  await expect(app.count("records")).toHaveText("2");
  await expect(app.findings).toHaveCount(0);
  await expect(page.locator("body")).not.toContainText("first.jsonl");

  await app.choose({ name: "third.jsonl", content: sample("x", "tool") });
  await expect(app.verdict).toContainText("third.jsonl");
  await app.expectVerdict("invalid");
});

test("the same file can be chosen again after it was mended", async ({ app, folder }) => {
  const path = await write(folder, "samples.jsonl", WRONG_ROLE_ON_LINE_12);
  await app.open();
  await app.choose(path);
  await app.expectVerdict("invalid");
  await writeFile(path, WRONG_ROLE_ON_LINE_12.replace('"tool"', '"user"'));
  await app.choose(path);
  await app.expectVerdict("valid");
});

test("the format can be chosen by hand, which checks anew", async ({ app, page }) => {
  await app.open();
  await page.getByTestId("format-select").selectOption("juryarena");
  await app.choose({ name: "samples.jsonl", content: WRONG_ROLE_ON_LINE_12 });
  await app.expectVerdict("invalid");
  expect((await app.downloadedReport()).report).toMatchObject({ format: { id: "juryarena", detected: false } });
  await page.getByTestId("format-select").selectOption("");
  await app.expectVerdict("invalid");
  expect((await app.downloadedReport()).report).toMatchObject({ format: { id: "juryarena", detected: true } });
});

/** Lets something happen to a file after it was handed over and before the engine is there to read it. */
async function meanwhile(app: App, path: string, happens: () => Promise<unknown>): Promise<void> {
  const { page } = app;
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/worker.js", async (route) => {
    await held;
    await route.continue();
  });
  await app.goto();
  await app.choose(path);
  await expect(page.getByTestId("progress")).toBeVisible();
  await happens();
  release();
}

for (const [what, happens] of [
  ["deleted", (path: string) => rm(path)],
  ["cut short", (path: string) => truncate(path, 100)],
  ["emptied", (path: string) => truncate(path, 0)],
  ["written anew, with the same size", (path: string) => writeFile(path, WRONG_ROLE_ON_LINE_12.replace("tool", "user"))],
  ["made longer", (path: string) => writeFile(path, WRONG_ROLE_ON_LINE_12.repeat(2))],
] as const) {
  test(`a file that is ${what} between drop and check is not called valid`, async ({ app, folder }) => {
    const path = await write(folder, "samples.jsonl", `${sample("Hi")}\n`.repeat(12));
    await meanwhile(app, path, () => happens(path));
    await app.expectVerdict("not-checked");
    await expect(app.verdict).toContainText(/Not checked/);
    await expect(app.verdict).not.toContainText("will load it");
    const { report } = await app.downloadedReport();
    expect(report).toMatchObject({ valid: false, checked: false });
    expect((await app.copiedReport()).trimEnd().split("\n").at(-1)).toMatch(/^not checked: /);
  });
}

test("a file that goes away after the check is said to be gone when its lines are asked for", async ({
  app,
  page,
  folder,
}) => {
  // Larger than what the engine has read of its beginning and keeps.
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
