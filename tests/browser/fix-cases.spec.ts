// Every golden case whose fixes have a result: the page comes to the same bytes, and what it made has no safe fix left.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "./support/app.ts";

const CASES = fileURLToPath(new URL("../cases/", import.meta.url));

interface Case {
  name: string;
  /** The name of its input, which formats may look at. */
  file: string;
  input: string;
  fixed: string;
}

/** The cases of a folder, in base64; not those that are made by a recipe, packed, or checked in a special way. */
function casesOf(format: string): Case[] {
  return readdirSync(join(CASES, format)).flatMap((name) => {
    const folder = join(CASES, format, name);
    const names = readdirSync(folder);
    const file = names.find((entry) => /^input\.(jsonl|json|csv)$/.test(entry));
    const fixed = names.find((entry) => /^fixed\.(jsonl|json|csv)$/.test(entry));
    if (!file || !fixed || names.includes("options.json")) return [];
    const base64 = (entry: string) => readFileSync(join(folder, entry)).toString("base64");
    return [{ name, file, input: base64(file), fixed: base64(fixed) }];
  });
}

/** Drops each case, applies its safe fixes, and gives what would be saved. Runs in the page, where a step takes no round trip. */
async function fixAll(cases: readonly Case[]): Promise<string[]> {
  const one = (id: string) => document.querySelector<HTMLElement>(`[data-testid=${id}]`);
  const until = async (what: string, question: () => unknown) => {
    const end = performance.now() + 10_000;
    while (!question()) {
      if (performance.now() > end) throw new Error(`in vain: ${what}`);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  };
  const saved: Blob[] = [];
  const create = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (blob: Blob) => {
    saved.push(blob);
    return create(blob);
  };
  const results: string[] = [];
  for (const [number, { name, file, input }] of cases.entries()) {
    const bytes = Uint8Array.from(atob(input), (letter) => letter.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], `${number}-${file}`));
    document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
    await until(`the verdict on ${name}`, () => one("verdict")?.textContent?.includes(`${number}-${file}`));
    one("apply-safe")?.click();
    await until(`the fixes of ${name}`, () => one("fixes-applied") && !one("apply-safe"));
    saved.length = 0;
    one("download-fixed")?.click();
    await until(`the download of ${name}`, () => saved.length > 0);
    const fixed = new Uint8Array(await (saved.pop() as Blob).arrayBuffer());
    results.push(btoa(Array.from(fixed, (byte) => String.fromCharCode(byte)).join("")));
  }
  return results;
}

const text = (base64: string | undefined) => Buffer.from(base64 ?? "", "base64").toString("utf8");

for (const { name: format } of readdirSync(CASES, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
  const cases = casesOf(format);
  if (cases.length === 0) continue;
  test(`the golden cases of ${format} are fixed as by the command`, async ({ app, page }) => {
    test.setTimeout(120_000);
    await app.open();
    if (format !== "auto") {
      // A format that is chosen stays chosen.
      await app.choose({ name: "first.jsonl", content: "{}\n" });
      await expect(app.verdict).toBeVisible();
      await page.getByTestId("format-select").selectOption(format);
      await expect(page.getByTestId("format-select")).toHaveValue(format);
    }
    const results = await page.evaluate(fixAll, cases);
    cases.forEach(({ name, fixed }, at) => expect.soft(text(results[at]), name).toBe(text(fixed)));
  });
}
