// A large JSONL file is checked by several workers, and its report is that of one. What dies costs time only.

import { appendFile, copyFile, open, stat, truncate } from "node:fs/promises";
import { join } from "node:path";

import type { Page } from "@playwright/test";

import { expect, full, test, type App, type Report } from "./support/app.ts";
import { sample, write, writeLines } from "./support/files.ts";

/** What a worker did between the page's command to cancel and its answer. */
interface Cancelled {
  reads: number;
  /** Helpers that it ended. */
  ended: number;
}

/** What {@link watchHelpers} adds to the page. */
interface Watched {
  started: number;
  /** One for each check that was cancelled. */
  cancelled: Cancelled[];
  /** Reads from there to the last report. */
  readsAfter: number;
}

/** What befalls a helper that gets its range with this number. */
type Fault = "none" | "throws" | "silent" | "ends" | "lies" | "cannot read";

/**
 * Counts the helpers of the page's worker, and lets the fault happen. Each worker is a blob of a script, and gets one more script in
 * front. Once a helper is silent, the clock of the worker that waits for it runs ten times as fast.
 */
function watchHelpers(fault: Fault): void {
  const inWorker = (fault: Fault) => {
    const channel = new BroadcastChannel("helpers");
    if (self.name !== "evalcheck-helper") {
      const { setTimeout: plain } = self;
      const silent = new Promise<void>((resolve) => {
        channel.onmessage = ({ data }) => data === "silent" && resolve();
      });
      const hurried = (call: () => void, ms = 0) => {
        // To wake twice does nothing.
        if (ms >= 1_000) void silent.then(() => plain(call, ms / 10));
        return plain(call, ms);
      };
      Object.assign(self, { setTimeout: hurried });
      let reads = 0;
      const { prototype } = ReadableStreamBYOBReader;
      const { read } = prototype;
      Object.assign(prototype, {
        read(this: ReadableStreamBYOBReader, ...given: Parameters<typeof read>) {
          reads += 1;
          return read.apply(this, given);
        },
      });
      let ended = 0;
      const { terminate } = Worker.prototype;
      Worker.prototype.terminate = function (this: Worker) {
        ended += 1;
        terminate.call(this);
      };
      addEventListener("message", ({ data }: MessageEvent<{ name?: string }>) => {
        // The engine's own listener comes later.
        if (data.name === "cancel") [reads, ended] = [0, 0];
      });
      const post = self.postMessage.bind(self) as (message: unknown, transfer?: Transferable[]) => void;
      const answer = (message: { name?: string }, transfer?: Transferable[]) => {
        if (message.name === "cancelled") channel.postMessage({ reads, ended });
        if (message.name === "report") channel.postMessage(reads);
        post(message, transfer);
      };
      Object.assign(self, { postMessage: answer });
      return;
    }
    channel.postMessage("started");
    // Held as long as the helper lives.
    void navigator.locks.request(`helper ${Math.random()}`, () => new Promise(() => {}));
    const post = self.postMessage.bind(self) as (message: unknown, transfer: Transferable[]) => void;
    let most = -1;
    addEventListener("message", (event: MessageEvent<{ number?: number }>) => {
      const { number } = event.data;
      if (number === undefined) return;
      const isFirst = number === 2 && most < number;
      most = Math.max(most, number);
      if (!isFirst || fault === "none" || fault === "lies") return;
      event.stopImmediatePropagation();
      if (fault === "throws") throw new Error("on purpose");
      if (fault === "cannot read") post({ number, why: "on purpose" }, []);
      channel.postMessage("silent");
      if (fault === "ends") close();
      for (; fault === "silent"; );
    });
    if (fault !== "lies") return;
    Object.assign(self, {
      postMessage: (message: { number?: number; part?: Uint8Array }, transfer: Transferable[]) => {
        if (message.number === 2 && message.part) message.part[100] ^= 1;
        post(message, transfer);
      },
    });
  };
  const script = `(${inWorker})(${JSON.stringify(fault)});`;
  self.Blob = new Proxy(Blob, {
    construct: (target, [parts, options]) =>
      new target(options?.type === "text/javascript" ? [script, ...parts] : parts, options),
  });
  const watched: Watched = { started: 0, cancelled: [], readsAfter: 0 };
  Object.assign(globalThis, { watched });
  new BroadcastChannel("helpers").onmessage = ({ data }: MessageEvent<string | number | Cancelled>) => {
    if (data === "started") watched.started += 1;
    if (typeof data === "number") watched.readsAfter = data;
    if (typeof data === "object") watched.cancelled.push(data);
  };
}

const watched = (page: Page) => page.evaluate(() => (globalThis as unknown as { watched: Watched }).watched);

/** Waits until so many helpers have been started since the page was loaded. */
const expectStarted = (page: Page, helpers: number) => expect.poll(async () => (await watched(page)).started).toBe(helpers);

/** Waits until all helpers have ended. */
const expectEnded = (page: Page) =>
  expect.poll(() => page.evaluate(async () => ((await navigator.locks.query()).held ?? []).length)).toBe(0);

const TEXT = "The quick brown fox jumps over the lazy dog. ".repeat(6);

/** A record of eee-instance: one in 3,000 has an id that was used before, some are no records. */
function instance(number: number): string {
  if (number % 7_001 === 7_000) return sample("Hi").slice(0, -1);
  if (number % 9_001 === 9_000) return "";
  const id = number % 3_000 === 2_999 ? number - 2_000 : number;
  return JSON.stringify({
    schema_version: "0.3.0",
    evaluation_id: "gsm8k/org_model-7b/1731000000",
    model_id: "org/model-7b",
    evaluation_name: "GSM8K",
    sample_id: `gsm8k_${id}`,
    sample_hash: null,
    interaction_type: "single_turn",
    input: { raw: `${number} ${TEXT}`, formatted: null, reference: ["12"], choices: null },
    output: { raw: [number % 11_003 === 11_002 ? 12 : TEXT] },
    messages: null,
    answer_attribution: [
      { turn_idx: 0, source: "output.raw", extracted_value: "12", extraction_method: "regex", is_terminal: true },
    ],
    evaluation: { score: 1, is_correct: true, num_turns: 1, tool_calls_count: 0 },
    metadata: {},
  });
}

const RECORDS = 36_000;

// In sequence: they share the files, and keep the cores busy.
test.describe.configure({ mode: "default" });

let instances: string;
let samples: string;

test.beforeAll(async ({ workerFolder }) => {
  instances = join(workerFolder, "instances.jsonl");
  await writeLines(instances, RECORDS, instance);
  samples = join(workerFolder, "samples.jsonl");
  await writeLines(samples, 90_000, (number) => sample(`${number} ${TEXT}${TEXT}`, number % 20_000 === 9 ? "tool" : "user"));
});

/** Writes a text over the bytes of a file from a place on. */
async function overwrite(path: string, place: number, text: string): Promise<void> {
  const file = await open(path, "r+");
  await file.write(text, Math.floor(place));
  await file.close();
}

interface Seen {
  report: Report;
  lines: string[];
}

/** Checks a file with so many workers. */
async function check(app: App, path: string, workers: number, fault: Fault = "none"): Promise<Seen> {
  await app.page.addInitScript(watchHelpers, fault);
  await app.open(`./?workers=${workers}`);
  return checked(app, path, workers);
}

async function checked(app: App, path: string, workers: number): Promise<Seen> {
  await app.choose(path);
  await app.expectVerdict("invalid");
  await app.listFindings();
  await expect.poll(() => app.findingLines().then((lines) => lines.length)).toBeGreaterThan(3);
  await app.expectAllRead();
  const { report } = await app.downloadedReport();
  await expectStarted(app.page, workers === 1 ? 0 : workers);
  return { report, lines: await app.findingLines() };
}

/** The report and findings of one worker, by the file. */
const known = new Map<string, Seen>();

/** Asserts that what was seen is what one worker finds. */
async function expectSame(app: App, seen: Seen, path: string): Promise<void> {
  if (!known.has(path)) {
    app.expectReload();
    await app.page.goto("./?workers=1");
    await app.ready();
    known.set(path, await checked(app, path, 1));
  }
  expect(seen).toEqual(known.get(path));
}

test("one worker alone, if the address says so", full(), async ({ app }) => {
  const seen = await check(app, instances, 1);
  known.set(instances, seen);
  expect(seen.report.counts.lines).toBe(RECORDS);
  expect(Object.keys(seen.report.counts.by_code).length).toBeGreaterThan(2);
});

for (const workers of [2, 4]) {
  test(`${workers} workers give the report of one`, full(workers > 2), async ({ app }) => {
    const seen = await check(app, instances, workers);
    await expectEnded(app.page);
    await expectSame(app, seen, instances);
  });
}

test("a format that compares no records", full(), async ({ app }) => {
  const seen = await check(app, samples, 2);
  await app.showLines();
  await app.goToLine(50_000);
  await expect(app.line(50_000)).toContainText("50000 The quick");
  await expectSame(app, seen, samples);
});

test("a search has helpers too, and finds what one worker finds", full(), async ({ app, page }) => {
  app.allowLoadingLater("regex.wasm");
  await page.addInitScript(watchHelpers, "none");
  await app.goto("./?workers=1");
  const found = async (workers: number) => {
    app.expectReload();
    await page.goto(`./?workers=${workers}`);
    await app.ready();
    await app.choose(samples);
    await app.expectVerdict("invalid");
    await page.getByTestId("tab-records").click();
    await expectStarted(page, workers === 1 ? 0 : workers);
    const seen = [];
    for (const query of ['"999 the quick"', "/\\b7\\d{3}9 THE/i role:user", "is:invalid"]) {
      await page.getByTestId("filter-field").fill(query);
      await page.getByTestId("filter-field").press("Enter");
      await expect(page.getByTestId("search-status")).toHaveText(/^[\d,]+ records match\.$/);
      await app.expectAllRead();
      seen.push([await page.getByTestId("search-status").textContent(), await page.getByTestId("hit").allTextContents()]);
    }
    // Those of the check, and of each search.
    await expectStarted(page, workers === 1 ? 0 : 4 * workers);
    return seen;
  };
  const one = await found(1);
  expect(await found(2)).toEqual(one);
  expect(one[0]?.[0]).toBe("90 records match.");
  await expectEnded(page);
});

test("statistics have helpers too, and are those of one worker", full(), async ({ app, page }) => {
  await page.addInitScript(watchHelpers, "none");
  await app.goto("./?workers=1");
  const counted = async (path: string, workers: number) => {
    app.expectReload();
    await page.goto(`./?workers=${workers}`);
    await app.ready();
    await app.choose(path);
    await app.expectVerdict("invalid");
    await expectStarted(page, workers === 1 ? 0 : workers);
    await page.getByTestId("tab-overview").click();
    await expect(page.getByTestId("overview-section").first()).toBeVisible();
    const sections = await page.getByTestId("overview-section").allTextContents();
    const { report } = await app.downloadedReport();
    await expectStarted(page, workers === 1 ? 0 : 2 * workers);
    return { sections, report };
  };
  for (const path of [samples, instances]) {
    const one = await counted(path, 1);
    const two = await counted(path, 2);
    expect(one.sections.length).toBeGreaterThan(3);
    expect(two.sections).toEqual(one.sections);
    expect(two.report).toEqual(one.report);
  }
  await expectEnded(page);
});

test("of a file that has only grown, the first bytes are not read again", full(), async ({ app, page, folder }) => {
  const path = join(folder, "instances.jsonl");
  await copyFile(instances, path);
  await app.open("./?workers=2");
  const again = async () => {
    await app.choose(path);
    await app.expectVerdict("invalid");
    await expect(page.getByTestId("progress")).toHaveCount(0);
  };
  const known = page.getByTestId("known");
  await again();
  await app.showBarDetails();
  await expect(known).toHaveCount(0);
  // The first of these lines repeats an id, and its end comes later.
  await appendFile(path, `${instance(2_999)}\n${instance(RECORDS)}`);
  await again();
  await expect(known).toContainText(/^The file has grown since the last check: its first \d\d\.\d MB were not read again\./);
  await appendFile(path, `\n${instance(RECORDS)}\n`);
  await again();
  await expect(known).toContainText("were not read again.");
  const grown = await app.downloadedReport();
  await page.getByTestId("check-all").click();
  await expect(known).toHaveCount(0);
  await app.expectVerdict("invalid");
  expect((await app.downloadedReport()).report).toEqual(grown.report);

  app.expectReload();
  await page.goto("./?workers=1");
  await app.ready();
  await again();
  expect((await app.downloadedReport()).report).toEqual(grown.report);
});

test("a file that was changed and not only added to is read again", full(), async ({ app, page, folder }) => {
  const path = join(folder, "samples.jsonl");
  await copyFile(samples, path);
  const { size } = await stat(path);
  await app.open("./?workers=2");
  for (const change of [
    // As long as before, with another line in the middle.
    () => overwrite(path, size / 2, "x"),
    // Longer, with another beginning; with another end.
    async () => {
      await overwrite(path, 100, "x");
      await appendFile(path, `${sample("more")}\n`);
    },
    async () => {
      await overwrite(path, (await stat(path)).size - 100, "x");
      await appendFile(path, `${sample("more")}\n`);
    },
    // Shorter.
    () => truncate(path, size / 2),
  ]) {
    await app.choose(path);
    await app.expectVerdict("invalid");
    await change();
    await app.choose(path);
    await expect(page.getByTestId("since")).toContainText("Since the last check");
    await expect(page.getByTestId("known")).toHaveCount(0);
    await app.act("start-over");
  }
});

for (const fault of ["throws", "silent", "ends", "lies", "cannot read"] as const) {
  test(`a helper that fails costs time only: ${fault}`, full(fault !== "ends"), async ({ app }) => {
    app.allowProblem();
    const seen = await check(app, instances, 2, fault);
    await expectEnded(app.page);
    await expectSame(app, seen, instances);
  });
}

test("a file of which no line is clean is checked by one worker in the end", full(), async ({ app, page, folder }) => {
  const path = join(folder, "all-bad.jsonl");
  await writeLines(path, 60_000, (number) => sample(`${number} ${TEXT}${TEXT}`, "tool"));
  await page.addInitScript(watchHelpers, "none");
  await app.open("./?workers=2");
  await app.choose(path);
  await app.expectVerdict("invalid");
  await expectStarted(page, 2);
  await expect(app.count("records")).toHaveText("60,000");
  await expectEnded(page);
});

test("a small file has no helpers", async ({ app, page, folder }) => {
  await page.addInitScript(watchHelpers, "none");
  await app.open("./?workers=2");
  await app.choose(await write(folder, "small.jsonl", `${sample(TEXT)}\n`.repeat(40_000)));
  await app.expectVerdict("valid");
  expect((await watched(page)).started).toBe(0);
});

test("a cancelled check ends its helpers at once, and reads no more", async ({ app, page, folder }) => {
  await page.addInitScript(watchHelpers, "none");
  await app.open("./?workers=2");
  // The same file many times, so that the click cannot come after the end.
  const once = page.locator("#once");
  await page.evaluate(() => document.body.append(Object.assign(document.createElement("input"), { type: "file", id: "once" })));
  await once.setInputFiles(samples);
  await app.input.first().evaluate(async (input: HTMLInputElement) => {
    const source = document.querySelector<HTMLInputElement>("#once");
    const file = source?.files?.[0] as File;
    source?.remove();
    const transfer = new DataTransfer();
    transfer.items.add(new File(Array.from({ length: 60 }, () => file), "large.jsonl"));
    input.files = transfer.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    await new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => {
        if ((document.querySelector<HTMLProgressElement>("[data-testid=progress] progress")?.value ?? 0) < 2) return;
        observer.disconnect();
        resolve();
      });
      observer.observe(document, { subtree: true, childList: true, attributes: true });
    });
    document.querySelector<HTMLElement>("[data-testid=cancel]")?.click();
  });
  await app.expectVerdict("not-checked");
  await expectStarted(page, 2);
  await expectEnded(page);
  await app.choose(await write(folder, "next.jsonl", sample("Hi")));
  await app.expectVerdict("valid");
  await expect.poll(async () => (await watched(page)).cancelled).toEqual([{ reads: 0, ended: 2 }]);
  // Those of the next file. What was cancelled would take hundreds.
  expect((await watched(page)).readsAfter).toBeLessThanOrEqual(4);
});
