// The page as a test uses it, and what holds in every test: nothing is asked of any server once the page has loaded,
// nothing violates its content security policy, nothing fails unheard.

import { expect, type Locator, type Page, type Request } from "@playwright/test";

import { test as base } from "./files.ts";

export { expect };

/** What a person does with the page. */
export class App {
  readonly problems: string[] = [];
  private loaded = false;
  private forgiven = false;
  /** Requests to a server that have no answer yet, and when the last one began or ended. */
  private readonly unanswered = new Set<Request>();
  private stirred = 0;

  constructor(readonly page: Page) {
    page.on("pageerror", (error) => this.problems.push(`uncaught: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") this.problems.push(`console: ${message.text()}`);
    });
    page.on("dialog", (dialog) => {
      this.problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("popup", (popup) => this.problems.push(`a window was opened: ${popup.url()}`));
    page.context().on("request", (request) => this.heard(request));
    for (const end of ["requestfinished", "requestfailed"] as const) {
      page.context().on(end, (request) => {
        this.unanswered.delete(request);
        this.stirred = performance.now();
      });
    }
  }

  private heard(request: Request): void {
    const url = new URL(request.url());
    // Addresses that lead nowhere but into this browser.
    if (["blob:", "data:", "chrome-extension:", "chrome:", "about:"].includes(url.protocol)) return;
    this.unanswered.add(request);
    this.stirred = performance.now();
    if (this.loaded) this.problems.push(`a request after the page had loaded: ${url.href}`);
    // The page that is one file, on disk.
    else if (url.protocol === "file:") return;
    else if (url.hostname !== "127.0.0.1") this.problems.push(`a request to another host: ${url.href}`);
  }

  /** Opens the page and waits until it can check. */
  async open(address = "./"): Promise<void> {
    await this.goto(address);
    await this.ready();
  }

  /** Opens the page, and waits for nothing. */
  async goto(address = "./"): Promise<void> {
    await this.page.exposeFunction("__noteViolation", (what: string) => this.problems.push(what));
    await this.page.addInitScript(() => {
      addEventListener("securitypolicyviolation", (event) => {
        const note = (window as unknown as { __noteViolation(what: string): void }).__noteViolation;
        note(`content security policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
      });
    });
    await this.page.goto(address);
  }

  /** Waits until the engine is there. From then on nothing may be asked of the server. */
  async ready(): Promise<void> {
    await expect(this.example("juryarena/minimal")).toBeVisible();
    await this.page.waitForLoadState("load");
    // Playwright's own "networkidle" now and then misses the end of a worker's script that comes from a blob.
    await expect.poll(() => this.unanswered.size === 0 && performance.now() - this.stirred > 500).toBe(true);
    this.loaded = true;
  }

  /** The page is about to be loaded once more. */
  expectReload(): void {
    this.loaded = false;
  }

  /** Waits for a problem that a test brings about on purpose; what comes with it is forgiven. */
  async expectProblem(pattern: RegExp): Promise<void> {
    this.forgiven = true;
    await expect.poll(() => this.problems.join("\n")).toMatch(pattern);
  }

  /** What was noticed and must not be. */
  unforgiven(): string[] {
    return this.forgiven ? [] : this.problems;
  }

  example(name: string): Locator {
    return this.page.locator(`[data-testid=example][data-example="${name}"]`);
  }

  get input(): Locator {
    return this.page.locator("input[type=file]");
  }

  /** Chooses a file, by its path or by its content. */
  async choose(file: string | { name: string; content: string | Uint8Array }): Promise<void> {
    await this.input.setInputFiles(
      typeof file === "string"
        ? file
        : { name: file.name, mimeType: "application/octet-stream", buffer: Buffer.from(file.content) },
    );
  }

  /** Drops a file of the disk at a place of the window, as a file manager does. */
  async drop(path: string, at: { x: number; y: number }): Promise<void> {
    const session = await this.page.context().newCDPSession(this.page);
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"] as const) {
      await session.send("Input.dispatchDragEvent", { type, ...at, data });
    }
    await session.detach();
  }

  get verdict(): Locator {
    return this.page.getByTestId("verdict");
  }

  async expectVerdict(verdict: "valid" | "invalid" | "not-checked", timeout = 10_000): Promise<void> {
    await expect(this.verdict).toHaveAttribute("data-verdict", verdict, { timeout });
  }

  /** The number that the page shows under this name, `errors` for instance. */
  count(name: string): Locator {
    return this.page.getByTestId("counts").locator(`[data-count=${name}] dd`);
  }

  get findings(): Locator {
    return this.page.getByTestId("finding");
  }

  /** What the findings in sight say, a line each, as the plain text has them. */
  async findingLines(): Promise<string[]> {
    return this.findings.evaluateAll((rows) =>
      rows.map((row) =>
        [".place", ".path", ".message"].map((part) => row.querySelector(part)?.textContent ?? "").join(""),
      ),
    );
  }

  /** The report as text, by way of the clipboard. */
  async copiedReport(): Promise<string> {
    await this.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await this.page.getByTestId("copy-report").click();
    await expect(this.page.getByTestId("copy-report")).toContainText("Copied");
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** The report as JSON, by way of a download. */
  async downloadedReport(): Promise<{ name: string; report: Report }> {
    const [download] = await Promise.all([
      this.page.waitForEvent("download"),
      this.page.getByTestId("download-json").click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    return { name: download.suggestedFilename(), report: JSON.parse(Buffer.concat(chunks).toString("utf8")) };
  }

  async showLines(): Promise<void> {
    await this.page.getByTestId("tab-lines").click();
    await expect(this.page.getByTestId("line-list")).toBeVisible();
  }

  line(number: number): Locator {
    return this.page.locator(`[data-testid=line][data-line="${number}"]`);
  }

  async goToLine(number: number): Promise<void> {
    await this.page.getByTestId("goto-line").fill(String(number));
    await this.page.getByTestId("goto-line").press("Enter");
    await expect(this.line(number)).toBeInViewport();
  }

  async showSample(): Promise<void> {
    await this.page.getByTestId("tab-sample").click();
    await expect(this.page.getByTestId("sample")).toBeVisible();
  }
}

/** What a test reads of report v1; the whole of it is in crates/wire/report.schema.json. */
export interface Report {
  tool: { name: string; version: string };
  valid: boolean;
  checked: boolean;
  truncated: boolean;
  counts: Record<string, number> & { by_code: Record<string, number> };
  findings: {
    code: string;
    severity: string;
    line: number | null;
    byte_start: number | null;
    byte_end: number | null;
    path: string | null;
    message: string;
    entry?: string;
  }[];
}

export const test = base.extend<{ app: App }>({
  app: async ({ page }, use) => {
    const app = new App(page);
    await use(app);
    expect(app.unforgiven()).toEqual([]);
  },
});
