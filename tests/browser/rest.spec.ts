// The engine gives a verdict before its rest is loaded. What needs the rest waits for it.

import { expect, full, test, type App } from "./support/app.ts";
import { pack, sample, write, WRONG_ROLE_ON_LINE_12 } from "./support/files.ts";

/** Opens the page, and waits until its engine is ready. */
async function open(app: App): Promise<void> {
  await app.goto();
  await expect(app.example("juryarena/minimal")).toBeAttached();
}

/** Opens the page. The page's own request for the rest waits until the returned function is called; later requests do not. */
async function openWithoutRest(app: App): Promise<() => void> {
  const release = await app.hold("**/rest.wasm", { times: 1 });
  await open(app);
  return release;
}

test("the verdict comes before the rest of the engine, and a question waits for the rest", async ({ app, page, folder }) => {
  const release = await openWithoutRest(app);
  await app.choose(await write(folder, "early.jsonl", WRONG_ROLE_ON_LINE_12));
  await app.expectVerdict("invalid");
  await app.showLines();
  await expect(page.locator("html")).not.toHaveAttribute("data-ready");
  await expect(app.line(12)).not.toContainText("tool");
  await expect(page.getByTestId("loading-rest")).toHaveText("Lists and details are still loading, 0%.");
  release();
  await expect(page.getByTestId("loading-rest")).toHaveCount(0);
  await expect(app.line(12)).toContainText("tool");
  await app.ready();
});

test("a check that needs a function of the rest loads it", async ({ app, folder }) => {
  const release = await openWithoutRest(app);
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
