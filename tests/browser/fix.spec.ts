// Fixes: shown as a change of the line, applied one by one or all, undone, downloaded; and the downloaded file has none left.

import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, full, test } from "./support/app.ts";

const GOOD = '{"input":{"messages":[{"role":"user","content":"Hi"}]},"usage_output":null}';
const PYTHON = "{'input': {'messages': [{'role': 'user', 'content': 'It\\'s <b>here</b>'}]}, 'usage_output': None}";
const COMMA = `${GOOD},`;
const CAPITALS = GOOD.replace('"user"', '"User"');
const WRONG = GOOD.replace('"user"', '"tool"');
const BROKEN = [GOOD, PYTHON, COMMA, CAPITALS, WRONG].join("\r\n") + "\r\n";

test.beforeEach(async ({ app }) => {
  await app.open();
});

test("safe fixes are applied, undone, and downloaded", async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: BROKEN });
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("fix-bar")).toContainText("Apply 3 safe fixes");
  await app.act("apply-safe");
  await expect(page.getByTestId("fixes-applied")).toContainText("3 fixes applied, ");
  await app.expectFindingLines([
    expect.stringContaining("line 5: input.messages.0.role: Invalid enum value."),
  ]);

  const downloading = page.waitForEvent("download");
  await app.act("download-fixed");
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("samples.fixed.jsonl");
  const fixed = await readFile(await download.path(), "utf8");
  const python = '{"input": {"messages": [{"role": "user", "content": "It\'s <b>here</b>"}]}, "usage_output": null}';
  expect(fixed).toBe([GOOD, python, GOOD, GOOD, WRONG].join("\r\n") + "\r\n");

  await page.getByTestId("undo-fixes").click();
  await expect(page.getByTestId("review-fixes")).toBeVisible();
  await expect(page.getByTestId("fixes-applied")).toHaveCount(0);

  await app.choose({ name: "again.jsonl", content: fixed });
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("fix-bar")).toHaveCount(0);
});

test("a fix is shown as a change of the line and applied by itself", async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: [COMMA, CAPITALS, CAPITALS].join("\n") });
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("fix")).toContainText("Delete the comma behind the record");
  await expect(page.getByTestId("fix-diff").locator("del")).toHaveText(",");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByTestId("copy-fixed-line").click();
  await expect(page.getByTestId("copy-fixed-line")).toHaveText("Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(GOOD);
  await page.getByTestId("apply-fix").click();
  await expect(page.getByTestId("fixes-applied")).toContainText("1 fix applied, ");
  await expect(page.getByTestId("fix")).toContainText('Write "user"');
  await expect(page.getByTestId("fix-diff").locator("ins")).toHaveText('"user"');
  await page.getByTestId("apply-rule").click();
  await app.expectVerdict("valid");
  await expect(page.getByTestId("fixes-applied")).toContainText("3 fixes applied, ");
});

test("a fix that guesses is marked and not applied with the safe ones", async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: GOOD.replace('"user"', '"human"') });
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("fix-bar")).toHaveCount(0);
  await expect(page.getByTestId("fix")).toContainText('Possible fix: Write "user", which is a guess');
  await page.getByTestId("apply-fix").click();
  await app.expectVerdict("valid");
});

// What is wrong with the whole file: it is written anew.
const WHOLE_FILES = [
  { name: "data.jsonl", content: `[\n${GOOD},\n${GOOD}\n]\n`, fixed: `${GOOD}\n${GOOD}\n` },
  { name: "data.csv", content: "query_id;query_text;relevant_doc_ids\nq1;a, b;d1\n", fixed: 'query_id,query_text,relevant_doc_ids\nq1,"a, b",d1\n' },
  { name: "utf16.jsonl", content: Buffer.from(`\ufeff${GOOD}\n`, "utf16le"), fixed: `${GOOD}\n` },
  {
    name: "data.json",
    // That they are queries is a guess.
    apply: "apply-fix",
    content: '[{"query_id": "q1", "query_text": "a", "expected_answers": ["b"]}]\n',
    fixed: '{"queries": [{"query_id": "q1", "query_text": "a", "expected_answers": ["b"]}]}\n',
  },
];

for (const { name, content, fixed, apply = "apply-safe" } of WHOLE_FILES) {
  test(`a whole file is written anew: ${name}`, full(name !== "data.jsonl"), async ({ app, page }) => {
    await app.choose({ name, content });
    await expect(app.verdict).toHaveAttribute("data-verdict", /invalid|not-checked/);
    await app.act(apply);
    await app.expectVerdict("valid");
    const downloading = page.waitForEvent("download");
    await app.act("download-fixed");
    expect(await readFile(await (await downloading).path(), "utf8")).toBe(fixed);
    await page.getByTestId("undo-fixes").click();
    await expect(app.verdict).toHaveAttribute("data-verdict", /invalid|not-checked/);
    await page.getByTestId("apply-fix").click();
    await app.expectVerdict("valid");
  });
}

/** Holds back checks that are asked of the worker, until the returned function is called. */
async function holdChecks(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    const held: (() => void)[] = [];
    Worker.prototype.postMessage = function (this: Worker, message: { name: string }) {
      const send = () => post.call(this, message);
      if (["fix", "check"].includes(message.name)) held.push(send);
      else send();
    };
    Object.assign(window, {
      releaseChecks() {
        Worker.prototype.postMessage = post;
        for (const send of held) send();
      },
    });
  });
  return () => page.evaluate(() => (window as unknown as { releaseChecks(): void }).releaseChecks());
}

test("what is fixed stays on the screen, and is cancelled", full(), async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: Array<string>(9).fill(COMMA).join("\n") });
  await app.expectVerdict("invalid");
  await app.listFindings();
  const fixing = page.getByTestId("fixing");
  let release = await holdChecks(page);
  await app.act("apply-safe");
  await expect(fixing).toContainText("Fixing samples.jsonl");
  await expect(fixing.getByRole("progressbar")).toBeVisible();
  await expect(page.getByTestId("status")).toHaveText("Fixing samples.jsonl.");
  await expect(app.verdict).toContainText("9 of 9 records would be rejected");
  // What is shown still answers.
  await app.findings.nth(3).click();
  await expect(page.getByTestId("source")).toContainText("Hi");
  await fixing.getByTestId("cancel").click();
  await expect(fixing).toHaveCount(0);
  await release();
  await app.findings.nth(5).click();
  await expect(page.getByTestId("source")).toContainText("Hi");
  await expect(page.getByTestId("fixes-applied")).toHaveCount(0);

  await app.act("apply-safe");
  await app.expectVerdict("valid");
  await expect(fixing).toHaveCount(0);
  await expect(page.getByTestId("fixes-applied")).toContainText("9 fixes applied, 0 findings left.");
  release = await holdChecks(page);
  await page.getByTestId("undo-fixes").click();
  await expect(fixing).toContainText("Undoing the fixes of samples.jsonl");
  await app.expectVerdict("valid");
  await release();
  await app.expectVerdict("invalid");
  await expect(fixing).toHaveCount(0);
});
