// Nothing leaves: with a proxy in front of everything, including what goes to this machine, nothing is asked for once the
// page has loaded, whatever the datasets hold that are dropped and looked at.

import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { chromium, type Page } from "@playwright/test";

import { App, expect } from "./support/app.ts";
import { pack, PNG, sample, test as base } from "./support/files.ts";
import { DIST, Host } from "./support/host.ts";
import { Proxy } from "./support/proxy.ts";

const PATH = "/some/where/";

interface Watched {
  page: Page;
  /** The page's host. */
  host: Host;
  proxy: Proxy;
  /** A host that would answer whatever a dataset refers to. */
  elsewhere: Host;
}

const test = base.extend<{ watched: Watched }>({
  watched: async ({ folder }, use, info) => {
    const host = await Host.start({ [PATH]: DIST });
    const elsewhere = await Host.start({ "/": folder });
    const proxy = await Proxy.start(host.origin);
    const browser = await chromium.launch({
      ...info.project.use.launchOptions,
      // Without the exception that browsers make for this machine.
      proxy: { server: proxy.origin, bypass: "<-loopback>" },
    });
    await use({ page: await browser.newPage({ serviceWorkers: "allow" }), host, proxy, elsewhere });
    await browser.close();
    for (const server of [proxy, elsewhere, host]) await server.stop();
  },
});

/** A PDF that wants to be somewhere else as soon as it is opened, and its first page too. */
const restlessPdf = (address: string): string =>
  [
    "%PDF-1.7",
    `1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/URI/URI(${address}/open)>>/AA<</WC<</S/JavaScript/JS(app.launchURL\\("${address}/js"\\))>>>>>>endobj`,
    "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj",
    `3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/AA<</O<</S/SubmitForm/F(${address}/form)>>>>/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 99 99]/A<</S/URI/URI(${address}/link)>>>>]>>endobj`,
    "trailer<</Root 1 0 R>>",
    "%%EOF\n",
  ].join("\n");

async function hostile(folder: string, address: string): Promise<string> {
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
    "restless.pdf": restlessPdf(address),
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

/** Drops what is hostile, and looks at all of it. */
async function lookAtEverything(app: App, path: string): Promise<void> {
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
  await page.getByTestId("start-over").click();

  for (const example of ["juryarena/full", "juryarena/broken"]) {
    await app.example(example).click();
    await expect(app.verdict).toHaveAttribute("data-verdict", /valid/);
    await app.downloadedReport();
    await page.getByTestId("start-over").click();
  }
  await app.choose({ name: "link.html", content: `<a ping="/ping" href="/">x</a>` });
  await expect(app.verdict).toHaveAttribute("data-verdict", /invalid|not-checked/);
}

test("the hosted page", async ({ folder, watched: { page, host, proxy, elsewhere } }) => {
  const app = new App(page);
  await app.goto(`${host.origin}${PATH}`);
  await expect(app.example("juryarena/minimal")).toBeVisible();
  // Loading ends with what is kept for when there is no network.
  await page.evaluate(() => navigator.serviceWorker.ready);
  expect(proxy.asked.length, "everything goes by the proxy").toBeGreaterThan(10);
  expect(proxy.asked.filter((asked) => !asked.includes(host.origin))).toEqual([]);
  const loaded = proxy.asked.length;

  await lookAtEverything(app, await hostile(folder, elsewhere.origin));
  // What was asked for before this came before it.
  await page.evaluate(() => fetch("./marker-at-the-end").catch(() => {}));
  await expect.poll(() => proxy.asked.at(-1)).toContain("marker-at-the-end");
  expect(proxy.asked.slice(loaded, -1)).toEqual([]);
  expect(elsewhere.asked).toEqual([]);
});

test("the single file", async ({ folder, watched: { page, proxy, elsewhere } }) => {
  const app = new App(page);
  await app.goto(pathToFileURL(join(DIST, "evalcheck.html")).href);
  await expect(app.example("juryarena/minimal")).toBeVisible();
  await lookAtEverything(app, await hostile(folder, elsewhere.origin));
  expect(proxy.asked).toEqual([]);
  expect(elsewhere.asked).toEqual([]);

  // The page cannot ask even when it wants to.
  const asks = () => page.evaluate((address) => fetch(address).then(() => "answered", () => "failed"), elsewhere.origin);
  expect(await asks()).toBe("failed");
  // The proxy would have seen it.
  await page.goto(`${elsewhere.origin}/seen`);
  expect(proxy.asked[0]).toBe(`GET ${elsewhere.origin}/seen`);
});
