// The start screen of index.html, before the page's own code runs.

import { expect, full, test, type App } from "./support/app.ts";
import { sample, write, WRONG_ROLE_ON_LINE_12 } from "./support/files.ts";

/** Opens the page without its own code, which runs once the returned function is called. */
async function openStatic(app: App, address = "./"): Promise<() => void> {
  const release = await app.hold("**/page-*.wasm");
  await app.goto(address);
  await expect(app.page.getByTestId("choose-file")).toBeVisible();
  return release;
}

/** The rendered markup, with attributes in order and without white space between elements. */
function markup(app: App): Promise<string> {
  return app.page.locator("#app").evaluate((root) => {
    const write = (node: Node): string => {
      if (node instanceof Text) return node.data.trim();
      if (!(node instanceof Element)) return "";
      const attributes = [...node.attributes].map(({ name, value }) => ` ${name}="${value}"`).sort();
      return `<${node.localName}${attributes.join("")}>${[...node.childNodes].map(write).join("")}</${node.localName}>\n`;
    };
    return write(root);
  });
}

for (const [what, address, theme] of [
  ["the page", "./", null],
  ["the light page", "./", "light"],
  ["the dark page", "./", "dark"],
  ["an embed", "./#embed", null],
  ["a compact dark embed", "./#embed&compact&theme=dark", null],
] as const) {
  test(`the start screen of ${what} is painted first, and the page's code renders the same`, full(what !== "the page"), async ({ app, page }) => {
    if (theme) await page.addInitScript((theme) => localStorage.setItem("evalcheck-theme", theme), theme);
    const releaseEngine = await app.delayEngine();
    const release = await openStatic(app, address);
    await expect
      .poll(() => page.evaluate(() => performance.getEntriesByName("first-contentful-paint").length))
      .toBe(1);
    const before = await markup(app);
    // The observer is in place before the page's code may run.
    const replaced = await page.locator("#app > header").evaluateHandle((header) => ({
      promise: new Promise<void>((resolve) => {
        new MutationObserver(() => header.isConnected || resolve()).observe(header.parentNode!, { childList: true });
      }),
    }));
    release();
    await replaced.evaluate(({ promise }) => promise);
    expect(await markup(app)).toBe(before);
    releaseEngine();
    await expect(page.getByTestId("format-select").locator("option")).not.toHaveCount(1);
  });
}

test("one button opens the example that shows most, and the others are behind it", full(), async ({ app, page }) => {
  await app.open();
  await expect(app.example("juryarena/minimal")).toBeHidden();
  await page.getByTestId("best-example").click();
  await app.expectVerdict("invalid");
  await expect(app.verdict).toContainText("broken.jsonl");
});

test("a file dropped before the page's code runs is checked", async ({ app, folder }) => {
  const path = await write(folder, "early.jsonl", WRONG_ROLE_ON_LINE_12);
  const release = await openStatic(app);
  await app.drop(path, { x: 300, y: 300 });
  await expect(app.page.locator(".drop-words")).toHaveText(/^early\.jsonl, 912 bytes\. Loading the checker, \d+%$/);
  release();
  await app.expectVerdict("invalid");
  await expect(app.verdict).toContainText("early.jsonl");
});

test("a file that waits for the engine is named with its size", async ({ app, folder }) => {
  const path = await write(folder, "early.jsonl", WRONG_ROLE_ON_LINE_12);
  const release = await app.hold("**/engine.wasm");
  await app.goto();
  await app.choose(path);
  const progress = app.page.getByTestId("progress");
  await expect(progress).toContainText("Loading the checker for early.jsonl");
  await expect(progress).toContainText(/\d+%\s*912 bytes/);
  release();
  await app.expectVerdict("invalid");
});

test("a file chosen before the page's code runs is checked", full(), async ({ app, page, folder }) => {
  const path = await write(folder, "early.jsonl", sample("Hi"));
  const release = await openStatic(app);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByTestId("choose-file").click()]);
  await chooser.setFiles(path);
  release();
  await app.expectVerdict("valid");
  await expect(app.verdict).toContainText("early.jsonl");
});

test("a file chosen in a picker that was opened before the page's code ran is checked", full(), async ({ app, page, folder }) => {
  const path = await write(folder, "late.jsonl", sample("Hi"));
  const release = await openStatic(app);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByTestId("choose-file").click()]);
  release();
  await expect(app.example("juryarena/minimal")).toBeAttached();
  await chooser.setFiles(path);
  await app.expectVerdict("valid");
  await expect(app.verdict).toContainText("late.jsonl");
});

test("a click before the page's code runs is answered after it", full(), async ({ app, page }) => {
  const release = await openStatic(app);
  await page.getByTestId("paste-open").click();
  release();
  await expect(page.getByRole("textbox")).toBeVisible();
});

test("the focus stays when the page's code renders the start screen", full(), async ({ app, page }) => {
  const release = await openStatic(app);
  await page.getByTestId("choose-folder").focus();
  release();
  await expect(app.example("juryarena/minimal")).toBeAttached();
  await expect(page.getByTestId("choose-folder")).toBeFocused();
});

test("an example has an address, which opens it with its findings", async ({ app, page }) => {
  await app.goto("./#example=juryarena/broken&filter=severity:error");
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("filter-field")).toHaveValue("severity:error");
  await app.act("start-over");
  await app.showExamples();
  await expect(app.example("evret/minimal")).toHaveAttribute("href", "#example=evret/minimal");
  await app.example("evret/minimal").click();
  await app.expectVerdict("valid");
  await expect.poll(() => page.url()).toContain("example=evret%2Fminimal");
  app.expectReload();
  await page.reload();
  await app.expectVerdict("valid");
  await expect(app.verdict).toContainText("Evret");
  // Another file is no example.
  await app.choose({ name: "a.jsonl", content: "{}" });
  await app.expectVerdict("readable");
  await expect.poll(() => page.url()).not.toContain("example=");
});

test("an address of an example that does not exist says so", full(), async ({ app, page }) => {
  await app.open("./#example=juryarena/other");
  await expect(page.getByRole("alert")).toContainText('There is no example "juryarena/other".');
});
