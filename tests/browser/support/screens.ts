// All screens of the page, for tests of their appearance.

import { expect, type App } from "./app.ts";
import { WRONG_ROLE_ON_LINE_12 } from "./files.ts";

/** Shows every screen, in this order. */
export const SCREENS: Record<string, (app: App) => Promise<void>> = {
  start: async () => {},
  paste: (app) => app.page.getByTestId("paste-open").click(),
  findings: async (app) => {
    await app.choose({ name: "samples.jsonl", content: WRONG_ROLE_ON_LINE_12 });
    await app.expectVerdict("invalid");
    await expect(app.page.getByTestId("span")).toHaveCount(1);
  },
  broken: async (app) => {
    await app.act("start-over");
    await app.example("juryarena/broken").click();
    await app.expectVerdict("invalid");
    await expect(app.findings.nth(5)).toBeAttached();
  },
  lines: (app) => app.showLines(),
  fixes: async (app) => {
    await app.page.getByTestId("tab-fixes").click();
    await expect(app.page.getByTestId("fix-example").first()).toBeVisible();
  },
  "filter suggestions": async (app) => {
    await app.page.getByTestId("tab-records").click();
    await app.page.getByTestId("filter-field").focus();
  },
  search: async (app) => {
    const field = app.page.getByTestId("filter-field");
    await field.fill("is:invalid");
    await field.press("Enter");
    await expect(app.page.getByTestId("search-status")).toContainText("match");
  },
  sample: async (app) => {
    await app.act("start-over");
    await app.example("juryarena/full").click();
    await app.expectVerdict("valid");
    await app.showLines();
    await app.line(1).click();
    await app.showSample();
  },
  "tool calls": async (app) => {
    await app.act("start-over");
    await app.example("eee-instance/full").click();
    await app.expectVerdict("valid");
    await app.showLines();
    await app.line(3).click();
    await app.showSample();
    await expect(app.page.getByTestId("tool-call")).toHaveCount(2);
  },
  answers: async (app) => {
    await app.act("start-over");
    await app.example("tencent-eval/full").click();
    await app.expectVerdict("valid");
    await app.showLines();
    await app.line(1).click();
    await app.showSample();
    await app.page.getByTestId("show-differences").click();
  },
  menu: (app) => app.page.getByTestId("menu-open").click(),
  help: async (app) => {
    await app.page.keyboard.press("Escape");
    await app.showBarDetails();
    await app.page.getByTestId("format-help").locator("summary").click();
  },
  unknown: async (app) => {
    await app.act("start-over");
    await app.choose({ name: "letter.txt", content: "Dear all,\nno dataset.\n" });
    await expect(app.page.getByTestId("expected-formats")).toBeVisible();
  },
  overview: async (app) => {
    await app.act("start-over");
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
  question: async (app) => {
    await app.act("start-over");
    await app.choose({ name: "samples.jsonl", content: WRONG_ROLE_ON_LINE_12.replace(/\n/, ",\n") });
    await app.act("apply-safe");
    await expect(app.page.getByTestId("fixes-applied")).toContainText("1 fix applied");
    await app.act("start-over");
    await expect(app.page.getByTestId("keep")).toBeVisible();
  },
};
