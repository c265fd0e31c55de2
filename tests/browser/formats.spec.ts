// Every format of the catalogue: detection, examples, and choosing another format. The formats are read from the list of
// examples on the page, so that new formats are tested automatically.

import { sized } from "../suite.mjs";
import { expect, full, test, type App } from "./support/app.ts";

/** The detected or chosen format. */
const detection = (app: App) => app.page.getByTestId("detection");

/** The formats that belong to no system. */
const PLAIN = ["jsonl", "json", "csv"];

/** The verdict on an example without mistakes. */
const good = (format: string): "readable" | "valid" => (PLAIN.includes(format) ? "readable" : "valid");

/** The format of a system that loads any data: it is never detected. */
const OF_ANY_DATA = "hf-datasets";

/** The names of all examples, for example `juryarena/minimal`. */
const examples = (app: App): Promise<string[]> =>
  app.page.getByTestId("example").evaluateAll((buttons) => buttons.map((button) => button.dataset.example ?? ""));

test("examples open, as their own formats", full(), async ({ app, page }) => {
  await app.open();
  const names = await examples(app);
  expect(names.length).toBeGreaterThan(20);
  for (const name of names.filter((_, n) => n % sized(3, 1) === 0)) {
    const [format, kind] = name.split("/") as [string, string];
    await test.step(name, async () => {
      await app.openExample(name);
      await app.expectVerdict(kind.startsWith("broken") ? "invalid" : good(format));
      await expect(detection(app)).toHaveAttribute("data-format", format);
      if (format !== OF_ANY_DATA) await expect(detection(app)).not.toHaveAttribute("data-confidence", "chosen");
      await app.act("start-over");
    });
  }
});

test("examples are detected without a file extension", full(), async ({ app, page }) => {
  await app.open();
  // Reads the files that the page creates from examples on their way to the worker.
  await page.evaluate(() => {
    const seen: { text: string }[] = [];
    // A file is sent again for its statistics.
    const sent = new WeakSet<File>();
    (globalThis as unknown as { seen: typeof seen }).seen = seen;
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (this: Worker, ...args: unknown[]) {
      const { file } = args[0] as { file?: File };
      if (file && !sent.has(file)) void file.text().then((text) => seen.push({ text }));
      if (file) sent.add(file);
      return (post as (...args: unknown[]) => void).apply(this, args);
    } as typeof post;
  });
  // Without its extension, a table of no system may be prose.
  for (const name of (await examples(app)).filter((name) => name.includes("/full") && !name.startsWith("csv/"))) {
    await test.step(name, async () => {
      await app.openExample(name);
      await app.expectVerdict(good(name.split("/")[0] ?? ""));
      await page.waitForFunction(() => (globalThis as unknown as { seen: unknown[] }).seen.length === 1);
      const content = await page.evaluate(() => (globalThis as unknown as { seen: { text: string }[] }).seen.pop()?.text);
      // Archives are detected by their first bytes.
      if (content && !content.startsWith("PK")) {
        await app.choose({ name: "dataset", content });
        // A system may require a certain file name, but the format is still detected.
        await expect(app.verdict.locator(".file-name")).toHaveText("dataset");
        await expect(detection(app)).toHaveAttribute("data-format", name.split("/")[0] ?? "");
        await page.evaluate(() => void (globalThis as unknown as { seen: unknown[] }).seen.splice(0));
      }
      await app.act("start-over");
    });
  }
});

test("choosing another format checks the file again", async ({ app, page }) => {
  await app.open();
  const select = page.getByTestId("format-select");
  const own = "juryarena";
  const values = await select.locator("option").evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
  expect(values[0]).toBe("");
  await app.openExample(`${own}/full`);
  await app.expectVerdict("valid");
  // The same, another one, a version of one, and an option of one.
  const another = values.find((value) => value && value !== own);
  const chosen = [own, another, values.find((value) => / \d/.test(value)), values.find((value) => value.includes(" +"))];
  for (const value of chosen as string[]) {
    const [id, more = ""] = value.split(" ") as [string, string?];
    const wanted = more.startsWith("+") ? { options: [more.slice(1)] } : more ? { version: more } : {};
    await test.step(value, async () => {
      await select.selectOption(value);
      await expect(detection(app)).toHaveAttribute("data-format", id);
      await expect(detection(app)).toHaveAttribute("data-confidence", "chosen");
      await app.expectVerdict(id === own ? "valid" : "invalid");
      const { report } = await app.downloadedReport();
      const format = (report as unknown as { format: { id: string; detected: boolean } }).format;
      expect(format).toMatchObject({ id, detected: false, ...wanted });
      await expect(select).toHaveValue(value);
    });
  }
  await select.selectOption("");
  await app.expectVerdict("valid");
  await expect(detection(app)).toHaveAttribute("data-format", own);
  await expect(detection(app)).toHaveAttribute("data-confidence", "certain");
});

test("a file of no known format shows what each format expects", full(), async ({ app, page }) => {
  await app.open();
  const formats = new Set((await examples(app)).map((name) => name.split("/")[0] ?? ""));
  for (const plain of [...PLAIN, OF_ANY_DATA]) formats.delete(plain);
  await app.choose({ name: "notes.txt", content: "Dear all,\nthis is a letter.\n" });
  await app.expectVerdict("invalid");
  await expect(app.verdict.getByRole("heading")).toContainText("Not a format we know");
  const { report } = await app.downloadedReport();
  expect(report.findings.map(({ code }) => code)).toContain("format/not-recognised");

  const expected = page.getByTestId("expected-formats").locator("li");
  await expect(expected).toHaveCount(formats.size);
  await expect(expected.first().getByTestId("format-example").or(expected.first().locator("summary"))).not.toHaveCount(0);
  for (const item of await expected.all()) await expect(item.locator("p")).not.toBeEmpty();

  const last = expected.last();
  const id = await last.getAttribute("data-format");
  await last.getByTestId("check-as").click();
  await expect(detection(app)).toHaveAttribute("data-format", id ?? "");
  // A document of a JSON format is not read on behind its first words.
  await expect(app.verdict).toHaveAttribute("data-verdict", /^(invalid|not-checked)$/);
  await expect(page.getByTestId("expected-formats")).toHaveCount(0);
  await expect(page.getByTestId("format-select")).toHaveValue(id ?? "");
});

test("the detected format is shown with a reason and a description", full(), async ({ app, page }) => {
  await app.open();
  await app.openExample("juryarena/minimal");
  await app.expectVerdict("valid");
  await expect(detection(app)).toContainText("certain");
  await expect(detection(app)).toContainText("line 1 has");
  const help = page.getByTestId("format-help");
  await app.showBarDetails();
  await expect(help.locator("summary")).toBeVisible();
  await expect(help.getByTestId("format-example")).toBeHidden();
  await help.locator("summary").click();
  await expect(help.getByTestId("format-example")).toContainText('"messages"');
});
