// A worker that dies: the page says what was not checked, and the next check works.

import { allowFaults } from "../hostile/faults.js";
import { expect, full, test } from "./support/app.ts";
import { sample, write } from "./support/files.ts";

/** The functions that {@link allowFaults} adds. */
interface Faults {
  breakNext(fault: string): void;
  workersAlive(): number;
  workersStarted(): number;
}

const file = (name: string) => ({ name, content: `${sample("Hi")}\n`.repeat(20) });

/** 8 MB in lines of which every other one is invalid, so that the engine needs memory. */
const LONG = `${sample("x".repeat(1_000))}\n${sample("y".repeat(1_000), "tool")}\n`.repeat(3_600);

for (const [fault, complains] of [
  ["panic", "always"],
  // The engine fails at what it reads next from its memory, or waits for ever for a read that it has forgotten.
  ["trap", "sometimes"],
  ["memory", "never"],
  ["silence", "never"],
  ["end", "never"],
] as const) {
  test(`the page survives a worker that dies during a check: ${fault}`, full(!["panic", "end"].includes(fault)), async ({ app, page, folder }) => {
    await page.addInitScript(allowFaults);
    await app.open();
    await page.evaluate((fault) => (globalThis as unknown as Faults).breakNext(fault), fault);
    await app.choose(await write(folder, "dies.jsonl", LONG));
    await app.expectVerdict("not-checked");
    await expect(app.verdict).toContainText("Not checked from byte");
    await expect(app.verdict).toContainText(/failed near line|stopped responding/);
    expect(await app.copiedReport()).toMatch(/: not checked: from byte [1-9][\d,]* on$/m);
    if (complains === "sometimes") app.allowProblem();
    if (complains === "always") await app.expectProblem(/panicked|RuntimeError|unreachable|out of bounds|memory/);
    await app.choose(file("next.jsonl"));
    await expect(app.verdict).toContainText("next.jsonl");
    await app.expectVerdict("valid");
    const workers = () => {
      const { workersAlive, workersStarted } = globalThis as unknown as Faults;
      return [workersAlive(), workersStarted()];
    };
    expect(await page.evaluate(workers), "one is replaced, and once").toEqual([1, 2]);
  });
}

test("a worker that dies in a batch costs one file", full(), async ({ app, page, folder }) => {
  await page.addInitScript(allowFaults);
  await app.open();
  await page.evaluate(() => (globalThis as unknown as Faults).breakNext("end"));
  const paths = [];
  for (const name of ["a", "b", "c"]) paths.push(await write(folder, `${name}.jsonl`, LONG.replaceAll('"tool"', '"user"')));
  await app.input.setInputFiles(paths);
  await expect(page.getByTestId("overview")).toHaveAttribute("data-verdict", "not-checked");
  const verdicts = page.getByTestId("file").evaluateAll((rows) => rows.map((row) => row.dataset.verdict));
  expect(await verdicts).toEqual(["not-checked", "valid", "valid"]);
});

test("a silent worker is replaced", full(), async ({ app, page }) => {
  await page.clock.install();
  await app.open();
  await page.workers()[0]?.evaluate(() => close());
  await app.choose(file("silent.jsonl"));
  await expect(page.getByTestId("progress")).toBeVisible();
  await page.clock.runFor(15_000);
  await app.expectVerdict("not-checked");
  await expect(app.verdict).toContainText("stopped responding");
  expect(await app.copiedReport()).toMatch(/: not checked: /);
  await page.getByRole("button", { name: "Check again" }).click();
  await app.expectVerdict("valid");
  await expect(app.count("records")).toHaveText("20");
});

test("a worker that fails between two checks is replaced", full(), async ({ app }) => {
  await app.open();
  await app.choose(file("first.jsonl"));
  await app.expectVerdict("valid");
  await app.crashWorker();
  await app.choose(file("second.jsonl"));
  await expect(app.verdict).toContainText("second.jsonl");
  await app.expectVerdict("valid");
});

test("an engine that ended unseen is missed by a search, which goes on with another one", full(), async ({ app, page }) => {
  await page.clock.install();
  await app.open();
  await app.choose(file("first.jsonl"));
  await app.expectVerdict("valid");
  await page.workers()[0]?.evaluate(() => close());
  await page.getByTestId("filter-field").fill("Hi");
  await page.getByTestId("filter-field").press("Enter");
  await page.clock.runFor(15_000);
  await expect(page.getByRole("alert")).toContainText("The checking engine had failed and was restarted. The file is checked again.");
  await expect(page.getByTestId("search-status")).toHaveText("20 records match.");
});
