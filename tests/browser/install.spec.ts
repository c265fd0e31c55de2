// The installed page: the manifest, and files that the operating system opens with it.

import { expect, full, test } from "./support/app.ts";
import { sample, WRONG_ROLE_ON_LINE_12 } from "./support/files.ts";
import { DIST, Host } from "./support/host.ts";

test.describe("installing", () => {
  test.use({ serviceWorkers: "allow" });

  test("the page can be installed", async ({ page }) => {
    const host = await Host.start({ "/some/where/": DIST });
    await page.goto(`${host.origin}/some/where/`);
    const session = await page.context().newCDPSession(page);
    const manifest = await session.send("Page.getAppManifest");
    expect(manifest.errors).toEqual([]);
    const { id, start_url, scope, file_handlers, icons } = JSON.parse(manifest.data ?? "{}");
    expect([id, start_url, scope]).toEqual(["./", "./", "./"]);
    expect(Object.values(file_handlers[0].accept).flat()).toEqual([".jsonl", ".ndjson", ".json", ".csv", ".zip"]);
    for (const { src, sizes } of icons) {
      const size = await page.evaluate(async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, src);
      expect(size, src).toBe(sizes);
    }
    // Test contexts are private windows, in which nothing can be installed.
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
    await host.stop();
  });
});

for (const [what, contents, verdict] of [
  ["one file", [WRONG_ROLE_ON_LINE_12], "invalid"],
  ["several files", [sample("Hi"), sample("Hi")], "valid"],
] as const) {
  test(`${what} opened by the operating system`, full(what !== "one file"), async ({ app, page }) => {
    // A fake launch queue, which keeps files until the page sets a consumer.
    await page.addInitScript((contents) => {
      const files = contents.map((content, at) => ({ getFile: async () => new File([content], `opened-${at}.jsonl`) }));
      Object.defineProperty(window, "launchQueue", {
        value: { setConsumer: (take: (params: unknown) => void) => queueMicrotask(() => take({ files })) },
      });
    }, contents);
    await app.goto();
    const shown = contents.length === 1 ? app.verdict : page.getByTestId("overview");
    await expect(shown).toHaveAttribute("data-verdict", verdict);
    await expect(page.locator("main")).toContainText("opened-0.jsonl");
  });
}

test("files that cannot be opened are an error", full(), async ({ app, page }) => {
  await page.addInitScript(() => {
    const files = [{ getFile: () => Promise.reject(new DOMException("gone", "NotFoundError")) }];
    Object.defineProperty(window, "launchQueue", { value: { setConsumer: (take: (params: unknown) => void) => take({ files }) } });
  });
  await app.open();
  await expect(page.getByRole("alert")).toContainText("could not open");
});

test("a launch without files shows the start screen", full(), async ({ app, page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "launchQueue", { value: { setConsumer: (take: (params: unknown) => void) => take({ files: [] }) } });
  });
  await app.open();
  await expect(page.getByTestId("drop-zone")).toBeVisible();
});
