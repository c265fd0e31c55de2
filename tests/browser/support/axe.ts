// axe-core, in a page or in a frame.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type axe from "axe-core";
import type { Frame, Page } from "@playwright/test";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The serious problems that axe finds, or all, with the elements that have them. */
export async function violations(page: Page | Frame, which: "serious" | "all" = "serious"): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(source);
  const found = await page.evaluate(async () => {
    const { violations: all } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      iframes: false,
      resultTypes: ["violations"],
    });
    return all.map(({ id, impact, help, nodes }) => ({ id, impact, help, at: nodes.map(({ html }) => html) }));
  });
  return found
    .filter(({ impact }) => which === "all" || impact === "serious" || impact === "critical")
    .map(({ id, help, at }) => `${id}: ${help}\n${at.slice(0, 5).join("\n")}`);
}
