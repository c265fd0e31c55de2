// The overview of a dataset: counted when it is looked at, and rows that lead to their records.

import { zipSync, strToU8 } from "fflate";
import { expect, full, test } from "./support/app.ts";
import { violations } from "./support/axe.ts";

const record = (role: string, content: string): string =>
  JSON.stringify({ input: { messages: [{ role, content }] }, usage_output: null });

const LINES = [record("user", "Where is Paris?"), record("system", "Be brief."), record("user", "東京はどこですか"), record("User", "Rome?")];

for (const [name, content] of [
  ["samples.jsonl", LINES.join("\n")],
  ["samples.zip", zipSync({ "samples.jsonl": strToU8(LINES.join("\n")), "attachments/a.txt": strToU8("a") })],
] as const) {
  test(`what is in ${name} is counted, and a row leads to its records`, full(name !== "samples.zip"), async ({ app, page }) => {
    await app.open();
    await app.choose({ name, content });
    await app.expectVerdict("invalid");
    await page.getByTestId("tab-overview").click();
    const section = (heading: string) => page.getByTestId("overview-section").filter({ hasText: heading });
    await expect(section("4 records").getByRole("row", { name: "valid 3" })).toBeVisible();
    await expect(section("Roles").getByRole("row", { name: "user 2" })).toContainText("50.0 %");
    await expect(section("Scripts of texts")).toContainText("Kana");
    await expect(section("Keys").getByRole("row", { name: "input.messages.*.role" })).toContainText("string");
    expect(await violations(page)).toEqual([]);
    expect(page.url()).toContain("list=overview");

    await section("4 records").getByRole("button", { name: "invalid" }).click();
    await expect(page.getByTestId("filter-field")).toHaveValue("is:invalid");
    await expect(page.getByTestId("search-status")).toContainText("1 record matches");
    await page.getByTestId("tab-overview").click();
    await section("Roles").getByRole("button", { name: "system" }).click();
    await expect(page.getByTestId("search-status")).toContainText("1 record matches");
  });
}

test("the schema lists keys with their types and the records that have them", async ({ app, page }) => {
  await app.open();
  const metadata = [{ "a.b": 1 }, { "a.b": "x", tags: ["x"] }, undefined];
  const lines = metadata.map((metadata) => JSON.stringify({ ...JSON.parse(record("user", "Rome?")), metadata }));
  await app.choose({ name: "samples.jsonl", content: lines.join("\n") });
  await page.getByTestId("tab-schema").click();
  const key = (name: string) => page.getByTestId("schema-key").filter({ has: page.getByText(name, { exact: true }) });
  await expect(key("usage_output")).toHaveText("usage_output null in all records");
  await expect(key("metadata").first()).toContainText("metadata object in 2 of 3 records");
  await expect(key("metadata").getByTestId("schema-key").first()).toHaveText("a.b string 50.0 %, number 50.0 % in 2 of 3 records");
  await expect(page.getByTestId("schema-key").last()).toHaveText("each element string in 1 of 3 records");
  expect(page.url()).toContain("list=schema");
  expect(await violations(page)).toEqual([]);
});
