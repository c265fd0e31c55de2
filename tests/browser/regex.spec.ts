// Regular expressions in queries: a module of its own, which is loaded when a query first has one.

import { expect, full, test } from "./support/app.ts";

const CONVERSATIONS = [
  '{"input":{"messages":[{"role":"user","content":"Gr\\u00fc\\u00dfe aus Paris"}]}}',
  '{"input":{"messages":[{"role":"user","content":"GRÜSSE, 12 mal"}]}}',
  '{"input":{"messages":[{"role":"user","content":"Where is London?"}]}}',
].join("\n");

test.beforeEach(async ({ app, page }) => {
  app.allowLoadingLater("regex.wasm");
  await app.open();
  await app.choose({ name: "data.jsonl", content: CONVERSATIONS });
  await app.expectVerdict("valid");
  await page.getByTestId("tab-records").click();
});

test("records that match a regular expression are found, and the module is loaded once", async ({ context, page }) => {
  let loaded = 0;
  // The worker makes the request.
  context.on("request", (request) => (loaded += Number(request.url().endsWith("/regex.wasm"))));
  const field = page.getByTestId("filter-field");
  const hits = page.getByTestId("hit");
  await field.fill("paris");
  await field.press("Enter");
  await expect(hits).toHaveCount(1);
  expect(loaded).toBe(0);

  await field.fill("/gr(ü|u)(ß|SS)e/i");
  await field.press("Enter");
  await expect(hits).toHaveCount(2);
  await expect(hits.locator("mark")).toHaveText(["Grüße", "GRÜSSE"]);

  await field.fill("content:/\\b\\d{2}\\b/ -/London/");
  await field.press("Enter");
  await expect(hits).toHaveCount(1);
  await expect(hits.locator("mark")).toHaveText("12");
  expect(loaded).toBe(1);
});

test("a wrong regular expression is said", full(), async ({ page }) => {
  const field = page.getByTestId("filter-field");
  await field.fill("/(/");
  await field.press("Enter");
  await expect(page.getByTestId("search-status")).toHaveText("The regular expression cannot be read: unclosed group.");
  await field.fill("/Lon(don)?/");
  await field.press("Enter");
  await expect(page.getByTestId("hit")).toHaveCount(1);
});

test("a module that cannot be loaded is said, and loaded by the next query", full(), async ({ app, context, page }) => {
  app.allowProblem();
  const field = page.getByTestId("filter-field");
  await context.route("**/regex.wasm", (route) => route.fulfill({ status: 500 }));
  await field.fill("/London/");
  await field.press("Enter");
  await expect(page.getByTestId("search-status")).toContainText("Regular expressions could not be loaded");
  await context.unroute("**/regex.wasm");
  await field.fill("/London\\?/");
  await field.press("Enter");
  await expect(page.getByTestId("hit")).toHaveCount(1);
});
