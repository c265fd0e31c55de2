// All screens of the page, for tests of their appearance.

import { expect, type App } from "./app.ts";
import { ARCHIVE } from "./attachments.ts";
import { WRONG_ROLE_ON_LINE_12, sample } from "./files.ts";

const MARKDOWN = "# Results\n\n| Model | Score |\n|:--|--:|\n| **a** | 0.5 |\n\n> `code` and [a link](https://example.org)\n\n```py\nx = 1\n```\n";

const LINKED = JSON.stringify({
  queries: [{ query_id: "q1", query_text: "Which?", relevant_doc_ids: ["d1"] }],
  documents: [{ doc_id: "d1", text: "The first." }],
});

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
    await app.openExample("juryarena/broken");
    await app.expectVerdict("invalid");
    await expect(app.findings.nth(5)).toBeAttached();
  },
  lines: (app) => app.showLines(),
  fixes: async (app) => {
    await app.showTab("fixes");
    await expect(app.page.getByTestId("fix-example").first()).toBeVisible();
  },
  "dataset overview": async (app) => {
    await app.showTab("overview");
    await expect(app.page.getByTestId("dataset-overview")).toBeVisible();
  },
  "filter suggestions": async (app) => {
    await app.page.getByTestId("tab-records").click();
    await app.page.getByTestId("filter-field").focus();
  },
  "filter suggestion": async (app) => {
    const field = app.page.getByTestId("filter-field");
    await field.fill("is:");
    await field.press("ArrowDown");
    await expect(app.page.getByTestId("suggestion").first()).toHaveAttribute("aria-selected", "true");
  },
  "wrong filter": async (app) => {
    const field = app.page.getByTestId("filter-field");
    await field.fill("is:it");
    await field.press("Enter");
    await expect(app.page.getByTestId("query-mistake")).toBeVisible();
  },
  search: async (app) => {
    const field = app.page.getByTestId("filter-field");
    await field.fill("is:invalid");
    await field.press("Enter");
    await expect(app.page.getByTestId("search-status")).toContainText("match");
  },
  "lines that match": async (app) => {
    await app.showLines();
    await expect(app.page.locator(".line.dimmed").first()).toBeVisible();
  },
  sample: async (app) => {
    await app.act("start-over");
    await app.openExample("juryarena/full");
    await app.expectVerdict("valid");
    await app.showLines();
    await app.line(1).click();
    await app.showSample();
  },
  "tool calls": async (app) => {
    await app.act("start-over");
    await app.openExample("eee-instance/full");
    await app.expectVerdict("valid");
    await app.showLines();
    await app.line(3).click();
    await app.showSample();
    await expect(app.page.getByTestId("tool-call")).toHaveCount(2);
  },
  answers: async (app) => {
    await app.act("start-over");
    await app.openExample("tencent-eval/full");
    await app.expectVerdict("valid");
    await app.showLines();
    await app.line(1).click();
    await app.showSample();
    await app.page.getByTestId("show-differences").click();
  },
  markdown: async (app) => {
    await app.act("start-over");
    await app.choose({ name: "samples.jsonl", content: sample(MARKDOWN) });
    await app.expectVerdict("valid");
    await app.page.getByTestId("record").click();
    await app.showSample();
    await app.page.getByTestId("rendered").click();
    await expect(app.page.locator(".markdown table")).toBeVisible();
  },
  linked: async (app) => {
    await app.act("start-over");
    await app.choose({ name: "queries.json", content: LINKED });
    await app.expectVerdict("valid");
    await app.page.getByTestId("record").first().click();
    await app.showSample();
    await expect(app.page.getByTestId("linked-record")).toBeVisible();
  },
  "as fixed": async (app) => {
    await app.act("start-over");
    await app.choose({ name: "samples.jsonl", content: `${sample("Hi").replace("null}", "None}")}\n${sample("Hi")}\n` });
    await app.expectVerdict("invalid");
    await app.findings.first().click();
    await app.showSample();
    await expect(app.page.getByTestId("sample-is-fixed")).toBeVisible();
  },
  groups: async (app) => {
    await app.act("start-over");
    const roles = ["tool", "bot"].flatMap((role) => Array.from({ length: 80 }, () => sample("Hi", role)));
    await app.choose({ name: "samples.jsonl", content: `${roles.join("\n")}\n{}\n` });
    await app.expectVerdict("invalid");
    await expect(app.page.getByTestId("group").first()).toBeVisible();
  },
  group: async (app) => {
    await app.page.getByTestId("group").first().click();
    await expect(app.findings.first()).toBeAttached();
    // A narrow screen may show the details.
    await expect(app.page.getByTestId("show-groups")).toBeAttached();
  },
  "go to a record": async (app) => {
    await app.page.getByTestId("tab-records").click();
    await app.page.getByTestId("clear-filter").click();
    await app.page.getByTestId("goto-record").fill("70");
    await app.page.getByTestId("goto-record").press("Enter");
    await expect(app.page.locator('[data-testid=record][aria-posinset="70"]')).toBeInViewport();
  },
  menu: (app) => app.page.getByTestId("menu-open").click(),
  help: async (app) => {
    await app.page.keyboard.press("Escape");
    await app.showBarDetails();
    await app.page.getByTestId("format-help").locator("summary").click();
  },
  attachments: async (app) => {
    await app.act("start-over");
    await app.choose({ name: "dataset.zip", content: ARCHIVE });
    await app.expectVerdict("invalid");
    await app.showTab("attachments");
    await expect(app.page.getByTestId("attachment-row").first()).toBeVisible();
  },
  attachment: async (app) => {
    await app.page.getByTestId("attachment-row").filter({ hasText: "picture.bmp" }).click();
    await expect(app.page.getByTestId("actual-size")).toBeVisible();
  },
  "missing attachment": async (app) => {
    // A narrow screen shows the details.
    if (await app.page.getByTestId("back").isVisible()) await app.page.getByTestId("back").click();
    await app.page.getByTestId("attachment-row").filter({ hasText: "none.txt" }).click();
    await expect(app.page.getByTestId("add-file")).toBeVisible();
  },
  unknown: async (app) => {
    await app.act("start-over");
    await app.choose({ name: "letter.txt", content: "Dear all,\nno dataset.\n" });
    await expect(app.page.getByTestId("expected-formats")).toBeVisible();
  },
  "start, with a file open": async (app) => {
    await app.act("start-over");
    await expect(app.page.getByTestId("return")).toBeVisible();
  },
  overview: async (app) => {
    const buffer = Buffer.from(WRONG_ROLE_ON_LINE_12);
    const long = `${"a-rather-long-name-".repeat(6)}.jsonl`;
    await app.input.setInputFiles(["a.jsonl", "b.jsonl", long].map((name) => ({ name, mimeType: "text/plain", buffer })));
    await expect(app.page.getByTestId("overview")).toHaveAttribute("data-verdict", "invalid");
  },
  mistakes: async (app) => {
    await app.page.getByTestId("sort-errors").click();
    await app.page.getByTestId("tab-mistakes").click();
    await app.page.getByTestId("mistake").first().click();
    await expect(app.page.getByTestId("mistake-file").first()).toBeVisible();
  },
  "one of several": async (app) => {
    await app.page.getByTestId("tab-files").click();
    await app.page.getByTestId("file").last().click();
    await app.expectVerdict("invalid");
    await expect(app.page.getByTestId("span")).toHaveCount(1);
  },
  comparison: async (app) => {
    const changed = WRONG_ROLE_ON_LINE_12.replace(/"content":"/, '"content":"Now ');
    await app.act("start-over");
    await app.choose({ name: "samples.jsonl", content: WRONG_ROLE_ON_LINE_12 });
    await app.expectVerdict("invalid");
    await app.choose({ name: "samples.jsonl", content: changed });
    // A narrow screen shows it with the details of the bar.
    if (!(await app.page.getByTestId("compare-previous").isVisible())) await app.showBarDetails();
    await app.page.getByTestId("compare-previous").click();
    await expect(app.page.getByTestId("difference")).toHaveCount(2);
  },
  changes: async (app) => {
    await app.act("start-over");
    await app.choose({ name: "samples.jsonl", content: WRONG_ROLE_ON_LINE_12.replace(/\n/, ",\n") });
    await app.act("apply-safe");
    await expect(app.page.getByTestId("fixes-applied")).toContainText("1 fix applied");
    await app.showTab("changes");
    await app.page.getByTestId("change").click();
    await expect(app.page.getByTestId("take-back")).toBeEnabled();
  },
  more: async (app) => {
    await app.showTab("schema");
    await app.page.getByTestId("more-open").click();
    await expect(app.page.getByTestId("more-schema")).toBeVisible();
  },
  question: async (app) => {
    await app.page.keyboard.press("Escape");
    await app.choose({ name: "other.jsonl", content: WRONG_ROLE_ON_LINE_12 });
    await expect(app.page.getByTestId("keep")).toBeVisible();
  },
};
