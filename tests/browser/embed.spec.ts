// <eval-check> in pages of another origin, with the content security policy of docs/embed.md.

import { readFile } from "node:fs/promises";

import { act, full } from "./support/app.ts";
import { block, Embed, expect, STRICTEST, test } from "./support/embed.ts";
import { DOCUMENT_EXAMPLE, sample, WRONG_ROLE_ON_LINE_12, write } from "./support/files.ts";
import { evalcheck as command } from "./support/command.ts";

const TAG = '<eval-check format="juryarena" compact></eval-check>';
/** 80 kB of valid lines; a file of 1,000 times that size takes long enough to report progress. */
const LONG_LINES = `${sample("x".repeat(4_000))}\n`.repeat(20);
const DOWN = '<p id="above">Above</p>' + "<p>Text<br><br><br><br></p>".repeat(60);

test("the snippet of the README checks a file, and the page receives the report", async ({ page, host, watched, folder }) => {
  await page.goto(host.add("/guide/check.html", block("README.md", "<eval-check"), { head: "" }));
  const embed = new Embed(page);
  await embed.choose("samples.jsonl", WRONG_ROLE_ON_LINE_12);
  await embed.expectVerdict("invalid");
  await expect.poll(() => watched.heard("report")).toHaveLength(1);
  const [heard] = await watched.heard("report");
  const path = await write(folder, "samples.jsonl", WRONG_ROLE_ON_LINE_12);
  const said = JSON.parse(command(path, "json")) as { findings: unknown; counts: unknown };
  expect(heard?.detail.findings).toEqual(said.findings);
  expect(heard?.detail.counts).toEqual(said.counts);
});

test("the script is loaded as a module", full(), async ({ page, host, evalcheck }) => {
  // GitHub Pages sends this header.
  await page.route(`${evalcheck}embed.js`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "access-control-allow-origin": "*" } });
  });
  const head = '<script type="module" src="https://tools.example.org/evalcheck/embed.js"></script>';
  await page.goto(host.add("/", TAG, { head: head + head.replace("module", "text/javascript") }));
  const embed = new Embed(page);
  await embed.choose("a.jsonl", DOCUMENT_EXAMPLE);
  await embed.expectVerdict("valid");
});

for (const [how, script] of [
  ["async", "<script async src=SRC></script>"],
  ["defer", "<script defer src=SRC></script>"],
  ["a plain script before the tag", "<script src=SRC></script>"],
  ["a plain script, twice", "<script src=SRC></script><script async src=SRC></script>"],
] as const) {
  test(`the script is loaded as ${how}`, full(how !== "async"), async ({ page, host }) => {
    const head = script.replaceAll("SRC", "https://tools.example.org/evalcheck/embed.js");
    await page.goto(host.add("/", TAG, { head }));
    const embed = new Embed(page);
    await embed.choose("a.jsonl", DOCUMENT_EXAMPLE);
    await embed.expectVerdict("valid");
    await expect(embed.iframe).toHaveCount(1);
  });
}

test("the plain frame of the documentation needs no script", async ({ page, host }) => {
  const frame = block("docs/embed.md", "<iframe").replace("&compact", "&compact&theme=dark&example=broken");
  await page.goto(host.add("/", frame, { head: "" }));
  const inside = page.frameLocator("iframe");
  await expect(inside.getByTestId("verdict")).toHaveAttribute("data-verdict", "invalid");
  await expect(inside.locator("html")).toHaveAttribute("data-theme", "dark");
});

test("a file dropped on the frame is checked", async ({ page, host, folder }) => {
  await page.goto(host.add("/", TAG));
  const embed = new Embed(page);
  await embed.ready();
  const path = await write(folder, "dropped.jsonl", WRONG_ROLE_ON_LINE_12);
  const box = (await embed.iframe.boundingBox())!;
  const session = await page.context().newCDPSession(page);
  const at = { x: box.x + box.width / 2, y: box.y + 60 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await session.send("Input.dispatchDragEvent", { type, ...at, data: { items: [], files: [path], dragOperationsMask: 1 } });
  }
  await embed.expectVerdict("invalid");
  await expect(embed.verdict).toContainText("dropped.jsonl");
});

test("fixes are applied and downloaded in the frame, and the host is told of the fixed file", async ({ page, host, watched }) => {
  await page.goto(host.add("/", TAG));
  const embed = new Embed(page);
  await embed.ready();
  await embed.choose("data.jsonl", `${DOCUMENT_EXAMPLE.trimEnd()},\n`);
  await embed.expectVerdict("invalid");
  await act(embed.frame, "apply-safe");
  await embed.expectVerdict("valid");
  const [download] = await Promise.all([page.waitForEvent("download"), act(embed.frame, "download-fixed")]);
  expect(download.suggestedFilename()).toBe("data.fixed.jsonl");
  expect(await readFile(await download.path(), "utf8")).toBe(`${DOCUMENT_EXAMPLE.trimEnd()}\n`);
  await expect.poll(async () => (await watched.heard("report")).map(({ detail }) => detail.valid)).toEqual([false, true]);
});

test("the frame is loaded only when the element is almost visible", full(), async ({ page, host, watched }) => {
  await page.goto(host.add("/", `${DOWN}${TAG}`));
  const embed = new Embed(page);
  await expect(embed.iframe).toBeAttached();
  // The element is still far away.
  await page.evaluate(() => scrollTo(0, 200));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(watched.requests.map((path) => path.split("/").at(-1))).toEqual(["embed.js"]);
  await embed.element.scrollIntoViewIfNeeded();
  await embed.ready();
  expect(watched.requests.length).toBeGreaterThan(4);
});

test("check() loads the frame and reports progress", async ({ page, host, watched }) => {
  await page.goto(host.add("/", `${DOWN}${TAG}`));
  await page.waitForFunction(() => customElements.get("eval-check"));
  const embed = new Embed(page);
  const report = await embed.check(LONG_LINES, "large.jsonl", 1_000);
  expect(report).toMatchObject({ valid: true, file: { name: "large.jsonl" }, counts: { records: 20_000 } });
  const progress = await watched.heard("progress");
  expect(progress.length).toBeGreaterThan(0);
  expect(progress[0]?.detail).toMatchObject({ file: "large.jsonl", errors: 0 });
  expect(await watched.heard("report")).toHaveLength(1);
  await embed.element.scrollIntoViewIfNeeded();
  await embed.expectVerdict("valid");
});

test("calls of check() are queued", full(), async ({ page, host }) => {
  await page.goto(host.add("/", TAG));
  const embed = new Embed(page);
  const [first, second, wrong] = await Promise.all([
    embed.check(DOCUMENT_EXAMPLE.repeat(2), "first.jsonl"),
    embed.check(WRONG_ROLE_ON_LINE_12, "second.jsonl"),
    embed.element.evaluate((element) => (element as unknown as { check(file: string): Promise<void> }).check("text").catch(String)),
  ]);
  expect(first).toMatchObject({ valid: true, file: { name: "first.jsonl" }, counts: { records: 2 } });
  expect(second).toMatchObject({ valid: false, file: { name: "second.jsonl" }, counts: { records: 12 } });
  expect(wrong).toContain("TypeError");
});

test("two elements on a page are independent", full(), async ({ page, host, watched }) => {
  const tags = '<eval-check id="a" format="juryarena" compact></eval-check><eval-check id="b" format="quest" compact></eval-check>';
  await page.goto(host.add("/", tags));
  const [a, b] = [new Embed(page, "#a"), new Embed(page, "#b")];
  await expect(a.frame.locator(".drop-zone")).toContainText("JuryArena");
  await expect(b.frame.locator(".drop-zone")).toContainText("Quest");
  await b.choose("b.jsonl", DOCUMENT_EXAMPLE);
  await b.expectVerdict("invalid");
  await expect(a.verdict).toHaveCount(0);
  await a.choose("a.jsonl", DOCUMENT_EXAMPLE);
  await a.expectVerdict("valid");
  await expect.poll(() => watched.heard("report")).toHaveLength(2);
  const said = (await watched.heard("report")).map(({ from, detail }) => [from, detail.file.name, detail.valid]);
  expect(said).toEqual([
    ["b", "b.jsonl", false],
    ["a", "a.jsonl", true],
  ]);
});

test("the frame grows with the report and shrinks again", full(), async ({ page, host }) => {
  await page.goto(host.add("/", TAG));
  const embed = new Embed(page);
  expect(await embed.height()).toBe(300);
  await embed.ready();
  expect(await embed.height()).toBe(300);
  await embed.choose("samples.jsonl", WRONG_ROLE_ON_LINE_12);
  await embed.expectVerdict("invalid");
  await expect.poll(() => embed.height()).toBeGreaterThan(500);
  expect(await embed.height()).toBeLessThanOrEqual(1000);
  const scrolls = () => embed.frame.locator("html").evaluate((root) => root.scrollHeight > innerHeight);
  await expect.poll(scrolls, "all of it is visible").toBe(false);
  await act(embed.frame, "start-over");
  await expect.poll(() => embed.height()).toBe(300);
});

test("the height attribute is kept, and the report scrolls", full(), async ({ page, host }) => {
  await page.goto(host.add("/", '<eval-check format="juryarena" height="400" example="broken"></eval-check>'));
  const embed = new Embed(page);
  await embed.expectVerdict("invalid");
  expect(await embed.height()).toBe(400);
  await expect.poll(() => embed.frame.locator("html").evaluate((root) => root.scrollHeight > innerHeight)).toBe(true);
});

test("styles of the host page do not break it", full(), async ({ page, host }) => {
  const styles = "<style>* { all: unset !important; font-size: 90px !important; letter-spacing: 1em !important; } iframe { display: none !important; }</style>";
  const policy = `${STRICTEST}; style-src 'unsafe-inline'; script-src https://tools.example.org/evalcheck/embed.js; frame-src https://tools.example.org/evalcheck/`;
  const head = '<script async src="https://tools.example.org/evalcheck/embed.js"></script>';
  await page.goto(host.add("/", TAG, { policy, head: head + styles }));
  const embed = new Embed(page);
  // The styles show the content of the head above the element.
  await embed.element.scrollIntoViewIfNeeded();
  await embed.ready();
  const box = (await embed.iframe.boundingBox())!;
  expect(box.height).toBe(300);
  expect(box.width).toBeGreaterThan(1000);
  expect(await embed.frame.locator("body").evaluate((body) => getComputedStyle(body).fontSize)).toBe("15px");
  await embed.choose("samples.jsonl", WRONG_ROLE_ON_LINE_12);
  await embed.expectVerdict("invalid");
  await expect.poll(() => embed.height()).toBeGreaterThan(500);
});

test("changes of attributes are applied", full(), async ({ page, host, watched, evalcheck }) => {
  await page.goto(host.add("/", "<eval-check></eval-check>"));
  const embed = new Embed(page);
  const set = (name: string, value: string | null) =>
    embed.element.evaluate(
      (element, [name, value]) => (value === null ? element.removeAttribute(name) : element.setAttribute(name, value)),
      [name, value] as const,
    );
  const root = embed.frame.locator("html");
  await embed.ready();
  await expect(embed.frame.locator(".site-header")).toBeVisible();
  expect(await embed.height()).toBe(620);

  await set("compact", "");
  await expect(embed.frame.locator(".site-header")).toBeHidden();
  await expect.poll(() => embed.height()).toBe(300);
  await set("theme", "dark");
  await expect(root).toHaveAttribute("data-theme", "dark");
  await set("theme", "light");
  await expect(root).toHaveAttribute("data-theme", "light");
  await set("title", "Check your run");
  await expect(embed.iframe).toHaveAttribute("title", "Check your run");
  await set("format", "quest");
  await expect(embed.frame.locator(".drop-zone")).toContainText("Quest dataset");
  await set("format", "openai-finetune +azure");
  await expect(embed.frame.locator(".drop-zone")).toContainText("OpenAI and Azure, fine-tuning");
  await set("height", "555");
  await expect.poll(() => embed.height()).toBe(555);
  await expect(root).not.toHaveAttribute("data-grow");
  await set("height", null);
  await set("format", null);
  await set("example", "juryarena/broken");
  await embed.expectVerdict("invalid");
  await set("format", "no-such-format");
  await expect.poll(() => watched.heard("error")).toHaveLength(1);
  expect((await watched.heard("error"))[0]?.detail.code).toBe("format");

  // The theme of a host page is not stored.
  await page.goto(evalcheck);
  expect(await page.evaluate(() => localStorage.getItem("evalcheck-theme"))).toBeNull();
});

test("without a theme attribute, it follows the theme of the host page", full(), async ({ page, host }) => {
  const styles = "<style>.dark { color-scheme: dark; background: #222; }</style>";
  const policy = `${STRICTEST}; style-src 'unsafe-inline'; script-src https://tools.example.org/evalcheck/embed.js; frame-src https://tools.example.org/evalcheck/`;
  const head = '<script async src="https://tools.example.org/evalcheck/embed.js"></script>';
  await page.goto(host.add("/", TAG, { policy, head: head + styles }));
  const embed = new Embed(page);
  const root = embed.frame.locator("html");
  await embed.ready();
  await expect(root).not.toHaveAttribute("data-theme");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => root.evaluate((root) => getComputedStyle(root).colorScheme)).toBe("dark");
  await page.emulateMedia({ colorScheme: "light" });
  await page.evaluate(() => document.body.classList.add("dark"));
  await expect(root).toHaveAttribute("data-theme", "dark");
  await page.evaluate(() => document.body.classList.remove("dark"));
  await expect(root).not.toHaveAttribute("data-theme");
});

test("moving the element reloads the frame and rejects a running check", full(), async ({ page, host }) => {
  await page.goto(host.add("/", `<div id="a">${TAG}</div><div id="b"></div>`));
  const embed = new Embed(page);
  await embed.ready();
  // In the page, because a poll could notice the progress only when the check has ended.
  await page.evaluate(() => {
    const move = ({ target }: Event) => document.querySelector("#b")?.append(target as Element);
    document.addEventListener("evalcheck:progress", move, { once: true });
  });
  const check = embed.check(LONG_LINES, "large.jsonl", 2_400);
  expect(await check).toBe("disconnected");
  await embed.choose("a.jsonl", DOCUMENT_EXAMPLE);
  await embed.expectVerdict("valid");
  expect(await embed.check(DOCUMENT_EXAMPLE)).toMatchObject({ valid: true });
  const gone = await embed.element.evaluate((element) => {
    element.remove();
    return (element as unknown as { check(file: Blob): Promise<unknown> }).check(new Blob(["x"])).catch((error) => error.code);
  });
  expect(gone).toBe("disconnected");
});

test("a blocked frame is an error, and the content of the element is shown", full(), async ({ page, host, watched }) => {
  watched.forgive(/frame-src|child-src|default-src|Framing/i);
  const policy = `${STRICTEST}; script-src https://tools.example.org/evalcheck/embed.js`;
  await page.goto(host.add("/", "<eval-check><b>Go to the checker</b></eval-check>", { policy }));
  await expect(page.getByText("Go to the checker")).toBeVisible();
  const errors = await watched.heard("error");
  expect(errors).toHaveLength(1);
  expect(errors[0]?.detail).toMatchObject({ code: "frame", message: expect.stringContaining("frame-src") });
  await expect(new Embed(page).iframe).toBeHidden();
});

const RESPONSES = '{"question": "What?", "answer": 42}\n'.repeat(2);
const WITH_SCHEMA = '<eval-check compact schema="../faq.schema.json"></eval-check>';
const MAY_READ = { policy: `${STRICTEST}; script-src https://tools.example.org/evalcheck/embed.js; frame-src https://tools.example.org/evalcheck/; connect-src 'self'` };

test("records are held against the schema of the host page", async ({ page, host, watched }) => {
  const schema = { type: "object", properties: { question: { type: "string" }, answer: { type: "string" } } };
  await page.route(`${host.url}faq.schema.json`, (route) => route.fulfill({ json: schema }));
  await page.goto(host.add("/guide/check.html", WITH_SCHEMA, MAY_READ));
  const embed = new Embed(page);
  const report = await embed.check(RESPONSES, "faq.jsonl");
  expect(report).toMatchObject({ valid: false, format: { schema: "faq.schema.json" } });
  await expect(embed.verdict).toContainText("2 of 2 records do not follow faq.schema.json");
  await embed.element.evaluate((element) => element.removeAttribute("schema"));
  await embed.expectVerdict("readable");
  expect(await watched.heard("error")).toEqual([]);
});

test("nothing is valid without the schema that the host page names", async ({ page, host, watched }) => {
  watched.forgive(/404/);
  await page.goto(host.add("/guide/check.html", WITH_SCHEMA, MAY_READ));
  const embed = new Embed(page);
  const report = await embed.check(RESPONSES, "faq.jsonl");
  expect(report).toMatchObject({ valid: false, checked: false });
  await embed.expectVerdict("not-checked");
  const [error] = await watched.heard("error");
  expect(error?.detail).toMatchObject({ code: "schema", message: expect.stringContaining("status 404") });
});
