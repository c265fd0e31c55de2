// Where the keyboard's focus is after what had it is gone: near it, and never nowhere.

import { expect, full, test, type App } from "./support/app.ts";
import { pack, sample } from "./support/files.ts";

const GOOD = sample("Hi");
const COMMA = `${GOOD},`;
const CAPITALS = sample("Hi", "User");
const WRONG = sample("Hi", "tool");

/** The element with the focus, by what a test can name. */
const focused = (app: App) =>
  expect.poll(() =>
    app.page.evaluate(() => {
      const element = document.activeElement;
      return element?.closest<HTMLElement>("[data-testid]")?.dataset.testid + (element?.tagName === "H1" ? " h1" : "");
    }),
  );

const press = async (app: App, testid: string) => {
  await (await app.reach(testid)).focus();
  await app.page.keyboard.press("Enter");
};

test.beforeEach(async ({ app }) => {
  await app.open();
});

test("Apply leads to the next finding, the last one to the verdict, the last Undo to the verdict", async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: [COMMA, CAPITALS, GOOD].join("\n") });
  await app.expectVerdict("invalid");
  await press(app, "apply-fix");
  await expect(page.getByTestId("fixes-applied")).toContainText("1 fix applied");
  await focused(app).toBe("finding-detail");
  await page.keyboard.press("Tab");
  await focused(app).toBe("apply-fix");
  await page.keyboard.press("Enter");
  await app.expectVerdict("valid");
  await focused(app).toBe("verdict h1");
  // One fix is left to undo, so the button stays.
  await press(app, "undo-fixes");
  await app.expectVerdict("invalid");
  await focused(app).toBe("undo-fixes");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("undo-fixes")).toBeHidden();
  await focused(app).toBe("verdict h1");
});

test("fixing all leads to the verdict, all of a rule to the next finding", full(), async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: [CAPITALS, CAPITALS, WRONG].join("\n") });
  await app.expectVerdict("invalid");
  await press(app, "apply-rule");
  await expect(page.getByTestId("fixes-applied")).toContainText("2 fixes applied");
  await focused(app).toBe("finding-detail");
  await press(app, "undo-fixes");
  await press(app, "review-fixes");
  await press(app, "apply-safe");
  await expect(page.getByTestId("fixes-applied")).toContainText("2 fixes applied");
  await focused(app).toBe("verdict h1");
});

test("a fix of a ZIP leads to the next finding", full(), async ({ app, page, folder }) => {
  const { path } = await pack(folder, "a.zip", { "samples.jsonl": [COMMA, CAPITALS, WRONG].join("\n"), "attachments/a.txt": "a" });
  await app.choose(path);
  await app.expectVerdict("invalid");
  await press(app, "apply-fix");
  await expect(page.getByTestId("fixes-applied")).toContainText("1 fix applied");
  await focused(app).toBe("finding-detail");
});

test("Escape in the editor leads to the button that opened it, Apply to the finding", full(), async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: [WRONG, WRONG].join("\n") });
  await app.expectVerdict("invalid");
  await press(app, "edit");
  await focused(app).toBe("edit-text");
  await page.keyboard.press("Escape");
  await focused(app).toBe("edit");
  await page.keyboard.press("Enter");
  await page.getByTestId("edit-text").fill(GOOD);
  await expect(page.getByTestId("apply-edit")).toBeEnabled();
  await press(app, "apply-edit");
  await expect(page.getByTestId("fixes-applied")).toContainText("1 fix applied");
  await focused(app).toBe("finding-detail");
});

test("another file begins at the place to drop it, and its results at the verdict", full(), async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: WRONG });
  await app.expectVerdict("invalid");
  await press(app, "start-over");
  await focused(app).toBe("drop-zone");
  await page.keyboard.press("Tab");
  await focused(app).toBe("choose-file");
  await press(app, "paste-open");
  await focused(app).toBe("paste-text");
  await page.keyboard.press("Escape");
  await focused(app).toBe("drop-zone");
  await app.showExamples();
  await app.example("juryarena/minimal").focus();
  await page.keyboard.press("Enter");
  await app.expectVerdict("valid");
  await focused(app).toBe("verdict h1");
});

test("no focus is taken from a place where it is not lost, or from nowhere", full(), async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: [COMMA, CAPITALS].join("\n") });
  await app.expectVerdict("invalid");
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BODY");
  await page.getByTestId("filter-errors").focus();
  await page.keyboard.press("Enter");
  await focused(app).toBe("filter-errors");
});
