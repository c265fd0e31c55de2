// The list of records: any layout, read where it is shown, and each record opened by itself.

import { expect, full, test } from "./support/app.ts";
import { sample } from "./support/files.ts";

test.beforeEach(({ app }) => app.open());

test("the records of a valid file are listed first, with question, answer and columns", async ({ app, page }) => {
  const record =
    '{"input":{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Where is Paris?"}]},"usage_output":"In France."}';
  await app.choose({ name: "data.jsonl", content: `${record}\n\n${sample("second")}\n` });
  await app.expectVerdict("valid");
  const records = page.getByTestId("record");
  await expect(records).toHaveCount(2);
  await expect(records.first()).toContainText("Where is Paris?");
  await expect(records.nth(1)).toContainText("second");
  await records.nth(1).click();
  await expect(page.locator(".detail-pane h2")).toHaveText("Record 2, line 3");
  await expect(page.getByTestId("turn")).toContainText("second");
});

test("letters and emoji stay joined in the list, and the end of a long answer is shown", async ({ app, page }) => {
  const ends = (text: string, end: string) => `${`${text} `.repeat(40)}${end}`;
  const record = (question: string, answer: string) =>
    JSON.stringify({ input: { messages: [{ role: "user", content: question }, { role: "assistant", content: answer }] }, usage_output: null });
  const content = [
    record("می\u200cخواهم", ends("word", "the last")),
    record("👩\u200d🚀 क्\u200dष us\u200der", ends("كلمة", "الأخيرة")),
  ].join("\n");
  await app.choose({ name: "joined.jsonl", content });
  await expect(app.verdict).toBeVisible();
  await page.getByTestId("tab-records").click();
  const records = page.getByTestId("record");
  await expect(records.nth(0).locator(".record-question")).toHaveText("می\u200cخواهم");
  // Between letters that are not joined, a joiner hides something.
  await expect(records.nth(1).locator(".record-question")).toHaveText("👩\u200d🚀 क्\u200dष us⟨U+200D⟩er");
  for (const index of [0, 1]) {
    const answer = records.nth(index).locator(".record-answer");
    const isShown = await answer.evaluate((box) => {
      const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
      let last: Node | null = null;
      while (texts.nextNode()) last = texts.currentNode.textContent ? texts.currentNode : last;
      const range = document.createRange();
      const length = last?.textContent?.length ?? 0;
      range.setStart(last as Node, length - 1);
      range.setEnd(last as Node, length);
      const [letter, area] = [range.getBoundingClientRect(), box.getBoundingClientRect()];
      return box.scrollWidth > box.clientWidth && letter.left >= area.left - 1 && letter.right <= area.right + 1;
    });
    expect(isShown, `the end of answer ${index + 1}`).toBe(true);
  }
});

test("records of one line are opened by themselves", full(), async ({ app, page }) => {
  const query = (n: number) => `{"query_id":"q${n}","query_text":"question ${n}","relevant_doc_ids":["d${n}"]}`;
  const content = `{"queries":[${[1, 2, 3].map(query).join(",")}]}`;
  await app.choose({ name: "data.json", content });
  await expect(app.verdict).toBeVisible();
  await page.getByTestId("tab-records").click();
  const records = page.getByTestId("record");
  await expect(records).toHaveCount(3);
  await records.nth(1).click();
  await page.getByTestId("tab-sample").click();
  await expect(page.locator(".detail-body")).toContainText("question 2");
  await expect(page.locator(".detail-body")).not.toContainText("question 1");
  await page.getByTestId("record-list").focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.locator(".detail-body")).toContainText("question 3");
});

test("any record of a long file is shown where the list is scrolled to", async ({ app, page }) => {
  const lines = Array.from({ length: 50_000 }, (_, n) => sample(`number ${n + 1}`));
  await app.choose({ name: "long.jsonl", content: lines.join("\n") });
  await app.expectVerdict("valid");
  // It has a warning: more records than the system takes by default.
  await page.getByTestId("tab-records").click();
  const list = page.getByTestId("record-list");
  await list.focus();
  await page.keyboard.press("End");
  await expect(page.locator('[data-testid=record][aria-posinset="50000"]')).toContainText("number 50000");
  await page.keyboard.press("Home");
  await expect(page.locator('[data-testid=record][aria-posinset="1"]')).toContainText("number 1");
});

test("a record is gone to by its number", full(), async ({ app, page }) => {
  const lines = Array.from({ length: 5_000 }, (_, n) => sample(`number ${n + 1}`));
  await app.choose({ name: "long.jsonl", content: lines.join("\n") });
  await app.expectVerdict("valid");
  await page.getByTestId("tab-records").click();
  const field = page.getByTestId("goto-record");
  await page.getByTestId("record-list").focus();
  await page.keyboard.press("g");
  await expect(field).toBeFocused();
  await field.fill("3,210");
  await field.press("Enter");
  const record = page.locator('[data-testid=record][aria-posinset="3210"]');
  await expect(record).toBeInViewport({ ratio: 0.99 });
  await expect(record).toHaveAttribute("aria-selected", "true");
  await expect(page.getByTestId("turn")).toContainText("number 3210");

  // Again, after the list was scrolled away from it.
  await page.getByTestId("record-list").evaluate((list) => (list.scrollTop = 0));
  await expect(record).toHaveCount(0);
  await field.press("Enter");
  await expect(record).toBeInViewport({ ratio: 0.99 });
});

test("keys and buttons lead to the next and the previous invalid record", full(), async ({ app, page }) => {
  const lines = Array.from({ length: 3_000 }, (_, n) => sample(`${n}`, [100, 2000, 2999].includes(n) ? "tool" : "user"));
  await app.choose({ name: "few.jsonl", content: lines.join("\n") });
  await app.expectVerdict("invalid");
  await page.getByTestId("tab-records").click();
  const record = (number: number) => page.locator(`[data-testid=record][aria-posinset="${number + 1}"]`);
  await expect(record(100)).toHaveAttribute("aria-selected", "true");
  await page.getByTestId("next-invalid").click();
  await expect(record(2000)).toBeInViewport({ ratio: 0.99 });
  await expect(record(2000)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("n");
  await expect(record(2999)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("n");
  await page.getByTestId("previous-invalid").click();
  await expect(record(2000)).toHaveAttribute("aria-selected", "true");
});

test("invalid records of one line are gone to one after another", full(), async ({ app, page }) => {
  const query = (n: number) => `{"query_id":"q${n}","query_text":"${n % 2 ? "question" : " "}","relevant_doc_ids":["d"]}`;
  await app.choose({ name: "data.json", content: `{"queries":[${[0, 1, 2, 3, 4].map(query).join(",")}]}` });
  await app.expectVerdict("invalid");
  await page.getByTestId("tab-records").click();
  await page.getByTestId("record").first().click();
  for (const number of [2, 4]) {
    await page.keyboard.press("n");
    await expect(page.getByTestId("record").nth(number)).toHaveAttribute("aria-selected", "true");
  }
  await page.keyboard.press("p");
  await expect(page.getByTestId("record").nth(2)).toHaveAttribute("aria-selected", "true");
});

test("with a filter, keys and buttons lead to the next and the previous match", full(), async ({ app, page }) => {
  const lines = Array.from({ length: 3_000 }, (_, n) => sample(n % 10 === 3 ? "Paris" : "Rome", n === 5 ? "tool" : "user"));
  await app.choose({ name: "matches.jsonl", content: lines.join("\n") });
  await app.expectVerdict("invalid");
  await page.getByTestId("tab-records").click();
  const field = page.getByTestId("filter-field");
  await field.fill("paris");
  await field.press("Enter");
  await expect(page.getByTestId("search-status")).toHaveText("300 records match.");
  const title = page.locator(".detail-pane h2");
  const selected = page.getByTestId("hit").and(page.locator("[aria-selected=true]"));
  // The first one is selected.
  await expect(title).toHaveText("Line 4");
  await page.getByTestId("next-match").click();
  await expect(title).toHaveText("Line 14");
  await page.getByTestId("hit-list").focus();
  await page.keyboard.press("n");
  await expect(title).toHaveText("Line 24");
  await page.keyboard.press("p");
  await expect(title).toHaveText("Line 14");
  await expect(selected).toHaveAttribute("aria-posinset", "2");
  await page.keyboard.press("p");
  await page.getByTestId("previous-match").click();
  await expect(title).toHaveText("Line 4");

  // To the last one, which is not loaded yet.
  await page.getByTestId("hit-list").focus();
  await page.keyboard.press("End");
  await expect(title).toHaveText("Line 2,994");
  await page.keyboard.press("n");
  await page.keyboard.press("p");
  await expect(title).toHaveText("Line 2,984");
  await expect(selected).toBeInViewport({ ratio: 0.99 });

  // Among lines too, from any line.
  await app.showLines();
  await page.keyboard.press("p");
  await expect(title).toHaveText("Line 2,974");
  await app.goToLine(6);
  await page.getByTestId("next-match").click();
  await expect(title).toHaveText("Line 14");
});
