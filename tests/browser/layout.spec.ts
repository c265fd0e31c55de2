// The layout on screens of different sizes.

import { expect, full, test } from "./support/app.ts";
import { sample, WRONG_ROLE_ON_LINE_12 } from "./support/files.ts";

for (const [width, height] of [[390, 844], [1280, 600], [1440, 900]] as const) {
  test(`the verdict and the first error are in view at ${width} x ${height}`, full(width !== 390), async ({
    app,
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await app.open();
    const unknown = sample("Hi").replace("{", '{"id":1,');
    await app.choose({ name: "late.jsonl", content: `${`${unknown}\n`.repeat(300)}${sample("Hi", "tool")}\n` });
    await app.expectVerdict("invalid");
    await expect(page.getByTestId("span")).toHaveText('"tool"');
    const verdict = width === 390 ? page.getByTestId("bar-short") : app.verdict.getByRole("heading");
    await expect(verdict).toBeInViewport({ ratio: 1 });
    await expect(page.locator("[data-testid=group][data-severity=error]")).toBeInViewport({ ratio: 0.99 });
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });
}

for (const [width, height] of [[390, 600], [1280, 600]] as const) {
  test(`at ${width} x ${height} the page scrolls to the verdict`, full(width !== 390), async ({
    app,
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await app.open();
    await app.showExamples();
    await app.example("juryarena/broken").scrollIntoViewIfNeeded();
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
    await app.openExample("juryarena/broken");
    await app.expectVerdict("invalid");
    await expect(page.getByTestId("span")).toHaveText('"tool"');
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  });
}

test("a narrow screen shows a finding and returns to the list", full(), async ({ app, page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await app.open();
  await app.choose({ name: "samples.jsonl", content: WRONG_ROLE_ON_LINE_12 });
  await app.expectVerdict("invalid");
  await expect(app.verdict).toBeInViewport();
  await app.findings.first().click();
  await expect(page.getByTestId("finding-detail")).toBeVisible();
  await expect(page.getByTestId("span")).toBeVisible();
  await page.getByTestId("back").click();
  await expect(app.findings.first()).toBeVisible();
  await expect(page.getByTestId("finding-detail")).toBeHidden();
});

test("the divider moves with pointer and keys, and is remembered; the details can take the whole window", async ({ app, page }) => {
  await app.open();
  await app.choose({ name: "samples.jsonl", content: WRONG_ROLE_ON_LINE_12 });
  await app.expectVerdict("invalid");
  const list = page.locator(".list-pane");
  const width = async () => (await list.boundingBox())?.width ?? 0;
  const half = await width();
  const divider = page.getByTestId("divider");
  const at = await divider.boundingBox();
  if (at === null) throw new Error("There is no divider.");
  await page.mouse.move(at.x + at.width / 2, at.y + 100);
  await page.mouse.down();
  await page.mouse.move(at.x - 200, at.y + 120, { steps: 4 });
  await page.mouse.up();
  await expect.poll(width).toBeLessThan(half - 150);
  await page.mouse.move(at.x + 100, at.y);
  const dragged = await width();
  expect(dragged).toBeLessThan(half - 150);
  await divider.press("ArrowRight");
  await expect.poll(width).toBeGreaterThan(dragged);
  const moved = await width();
  await page.getByTestId("whole-window").click();
  await expect(list).toBeHidden();
  await page.getByTestId("whole-window").click();
  await expect(list).toBeVisible();
  app.expectReload();
  await page.reload();
  await app.ready();
  await app.choose({ name: "samples.jsonl", content: WRONG_ROLE_ON_LINE_12 });
  await app.expectVerdict("invalid");
  expect(Math.abs((await width()) - moved)).toBeLessThan(2);
});
