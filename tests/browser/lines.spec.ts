// The list of lines: where its rows begin, and the map of the file beside it.

import { expect, full, test, type App } from "./support/app.ts";
import { sample } from "./support/files.ts";

/** A line whose role comes after a long text. */
const late = (role: string, letters = 4_000) =>
  `{"input":{"messages":[{"content":"${"é".repeat(letters)}","role":"${role}"}]},"usage_output":null}`;

test.beforeEach(({ app }) => app.open());

for (const [width, height] of [[1440, 900], [1024, 768], [390, 844]] as const) {
  test(`a row begins around the first error at ${width} x ${height}`, full(width !== 390), async ({ app, page }) => {
    await page.setViewportSize({ width, height });
    const lines = [late("human"), sample("Hi", "tool"), late("bot", 800_000), late("user"), late("User")];
    await app.choose({ name: "lines.jsonl", content: lines.join("\n") });
    await app.expectVerdict("invalid");
    await app.showLines();
    for (const [line, token] of [[1, '"human"'], [2, '"tool"'], [3, '"bot"'], [5, '"User"']] as const) {
      const marked = app.line(line).locator(".line-token");
      await expect(marked).toHaveText(token);
      const row = await app.line(line).boundingBox();
      const at = await marked.boundingBox();
      expect.soft(at?.x, `line ${line}`).toBeGreaterThan(row?.x ?? 0);
      expect.soft((at?.x ?? 0) + (at?.width ?? 0), `line ${line}`).toBeLessThan((row?.x ?? 0) + (row?.width ?? 0));
    }
    await expect(app.line(1).locator(".line-text")).toHaveText(/^….*"role":"human"\}\]\},"usage_output":null\}$/);
    await expect(app.line(4).locator(".line-text")).toHaveText(/^\{"input":\{"messages":\[\{"content":"é+…$/);
    await expect(app.line(4).locator(".line-token")).toHaveCount(0);
  });
}

test("what a line shares with the one above is dimmed, and can be read", full(), async ({ app, page }) => {
  const lines = [sample("one"), sample("two"), "", sample("three")];
  await app.choose({ name: "lines.jsonl", content: lines.join("\n") });
  await app.expectVerdict("valid");
  await app.showLines();
  await expect(app.line(1).locator(".shared")).toHaveCount(0);
  const shared = app.line(2).locator(".shared");
  const prefix = lines[0]?.slice(0, lines[0].indexOf("one")) ?? "";
  await expect(shared).toHaveText(prefix);
  await expect(app.line(2).locator(".line-text")).toHaveText(lines[1] ?? "");
  await expect(app.line(4).locator(".shared")).toHaveCount(0);
  const colors = await shared.evaluate((dimmed) => {
    const row = dimmed.closest(".line-text");
    return [getComputedStyle(dimmed).color, row ? getComputedStyle(row).color : ""];
  });
  expect(colors[0]).not.toBe(colors[1]);
});

/** The frame of the map, as parts of its height. */
const frame = (app: App) =>
  app.page.evaluate(() => {
    const shape = (id: string) => document.querySelector(`[data-testid=${id}]`)?.getBoundingClientRect();
    const [map, frame] = [shape("file-map"), shape("map-frame")];
    if (!map || !frame) throw new Error("There is no map.");
    return { from: (frame.top - map.top) / map.height, to: (frame.bottom - map.top) / map.height };
  });

test("the map shows which part of the file is in view", full(), async ({ app, page }) => {
  // The second half of the file is in its last hundred lines.
  const lines = Array.from({ length: 1_000 }, (_, n) => sample("x".repeat(n < 900 ? 10 : 1_000), n % 100 === 5 ? "tool" : "user"));
  const bytes = lines.map((line) => line.length + 1);
  const before = (count: number) => bytes.slice(0, count).reduce((sum, one) => sum + one, 0) / bytes.reduce((sum, one) => sum + one, 0);
  await app.choose({ name: "lines.jsonl", content: lines.join("\n") });
  await app.expectVerdict("invalid");
  await app.showLines();
  const list = page.getByTestId("line-list");
  const scrollTo = (line: number) => list.evaluate((list, line) => (list.scrollTop = (line - 1) * 28), line);
  const rows = await list.evaluate((list) => list.clientHeight / 28);
  for (const first of [1, 400, 950]) {
    await scrollTo(first);
    await expect.poll(async () => Math.abs((await frame(app)).from - before(first - 1))).toBeLessThan(0.01);
    const { to } = await frame(app);
    expect(Math.abs(to - before(Math.min(1_000, Math.ceil(first - 1 + rows))))).toBeLessThan(0.01);
  }
  await scrollTo(1_000);
  await expect.poll(async () => (await frame(app)).to).toBeGreaterThan(0.99);

  // Another list has its own part, also after the same list was shown before.
  await page.getByTestId("tab-records").click();
  await expect.poll(async () => (await frame(app)).from).toBeLessThan(0.01);
  await page.getByTestId("tab-findings").click();
  await app.listFindings();
  await page.getByTestId("finding-list").press("End");
  await expect.poll(async () => (await frame(app)).to).toBeGreaterThan(0.9);
});

test("scrolling moves the frame and renders no other part of the page", async ({ app, page }) => {
  const lines = Array.from({ length: 150 }, (_, n) => sample(`${n}`, n === 5 ? "tool" : "user"));
  await app.choose({ name: "lines.jsonl", content: lines.join("\n") });
  await app.expectVerdict("invalid");
  await app.showLines();
  await expect(app.line(1)).toContainText("input");
  const before = await frame(app);
  await page.evaluate(() => {
    const changes: string[] = [];
    Object.assign(globalThis, { changes });
    new MutationObserver((records) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        if (!element?.closest("[data-testid=line-list]")) changes.push(element?.getAttribute("data-testid") ?? element?.tagName ?? "");
      }
    }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  await page.getByTestId("line-list").evaluate((list) => (list.scrollTop = 40 * 28));
  await expect.poll(async () => (await frame(app)).from).toBeGreaterThan(before.from + 0.1);
  const changes = await page.evaluate(() => (globalThis as unknown as { changes: string[] }).changes);
  expect(new Set(changes)).toEqual(new Set(["map-frame"]));
});
