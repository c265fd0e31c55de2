// The single-file page, opened from disk. tests/firefox opens it in Firefox.

import { pathToFileURL } from "node:url";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, full, test } from "./support/app.ts";
import { DOCUMENT_EXAMPLE, PDF, PNG, pack, sample, WRONG_ROLE_ON_LINE_12 } from "./support/files.ts";
import { DIST } from "./support/host.ts";

const FILE = join(DIST, "evalcheck.html");
const ADDRESS = pathToFileURL(FILE).href;

test("it checks files from disk without requests", async ({ app, page, folder }) => {
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
  await app.act("start-over");
  await app.choose(path);
  await expect(app.verdict).toContainText("dataset.zip");
});

test("it has regular expressions", full(), async ({ app, page }) => {
  await app.open(ADDRESS);
  await app.choose({ name: "samples.jsonl", content: WRONG_ROLE_ON_LINE_12 });
  await app.expectVerdict("invalid");
  await page.getByTestId("tab-records").click();
  const field = page.getByTestId("filter-field");
  await field.fill("/^(tool)$/");
  await field.press("Enter");
  await expect(page.getByTestId("hit")).toHaveCount(1);
});

test("it starts a second worker", full(), async ({ app }) => {
  await app.open(ADDRESS);
  await app.crashWorker();
  await app.choose({ name: "after.jsonl", content: DOCUMENT_EXAMPLE });
  await app.expectVerdict("valid");
});

test("it stores the theme", full(), async ({ app, page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await app.open(ADDRESS);
  await page.getByTestId("theme-toggle").click();
  await page.getByTestId("theme-toggle").click();
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await expect.poll(ground).toBe("rgb(19, 21, 24)");
  // The browser writes to storage with a delay, so the first reload may not find the theme.
  await expect(async () => {
    app.expectReload();
    await page.reload();
    await app.ready();
    expect(await ground()).toBe("rgb(19, 21, 24)");
  }).toPass();
  await app.choose({ name: "samples.jsonl", content: sample("Hi") });
  await app.expectVerdict("valid");
});

test("its policy allows only its own content", () => {
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(readFileSync(FILE, "utf8"))?.[1] ?? "";
  const hosted = /Content-Security-Policy" content="([^"]*)"/.exec(readFileSync(join(DIST, "index.html"), "utf8"))?.[1] ?? "";
  expect(policy).not.toMatch(/'self'|unsafe-inline|unsafe-eval(?<!wasm-unsafe-eval)|http/);
  for (const directive of ["default-src 'none'", "require-trusted-types-for 'script'", "trusted-types evalcheck", "worker-src blob:"]) {
    expect(policy.split("; ")).toContain(directive);
  }
  expect(hosted).not.toMatch(/unsafe-inline|(?<!wasm-)unsafe-eval|http|\*/);
});
