// A record as a conversation: roles, numbers, folded turns, and findings in the turn that they are about.

import { expect, full, test } from "./support/app.ts";

const record = (messages: { role: string; content: unknown }[]): string =>
  JSON.stringify({ input: { messages }, usage_output: null });

const LONG = Array.from({ length: 40 }, (_, n) => `Sentence ${n + 1}.`).join("\n");

test.beforeEach(({ app }) => app.open());

test("a finding is in the turn that it is about, and opens", async ({ app, page }) => {
  const content = record([
    { role: "user", content: "Hi" },
    { role: "tool", content: "Hello" },
    { role: "user", content: 3 },
  ]);
  await app.choose({ name: "samples.jsonl", content });
  await app.expectVerdict("invalid");
  await app.showSample();
  const turns = page.getByTestId("turn");
  await expect(turns).toHaveCount(3);
  await expect(turns.locator(".turn-number")).toHaveText(["1", "2", "3"]);
  await expect(turns.nth(0).getByTestId("turn-finding")).toHaveCount(0);
  await expect(turns.nth(1).getByTestId("turn-finding")).toContainText("role");
  await expect(turns.nth(2).getByTestId("turn-finding")).toContainText("content");

  await turns.nth(2).getByTestId("turn-finding").click();
  const detail = page.getByTestId("finding-detail");
  await expect(detail).toContainText("input.messages.2.content");
  await expect(detail).toBeFocused();
  await expect(page.getByTestId("span")).toHaveText("3");
});

test("a finding that is in no turn is above the turns", full(), async ({ app, page }) => {
  const content = JSON.stringify({ input: { messages: [{ role: "user", content: "Hi" }] }, usage_output: 1 });
  await app.choose({ name: "samples.jsonl", content });
  await app.expectVerdict("invalid");
  await app.showSample();
  await expect(page.getByTestId("sample").locator("> .turn-findings")).toContainText("usage_output");
  await expect(page.getByTestId("turn").getByTestId("turn-finding")).toHaveCount(0);
});

test("a long turn is folded", full(), async ({ app, page }) => {
  const content = record([
    { role: "user", content: LONG },
    { role: "assistant", content: "Hi" },
    { role: "user", content: "Bye" },
  ]);
  await app.choose({ name: "samples.jsonl", content });
  await app.expectVerdict("valid");
  await app.showLines();
  await app.line(1).click();
  await app.showSample();
  const turn = page.getByTestId("turn").first();
  await expect(turn).toContainText("Sentence 12.");
  await expect(turn).not.toContainText("Sentence 13.");
  await expect(page.getByTestId("unfold")).toHaveCount(1);

  const unfold = page.getByRole("button", { name: "Show all" });
  await expect(unfold).toHaveAttribute("aria-expanded", "false");
  await unfold.press("Enter");
  await expect(turn).toContainText("Sentence 40.");
  await expect(page.getByRole("button", { name: "Show less" })).toBeFocused();
});

test("role and number of a turn stay in view", full(), async ({ app, page }) => {
  await page.setViewportSize({ width: 1024, height: 600 });
  await app.choose({ name: "samples.jsonl", content: record([{ role: "user", content: LONG }]) });
  await app.expectVerdict("valid");
  await app.showLines();
  await app.line(1).click();
  await app.showSample();
  await page.getByTestId("unfold").click();
  await page.locator(".detail-body").evaluate((body) => (body.scrollTop = 400));
  await expect(page.getByTestId("turn").locator(".role")).toBeInViewport();
});

/** A record of Every Eval Ever with a transcript, and with other values than these. */
const transcript = (interactions: object[], others: object = {}): string =>
  JSON.stringify({
    schema_version: "0.2.0",
    evaluation_id: "gsm8k/model/1731000000",
    model_id: "org/model-7b",
    evaluation_name: "GSM8K",
    sample_id: "1",
    interaction_type: "agentic",
    input: { raw: "What time is it?", reference: "9" },
    interactions: interactions.map((turn, turn_idx) => ({ turn_idx, ...turn })),
    answer_attribution: [
      { turn_idx: 0, source: "interactions[0].content", extracted_value: "9", extraction_method: "regex", is_terminal: true },
    ],
    evaluation: { score: 1, is_correct: true },
    ...others,
  });

test("a tool call and its result are one card", async ({ app, page }) => {
  const content = transcript([
    { role: "user", content: "What time is it?" },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "call_1", name: "clock", arguments: { zone: "UTC", at: [1.50, "{"] } },
        { id: "call_2", name: "python", arguments: { code: "<b>1</b>" } },
        { name: "log" },
      ],
    },
    { role: "tool", content: "nine", tool_call_id: "call_1" },
    { role: "tool", content: "one", tool_call_id: "call_2" },
    { role: "tool", content: "lost", tool_call_id: "call_3" },
    { role: "assistant", content: "Nine." },
  ]);
  await app.choose({ name: "agents.jsonl", content });
  await expect(app.verdict).toBeVisible();
  await app.showLines();
  await app.line(1).click();
  await app.showSample();

  const cards = page.getByTestId("tool-call");
  await expect(cards).toHaveCount(3);
  await expect(cards.nth(0).locator("h3")).toContainText("clock");
  await expect(cards.nth(0).getByTestId("tool-arguments")).toHaveText(
    '{\n  "zone": "UTC",\n  "at": [\n    1.5,\n    "{"\n  ]\n}',
    { useInnerText: true },
  );
  await expect(cards.nth(0).getByTestId("turn")).toContainText("nine");
  await expect(cards.nth(1).getByTestId("tool-arguments")).toContainText("<b>1</b>");
  await expect(cards.nth(1).getByTestId("turn")).toContainText("one");
  await expect(cards.nth(2)).toContainText("This call has no id");

  // Each turn is shown once; what names no call is a turn of its own, with its finding.
  const own = page.getByTestId("sample").locator("> [data-testid=turn]");
  await expect(own.locator("> header .turn-number")).toHaveText(["1", "2", "5", "6"]);
  await expect(page.getByText("nine", { exact: true })).toHaveCount(1);
  await expect(own.nth(2).getByTestId("turn-finding")).toContainText("no earlier turn calls a tool");
});

test("the result of a tool call that is JSON is indented", full(), async ({ app, page }) => {
  const call = (id: string) => ({ id, name: "clock", arguments: {} });
  const content = transcript([
    { role: "user", content: '{"not":"a result"}' },
    { role: "assistant", content: null, tool_calls: [call("call_1"), call("call_2")] },
    { role: "tool", content: '{"time":{"hour":9,"zones":["UTC"]}}', tool_call_id: "call_1" },
    { role: "tool", content: "{nine}", tool_call_id: "call_2" },
  ]);
  await app.choose({ name: "agents.jsonl", content });
  await expect(app.verdict).toBeVisible();
  await app.showLines();
  await app.line(1).click();
  await app.showSample();
  await expect(page.getByTestId("tool-result")).toHaveText(
    '{\n  "time": {\n    "hour": 9,\n    "zones": [\n      "UTC"\n    ]\n  }\n}',
    { useInnerText: true },
  );
  await expect(page.getByTestId("tool-call").nth(1).getByTestId("turn")).toContainText("{nine}");
  await expect(page.getByTestId("turn").first()).toContainText('{"not":"a result"}');
});

test("findings about a tool call are in its card, and those about its result with the result", full(), async ({ app, page }) => {
  const content = transcript([
    { role: "user", content: "What time is it?" },
    { role: "assistant", content: null, tool_calls: [{ id: "call_1", name: 5, arguments: "not JSON" }] },
    { role: "tool", content: 9, tool_call_id: "call_1" },
  ]);
  await app.choose({ name: "agents.jsonl", content });
  await app.expectVerdict("invalid");
  await app.showSample();
  const card = page.getByTestId("tool-call");
  await expect(card.locator("> .turn-findings")).toContainText("name");
  await expect(card.locator("> .turn-findings")).toContainText("arguments");
  await expect(card.getByTestId("tool-arguments")).toHaveText("not JSON");
  await expect(card.getByTestId("turn").getByTestId("turn-finding")).toContainText("content");
  await expect(page.getByTestId("turn-finding")).toHaveCount(3);
});

test("score and correctness are in the head, reasoning is folded, and the extracted answer is marked", full(), async ({ app, page }) => {
  const content = transcript(
    [
      { role: "user", content: "What is 4 times 3?" },
      { role: "assistant", content: "4 times 3 is 12.", reasoning_trace: "Four, eight, twelve <b>.\nYes." },
      { role: "assistant", content: "12, I said 12." },
    ],
    {
      answer_attribution: [
        { turn_idx: 1, source: "interactions[1].content", extracted_value: "12", extraction_method: "regex", is_terminal: true },
        { turn_idx: 2, source: "interactions[2].content", extracted_value: "12", extraction_method: "model", is_terminal: false },
      ],
      evaluation: { score: 0.5, is_correct: false },
    },
  );
  await app.choose({ name: "answers.jsonl", content });
  await app.expectVerdict("valid");
  await app.showLines();
  await app.line(1).click();
  await app.showSample();
  await expect(page.getByTestId("badges").locator("li")).toHaveText(["Score0.5", "Incorrect"]);
  await expect(page.getByTestId("sample")).not.toContainText("evaluation.score");

  const turns = page.getByTestId("turn");
  const reasoning = turns.nth(1).getByTestId("reasoning");
  await expect(reasoning.locator("summary")).toContainText("Reasoning");
  await expect(reasoning.locator(".turn-text")).toBeHidden();
  await reasoning.locator("summary").press("Enter");
  await expect(reasoning.locator(".turn-text")).toHaveText("Four, eight, twelve <b>.\nYes.", { useInnerText: true });

  const mark = turns.nth(1).getByTestId("answer-mark");
  await expect(mark).toHaveText("12");
  // It is in its sentence.
  expect(await mark.evaluate((element) => getComputedStyle(element).display)).toBe("inline");
  await expect(turns.nth(1).getByTestId("extracted")).toHaveText("Final answer12regex");
  // Nothing says which of two is meant.
  await expect(turns.nth(2).getByTestId("answer-mark")).toHaveCount(0);
  await expect(turns.nth(2).getByTestId("extracted")).toHaveText("Extracted answer12model");
});

test("the names of models are in the head, and their reasoning is with their answers", full(), async ({ app, page }) => {
  const content = JSON.stringify({
    messages: [{ role: "user", content: "16 + 16?" }],
    ref_answer: "32",
    model_outputs: [
      { model_name: "llama3", responses: [{ content: "It is 32." }] },
      { model_name: "qwen3", responses: [{ content: "32!", reasoning_content: "Twice 16." }] },
    ],
  });
  await app.choose({ name: "outputs.jsonl", content });
  await app.expectVerdict("valid");
  await app.showLines();
  await app.line(1).click();
  await app.showSample();
  await expect(page.getByTestId("badges").locator("li")).toHaveText(["Modelllama3", "Modelqwen3"]);
  const answer = page.getByTestId("turn").filter({ hasText: "32!" });
  await expect(answer.locator(".role")).toHaveText("qwen3");
  await answer.getByTestId("reasoning").locator("summary").click();
  await expect(answer.getByTestId("reasoning")).toContainText("Twice 16.");
});

const OUTPUTS = JSON.stringify({
  messages: [{ role: "user", content: "16 + 16?" }],
  ref_answer: "It is 32.",
  model_outputs: [
    { model_name: "llama3", responses: [{ content: "It was 32." }, { content: "32 <b>" }] },
    { model_name: "qwen3", responses: [{ content: "It is 33." }] },
    { model_name: "whale", responses: [{ content: "Whales are the largest animals." }] },
    { model_name: "long", responses: [{ content: "The sum of both numbers: 32" }] },
  ],
});

test("several answers are columns below the prompt, and two are compared", full(), async ({ app, page }) => {
  await app.choose({ name: "outputs.jsonl", content: OUTPUTS });
  await app.expectVerdict("valid");
  await app.showLines();
  await app.line(1).click();
  await app.showSample();
  await expect(page.getByTestId("sample").locator("> [data-testid=turn]")).toHaveText(/16 \+ 16\?$/);
  const answers = page.getByTestId("answer");
  await expect(answers.locator("> header")).toHaveText([
    "Reference answer9 characters",
    "llama3, answer 110 characters",
    "llama3, answer 26 characters",
    "qwen39 characters",
    "whale31 characters",
    "long27 characters",
  ]);
  const left = (index: number) => answers.nth(index).evaluate((column) => column.getBoundingClientRect().left);
  expect(await left(1)).toBeGreaterThan(await left(0));
  await page.locator(".answer-columns").evaluate((columns) => (columns.scrollLeft = 200));
  await expect(answers.nth(0)).toBeInViewport();

  await page.getByTestId("show-differences").click();
  const differences = page.getByTestId("differences");
  await expect(differences.locator("del")).toHaveText("is");
  await expect(differences.locator("ins")).toHaveText("was");
  await differences.getByRole("combobox", { name: "with" }).selectOption("qwen3");
  await expect(differences.locator("del")).toHaveText("32");
  await expect(differences.locator("ins")).toHaveText("33");
  await differences.getByRole("combobox", { name: "Compare" }).selectOption("qwen3");
  await expect(differences).toContainText("The texts are the same.");
  await differences.getByRole("combobox", { name: "with" }).selectOption("whale");
  await expect(differences.locator("del")).toHaveText("It is 33.");
  await expect(differences.locator("ins")).toHaveText("Whales are the largest animals.");
  await expect(differences).not.toContainText("Nothing in common");
  await differences.getByRole("combobox", { name: "Compare" }).selectOption("long");
  await expect(differences.locator("del")).toHaveText("The sum of both numbers: 32");
  await expect(differences).toContainText("Nothing in common");
});

test("answers are tabs where the window is narrow", full(), async ({ app, page }) => {
  await page.setViewportSize({ width: 880, height: 900 });
  await app.choose({ name: "outputs.jsonl", content: OUTPUTS });
  await app.expectVerdict("valid");
  await app.showLines();
  await app.line(1).click();
  await app.showSample();
  const shown = page.getByTestId("answer").filter({ visible: true });
  await expect(shown).toHaveText(/Reference answer/);
  await page.getByRole("tab", { name: "qwen3" }).click();
  await expect(shown).toHaveText(/33/);
});

test("a prompt that samples share is shown once, and others with their samples", full(), async ({ app, page }) => {
  const line = (...samples: [string, string][]) =>
    JSON.stringify(samples.map(([prompt, completion], n) => ({ type: "text_completion", id: `s${n}-${prompt}`, prompt, completion })));
  const metadata = '{"total_samples":4,"sample_type":"text_completion","samples_per_line":2,"hidden_metadata":[]}';
  const content = [metadata, line(["Why?", "So."], ["Why?", "No."]), line(["How?", "So."], ["When?", "No."])].join("\n");
  await app.choose({ name: "pairs.jsonl", content });
  await app.expectVerdict("valid");
  await app.showLines();
  await app.line(2).click();
  await app.showSample();
  await expect(page.getByText("Why?", { exact: true })).toHaveCount(1);
  await expect(page.getByTestId("answer").getByTestId("turn")).toHaveCount(2);
  await app.line(3).click();
  await expect(page.getByTestId("answer").nth(1)).toContainText("When?");
  await expect(page.getByTestId("answer").getByTestId("turn")).toHaveCount(4);
});

test("the token of a finding is underlined in its turn", full(), async ({ app, page }) => {
  // The text has a character of two code units, escaped and not, before the token.
  const content = record([
    { role: "user", content: "Grüße 😀 NUL x" },
    { role: "tool", content: "Hi" },
  ]).replace("NUL", "\\ud83d\\ude00 \\u0000");
  await app.choose({ name: "samples.jsonl", content });
  await app.expectVerdict("invalid");
  await app.showSample();
  const token = page.getByTestId("turn-token");
  await expect(token).toHaveText("⟨U+0000⟩");
  await expect(page.getByTestId("turn").first()).toContainText("Grüße 😀 😀 ⟨U+0000⟩ x");
  // The other finding is not about a part of a text.
  await expect(page.getByTestId("turn").nth(1).getByTestId("turn-finding")).toHaveCount(1);
});

test("a record that cannot be read is shown as its fix would make it, and says so", full(), async ({ app, page }) => {
  const good = record([{ role: "user", content: "Hi" }]);
  await app.choose({ name: "samples.jsonl", content: `${good}\n${good.replace("null}", "None}")}\n` });
  await app.expectVerdict("invalid");
  await app.showSample();
  await expect(page.getByTestId("sample-is-fixed")).toContainText("as its fix would make it");
  await expect(page.getByTestId("turn")).toContainText("Hi");
  await page.getByTestId("tab-records").click();
  await page.getByTestId("record").first().click();
  await expect(page.getByTestId("turn")).toContainText("Hi");
  await expect(page.getByTestId("sample-is-fixed")).toHaveCount(0);
});

test("a query of Evret shows the documents that it names, and leads to them", full(), async ({ app, page }) => {
  const content = JSON.stringify({
    queries: [{ query_id: "q1", query_text: "Which?", relevant_doc_ids: ["d2"] }],
    documents: [
      { doc_id: "d1", text: "The first." },
      { doc_id: "d2", text: "The second." },
    ],
  });
  await app.choose({ name: "queries.json", content });
  await app.expectVerdict("valid");
  await page.getByTestId("record").first().click();
  await expect(page.getByTestId("turn")).toHaveCount(2);
  const document = page.getByTestId("turn").nth(1);
  await expect(document).toContainText("The second.");
  await expect(document.locator("header")).toContainText("d2");
  await document.getByTestId("linked-record").click();
  await expect(page.getByTestId("turn")).toHaveCount(1);
  await expect(page.getByTestId("turn")).toContainText("The second.");
});

test("a finding says what is wrong in plain words, and then in those of the loader", full(), async ({ app, page }) => {
  await app.choose({ name: "samples.jsonl", content: '{"input":{}}\n' });
  await app.expectVerdict("invalid");
  const detail = page.getByTestId("finding-detail");
  await expect(detail.getByRole("heading", { level: 3 })).toHaveText(/input\.messages\s*is missing/);
  await expect(detail.locator(".finding-words")).toHaveText("Required");
  await expect(app.findings.first()).toContainText("is missing");
  await expect(app.findings.first()).toContainText("Required");
});
