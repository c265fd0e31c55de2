// The page as one file, opened from disk. Firefox opens it in tests/firefox.

import { pathToFileURL } from "node:url";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "./support/app.ts";
import { DOCUMENT_EXAMPLE, PDF, PNG, pack, sample, WRONG_ROLE_ON_LINE_12 } from "./support/files.ts";
import { DIST } from "./support/host.ts";

const FILE = join(DIST, "evalcheck.html");
const ADDRESS = pathToFileURL(FILE).href;

test("it checks from disk, and asks for nothing", async ({ app, page, folder }) => {
  await app.open(ADDRESS);
  await app.choose({ name: "samples.jsonl", content: WRONG_ROLE_ON_LINE_12 });
  await app.expectVerdict("invalid");
  await expect(app.count("records")).toHaveText("12");
  await app.showLines();
  await app.goToLine(12);

  const { path } = await pack(folder, "dataset.zip", {
    "samples.jsonl": JSON.stringify({
      input: {
        messages: [
          {
            role: "user",
            content: [
              { type: "file_path", path: "a.png" },
              { type: "file_path", path: "b.pdf" },
            ],
          },
        ],
      },
      usage_output: null,
    }),
    "a.png": PNG,
    "b.pdf": PDF,
  });
  await page.getByTestId("start-over").click();
  await app.choose(path);
  await expect(app.verdict).toContainText("dataset.zip");
});

test("several workers one after the other start from it", async ({ app, page }) => {
  await app.open(ADDRESS);
  const replaced = page.waitForEvent("worker");
  await page.workers()[0]?.evaluate(() => {
    setTimeout(() => {
      throw new Error("on purpose");
    });
  });
  await replaced;
  await app.choose({ name: "after.jsonl", content: DOCUMENT_EXAMPLE });
  await app.expectVerdict("valid");
});

test("its theme is remembered, its style is there", async ({ app, page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await app.open(ADDRESS);
  await page.getByTestId("theme-toggle").click();
  await page.getByTestId("theme-toggle").click();
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await expect.poll(ground).toBe("rgb(19, 21, 24)");
  // The browser stores it in its own time: the new page of a reload right behind may still find nothing.
  await expect(async () => {
    app.expectReload();
    await page.reload();
    await app.ready();
    expect(await ground()).toBe("rgb(19, 21, 24)");
  }).toPass();
  await app.choose({ name: "samples.jsonl", content: sample("Hi") });
  await app.expectVerdict("valid");
});

test("its policy allows what is in it and nothing beside", () => {
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(readFileSync(FILE, "utf8"))?.[1] ?? "";
  const hosted = /Content-Security-Policy" content="([^"]*)"/.exec(readFileSync(join(DIST, "index.html"), "utf8"))?.[1] ?? "";
  expect(policy).not.toMatch(/'self'|unsafe-inline|unsafe-eval(?<!wasm-unsafe-eval)|http/);
  for (const directive of ["default-src 'none'", "require-trusted-types-for 'script'", "trusted-types evalcheck", "worker-src blob:"]) {
    expect(policy.split("; ")).toContain(directive);
  }
  expect(hosted).not.toMatch(/unsafe-inline|(?<!wasm-)unsafe-eval|http|\*/);
});
