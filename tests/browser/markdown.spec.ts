// Texts of records that are rendered as Markdown: what is drawn, and what must not come of it.

import type { Page } from "@playwright/test";

import { expect, full, test, type App } from "./support/app.ts";
import { violations } from "./support/axe.ts";
import { pack, PNG } from "./support/files.ts";

const ELSEWHERE = "http://192.0.2.1";

const TEXT = `# Results

The *first* run was **better**, see [the table](${ELSEWHERE}/table "All runs") and ![a chart](${ELSEWHERE}/chart.png).

| Model | Score |
|:------|------:|
| a     | 0.5   |
| b     | ~~1~~ |

\`\`\`python
print("<b>**not bold**</b>")
\`\`\`

- [x] checked
- [ ] open

<script>self.pwned = 1</script>

It follows that \\(a_1 * b_1\\) and $$x^2$$.`;

const record = (...messages: { role: string; content: unknown }[]): string =>
  JSON.stringify({ input: { messages }, usage_output: null });

const user = (content: unknown) => ({ role: "user", content });

const rendered = (page: Page) => page.getByTestId("rendered");
const turns = (page: Page) => page.getByTestId("turn");

test.beforeEach(async ({ app }) => {
  app.allowLoadingLater("markdown.wasm");
  await app.open();
});

/** Opens a dataset of this record, and shows it as a conversation. */
async function show(app: App, content: string, verdict: "valid" | "invalid" = "valid"): Promise<void> {
  await app.choose({ name: "data.jsonl", content });
  await app.expectVerdict(verdict);
  await showFirst(app);
}

async function showFirst(app: App): Promise<void> {
  await app.showLines();
  await app.line(1).click();
  await app.showSample();
}

test("a text is rendered and shown as it is written", async ({ app, context, page }) => {
  let loaded = 0;
  // The worker makes the request.
  context.on("request", (request) => (loaded += Number(request.url().endsWith("/markdown.wasm"))));
  await show(app, record(user(TEXT), { role: "assistant", content: "Only text, 2 * 3 * 4." }));
  await page.getByTestId("unfold").click();
  await expect(rendered(page)).toHaveAttribute("aria-pressed", "false");
  await expect(turns(page).first()).toContainText("**better**");
  expect(loaded).toBe(0);

  await rendered(page).click();
  await expect(rendered(page)).toHaveAttribute("aria-pressed", "true");
  const first = turns(page).first();
  await expect(first.locator("h3")).toHaveText("Results");
  await expect(first.locator("strong")).toHaveText("better");
  await expect(first.locator("em")).toHaveText("first");
  await expect(first.locator("table th")).toHaveText(["Model", "Score"]);
  await expect(first.locator("table td")).toHaveText(["a", "0.5", "b", "1"]);
  await expect(first.locator("del")).toHaveText("1");
  await expect(first.locator(".language")).toHaveText("python");
  await expect(first.locator("pre")).toHaveText('print("<b>**not bold**</b>")');
  await expect(first.locator("li")).toHaveText(["☑ checked", "☐ open"]);
  await expect(first.locator(".math")).toHaveText(["\\(a_1 * b_1\\)", "$$x^2$$"]);
  // Addresses and HTML are text.
  await expect(first.locator(".address")).toHaveText([`${ELSEWHERE}/table "All runs"`, `${ELSEWHERE}/chart.png`]);
  await expect(first).toContainText("<script>self.pwned = 1</script>");
  await expect(first.locator("a, img, script, iframe")).toHaveCount(0);
  await expect(turns(page).nth(1).getByTestId("markdown")).toHaveCount(0);
  await expect(turns(page).nth(1)).toContainText("2 * 3 * 4");

  await rendered(page).click();
  await expect(turns(page).first()).toContainText("**better**");
  await page.keyboard.press("m");
  await expect(turns(page).first().locator("strong")).toHaveText("better");
  expect(loaded).toBe(1);
});

test("the switch is remembered, and is only where something can be rendered", full(), async ({ app, page }) => {
  await show(app, [record(user("**bold**")), record(user("plain")), record(user("`code`"))].join("\n"));
  await rendered(page).click();
  await expect(page.getByTestId("markdown").locator("strong")).toHaveText("bold");
  await app.line(2).click();
  await expect(turns(page)).toContainText("plain");
  await expect(rendered(page)).toHaveCount(0);
  await app.line(3).click();
  await expect(page.getByTestId("markdown").locator("code")).toHaveText("code");

  app.expectReload();
  await page.reload();
  await app.ready();
  await show(app, record(user("_ **again** _")));
  await expect(page.getByTestId("markdown").locator("strong")).toHaveText("again");
});

test("a long text is folded, and unfolds", full(), async ({ app, page }) => {
  const items = Array.from({ length: 40 }, (_, n) => `- **item ${n + 1}**`).join("\n");
  await show(app, record(user(items)));
  await rendered(page).click();
  const shown = page.getByTestId("markdown").locator("strong");
  await expect(shown).toHaveCount(12);
  await page.getByRole("button", { name: "Show all" }).press("Enter");
  await expect(shown).toHaveCount(40);
  await expect(page.getByRole("button", { name: "Show less" })).toBeFocused();
});

test("what is marked in a text is marked when it is rendered", full(), async ({ app, page }) => {
  await show(app, record(user("**a** [b](c)"), { role: "tool", content: [{ type: "text", text: "**x** \u0000 y" }] }), "invalid");
  await rendered(page).click();
  await expect(page.getByTestId("markdown")).toHaveCount(2);
  const second = turns(page).nth(1);
  await expect(second.locator("strong")).toHaveText("x");
  await expect(second.getByTestId("markdown").getByTestId("turn-token")).toHaveText("⟨U+0000⟩");
  await expect(second.getByTestId("turn-finding").first()).toBeVisible();

  await page.getByTestId("tab-records").click();
  await page.getByTestId("filter-field").fill("x");
  await page.keyboard.press("Enter");
  await expect(second.locator("strong").getByTestId("found-mark")).toHaveText("x");
  await expect(second.getByTestId("turn-token")).toHaveText("⟨U+0000⟩");
});

test("an image of the archive is shown, and no other", async ({ app, page, folder }) => {
  const text = "![inside](attachments/a.png) ![outside](attachments/b.png)";
  const parts = [{ type: "text", text }, { type: "file_ref", path: "attachments/a.png" }];
  const { path } = await pack(folder, "data.zip", { "samples.jsonl": record(user(parts)), "attachments/a.png": PNG });
  await app.choose(path);
  await app.expectVerdict("valid");
  await showFirst(app);
  await rendered(page).click();
  const image = page.getByTestId("markdown").locator("img");
  await expect(image).toHaveCount(1);
  await expect(image).toHaveAttribute("alt", "inside");
  await expect(image).toHaveAttribute("src", /^blob:/);
  await expect(page.getByTestId("markdown").locator(".address")).toHaveText("attachments/b.png");
});

test("texts that are made to take long are drawn in part", async ({ app, page }) => {
  const many = "**a** `b` [c](d)\n\n".repeat(3_500);
  await show(app, record(user(many)));
  await rendered(page).click();
  await page.getByTestId("unfold").click();
  await expect(page.getByTestId("markdown")).toContainText("The rest is not rendered");
  await show(app, record(user(`${"> ".repeat(10_000)}deep **end**`)));
  await page.getByTestId("unfold").click();
  await expect(page.getByTestId("markdown")).toContainText("deep");
});

test("a module that cannot be loaded is said, and loaded the next time", async ({ app, context, page }) => {
  app.allowProblem();
  await context.route("**/markdown.wasm", (route) => route.fulfill({ status: 500 }));
  await show(app, record(user("**bold**")));
  await rendered(page).click();
  await expect(page.getByTestId("rendering-failed")).toContainText("The module for Markdown could not be loaded");
  await expect(turns(page)).toContainText("**bold**");
  await context.unroute("**/markdown.wasm");
  await rendered(page).click();
  await rendered(page).click();
  await expect(page.getByTestId("markdown").locator("strong")).toHaveText("bold");
});

for (const [width, colorScheme] of [[1440, "light"], [1440, "dark"], [390, "light"], [390, "dark"]] as const) {
  test(`axe finds nothing and nothing overflows, ${colorScheme}, ${width} px`, full(width !== 390 || colorScheme !== "dark"), async ({ app, page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const wide = `\n\n\`\`\`js\n${"x".repeat(2_000)}\n\`\`\`\n\n|${" cell of a table |".repeat(30)}\n|${"-|".repeat(30)}\n|${" 1 |".repeat(30)}`;
    await show(app, record(user(TEXT + wide), user("> **مرحبا** بالعالم\n\n1. שלום\n2. עולם")));
    await rendered(page).click();
    await page.getByTestId("unfold").click();
    await page.setViewportSize({ width, height: 900 });
    const boxes = page.getByTestId("markdown").locator(".scroll-box");
    await expect(boxes).toHaveCount(4);
    await boxes.last().focus();
    await expect(boxes.last()).toBeFocused();
    const overflow = (selector: string) =>
      page.locator(selector).evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(await overflow("html")).toBe(0);
    expect(await overflow(".detail-body")).toBe(0);
    expect(await violations(page)).toEqual([]);
  });
}
