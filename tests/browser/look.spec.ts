// How the page presents itself: to eyes by day and by night, to small screens, to keyboards and to screen readers.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type axe from "axe-core";
import type { Page } from "@playwright/test";

import { expect, test, type App } from "./support/app.ts";
import { sample, WRONG_ROLE_ON_LINE_12 } from "./support/files.ts";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Every screen, in the order in which a person comes to them. */
const SCREENS: Record<string, (app: App) => Promise<void>> = {
  start: async () => {},
  paste: (app) => app.page.getByTestId("paste-open").click(),
  findings: async (app) => {
    await app.choose({ name: "samples.jsonl", content: WRONG_ROLE_ON_LINE_12 });
    await app.expectVerdict("invalid");
    await expect(app.page.getByTestId("span")).toHaveCount(1);
  },
  broken: async (app) => {
    await app.page.getByTestId("start-over").click();
    await app.example("juryarena/broken").click();
    await app.expectVerdict("invalid");
    await expect(app.findings.nth(5)).toBeAttached();
  },
  lines: (app) => app.showLines(),
  sample: async (app) => {
    await app.page.getByTestId("start-over").click();
    await app.example("juryarena/full").click();
    await app.expectVerdict("valid");
    await app.showLines();
    await app.line(1).click();
    await app.showSample();
  },
  help: (app) => app.page.getByTestId("format-help").locator("summary").click(),
  unknown: async (app) => {
    await app.page.getByTestId("start-over").click();
    await app.choose({ name: "letter.txt", content: "Dear all,\nno dataset.\n" });
    await expect(app.page.getByTestId("expected-formats")).toBeVisible();
  },
  overview: async (app) => {
    await app.page.getByTestId("start-over").click();
    const buffer = Buffer.from(WRONG_ROLE_ON_LINE_12);
    const long = `${"a-rather-long-name-".repeat(6)}.jsonl`;
    await app.input.setInputFiles(["a.jsonl", "b.jsonl", long].map((name) => ({ name, mimeType: "text/plain", buffer })));
    await expect(app.page.getByTestId("overview")).toHaveAttribute("data-verdict", "invalid");
  },
  "one of several": async (app) => {
    await app.page.getByTestId("file").last().click();
    await app.expectVerdict("invalid");
    await expect(app.page.getByTestId("span")).toHaveCount(1);
  },
};

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const found = await page.evaluate(async () => {
    const { violations: all } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      iframes: false,
      resultTypes: ["violations"],
    });
    return all.map(({ id, impact, help, nodes }) => ({ id, impact, help, at: nodes.map(({ html }) => html) }));
  });
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, help, at }) => `${id}: ${help}\n${at.slice(0, 5).join("\n")}`);
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`no serious barrier on any screen, ${colorScheme}`, async ({ app, page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await app.open();
    for (const [name, go] of Object.entries(SCREENS)) {
      await test.step(name, async () => {
        await go(app);
        expect.soft(await violations(page), name).toEqual([]);
      });
    }
  });
}

for (const width of [320, 390, 768]) {
  test(`nothing sticks out at ${width} pixels`, async ({ app, page }) => {
    await page.setViewportSize({ width, height: 800 });
    await app.open();
    for (const [name, go] of Object.entries(SCREENS)) {
      await test.step(name, async () => {
        // Where there is room for one pane only, the list is behind the detail.
        const back = page.getByTestId("back");
        if (await back.isVisible()) await back.click();
        await go(app);
        const { content, window } = await page.evaluate(() => ({
          content: document.documentElement.scrollWidth,
          window: document.documentElement.clientWidth,
        }));
        expect.soft(content, name).toBeLessThanOrEqual(window);
      });
    }
  });
}

for (const [width, height] of [[390, 844], [1280, 600], [1440, 900]] as const) {
  test(`the verdict is above the fold at ${width} x ${height}, whatever stands before the first error`, async ({
    app,
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await app.open();
    const unknown = sample("Hi").replace("{", '{"id":1,');
    await app.choose({ name: "late.jsonl", content: `${`${unknown}\n`.repeat(300)}${sample("Hi", "tool")}\n` });
    await app.expectVerdict("invalid");
    await expect(page.getByTestId("span")).toHaveText('"tool"');
    await expect(app.verdict.getByRole("heading")).toBeInViewport({ ratio: 1 });
    await expect(page.getByTestId("first-error")).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });
}

for (const [width, height] of [[390, 600], [1280, 600]] as const) {
  test(`at ${width} x ${height} a verdict begins at the top, also after a scroll to the examples`, async ({
    app,
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await app.open();
    await app.example("juryarena/broken").scrollIntoViewIfNeeded();
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
    await app.example("juryarena/broken").click();
    await app.expectVerdict("invalid");
    await expect(page.getByTestId("span")).toHaveText('"tool"');
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  });
}

test("on a narrow screen a finding opens and leads back", async ({ app, page }) => {
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

/** From 0, black, to 1, white: how light the page's ground is. */
const lightness = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d");
    if (!canvas) return Number.NaN;
    canvas.fillStyle = getComputedStyle(document.body).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return (red + green + blue) / 765;
  });

test("the theme follows the system until it is chosen, and the choice stays", async ({ app, page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await app.open();
  expect(await lightness(page)).toBeLessThan(0.3);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await lightness(page)).toBeGreaterThan(0.8);

  const toggle = page.getByTestId("theme-toggle");
  await expect(toggle).toHaveAttribute("data-theme-choice", "auto");
  const choose = async (theme: string) => {
    for (let click = 0; click < 3; click += 1) {
      if ((await toggle.getAttribute("data-theme-choice")) === theme) return;
      const before = await toggle.getAttribute("data-theme-choice");
      await toggle.click();
      await expect(toggle).not.toHaveAttribute("data-theme-choice", before ?? "");
    }
  };
  await choose("dark");
  await expect.poll(() => lightness(page)).toBeLessThan(0.3);
  app.expectReload();
  await page.reload();
  await app.ready();
  await expect(toggle).toHaveAttribute("data-theme-choice", "dark");
  expect(await lightness(page)).toBeLessThan(0.3);
  await choose("light");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => lightness(page)).toBeGreaterThan(0.8);
});

test("everything can be done with a keyboard", async ({ app, page }) => {
  await app.open();
  const tabTo = async (testid: string) => {
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(() => document.activeElement?.closest("[data-testid]")?.getAttribute("data-testid"));
      if (at === testid) return;
    }
    throw new Error(`Tab does not lead to ${testid}`);
  };
  await tabTo("choose-file");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.keyboard.press("Enter")]);
  const lines = [sample("a", "x"), sample("b"), sample("c", "y"), sample(3), sample("d")];
  await chooser.setFiles({ name: "keys.jsonl", mimeType: "", buffer: Buffer.from(lines.join("\n")) });
  await app.expectVerdict("invalid");

  const list = page.getByRole("listbox", { name: "Findings" });
  const chosen = list.getByRole("option", { selected: true });
  await list.focus();
  await page.keyboard.press("Home");
  await expect(chosen).toContainText("line 1:");
  await page.keyboard.press("ArrowDown");
  await expect(chosen).toContainText("line 3:");
  await expect(page.getByTestId("span")).toHaveText('"y"');
  await page.keyboard.press("End");
  await expect(chosen).toContainText("line 4:");
  await expect(page.getByTestId("span")).toHaveText("3");
  await page.keyboard.press("ArrowUp");
  await expect(chosen).toContainText("line 3:");

  await tabTo("tab-sample");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("turn")).toContainText("c");
});

test("a failing line is next to the one before, by buttons", async ({ app, page }) => {
  const lines = Array.from({ length: 3000 }, (_, n) => sample(`${n}`, [100, 2000, 2999].includes(n) ? "tool" : "user"));
  await app.open();
  await app.choose({ name: "few.jsonl", content: lines.join("\n") });
  await app.expectVerdict("invalid");
  await app.showLines();
  await expect(app.line(101)).toHaveAttribute("aria-selected", "true");
  await page.getByTestId("next-invalid").click();
  await expect(app.line(2001)).toBeInViewport();
  await expect(app.line(2001)).toHaveAttribute("aria-selected", "true");
  await expect(app.line(2001)).toHaveAttribute("data-severity", "error");
  await page.getByTestId("next-invalid").click();
  await expect(app.line(3000)).toBeInViewport();
  await page.getByTestId("previous-invalid").click();
  await expect(app.line(2001)).toBeInViewport();
});
