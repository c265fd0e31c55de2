// Every format of the catalogue: recognised by its content, offered with examples, changed by hand. The page's own list
// of examples says which formats there are, so that a new one is tested as soon as it is in the catalogue.

import { expect, test, type App } from "./support/app.ts";

/** What the page shows of the format that it has chosen. */
const recognition = (app: App) => app.page.getByTestId("detection");

/** The names of all examples, `juryarena/minimal`. */
const examples = (app: App): Promise<string[]> =>
  app.page.getByTestId("example").evaluateAll((buttons) => buttons.map((button) => button.dataset.example ?? ""));

/** The file of the check that is shown, as the page would hand it over to be checked again. */
async function reported(app: App): Promise<{ name: string; format: string; detected: boolean; errors: number }> {
  const { report } = await app.downloadedReport();
  const { file, format } = report as unknown as {
    file: { name: string };
    format: { id: string; detected: boolean };
  };
  return { name: file.name, format: format.id, detected: format.detected, errors: report.counts.errors ?? 0 };
}

test("every example of every format is recognised by its content and comes out as it says", async ({ app, page }) => {
  test.setTimeout(180_000);
  await app.open();
  const names = await examples(app);
  const formats = new Set(names.map((name) => name.split("/")[0]));
  for (const format of formats) {
    const kinds = names.filter((name) => name.startsWith(`${format}/`)).map((name) => name.split("/")[1] ?? "");
    for (const kind of ["minimal", "full", "broken"]) {
      expect.soft(kinds.some((name) => name.startsWith(kind)), `${format} has a ${kind} example`).toBe(true);
    }
  }
  for (const name of names) {
    const [format, kind] = name.split("/") as [string, string];
    await test.step(name, async () => {
      await app.example(name).click();
      await app.expectVerdict(kind.startsWith("broken") ? "invalid" : "valid");
      await expect(recognition(app)).toHaveAttribute("data-format", format);
      await expect(recognition(app)).not.toHaveAttribute("data-confidence", "chosen");
      const report = await reported(app);
      expect(report).toMatchObject({ format, detected: true });
      if (kind.startsWith("broken")) {
        expect(report.errors).toBeGreaterThan(0);
        await expect(app.findings.first()).toBeVisible();
      } else {
        expect(report.errors).toBe(0);
      }
      await page.getByTestId("start-over").click();
    });
  }
});

test("a full example under a name without an extension is recognised all the same", async ({ app, page }) => {
  test.setTimeout(120_000);
  await app.open();
  // What the page makes of an example is looked into on its way to the worker.
  await page.evaluate(() => {
    const seen: { text: string }[] = [];
    (globalThis as unknown as { seen: typeof seen }).seen = seen;
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (this: Worker, ...args: unknown[]) {
      const { file } = args[0] as { file?: File };
      if (file) void file.text().then((text) => seen.push({ text }));
      return (post as (...args: unknown[]) => void).apply(this, args);
    } as typeof post;
  });
  for (const name of (await examples(app)).filter((name) => name.includes("/full"))) {
    await test.step(name, async () => {
      await app.example(name).click();
      await app.expectVerdict("valid");
      await page.waitForFunction(() => (globalThis as unknown as { seen: unknown[] }).seen.length === 1);
      const content = await page.evaluate(() => (globalThis as unknown as { seen: { text: string }[] }).seen.pop()?.text);
      // An archive is no text, and is known by its first bytes anyway.
      if (content && !content.startsWith("PK")) {
        await app.choose({ name: "dataset", content });
        // A system may want a certain name; what it is in is told all the same.
        await expect(app.verdict.locator(".file-name")).toHaveText("dataset");
        await expect(recognition(app)).toHaveAttribute("data-format", name.split("/")[0] ?? "");
        await page.evaluate(() => void (globalThis as unknown as { seen: unknown[] }).seen.splice(0));
      }
      await page.getByTestId("start-over").click();
    });
  }
});

test("another format chosen by hand checks again at once, and back", async ({ app, page }) => {
  test.setTimeout(120_000);
  await app.open();
  const select = page.getByTestId("format-select");
  const own = "juryarena";
  const values = await select.locator("option").evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
  expect(values[0]).toBe("");
  await app.example(`${own}/full`).click();
  await app.expectVerdict("valid");
  for (const value of values.slice(1)) {
    const [id, version] = value.split(" ") as [string, string?];
    await test.step(value, async () => {
      await select.selectOption(value);
      await expect(recognition(app)).toHaveAttribute("data-format", id);
      await expect(recognition(app)).toHaveAttribute("data-confidence", "chosen");
      await app.expectVerdict(id === own ? "valid" : "invalid");
      const { report } = await app.downloadedReport();
      const format = (report as unknown as { format: { id: string; version: string; detected: boolean } }).format;
      expect(format).toMatchObject({ id, detected: false, ...(version ? { version } : {}) });
      await expect(select).toHaveValue(value);
    });
  }
  await select.selectOption("");
  await app.expectVerdict("valid");
  await expect(recognition(app)).toHaveAttribute("data-format", own);
  await expect(recognition(app)).toHaveAttribute("data-confidence", "certain");
});

test("where nothing fits, every format says what it would have wanted, and can be taken", async ({ app, page }) => {
  await app.open();
  const formats = new Set((await examples(app)).map((name) => name.split("/")[0]));
  await app.choose({ name: "notes.txt", content: "Dear all,\nthis is a letter.\n" });
  await app.expectVerdict("invalid");
  await expect(app.verdict.getByRole("heading")).toContainText("no known format");
  const { report } = await app.downloadedReport();
  expect(report.findings.map(({ code }) => code)).toContain("format/not-recognised");

  const wanted = page.getByTestId("expected-formats").locator("li");
  await expect(wanted).toHaveCount(formats.size);
  await expect(wanted.first().getByTestId("format-example").or(wanted.first().locator("summary"))).not.toHaveCount(0);
  for (const item of await wanted.all()) await expect(item.locator("p")).not.toBeEmpty();

  const last = wanted.last();
  const id = await last.getAttribute("data-format");
  await last.getByTestId("check-as").click();
  await expect(recognition(app)).toHaveAttribute("data-format", id ?? "");
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("expected-formats")).toHaveCount(0);
  await expect(page.getByTestId("format-select")).toHaveValue(id ?? "");
});

test("what is recognised is said with its reason, and what there is to know of it", async ({ app, page }) => {
  await app.open();
  await app.example("juryarena/minimal").click();
  await app.expectVerdict("valid");
  await expect(recognition(app)).toContainText("certain");
  await expect(recognition(app)).toContainText("line 1 has");
  const help = page.getByTestId("format-help");
  await expect(help.getByTestId("format-example")).toBeHidden();
  await help.locator("summary").click();
  await expect(help.getByTestId("format-example")).toContainText('"messages"');
});
