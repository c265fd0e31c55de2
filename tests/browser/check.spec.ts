// Checks of small files: the examples of JuryArena's documentation, and pasted text.

import { expect, full, test } from "./support/app.ts";
import { DOCUMENT_EXAMPLE, sample, WRONG_ROLE_ON_LINE_12 } from "./support/files.ts";

const ENUM = "Invalid enum value. Expected 'system' | 'user' | 'assistant', received 'tool'";

test.beforeEach(({ app }) => app.open());

test("the minimal example of the documentation is valid", full(), async ({ app, page }) => {
  await app.choose({ name: "minimal.jsonl", content: DOCUMENT_EXAMPLE });
  await app.expectVerdict("valid");
  await expect(app.count("records")).toHaveText("1");
  await expect(app.count("errors")).toHaveText("0");
  await expect(page.getByTestId("status")).toContainText("Valid");

  await app.showSample();
  await expect(page.getByTestId("turn")).toHaveCount(1);
  await expect(page.getByTestId("turn")).toContainText("returns the top 5 most frequent words.");
});

test("a wrong role is reported with the message of the documentation", async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: WRONG_ROLE_ON_LINE_12 });
  await app.expectVerdict("invalid");
  await expect(app.count("records")).toHaveText("12");
  await expect(app.count("invalid")).toHaveText("1");

  const expected = `line 12: input.messages.0.role: ${ENUM}`;
  await app.expectFindingLines([expected]);
  expect((await app.copiedReport()).trimEnd().split("\n")).toEqual([
    `samples.jsonl:12:31: error[shape/invalid-enum-value]: input.messages.0.role: ${ENUM}`,
    "samples.jsonl: invalid (juryarena): 12 records, 1 with errors",
    "Found 1 error.",
  ]);

  // The first finding is selected: its line, its mark and its rule are shown.
  await expect(page.getByTestId("finding-detail")).toContainText(ENUM);
  await expect(page.getByTestId("span")).toHaveText('"tool"');
  await expect(page.getByTestId("rule-detail")).toContainText("Only the listed strings are accepted");
  await expect(page.getByTestId("says")).toContainText("zod");
  await expect(page.getByTestId("finding-detail").locator(".facts")).toContainText("record 12");
});

test("text is pasted into the panel", full(), async ({ app, page }) => {
  await page.getByTestId("paste-open").click();
  await expect(page.getByTestId("paste-text")).toBeFocused();
  await expect(page.getByTestId("paste-check")).toBeDisabled();
  await page.getByTestId("paste-text").fill(WRONG_ROLE_ON_LINE_12);
  await page.getByTestId("paste-check").click();
  await app.expectVerdict("invalid");
  await app.expectFindingLines([`line 12: input.messages.0.role: ${ENUM}`]);
});

test("text is pasted on the page", full(), async ({ app, page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((text) => navigator.clipboard.writeText(text), DOCUMENT_EXAMPLE);
  await page.keyboard.press("ControlOrMeta+V");
  await app.expectVerdict("valid");
  await expect(app.count("records")).toHaveText("1");
});

test("byte order mark, CRLF and blank lines are accepted, with the line numbers of an editor", full(), async ({
  app,
  page,
}) => {
  const lines = [sample("one"), "", sample("two"), "   ", sample("three", "tool"), sample("four")];
  await app.choose({ name: "windows.jsonl", content: `\uFEFF${lines.join("\r\n")}` });
  await app.expectVerdict("invalid");
  await expect(app.count("records")).toHaveText("4");
  await expect(app.count("valid")).toHaveText("3");
  await expect(app.count("blank")).toHaveText("2");
  await expect(app.count("errors")).toHaveText("1");
  await expect(app.count("infos")).toHaveText("1");
  await app.expectFindingLines([
    expect.stringMatching(/^line 1: info: .*byte order mark/),
    `line 5: input.messages.0.role: ${ENUM}`,
  ]);
  await expect(page.getByTestId("span")).toHaveText('"tool"');

  await app.showLines();
  await expect(app.line(1)).toContainText('{"input"');
  await expect(app.line(2)).toContainText("blank");
  await expect(app.line(5)).toHaveAttribute("data-severity", "error");
  await expect(app.line(6)).not.toHaveAttribute("data-severity", "error");
  await app.expectAllRead();
  // Neither the byte order mark nor carriage returns are part of the text of a line.
  expect(await page.getByTestId("line").allTextContents()).not.toContainEqual(expect.stringMatching(/U\+FEFF|U\+000D/));
});
