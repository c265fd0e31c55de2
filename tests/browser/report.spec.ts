// The report as a page of HTML: it needs nothing else, runs nothing, and has no data where none is wanted.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { zipSync, strToU8 } from "fflate";
import { expect, full, test, type App } from "./support/app.ts";
import { violations } from "./support/axe.ts";

const record = (content: string, role: string): string =>
  JSON.stringify({ input: { messages: [{ role, content }] }, usage_output: null });

const CONTENT = [record("fine", "user"), record("</pre><script>pwned = 1</script>", "<img src=x onerror=pwned=1>")].join("\n");

/** Saves the report, in a folder; returns where. */
async function save(app: App, item: string, folder: string): Promise<string> {
  const downloading = app.page.waitForEvent("download");
  await app.act(item);
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("samples.report.html");
  const path = join(folder, "report.html");
  await download.saveAs(path);
  return path;
}

for (const [name, content] of [
  ["samples.jsonl", CONTENT],
  ["samples.zip", zipSync({ "samples.jsonl": strToU8(CONTENT), "attachments/a.txt": strToU8("a") })],
] as const) {
  test(`a report of ${name} is one page without scripts`, full(name !== "samples.zip"), async ({ app, browser, folder }) => {
    await app.open();
    await app.choose({ name, content });
    await app.expectVerdict("invalid");
    const path = await save(app, "save-report", folder);
    const requests: string[] = [];
    const context = await browser.newContext();
    const report = await context.newPage();
    report.on("request", (request) => requests.push(request.url()));
    const url = pathToFileURL(path).href;
    await report.goto(url);
    expect(requests).toEqual([url]);
    await expect(report.locator("h1")).toContainText(`${name}: invalid`);
    await expect(report.locator("h2").first()).toContainText("input.messages.*.role");
    await expect(report.locator("mark").first()).toHaveText('"<img src=x onerror=pwned=1>"');
    await expect(report.locator("script, img")).toHaveCount(0);
    expect(await report.evaluate(() => "pwned" in self)).toBe(false);
    expect(await violations(report)).toEqual([]);
    await context.close();
  });
}

test("a report without data has no value of the dataset", async ({ app, folder }) => {
  await app.open();
  await app.choose({ name: "samples.jsonl", content: CONTENT });
  await app.expectVerdict("invalid");
  const html = await readFile(await save(app, "save-report-without-data", folder), "utf8");
  expect(html).toContain("input.messages.*.role");
  expect(html).not.toMatch(/onerror|pwned|<mark>/);
});
