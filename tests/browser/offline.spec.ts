// The service worker: offline use and updates.

import { join } from "node:path";
import { cp } from "node:fs/promises";

import type { BrowserContext, Page } from "@playwright/test";

import { App, expect, full, test as base } from "./support/app.ts";
import { sample, WRONG_ROLE_ON_LINE_12 } from "./support/files.ts";
import { DIST, Host, nextVersion } from "./support/host.ts";

const BASE = "/some/where/";
const TITLE = /will this evaluation dataset load/;

const test = base.extend<{ host: Host }>({
  // oxlint-disable-next-line no-empty-pattern
  host: async ({}, use) => {
    const host = await Host.start({ [BASE]: DIST });
    await use(host);
    await host.stop();
  },
});
test.use({ serviceWorkers: "allow" });

/** Opens the page in a new tab. */
async function open(context: BrowserContext, address: string): Promise<App> {
  const app = new App(await context.newPage());
  await app.goto(address);
  await expect(app.example("juryarena/minimal")).toBeAttached();
  return app;
}

/** Waits until the service worker has cached the page. */
const cached = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    while (active?.state !== "activated") {
      await new Promise((resolve) => active?.addEventListener("statechange", resolve, { once: true }));
    }
  });

async function checks(app: App, name: string): Promise<void> {
  await app.choose({ name, content: WRONG_ROLE_ON_LINE_12 });
  await expect(app.verdict).toContainText(name);
  await app.expectVerdict("invalid");
  await expect(app.count("records")).toHaveText("12");
}

/** Searches with a regular expression, whose module is loaded for that. */
async function findsByRegex({ page }: App): Promise<void> {
  await page.getByTestId("tab-records").click();
  await page.getByTestId("filter-field").fill("/^tool$/");
  await page.getByTestId("filter-field").press("Enter");
  await expect(page.getByTestId("hit")).toHaveCount(1);
}

/** Renders Markdown, whose module is loaded for that. */
async function rendersMarkdown(app: App): Promise<void> {
  const content = JSON.stringify({ input: { messages: [{ role: "user", content: "a **b** c" }] } });
  await app.choose({ name: "markdown.jsonl", content });
  await app.expectVerdict("valid");
  await app.showLines();
  await app.line(1).click();
  await app.showSample();
  const rendered = app.page.getByTestId("rendered");
  if ((await rendered.getAttribute("aria-pressed")) === "false") await rendered.click();
  await expect(app.page.getByTestId("markdown").locator("strong")).toHaveText("b");
}

/** True when the styles of the next version are applied. */
const isNext = (page: Page): Promise<boolean> =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--next") !== "");

const update = (app: App) => app.page.getByTestId("update");
const violations = (app: App) => app.problems.filter((problem) => /policy|uncaught/.test(problem));

test("the page works offline after one visit", async ({ context, host }) => {
  const address = `${host.origin}${BASE}`;
  const first = await open(context, address);
  await cached(first.page);
  await first.page.close();

  host.down = true;
  await context.setOffline(true);
  for (const where of ["", "index.html", "?from=elsewhere"]) {
    const app = await open(context, address + where);
    await checks(app, "offline.jsonl");
    await findsByRegex(app);
    await app.act("start-over");
    await app.openExample("juryarena/full");
    await app.expectVerdict("valid");
    await app.act("start-over");
    await rendersMarkdown(app);
    expect(app.problems.filter((problem) => !problem.startsWith("a request"))).toEqual([]);
    await app.page.close();
  }
});

test("the cache contains exactly the files of the page", async ({ context, host }) => {
  const app = await open(context, `${host.origin}${BASE}`);
  await cached(app.page);
  const names = await app.page.evaluate(async () => {
    const [name, ...others] = await caches.keys();
    const requests = await (await caches.open(name as string)).keys();
    return { others, paths: requests.map(({ url }) => new URL(url).pathname).sort() };
  });
  expect(names.others).toEqual([]);
  expect(names.paths).toContain(BASE);
  expect(names.paths).toContain(`${BASE}manifest.webmanifest`);
  expect(names.paths.filter((path) => path.endsWith(".wasm"))).toHaveLength(7);
  // This host does not compress, so modules come packed.
  const packed = names.paths.filter((path) => /worker\.js$|\.wasm$|\.json$/.test(path));
  for (const path of names.paths) expect(host.requested).toContain(packed.includes(path) ? `${path}.bin` : path);
  for (const path of ["sw.js", "_headers", "evalcheck.html"]) expect(names.paths).not.toContain(BASE + path);
});

test("an update is offered, and versions are never mixed", full(), async ({ context, folder, host }) => {
  const address = `${host.origin}${BASE}`;
  const first = await open(context, address);
  await cached(first.page);
  await expect(update(first)).toHaveCount(0);
  await first.page.close();

  // The server now has only the next version.
  host.folders[BASE] = await nextVersion(join(folder, "next"));
  const one = await open(context, address);
  await expect(update(one)).toBeVisible();
  await expect(one.page).toHaveTitle(TITLE);
  await checks(one, "of-the-first.jsonl");

  // A reload does not apply the update.
  await one.page.reload();
  await expect(update(one)).toBeVisible();
  await expect(one.page).toHaveTitle(TITLE);
  const other = await open(context, address);
  await expect(update(other)).toBeVisible();
  expect(await isNext(other.page)).toBe(false);
  await checks(other, "still-open.jsonl");

  await one.page.getByTestId("update-now").click();
  await expect(one.page).toHaveTitle("The next version");
  await expect.poll(() => isNext(one.page)).toBe(true);
  await expect(one.example("juryarena/minimal")).toBeAttached();
  await expect(update(one)).toHaveCount(0);
  await checks(one, "of-the-next.jsonl");

  // The other tab keeps working with its version until the update is accepted there.
  await expect(other.verdict).toContainText("still-open.jsonl");
  await expect(other.page).toHaveTitle("1 of 12 invalid, still-open.jsonl");
  expect(await isNext(other.page)).toBe(false);
  await checks(other, "as-before.jsonl");
  await expect(update(other)).toBeVisible();
  await other.page.getByTestId("update-now").click();
  await expect(other.page).toHaveTitle("The next version");
  expect([...violations(one), ...violations(other)]).toEqual([]);

  // The cache of the first version is deleted when none of its pages is open.
  await one.page.close();
  await other.page.close();
  const last = await open(context, address);
  await expect.poll(() => last.page.evaluate(async () => (await caches.keys()).length)).toBe(1);
  await expect(last.page).toHaveTitle("The next version");
});

test("an update is applied when all pages are closed", full(), async ({ context, folder, host }) => {
  const address = `${host.origin}${BASE}`;
  // A page outside of the scope of the service worker, which does not keep it alive.
  const outside = await context.newPage();
  await outside.goto(`${host.origin}/`);
  const workers = () =>
    outside.evaluate(async (scope) => {
      const { active, waiting } = (await navigator.serviceWorker.getRegistration(scope)) ?? {};
      return { active: active?.state, waiting: waiting?.state };
    }, address);
  const first = await open(context, address);
  await cached(first.page);
  host.folders[BASE] = await nextVersion(join(folder, "next"));
  await first.page.reload();
  await expect(update(first)).toBeVisible();
  await update(first).getByRole("button", { name: "Dismiss" }).click();
  await expect(update(first)).toHaveCount(0);
  expect(await workers()).toEqual({ active: "activated", waiting: "installed" });
  await first.page.close();
  // The browser activates it after a second or more, unless a page is opened.
  await expect.poll(workers).toEqual({ active: "activated", waiting: undefined });
  const last = await open(context, address);
  await expect(last.page).toHaveTitle("The next version");
  expect(await isNext(last.page)).toBe(true);
});

test("an incomplete update is not applied", async ({ context, folder, host }) => {
  const address = `${host.origin}${BASE}`;
  const first = await open(context, address);
  await cached(first.page);
  // The service worker of the next version with the files of the first.
  const half = join(folder, "half");
  await cp(DIST, half, { recursive: true });
  await cp(join(await nextVersion(join(folder, "next")), "sw.js"), join(half, "sw.js"));
  host.folders[BASE] = half;
  const ended = await first.page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const installing = new Promise<ServiceWorker | null>((resolve) =>
      registration.addEventListener("updatefound", () => resolve(registration.installing)),
    );
    void registration.update().catch(() => {});
    const worker = await installing;
    while (worker && worker.state === "installing") {
      await new Promise((resolve) => worker.addEventListener("statechange", resolve, { once: true }));
    }
    return worker?.state;
  });
  expect(ended).toBe("redundant");
  await first.page.reload();
  await expect(first.page).toHaveTitle(TITLE);
  await checks(first, "as-before.jsonl");
});

test("two copies on one host are independent", full(), async ({ context, folder, host }) => {
  host.folders["/other/"] = await nextVersion(join(folder, "next"));
  const one = await open(context, `${host.origin}${BASE}`);
  await cached(one.page);
  const other = await open(context, `${host.origin}/other/`);
  await cached(other.page);
  await context.setOffline(true);
  host.down = true;
  for (const [app, title] of [[one, TITLE], [other, "The next version"]] as const) {
    await app.page.reload();
    await expect(app.page).toHaveTitle(title);
    await checks(app, "offline.jsonl");
    await expect(update(app)).toHaveCount(0);
  }
});

test("an embedded page has no service worker", async ({ context, host }) => {
  host.folders["/guest/"] = DIST;
  const page = await context.newPage();
  await page.goto(`${host.origin}/guest/LICENSE`).catch(() => {});
  await page.setContent(`<iframe src="${host.origin}${BASE}" width="800" height="600"></iframe>`);
  const frame = page.frameLocator("iframe");
  await expect(frame.locator("[data-testid=example][data-example='juryarena/minimal']")).toBeAttached();
  await frame.locator("input[type=file]").setInputFiles({ name: "a.jsonl", mimeType: "", buffer: Buffer.from(sample("Hi")) });
  await expect(frame.getByTestId("verdict")).toHaveAttribute("data-verdict", "valid");
  const registered = await page.frames()[1]?.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
  expect(registered).toBe(0);
  expect(host.requested).not.toContain(`${BASE}sw.js`);
});
