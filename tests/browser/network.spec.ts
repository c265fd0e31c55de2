// The page makes no request after it has loaded, whatever a dataset contains. All requests of the browser go through a
// proxy, including those to this machine.

import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { chromium, type Page } from "@playwright/test";

import { App, expect } from "./support/app.ts";
import { pack, PNG, sample, test as base } from "./support/files.ts";
import { DIST, Host } from "./support/host.ts";
import { Proxy } from "./support/proxy.ts";

const PATH = "/some/where/";

interface Network {
  page: Page;
  /** The host of the page. */
  host: Host;
  proxy: Proxy;
  /** The host of all URLs in the datasets. */
  elsewhere: Host;
}

const test = base.extend<{ network: Network }>({
  network: async ({ folder }, use, info) => {
    const host = await Host.start({ [PATH]: DIST });
    const elsewhere = await Host.start({ "/": folder });
    const proxy = await Proxy.start(host.origin);
    const browser = await chromium.launch({
      ...info.project.use.launchOptions,
      // Browsers bypass proxies for this machine by default.
      proxy: { server: proxy.origin, bypass: "<-loopback>" },
    });
    await use({ page: await browser.newPage({ serviceWorkers: "allow" }), host, proxy, elsewhere });
    await browser.close();
    for (const server of [proxy, elsewhere, host]) await server.stop();
  },
});

/** A PDF with actions that open URLs when it is opened. */
const hostilePdf = (address: string): string =>
  [
    "%PDF-1.7",
    `1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/URI/URI(${address}/open)>>>>endobj`,
    "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj",
    `3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/AA<</O<</S/SubmitForm/F(${address}/form)>>>>/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 99 99]/A<</S/URI/URI(${address}/link)>>>>]>>endobj`,
    "trailer<</Root 1 0 R>>",
    "%%EOF\n",
  ].join("\n");

async function hostileArchive(folder: string, address: string): Promise<string> {
  const markup = [
    `<img src="${address}/img.png" srcset="${address}/img2.png 2x"><link rel="stylesheet" href="${address}/x.css">`,
    `<script src="${address}/x.js"></script><style>@import url(${address}/y.css); * { background: url(${address}/z.png) }</style>`,
    `<link rel="dns-prefetch" href="//elsewhere.test"><link rel="prefetch" href="${address}/pre"><meta http-equiv="refresh" content="0;url=${address}/go">`,
    `<iframe src="${address}/frame"></iframe><video src="${address}/v" poster="${address}/p"></video><svg><image href="${address}/i"/></svg>`,
    `![picture](${address}/md.png) [link](${address}/md) ${address}/bare`,
  ].join("\n");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><image href="${address}/svg.png"/><script href="${address}/svg.js"/><style>@import url(${address}/svg.css);</style></svg>`;
  const attachments: Record<string, string | Uint8Array> = {
    "page.html": `<!doctype html>${markup}`,
    "picture.svg": svg,
    "really-svg.png": svg,
    "feed.xml": `<?xml-stylesheet href="${address}/x.xsl"?><!DOCTYPE x SYSTEM "${address}/x.dtd"><x/>`,
    "notes.md": markup,
    "hostile.pdf": hostilePdf(address),
    "dot.png": PNG,
  };
  const parts = Object.keys(attachments).map((name) => ({ type: "file_ref", path: `attachments/${name}` }));
  const record = {
    input: {
      messages: [
        { role: "system", content: markup },
        {
          role: "user",
          content: [
            { type: "text", text: markup },
            { type: "image_url", image_url: { url: `${address}/remote.png` } },
            { type: "file_ref", path: `${address}/remote.pdf` },
            ...parts,
          ],
        },
      ],
      [markup]: markup,
    },
    usage_output: null,
  };
  const files = Object.entries(attachments).map(([name, content]) => [`attachments/${name}`, content]);
  const { path } = await pack(folder, "hostile.zip", {
    "samples.jsonl": `${JSON.stringify(record)}\n${sample(markup, markup)}\n`,
    ...Object.fromEntries(files),
  });
  return path;
}

/** Opens a hostile archive and shows all of its content. */
async function showEverything(app: App, path: string): Promise<void> {
  const { page } = app;
  await app.drop(path, { x: 300, y: 300 });
  await app.expectVerdict("invalid");
  for (const finding of await app.findings.all()) await finding.click();
  await app.showLines();
  await app.line(1).click();
  await app.showSample();
  const attachments = page.getByTestId("attachment");
  await expect(attachments.filter({ has: page.locator("iframe") })).toHaveCount(1);
  for (const attachment of await attachments.all()) {
    const show = attachment.getByRole("button", { name: "Show" });
    if (await show.isVisible()) await show.click();
    await expect(attachment).toHaveAttribute("data-state", /text|image|pdf|missing|not-shown/);
  }
  await expect(attachments.locator("img")).toHaveCount(1);
  await page.getByTestId("tab-source").click();
  await app.act("start-over");

  for (const example of ["juryarena/full", "juryarena/broken"]) {
    await app.openExample(example);
    await expect(app.verdict).toHaveAttribute("data-verdict", /valid/);
    await app.downloadedReport();
    await app.act("start-over");
  }
  await app.choose({ name: "link.html", content: `<a ping="/ping" href="/">x</a>` });
  await expect(app.verdict).toHaveAttribute("data-verdict", /invalid|not-checked/);
}

test("the hosted page makes no request", async ({ folder, network: { page, host, proxy, elsewhere } }) => {
  const app = new App(page);
  await app.goto(`${host.origin}${PATH}`);
  await expect(app.example("juryarena/minimal")).toBeAttached();
  // Loading ends when the service worker has cached the page.
  await page.evaluate(() => navigator.serviceWorker.ready);
  expect(proxy.requested.length, "all requests go through the proxy").toBeGreaterThan(10);
  expect(proxy.requested.filter((request) => !request.includes(host.origin))).toEqual([]);
  const loaded = proxy.requested.length;

  await showEverything(app, await hostileArchive(folder, elsewhere.origin));
  // All requests before this one were recorded before it.
  await page.evaluate(() => fetch("./marker-at-the-end").catch(() => {}));
  await expect.poll(() => proxy.requested.at(-1)).toContain("marker-at-the-end");
  expect(proxy.requested.slice(loaded, -1)).toEqual([]);
  expect(elsewhere.requested).toEqual([]);
});

test("the single-file page makes no request", async ({ folder, network: { page, proxy, elsewhere } }) => {
  const app = new App(page);
  await app.goto(pathToFileURL(join(DIST, "evalcheck.html")).href);
  await expect(app.example("juryarena/minimal")).toBeAttached();
  await showEverything(app, await hostileArchive(folder, elsewhere.origin));
  expect(proxy.requested).toEqual([]);
  expect(elsewhere.requested).toEqual([]);

  // A request of the page itself is blocked.
  const asks = () => page.evaluate((address) => fetch(address).then(() => "answered", () => "failed"), elsewhere.origin);
  expect(await asks()).toBe("failed");
  // The proxy records requests to that host.
  await page.goto(`${elsewhere.origin}/seen`);
  expect(proxy.requested[0]).toBe(`GET ${elsewhere.origin}/seen`);
});
