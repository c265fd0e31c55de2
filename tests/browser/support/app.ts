// Drives the page, and checks in every test that it makes no request after it has loaded, that nothing violates its
// content security policy, and that no error is uncaught.

import { expect, type FrameLocator, type Locator, type Page, type Request, type Route } from "@playwright/test";

import { test as base } from "./files.ts";

export { expect };

/** Marks a test that only the full suite runs: README.md says of each what the quick one keeps. */
export const full = (is = true): { tag: string[] } => ({ tag: is ? ["@full"] : [] });

/** A button of the bar; opens the menu if it is in there. On a narrow screen, the details cover the bar. */
export async function reach(page: Page | FrameLocator, id: string): Promise<Locator> {
  const button = page.getByTestId(id);
  await expect(button).toBeAttached();
  const back = page.getByTestId("back");
  if ((await back.isVisible()) && !(await button.isVisible())) await back.click();
  const menu = page.getByTestId("menu").filter({ has: button });
  if ((await menu.count()) > 0 && (await menu.getAttribute("open")) === null) await page.getByTestId("menu-open").click();
  return button;
}

/** Presses a button of the bar or of its menu. */
export async function act(page: Page | FrameLocator, id: string): Promise<void> {
  await (await reach(page, id)).click();
}

/** The page, as a user operates it. */
export class App {
  readonly problems: string[] = [];
  private loaded = false;
  /** A file of the page that it may load at any time. */
  private loadedLater: string | undefined;
  private expectsProblem = false;
  private unloadQuestions: string[] | undefined;
  /** Requests that have not ended. */
  private readonly pending = new Set<Request>();

  constructor(readonly page: Page) {
    page.on("pageerror", (error) => this.problems.push(`uncaught: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") this.problems.push(`console: ${message.text()}`);
    });
    page.on("dialog", (dialog) => {
      if (this.unloadQuestions && dialog.type() === "beforeunload") this.unloadQuestions.push(dialog.message());
      else this.problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    // Playwright intercepts file pickers only while something listens. A listener that is added just before a click or a
    // key press can be too late for it.
    page.on("filechooser", () => {});
    page.on("popup", (popup) => this.problems.push(`a window was opened: ${popup.url()}`));
    page.context().on("request", (request) => this.checkRequest(request));
    for (const end of ["requestfinished", "requestfailed"] as const) {
      page.context().on(end, (request) => this.pending.delete(request));
    }
  }

  private checkRequest(request: Request): void {
    const url = new URL(request.url());
    // These URLs do not leave the browser.
    if (["blob:", "data:", "chrome-extension:", "chrome:", "about:"].includes(url.protocol)) return;
    this.pending.add(request);
    if (this.loadedLater && url.pathname.endsWith(`/${this.loadedLater}`)) return;
    if (this.loaded) this.problems.push(`a request after the page had loaded: ${url.href}`);
    // The single-file page on disk.
    else if (url.protocol === "file:") return;
    else if (url.hostname !== "127.0.0.1") this.problems.push(`a request to another host: ${url.href}`);
  }

  /** Opens the page and waits until the engine is ready. */
  async open(address = "./"): Promise<void> {
    await this.goto(address);
    await this.ready();
  }

  /** Opens the page without waiting for the engine. */
  async goto(address = "./"): Promise<void> {
    await this.page.exposeFunction("__reportViolation", (what: string) => this.problems.push(what));
    await this.page.addInitScript(() => {
      // Its dialogue is the system's, which tests cannot operate: files are downloaded then.
      Reflect.deleteProperty(window, "showSaveFilePicker");
      Reflect.deleteProperty(window, "showOpenFilePicker");
      Reflect.deleteProperty(window, "showDirectoryPicker");
      // On a busy machine an answer to Cancel takes longer than the page waits for it, and "Copied" is gone before a test looks.
      const { setTimeout: plain } = window;
      const patient = (call: () => void, ms = 0) => plain(call, [500, 2_500].includes(ms) ? 100 * ms : ms);
      Object.assign(window, { setTimeout: patient });
      addEventListener("securitypolicyviolation", (event) => {
        const report = (window as unknown as { __reportViolation(what: string): void }).__reportViolation;
        report(`content security policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
      });
    });
    await this.page.goto(address);
  }

  /** Waits until the page says that it is ready. From then on, any request is a problem. */
  async ready(): Promise<void> {
    await expect(this.page.locator("html[data-ready]")).toBeAttached();
    await expect.poll(() => this.pending.size, "requests of a page that says that it is ready").toBe(0);
    this.loaded = true;
  }

  /** Delays the engine of a page that is opened next, until the returned function is called. */
  delayEngine(): Promise<() => void> {
    return this.hold("**/worker.js");
  }

  /** Holds requests for a file, or only the first few, until the returned function is called. */
  async hold(url: string, options: { times?: number } = {}): Promise<() => void> {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const wait = async (route: Route) => {
      await released;
      await route.continue();
    };
    await this.page.route(url, wait, options);
    return release;
  }

  /** Throws an exception in the worker, and waits until the page has replaced it. */
  async crashWorker(): Promise<void> {
    const replaced = this.page.waitForEvent("worker");
    await this.page.workers()[0]?.evaluate(() => {
      setTimeout(() => {
        throw new Error("on purpose");
      });
    });
    await replaced;
  }

  /** The browser will ask before the page is left, and the page stays. Returns what it asks. */
  expectUnloadQuestions(): string[] {
    this.unloadQuestions = [];
    return this.unloadQuestions;
  }

  /** Lets the page load a file of its own when that is first used. */
  allowLoadingLater(file: string): void {
    this.loadedLater = file;
  }

  /** The page will be reloaded. */
  expectReload(): void {
    this.loaded = false;
  }

  /** Waits for a problem that a test causes on purpose. The test then passes in spite of it. */
  async expectProblem(pattern: RegExp): Promise<void> {
    this.expectsProblem = true;
    await expect.poll(() => this.problems.join("\n")).toMatch(pattern);
  }

  /** Lets the page have a problem. */
  allowProblem(): void {
    this.expectsProblem = true;
  }

  /** Problems that the test does not expect. */
  async unexpectedProblems(): Promise<string[]> {
    // What the page and its workers have done by now is known here after they have answered. One that has ended does not answer.
    const all = this.page.isClosed() ? [] : [this.page, ...this.page.workers()];
    await Promise.all(all.map((one) => (one as Page).evaluate(() => {}).catch(() => {})));
    return this.expectsProblem ? [] : this.problems;
  }

  example(name: string): Locator {
    return this.page.locator(`[data-testid=example][data-example="${name}"]`);
  }

  /** Shows the list of examples. */
  async showExamples(): Promise<void> {
    const list = this.page.getByTestId("examples");
    if ((await list.getAttribute("open")) === null) await list.locator("summary").click();
  }

  /** Opens an example from the list. */
  async openExample(name: string): Promise<void> {
    await this.showExamples();
    await this.example(name).click();
  }

  get input(): Locator {
    return this.page.locator("input[type=file]");
  }

  /** Chooses a file by its path, or a file with this content. */
  async choose(file: string | { name: string; content: string | Uint8Array }): Promise<void> {
    await this.input.setInputFiles(
      typeof file === "string"
        ? file
        : { name: file.name, mimeType: "application/octet-stream", buffer: Buffer.from(file.content) },
    );
  }

  /** Drops a file from disk on a point of the window, as a file manager does. */
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

  async expectVerdict(verdict: "valid" | "invalid" | "not-checked" | "readable" | "undecided"): Promise<void> {
    await expect(this.verdict).toHaveAttribute("data-verdict", verdict);
  }

  /** A button of the bar; opens the menu if it is in there. */
  async reach(id: string): Promise<Locator> {
    return reach(this.page, id);
  }

  /** Presses a button of the bar or of its menu. */
  async act(id: string): Promise<void> {
    await act(this.page, id);
  }

  /**
   * Presses Cancel as soon as this part of the page has a text, from within the page: from outside, the click may come after the end. To be called
   * before what it cancels begins. What is returned waits for the click.
   */
  async cancelAt(part: string, text: RegExp): Promise<() => Promise<void>> {
    const clicked = await this.page.evaluateHandle(
      ([part, text]) => ({
        promise: new Promise<void>((resolve) => {
          const observer = new MutationObserver(() => {
            const at = document.querySelector(`[data-testid=${part}]`);
            const button = document.querySelector<HTMLElement>("[data-testid=cancel]");
            if (!button || !text.test(at?.textContent ?? "")) return;
            observer.disconnect();
            button.click();
            resolve();
          });
          observer.observe(document, { subtree: true, childList: true, characterData: true });
        }),
      }),
      [part, text] as const,
    );
    return () => clicked.evaluate(({ promise }) => promise);
  }

  /** Opens the details below the bar. */
  async showBarDetails(): Promise<void> {
    const toggle = this.page.getByTestId("details-toggle");
    if ((await toggle.getAttribute("aria-expanded")) === "false") await toggle.click();
    await expect(toggle).toHaveAttribute("aria-expanded", "true");
  }

  /** A count of the report, for example `errors`. */
  count(name: string): Locator {
    return this.page.getByTestId("counts").locator(`[data-count=${name}] dd`);
  }

  get findings(): Locator {
    return this.page.getByTestId("finding");
  }

  /** Waits until these findings are rendered. The worker is asked for the list after the verdict is shown. */
  async expectFindingLines(expected: readonly unknown[]): Promise<void> {
    await expect.poll(() => this.findingLines()).toEqual(expected);
  }

  /** The rendered findings as text, in the form of the plain text report. To be called when they are known to be there. */
  async findingLines(): Promise<string[]> {
    return this.findings.evaluateAll((rows) =>
      rows.map((row) =>
        // Where the rule has a title, it follows the path instead of a colon.
        [".place", ".path", ".message"]
          .map((part) => row.querySelector(part)?.textContent ?? "")
          .map((text, part) => (part === 1 && row.querySelector(".finding-title") ? `${text}: ` : text))
          .join(""),
      ),
    );
  }

  /** The report as text, copied to the clipboard. */
  async copiedReport(): Promise<string> {
    await this.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await this.act("copy-report");
    await expect(this.page.getByTestId("copy-report")).toContainText("Copied");
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** The report as JSON, downloaded. */
  async downloadedReport(): Promise<{ name: string; report: Report }> {
    const [download] = await Promise.all([
      this.page.waitForEvent("download"),
      this.act("download-json"),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    return { name: download.suggestedFilename(), report: JSON.parse(Buffer.concat(chunks).toString("utf8")) };
  }

  /** Waits until all that is on the screen has been read. */
  async expectAllRead(): Promise<void> {
    await expect(this.page.locator(".waiting")).toHaveCount(0);
  }

  /** Shows a list by its tab, or by the menu of those without a tab. */
  async showTab(id: string): Promise<void> {
    const [tab, item] = [this.page.getByTestId(`tab-${id}`), this.page.getByTestId(`more-${id}`)];
    await expect(tab.or(item).first()).toBeAttached();
    if (!(await tab.isVisible())) {
      await this.page.getByTestId("more-open").click();
      await item.click();
    } else {
      await tab.click();
    }
  }

  /** Lists findings one by one, which are in groups if there are several of a kind. */
  async listFindings(): Promise<void> {
    await expect(this.findings.or(this.page.getByTestId("group")).first()).toBeVisible();
    if (await this.page.getByTestId("group").first().isVisible()) await this.page.getByTestId("show-groups").click();
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

/** The part of report v1 that tests use; crates/wire/report.schema.json has all of it. */
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
    expect(await app.unexpectedProblems()).toEqual([]);
  },
});
