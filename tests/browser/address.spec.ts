// The address of the page: where the user is, back and forward, and what it does not hold.

import { expect, full, test } from "./support/app.ts";
import { COMMA } from "./support/fixable.ts";
import { sample, write } from "./support/files.ts";

const LINES = [sample("a"), sample("b", "User"), sample("c"), sample("a secret", "tool"), sample("e", "User")].join("\n");

/** The values of the fragment. */
const fragment = (url: string): Record<string, string> => Object.fromEntries(new URLSearchParams(new URL(url).hash.slice(1)));

test("back and forward move between lists and filters", async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "lines.jsonl", content: LINES });
  await app.expectVerdict("invalid");
  await expect.poll(() => fragment(page.url())).toEqual({ list: "findings", line: "2" });
  await page.getByTestId("tab-records").click();
  await page.getByTestId("tab-lines").click();
  await app.line(4).click();
  await expect.poll(() => fragment(page.url())).toMatchObject({ list: "lines", line: "4" });
  await page.goBack();
  await expect(page.getByTestId("tab-records")).toHaveAttribute("aria-selected", "true");
  await page.goForward();
  await expect(page.getByTestId("tab-lines")).toHaveAttribute("aria-selected", "true");
  await expect(page.locator(".detail-pane h2")).toHaveText("Line 4");
  await page.getByTestId("tab-findings").click();
  await page.getByTestId("filter-errors").click();
  await expect.poll(() => fragment(page.url())["filter"]).toBe("severity:error");
  await page.goBack();
  await expect(page.getByTestId("filter-field")).toHaveValue("");
  expect(page.url()).not.toContain("secret");
});

test("back leads from a file to the start screen, and the file stays open with its fixes", async ({ app, page }) => {
  await app.open();
  const lines = [sample("a"), sample("b", "tool"), sample("c"), sample("d", "tool"), COMMA];
  await app.choose({ name: "lines.jsonl", content: lines.join("\n") });
  await app.expectVerdict("invalid");
  await app.act("apply-safe");
  await expect(page.getByTestId("fixes-applied")).toContainText("1 fix applied");
  await page.getByTestId("tab-lines").click();
  await app.line(4).click();
  await expect.poll(() => fragment(page.url())).toMatchObject({ list: "lines", line: "4" });
  await page.goBack();
  await expect(page.getByTestId("line-list")).toHaveCount(0);
  await page.goBack();
  await expect(page.getByTestId("drop-zone")).toBeVisible();
  await expect(page).toHaveTitle(/^evalcheck/i);
  await expect(page.getByTestId("return")).toHaveText("Return to lines.jsonl");
  await page.goForward();
  await expect(page.getByTestId("fixes-applied")).toContainText("1 fix applied");
  await expect(app.findings).toHaveCount(2);
  await page.goForward();
  await expect(page.locator(".detail-pane h2")).toHaveText("Line 4");

  await app.act("start-over");
  await page.getByTestId("return").click();
  await expect(page.locator(".detail-pane h2")).toHaveText("Line 4");
  await page.goBack();
  await expect(page.getByTestId("drop-zone")).toBeVisible();
  expect(page.url()).not.toContain("#");
  expect(JSON.stringify(await page.evaluate(() => history.state))).not.toContain("lines");
  // Only another file closes it.
  await app.choose({ name: "other.jsonl", content: sample("a") });
  await expect(page.getByTestId("question")).toContainText("lines.jsonl has 1 fix that is not downloaded. Open other.jsonl?");
  await page.getByTestId("discard").click();
  await app.expectVerdict("valid");
  await page.goBack();
  await expect(page.getByTestId("return")).toHaveText("Return to other.jsonl");
});

test("back leads from a file of several to their list, and from there to the start screen", async ({ app, page, folder }) => {
  const paths = [];
  for (const name of ["a", "b", "c"]) paths.push(await write(folder, `${name}.jsonl`, LINES));
  await app.open();
  await app.input.setInputFiles(paths);
  const overview = page.getByTestId("overview");
  await expect(overview).toHaveAttribute("data-verdict", "invalid");
  await page.getByTestId("file").nth(1).click();
  await app.expectVerdict("invalid");
  await page.getByTestId("next-file").click();
  await expect(app.verdict).toContainText("c.jsonl");
  await app.expectVerdict("invalid");
  await page.goBack();
  await expect(overview).toContainText("3 of 3 files");
  await page.goForward();
  await expect(app.verdict).toContainText("c.jsonl");
  await app.expectVerdict("invalid");

  // Text that was typed is not lost on the way.
  await page.getByTestId("edit").click();
  await page.getByTestId("edit-text").fill("x");
  await page.goBack();
  await page.getByTestId("keep").click();
  await expect(page.getByTestId("edit-text")).toHaveValue("x");
  await page.goBack();
  await page.getByTestId("discard").click();
  await expect(overview).toBeVisible();

  await app.act("start-over");
  await expect(page.getByTestId("return")).toHaveText("Return to the 3 files");
  await page.getByTestId("return").click();
  await expect(overview).toHaveAttribute("data-verdict", "invalid");
});

test("on a narrow screen the way back to the list is the browser's, too", full(), async ({ app, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await app.open();
  await app.choose({ name: "lines.jsonl", content: LINES });
  await app.expectVerdict("invalid");
  await app.findings.nth(1).click();
  await expect(page.locator(".workspace")).toHaveAttribute("data-focus", "details");
  await page.goBack();
  await expect(page.locator(".workspace")).toHaveAttribute("data-focus", "list");
  await expect(app.findings.nth(1)).toBeVisible();
});

test("after a reload the same file is shown at the same place", full(), async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "lines.jsonl", content: LINES });
  await app.expectVerdict("invalid");
  await page.getByTestId("filter-field").fill("secret");
  await page.keyboard.press("Enter");
  await page.getByTestId("tab-records").click();
  await expect(page.getByTestId("hit")).toHaveCount(1);
  app.expectReload();
  await page.reload();
  await app.ready();
  await app.choose({ name: "lines.jsonl", content: LINES });
  await expect(page.getByTestId("filter-field")).toHaveValue("secret");
  await expect(page.getByTestId("tab-records")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByTestId("hit")).toHaveCount(1);
  await app.act("start-over");
  await expect.poll(() => new URL(page.url()).hash).toBe("");
});

test("the theme is in the address, and a link to it does not change what is stored", full(), async ({ app, page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await app.open();
  await app.choose({ name: "lines.jsonl", content: LINES });
  await app.expectVerdict("invalid");
  await expect.poll(() => fragment(page.url())["list"]).toBe("findings");
  expect(fragment(page.url())).not.toHaveProperty("theme");
  await page.getByTestId("theme-toggle").click();
  await page.getByTestId("theme-toggle").click();
  await expect.poll(() => fragment(page.url())["theme"]).toBe("dark");
  const address = page.url();
  await page.evaluate(() => localStorage.setItem("evalcheck-theme", "light"));
  app.expectReload();
  await page.goto("about:blank");
  await page.goto(address);
  await app.ready();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  expect(await page.evaluate(() => localStorage.getItem("evalcheck-theme"))).toBe("light");
});

test("an address opens the page of a rule", full(), async ({ app, page }) => {
  await app.goto("./#rule=shape/missing-key");
  const rule = page.getByTestId("rule-page");
  await expect(rule.getByRole("heading", { name: "shape/missing-key" })).toBeVisible();
  await expect(rule).toContainText("What this rule means");
  await page.evaluate(() => (location.hash = "#rule=no/such-rule"));
  await expect(page.getByRole("alert")).toContainText("No rule has the code no/such-rule.");
  await app.choose({ name: "a.jsonl", content: '{"input":{"messages":[{"role":"user","content":"Hi"}]}}' });
  await app.expectVerdict("valid");
  await expect.poll(() => page.url()).toContain("#list=");
});
