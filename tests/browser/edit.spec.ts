// A record is edited as text, checked while it is typed, and written into a new file.

import { readFile } from "node:fs/promises";
import { expect, full, test } from "./support/app.ts";

const GOOD = '{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":null}';
const WRONG = GOOD.replace('"user"', '"tool"');

test.beforeEach(async ({ app }) => {
  await app.open();
});

test("what is typed is checked at once, and applied as one line", async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: `${GOOD}\r\n${WRONG}\r\n${GOOD}\r\n` });
  await app.expectVerdict("invalid");
  await page.getByTestId("edit").click();
  const field = page.getByTestId("edit-text");
  await expect(field).toBeFocused();
  // It is indented, and what is wrong is selected.
  await expect(field).toHaveValue(JSON.stringify(JSON.parse(WRONG), null, 2));
  const selected = await field.evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd));
  expect(selected).toBe('"tool"');
  await expect(page.getByTestId("apply-edit")).toBeDisabled();

  await field.fill(WRONG.replace("Hi", 'Hi"'));
  await expect(page.getByTestId("edit-findings")).toContainText("invalid JSON");
  await field.fill(WRONG.replace('"tool"', "7"));
  await expect(page.getByTestId("edit-findings")).toContainText("input.messages.0.role: Expected 'system' | 'user' | 'assistant', received number");
  await field.fill(JSON.stringify(JSON.parse(GOOD.replace("Hi", "Hello")), null, 2));
  await expect(page.getByTestId("edited-sample")).toContainText("Hello");
  await field.fill(JSON.stringify(JSON.parse(GOOD), null, 2));
  await expect(page.getByTestId("edit-findings")).toHaveText("No findings in this record.");
  await field.press("Control+Enter");
  await app.expectVerdict("valid");
  await expect(page.getByTestId("fixes-applied")).toContainText("1 fix applied, 0 findings left.");
  await expect(page.getByTestId("editor")).toHaveCount(0);

  const [download] = await Promise.all([page.waitForEvent("download"), app.act("download-fixed")]);
  const fixed = (await readFile(await download.path(), "utf8")).split("\r\n");
  expect(fixed.length).toBe(4);
  // On one line as before, and only what was typed differs.
  expect(fixed[1]).toBe(GOOD);

  await page.getByTestId("undo-fixes").click();
  await app.expectVerdict("invalid");
});

test("keys and values that the format names are written at the caret", full(), async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: `${WRONG}\n` });
  await app.expectVerdict("invalid");
  await page.getByTestId("edit").click();
  const field = page.getByTestId("edit-text");
  const offered = page.locator("#edit-suggestions").getByTestId("suggestion");
  await expect(field).toBeFocused();
  await expect(offered).toHaveCount(0);
  // The wrong role is selected; what is typed replaces it.
  await page.keyboard.type('"a');
  await expect(offered).toHaveText([/"assistant"/]);
  await page.keyboard.press("ArrowDown");
  await expect(field).toHaveAttribute("aria-activedescendant", "edit-suggestions-0");
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue(JSON.stringify(JSON.parse(WRONG.replace('"tool"', '"assistant"')), null, 2));
  await expect(page.getByTestId("edit-findings")).toHaveText("No findings in this record.");
  await expect(offered, "it is written").toHaveCount(0);

  // Keys that the record lacks, in its place; Escape closes the list first.
  await page.keyboard.press("Control+End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type(",");
  await expect(offered.first()).toBeVisible();
  const keys = await offered.allTextContents();
  expect(keys.some((key) => key.includes('"input"')), "it has that key").toBe(false);
  await page.keyboard.press("Escape");
  await expect(offered).toHaveCount(0);
  await expect(page.getByTestId("editor")).toBeVisible();
  await page.keyboard.press("Control+Space");
  await expect(offered).toHaveCount(keys.length);
  // The pointer chooses too, and what was written can be taken back.
  const before = await field.inputValue();
  await offered.first().click();
  await expect(field).not.toHaveValue(before);
  await expect(field).toBeFocused();
  await page.keyboard.press("Control+z");
  await expect(field).toHaveValue(before);
  // Elsewhere the caret is moved as ever, and the list goes.
  await page.keyboard.press("ArrowLeft");
  await expect(offered).toHaveCount(0);
});

test("the sample is beside the editor where there is room, with the mark of the finding", full(), async ({ app, page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const marked = WRONG.replace("Hi", "Grüße \\u0000 aus Bonn");
  await app.choose({ name: "samples.jsonl", content: `${marked}\n` });
  await app.expectVerdict("invalid");
  await page.getByTestId("edit").click();
  const beside = page.getByTestId("edited-sample");
  await expect(beside.getByTestId("turn-token")).toHaveText("⟨U+0000⟩");
  const field = page.getByTestId("edit-text");
  const boxes = async () => [await field.boundingBox(), await beside.boundingBox()] as const;
  const [editor, sample] = await boxes();
  expect(sample?.x).toBeGreaterThan((editor?.x ?? 0) + (editor?.width ?? 0));
  await field.fill(marked.replace("Bonn", "Rom"));
  await expect(beside).toContainText("aus Rom");
  await expect(beside.getByTestId("turn-token")).toHaveText("⟨U+0000⟩");
  await expect(beside.getByTestId("turn-finding")).toHaveCount(2);
  await field.fill("{");
  await expect(beside).toContainText("This text cannot be shown as a sample.");

  await page.setViewportSize({ width: 1000, height: 844 });
  const [above, below] = await boxes();
  expect(below?.y).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0));
});

test("Escape leaves the record as it is, and another record is not edited", full(), async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: `${WRONG}\n${WRONG}\n` });
  await app.expectVerdict("invalid");
  await page.getByTestId("edit").click();
  await page.getByTestId("edit-text").fill("x");
  await app.findings.nth(1).click();
  await expect(page.getByTestId("editor")).toHaveCount(0);
  await app.findings.nth(0).click();
  await expect(page.getByTestId("edit-text")).toHaveValue("x");
  await page.getByTestId("edit-text").press("Escape");
  await page.getByTestId("discard").click();
  await expect(page.getByTestId("editor")).toHaveCount(0);
  await expect(page.getByTestId("source")).toContainText('"tool"');
  await expect(page.getByTestId("fixes-applied")).toHaveCount(0);
});

test("a row of a CSV and an element of a document", full(), async ({ app, page }) => {
  await app.choose({ name: "a.csv", content: 'query_text,expected_answers\r\n"a\r\nb",[1\r\nc,d\r\n' });
  await expect(app.findings).toHaveCount(1);
  await page.getByTestId("edit").click();
  await page.getByTestId("edit-text").fill('"a\nb","[""1""]"');
  await expect(page.getByTestId("edit-findings")).toHaveText("No findings in this record.");
  await page.getByTestId("apply-edit").click();
  await app.expectVerdict("valid");
  await expect(app.findings).toHaveCount(0);

  await app.act("start-over");
  await app.choose({ name: "a.json", content: '{"queries": [\n{"query_id": "a", "query_text": "b", "expected_answers": ["c"]},\n{"query_id": ""}\n]}' });
  await page.getByTestId("discard").click();
  await app.expectVerdict("invalid");
  await page.getByTestId("edit").click();
  await page.getByTestId("edit-text").fill('{"query_id": "d", "query_text": "b", "expected_answers": ["c"]}');
  await expect(page.getByTestId("edit-findings")).toHaveText("No findings in this record.");
  await page.getByTestId("apply-edit").click();
  await app.expectVerdict("valid");
});
