// The engine gives a verdict, and the page shows it, before their rests are loaded. What needs a rest waits for it.

import { expect, full, test, type App } from "./support/app.ts";
import { pack, sample, write, WRONG_ROLE_ON_LINE_12 } from "./support/files.ts";

/** Opens the page, and waits until its engine is ready. */
async function open(app: App): Promise<void> {
  await app.goto();
  await expect(app.example("juryarena/minimal")).toBeAttached();
}

/** Opens the page. Its first request for this file waits until the returned function is called; later requests do not. */
async function openWithout(app: App, file: string): Promise<() => void> {
  const release = await app.hold(`**/${file}`, { times: 1 });
  await open(app);
  return release;
}

test("the verdict comes before the rest of the engine, and a question waits for the rest", async ({ app, page, folder }) => {
  const release = await openWithout(app, "rest.wasm");
  await app.choose(await write(folder, "early.jsonl", WRONG_ROLE_ON_LINE_12));
  await app.expectVerdict("invalid");
  await app.showLines();
  await expect(page.locator("html")).not.toHaveAttribute("data-ready");
  await expect(app.line(12)).not.toContainText("tool");
  await expect(page.getByTestId("loading-rest")).toHaveText(/^Lists and details are still loading, \d{1,2}%\.$/);
  release();
  await expect(page.getByTestId("loading-rest")).toHaveCount(0);
  await expect(app.line(12)).toContainText("tool");
  await app.ready();
});

test("a verdict, a list and the start screen need nothing of the rest of the page", async ({ app, page, folder }) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url()).pathname.replace(/.*\//, "")));
  const release = await openWithout(app, "page-rest.wasm");
  await app.choose(await write(folder, "early.jsonl", WRONG_ROLE_ON_LINE_12));
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("loading-rest")).toBeVisible();
  await app.act("start-over");
  await expect(page.getByTestId("drop-zone")).toBeVisible();
  expect(requests.filter((name) => name === "page-rest.wasm")).toHaveLength(1);
  await app.choose(await write(folder, "again.jsonl", WRONG_ROLE_ON_LINE_12));
  await app.expectVerdict("invalid");
  expect(requests.filter((name) => name === "page-rest.wasm")).toHaveLength(1);
  release();
  await app.showLines();
  await expect(app.line(12)).toContainText("tool");
});

test("a page that needs a function of its rest loads it", async ({ app, page, folder }) => {
  const release = await openWithout(app, "page-rest.wasm");
  await app.choose(await write(folder, "early.jsonl", WRONG_ROLE_ON_LINE_12));
  await app.expectVerdict("invalid");
  await page.getByTestId("tab-overview").click();
  await expect(page.getByTestId("tab-overview")).toHaveAttribute("aria-selected", "true");
  release();
  await app.ready();
});

test("a check that needs a function of the rest loads it", async ({ app, folder }) => {
  const release = await openWithout(app, "rest.wasm");
  const { path } = await pack(folder, "early.zip", { "samples.jsonl": `${sample("Hi")}\n` });
  await app.choose(path);
  await app.expectVerdict("valid");
  release();
  await app.ready();
});

test("a rest that cannot be loaded is requested again", full(), async ({ app, page, folder }) => {
  let isBroken = true;
  await page.route("**/rest.wasm", (route) => (isBroken ? route.abort() : route.continue()));
  await open(app);
  await app.expectProblem(/Failed to load resource/);
  await app.choose(await write(folder, "early.jsonl", WRONG_ROLE_ON_LINE_12));
  await app.expectVerdict("invalid");
  isBroken = false;
  await app.showLines();
  await expect(app.line(12)).toContainText("tool");
});
