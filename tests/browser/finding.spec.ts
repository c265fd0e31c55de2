// What a finding says beside its message: other places, whose words they are, and the rule with an example of the format.

import { expect, test } from "./support/app.ts";
import { WRONG_ROLE_ON_LINE_12 } from "./support/files.ts";

const METADATA = '{"total_samples":2,"sample_type":"text","samples_per_line":1,"hidden_metadata":[]}';
const SAMPLE = '[{"type":"text","id":"a","text":"One."}]';

test.beforeEach(({ app }) => app.open());

test("a place that belongs to a finding is a link to its line", async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: `${METADATA}\n${SAMPLE}\n${SAMPLE}\n` });
  await app.expectVerdict("invalid");
  expect(await app.findingLines()).toEqual(['line 3: 0.id: id "a" is already used by the sample on line 2']);

  await expect(page.getByTestId("related")).toContainText("first used here");
  await page.getByTestId("related").getByRole("button", { name: "line 2" }).click();
  await expect(page.getByRole("heading", { name: "Line 2" })).toBeVisible();
});

test("a rule is explained with an example of the format at hand", async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: `${METADATA}\n${SAMPLE.replace("}]", ",}]")}\n` });
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("rule-detail")).toContainText('"sample_type":"text"');
  await expect(page.getByTestId("rule-detail")).toContainText("Illegal trailing comma before end of object");
});

test("a message of the system's own loader is marked as such", async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: WRONG_ROLE_ON_LINE_12 });
  await app.expectVerdict("invalid");
  await expect(page.getByTestId("says")).toContainText("zod");
});
