// A JSON Schema of the user's own: given in every way, held against one file and several, fixed, and removed.

import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, full, test, type App } from "./support/app.ts";
import { violations } from "./support/axe.ts";
import { sample, write } from "./support/files.ts";

const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  required: ["question", "answer", "level"],
  properties: {
    question: { type: "string" },
    answer: { type: "string" },
    level: { enum: ["easy", "hard"] },
    date: { type: "string", format: "date" },
  },
  additionalProperties: false,
};
const SCHEMA_FILE = { name: "faq.schema.json", content: JSON.stringify(SCHEMA, null, 2) };
const record = (more: object = {}) => JSON.stringify({ question: "What?", answer: "That.", level: "easy", ...more });
const GOOD = { name: "faq.jsonl", content: `${record()}\n`.repeat(3) };
/** The last record has a level that differs in its case from an allowed one. */
const BAD = { name: "faq.jsonl", content: `${record()}\n${record()}\n${record({ level: "Easy" })}\n` };

type Given = { name: string; content: string };

const chosen = (app: App) => app.page.getByTestId("user-schema");
const waiting = (app: App) => app.page.getByTestId("waiting-schema");
const title = (app: App) => app.page.locator("#bar-title");

/** Chooses several files at once. */
async function chooseAll(app: App, ...files: Given[]): Promise<void> {
  const payloads = files.map(({ name, content }) => ({ name, mimeType: "application/json", buffer: Buffer.from(content) }));
  await app.input.setInputFiles(payloads);
}

test.beforeEach(async ({ app }) => {
  await app.open();
  app.allowLoadingLater("schema.wasm");
});

test("a schema that is given with a dataset is held against it", async ({ app }) => {
  await chooseAll(app, SCHEMA_FILE, GOOD);
  await app.expectVerdict("valid");
  await expect(title(app)).toHaveText("Valid: 3 records follow faq.schema.json");
  await app.showBarDetails();
  await expect(chosen(app)).toContainText("Schema of your own: faq.schema.json");
});

test("a schema waits on the start screen, is removed there, and stays from file to file", async ({ app, page }) => {
  await app.choose(SCHEMA_FILE);
  await expect(waiting(app)).toContainText("faq.schema.json: drop the dataset that should follow it.");
  await page.getByTestId("remove-schema").click();
  await expect(waiting(app)).toHaveCount(0);
  await app.choose(SCHEMA_FILE);
  await app.choose(BAD);
  await app.expectVerdict("invalid");
  await expect(title(app)).toHaveText("Not valid: 1 of 3 records does not follow faq.schema.json");
  await app.choose(GOOD);
  await app.expectVerdict("valid");
});

test("a schema that is dropped on a dataset checks it again, and the dataset without it when it is removed", async ({ app, page, folder }) => {
  await app.choose(BAD);
  await app.expectVerdict("readable");
  await app.drop(await write(folder, SCHEMA_FILE.name, SCHEMA_FILE.content), { x: 300, y: 300 });
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("finding-detail")).toContainText(/level\s*is not one of the allowed values/);
  // Its place in the schema is shown, and leads nowhere in the dataset.
  await expect(page.getByTestId("related")).toContainText(/faq\.schema\.json:\d+:\d+: listed here/);
  await expect(page.getByTestId("related").locator("button")).toHaveCount(0);
  await app.act("drop-schema");
  await app.expectVerdict("readable");
});

test("a schema is chosen in the details, where strings are held against formats too", async ({ app, page }) => {
  await app.choose({ name: "faq.jsonl", content: `${record({ date: "yesterday" })}\n` });
  await app.expectVerdict("readable");
  await app.showBarDetails();
  const picking = page.waitForEvent("filechooser");
  await page.getByTestId("choose-schema").click();
  await (await picking).setFiles({ name: "any.txt", mimeType: "text/plain", buffer: Buffer.from(SCHEMA_FILE.content) });
  await app.expectVerdict("valid");
  await page.getByTestId("schema-formats").check();
  await app.expectVerdict("invalid");
  // As after the choice of another format.
  await expect(title(app)).toBeFocused();
  await expect(page.getByTestId("schema-formats")).toBeChecked();
  await page.getByTestId("schema-formats").uncheck();
  await app.expectVerdict("valid");
});

test("a value is fixed to the one that the schema lists", async ({ app, page }) => {
  await chooseAll(app, SCHEMA_FILE, BAD);
  await app.expectVerdict("invalid");
  await page.getByTestId("apply-fix").click();
  await app.expectVerdict("valid");
  await expect(title(app)).toHaveText("Valid: 3 records follow faq.schema.json");
  const downloading = page.waitForEvent("download");
  await app.act("download-fixed");
  expect(await readFile(await (await downloading).path(), "utf8")).toBe(GOOD.content);
  await page.getByTestId("undo-fixes").click();
  await app.expectVerdict("invalid");
});

test("a schema that cannot be used says where and why", async ({ app, page }) => {
  await chooseAll(app, { ...SCHEMA_FILE, content: SCHEMA_FILE.content.replace('"enum"', '"$ref": "#/$defs/no", "enum"') }, GOOD);
  await app.expectVerdict("not-checked");
  await expect(title(app)).toHaveText("Not checked: the schema cannot be used");
  await expect(page.locator(".bar-reason")).toContainText(/^faq\.schema\.json at line 17, .*#\/\$defs\/no/);
  await page.getByTestId("check-without-schema").click();
  await app.expectVerdict("readable");
});

test("a schema of another dataset checks nothing", async ({ app }) => {
  await chooseAll(app, SCHEMA_FILE, { name: "other.jsonl", content: '{"prompt": "a", "response": "b"}\n'.repeat(5) });
  await app.expectVerdict("not-checked");
  await expect(title(app)).toHaveText("Not checked: the schema describes another dataset");
});

test("a system and the schema are told apart", async ({ app }) => {
  const schema = { type: "object", properties: { input: { type: "object" }, usage_output: { type: "null" } }, required: ["usage_output"] };
  const own = { name: "own.schema.json", content: JSON.stringify(schema) };
  await chooseAll(app, own, { name: "samples.jsonl", content: `${sample("Hi")}\n` });
  await app.expectVerdict("valid");
  await expect(title(app)).toHaveText("Valid: JuryArena will load it, and it follows own.schema.json");
  const narrower = JSON.stringify({ ...schema, properties: { ...schema.properties, usage_output: { type: "string" } } });
  await chooseAll(app, { ...own, content: narrower }, { name: "samples.jsonl", content: `${sample("Hi")}\n`.repeat(2) });
  await app.expectVerdict("invalid");
  await expect(title(app)).toHaveText("Not valid: JuryArena will load it, but 2 of 2 records do not follow own.schema.json");
});

test("files of a schema refer to each other, whatever their order", full(), async ({ app }) => {
  const level = { name: "a-level.schema.json", content: JSON.stringify({ enum: ["easy", "hard"] }) };
  const properties = { ...SCHEMA.properties, level: { $ref: level.name } };
  const main = { name: "faq.schema.json", content: JSON.stringify({ ...SCHEMA, properties }) };
  await chooseAll(app, level, main, BAD);
  await app.expectVerdict("invalid");
  await app.showBarDetails();
  await expect(chosen(app)).toContainText("faq.schema.json and 1 further file");
});

test("several files are checked with a schema, and again without it", async ({ app, page }) => {
  const overview = page.getByTestId("overview");
  await chooseAll(app, SCHEMA_FILE, { ...GOOD, name: "a.jsonl" }, { ...BAD, name: "b.jsonl" }, { ...GOOD, name: "c.jsonl" });
  await expect(overview).toHaveAttribute("data-verdict", "invalid");
  const counted = (name: string) => page.getByTestId("totals").locator(`[data-count=${name}] dd`);
  await expect(counted("files")).toHaveText("3");
  await expect(counted("valid")).toHaveText("2");
  await page.getByTestId("file").filter({ hasText: "b.jsonl" }).click();
  await app.expectVerdict("invalid");
  await app.act("drop-schema");
  await app.expectVerdict("readable");
  await page.getByTestId("overview-back").click();
  await expect(overview).toHaveAttribute("data-verdict", "readable");
});

test("a schema in a folder is a file like any other", full(), async ({ app, page, folder }) => {
  await mkdir(join(folder, "set"));
  await write(folder, "set/faq.schema.json", SCHEMA_FILE.content);
  await write(folder, "set/faq.jsonl", BAD.content);
  await app.drop(join(folder, "set"), { x: 200, y: 200 });
  await expect(page.getByTestId("totals").locator("[data-count=files] dd")).toHaveText("2");
});

test("a schema is made of a dataset, downloaded, and held against it", async ({ app, page }) => {
  await app.choose(BAD);
  await app.expectVerdict("readable");
  await app.act("make-schema");
  await expect(page.getByTestId("made-schema")).toContainText("faq.schema.json");
  const downloading = page.waitForEvent("download");
  await page.getByTestId("download-schema").click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("faq.schema.json");
  const made = JSON.parse(await readFile(await download.path(), "utf8")) as { required: string[] };
  expect(made.required.toSorted()).toEqual(["answer", "level", "question"]);
  await page.getByTestId("use-schema").click();
  await app.expectVerdict("valid");
  await expect(title(app)).toHaveText("Valid: 3 records follow faq.schema.json");
  await app.choose({ name: "next.jsonl", content: `${record({ answer: 1 })}\n${record()}\n` });
  await app.expectVerdict("invalid");
});

test("what is said about a schema has no accessibility problems, and a phone shows all of it", async ({ app, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const expectGood = async () => {
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  };
  await app.choose({ ...SCHEMA_FILE, name: `${"a-long-name-".repeat(12)}.schema.json` });
  await expect(waiting(app)).toBeVisible();
  await expectGood();
  await app.choose(BAD);
  await app.expectVerdict("invalid");
  await app.showBarDetails();
  await expect(chosen(app)).toBeVisible();
  await expectGood();
  await app.act("make-schema");
  await expect(page.getByTestId("made-schema")).toBeVisible();
  await expectGood();
});
