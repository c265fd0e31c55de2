// Comparing the file that is shown with another version of it: what is offered when, the list of records that differ, and what ends it.

import { expect, full, test, type App } from "./support/app.ts";
import { violations } from "./support/axe.ts";
import { PYTHON, record } from "./support/fixable.ts";
import { write } from "./support/files.ts";

const LONG = "the same words ".repeat(40);

/** Queries with ids, one on each line. */
function queries(count: number, change: (number: number) => string | undefined = () => undefined): string {
  const query = (number: number): string => {
    const text = change(number) ?? `${LONG}${number}?`;
    return text && JSON.stringify({ query_id: `q${number}`, query_text: text, expected_answers: ["x"] });
  };
  const all = Array.from({ length: count }, (_, number) => query(number)).filter((line) => line);
  return `{"queries": [\n${all.join(",\n")}\n]}\n`;
}

const OLD = queries(400);
const NEW = queries(402, (number) => ({ 3: "", 5: `${LONG}5, <b>really</b>?` })[number]);

const status = (app: App) => app.page.getByTestId("compare-status");
const rows = (app: App) => app.page.getByTestId("difference");

test.beforeEach(async ({ app }) => {
  await app.open();
});

async function openBoth(app: App): Promise<void> {
  await app.choose({ name: "queries.json", content: OLD });
  await app.expectVerdict("valid");
  await expect(app.page.getByTestId("compare-previous")).toHaveCount(0);
  await app.choose({ name: "queries.json", content: NEW });
  await app.expectVerdict("valid");
}

test("a second version of the same name is compared by the ids of its records", async ({ app, page }) => {
  await openBoth(app);
  await expect(page.getByTestId("tab-compared")).toHaveCount(0);
  await page.getByTestId("compare-previous").click();
  await expect(status(app)).toHaveText("2 added, 1 removed, 1 changed, 398 the same. Matched by query_id or id or doc_id.");
  await expect(page.getByTestId("tab-compared")).toContainText("4");
  await expect(page.getByText("Compared with queries.json as the older version")).toBeVisible();
  expect(page.url()).toContain("list=compared");

  await expect(rows(app)).toHaveCount(4);
  const [changed, added] = [rows(app).nth(0), rows(app).nth(1)];
  await expect(changed).toContainText("Changed");
  await expect(changed).toContainText("record 5, line 6 (record 6, line 7 in the other version)");
  await expect(changed).toContainText("q5");
  await expect(changed.locator(".changed-field .path")).toHaveText("query_text");
  // What a dataset contains is text.
  await expect(changed.locator("ins").first()).toContainText(",");
  await expect(changed.locator("b")).toHaveCount(0);
  await expect(changed).toContainText("<b>really</b>");
  await expect(added).toContainText("Added");
  await expect(rows(app).nth(3)).toContainText("Removed");
  await expect(rows(app).nth(3)).toContainText("record 4, line 5 in the other version");

  await added.click();
  await expect(page.getByTestId("sample")).toContainText("q400");
  await rows(app).nth(3).click();
  await expect(page.getByTestId("sample")).toHaveCount(0);
  await page.getByTestId("differences-removed").click();
  await expect(rows(app)).toHaveCount(1);
  await expect(rows(app)).toContainText("q3");
  await page.getByTestId("differences-all").click();
  await expect(rows(app)).toHaveCount(4);
  expect(await violations(page)).toEqual([]);

  await page.getByTestId("swap-versions").click();
  await expect(status(app)).toContainText("1 added, 2 removed, 1 changed");
  await expect(page.getByText("Compared with queries.json as the newer version")).toBeVisible();
  await page.keyboard.press("2");
  await app.showTab("compared");
  await page.getByTestId("end-comparison").click();
  await expect(page.getByTestId("tab-compared")).toHaveCount(0);
  await expect(page.getByTestId("record-list")).toBeVisible();
  await expect(page.getByTestId("compare-previous")).toBeVisible();
});

/** The answer of a model, with its score as it is written. */
const answer = (id: number, model: string, score: string, raw: string): string =>
  `{"schema_version":"0.2.0","evaluation_id":"run/${model}","model_id":"${model}","evaluation_name":"sums","sample_id":"q${id}",` +
  `"interaction_type":"single_turn","input":{"raw":"Why?","reference":"So."},"output":{"raw":${JSON.stringify(raw)}},` +
  `"answer_attribution":[{"turn_idx":0,"source":"output.raw","extracted_value":"1","extraction_method":"regex","is_terminal":true}],` +
  `"evaluation":{"score":${score},"is_correct":true}}\n`;

test("any file of the same format is compared, numbers and unlike texts are whole, and scores have their means", async ({ app, page }) => {
  const [whale, sum] = ["A whale is the largest of all animals.", "The sum of two and two is four."];
  await app.choose({ name: "monday.jsonl", content: answer(0, "org/a", "1.0", sum) + answer(1, "org/a", "0.25", whale) });
  await app.expectVerdict("valid");
  const link = page.getByTestId("compare-previous");
  await expect(link).toHaveCount(0);
  const tuesday = answer(0, "org/a", "0.5", sum) + answer(1, "org/a", "0.25", sum) + answer(2, "org/b", "1", sum);
  await app.choose({ name: "tuesday.jsonl", content: tuesday });
  await app.expectVerdict("valid");
  await expect(link).toHaveText("Compare with monday.jsonl");
  await link.click();
  await expect(page.getByText("Compared with monday.jsonl as the older version")).toBeVisible();
  await expect(rows(app).nth(0).locator(".changed-field")).toHaveText("evaluation.score 1.0 → 0.5");
  await expect(rows(app).nth(0).locator("del, ins")).toHaveCount(0);
  await expect(rows(app).nth(1).locator("del")).toHaveText(`"${whale}"`);
  await expect(rows(app).nth(1).locator("ins")).toHaveText(`"${sum}"`);
  await expect(rows(app).nth(1)).toContainText("(nothing in common)");
  const means = page.getByTestId("compared-means");
  await expect(means.getByRole("row").nth(0)).toHaveText("Scores by model_idmean beforemean after");
  await expect(means.getByRole("row", { name: "org/a" })).toHaveText("org/a0.625 of 20.375 of 2");
  await expect(means.getByRole("row", { name: "org/b" })).toHaveText("org/bnone1 of 1");
  expect(await violations(page)).toEqual([]);

  // A file of another format is not offered.
  await app.choose({ name: "queries.json", content: queries(2) });
  await app.expectVerdict("valid");
  await expect(link).toHaveCount(0);
});

test("a version is chosen, and a list of any length is scrolled", full(), async ({ app, page }) => {
  await app.choose({ name: "queries.json", content: OLD });
  await app.expectVerdict("valid");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), app.act("compare")]);
  const other = queries(2_000, (number) => (number < 400 ? `Other ${number}?` : undefined));
  await chooser.setFiles({ name: "other.json", mimeType: "text/plain", buffer: Buffer.from(other) });
  await expect(status(app)).toContainText(/(1,600 added, 0 removed|0 added, 1,600 removed), 400 changed, 0 the same/);
  const list = page.getByTestId("difference-list");
  await rows(app).first().click();
  await page.keyboard.press("End");
  await expect(list.locator('[aria-posinset="2000"]')).toContainText("q1999");
  await expect(list.locator('[aria-posinset="2000"]')).toContainText("in the other version");
});

test("fixes that were not downloaded are kept where the dropped file is compared", full(), async ({ app, page, folder }) => {
  await app.choose({ name: "samples.jsonl", content: `${PYTHON}\n${record("b")}\n` });
  await app.expectVerdict("invalid");
  await app.act("apply-safe");
  await expect(page.getByTestId("fixes-applied")).toContainText("1 fix applied");
  const path = await write(folder, "samples.jsonl", `${record("b")}\n${record("c")}\n`);
  await app.drop(path, { x: 300, y: 300 });
  await page.getByTestId("compare-dropped").click();
  await expect(page.getByTestId("question")).toBeHidden();
  // The record that was fixed, and the one that is only in the other version.
  await expect(status(app)).toHaveText("1 added, 1 removed, 0 changed, 1 the same. Matched by content.");
  await expect(page.getByTestId("fixes-applied")).toContainText("1 fix applied");
  await page.getByTestId("undo-fixes").click();
  await expect(page.getByTestId("tab-compared")).toHaveCount(0);
});

test("versions of different formats are not compared", full(), async ({ app, page }) => {
  await app.choose({ name: "data.json", content: OLD });
  await app.expectVerdict("valid");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), app.act("compare")]);
  await chooser.setFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Dear all,\n") });
  await expect(status(app)).toContainText("cannot be compared");
  await expect(rows(app)).toHaveCount(0);
  await page.getByTestId("end-comparison").click();
  await expect(page.getByTestId("tab-compared")).toHaveCount(0);
});

test("a restarted engine ends the comparison with a reason", full(), async ({ app, page }) => {
  await openBoth(app);
  await page.getByTestId("compare-previous").click();
  await expect(status(app)).toContainText("by query_id");
  await app.crashWorker();
  await expect(status(app)).toContainText("The checking engine was restarted");
  app.allowProblem();
});
