// Pages that embed evalcheck. They come from another server, and so from another origin, with a strict content security
// policy.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, type FrameLocator, type Locator, type Page } from "@playwright/test";

import type { Report } from "./app.ts";
import { test as base } from "./files.ts";

export { expect };

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** The URL of evalcheck in examples and documentation. */
const EVALCHECK_URL = "https://tools.example.org/evalcheck/";

/** The folder of the sites that the step `examples` builds. */
const SITES = join(ROOT, "target", "examples");

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

/** The code block of a document that contains a text. */
export function block(document: string, text: string): string {
  const blocks = [...readFileSync(join(ROOT, document), "utf8").matchAll(/```\w+\n([^]*?)```/g)];
  const found = blocks.map(([, body]) => body as string).filter((body) => body.includes(EVALCHECK_URL) && body.includes(text));
  if (found.length !== 1) throw new Error(`${document} has ${found.length} blocks with ${EVALCHECK_URL} and ${text}`);
  return found[0] as string;
}

/** The two directives that an embed needs according to docs/embed.md. */
const REQUIRED = Object.fromEntries(
  block("docs/embed.md", "frame-src")
    .split(";")
    .map((line) => line.trim().split(" "))
    .map(([directive, source]) => [directive, source]),
) as { "script-src": string; "frame-src": string };

/** A page and its content security policy. */
interface Served {
  html: string;
  policy?: string;
}

/** A server for pages that embed evalcheck. */
export class Docs {
  private readonly pages = new Map<string, Served>();
  private readonly server: Server;

  constructor(private readonly evalcheck: string) {
    this.server = createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url ?? "/", "http://host").pathname);
      const page = this.pages.get(path) ?? this.site(path);
      if (page === undefined) {
        response.writeHead(404).end();
      } else if ("html" in page) {
        const html = this.filled(page.html);
        const policy = this.filled(page.policy ?? strict(html));
        response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy }).end(html);
      } else {
        response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" }).end(page.bytes);
      }
    });
  }

  /** A file of a built site, below `/docs/`. */
  private site(path: string): Served | { bytes: Buffer } | undefined {
    const file = join(SITES, normalize(path.replace(/^\/docs\//, "/")));
    const found = [file, join(file, "index.html"), `${file}.html`].find((name) => existsSync(name) && statSync(name).isFile());
    if (!path.startsWith("/docs/") || !found) return undefined;
    return found.endsWith(".html") ? { html: readFileSync(found, "utf8") } : { bytes: readFileSync(found) };
  }

  /** Inserts the URL of evalcheck in this test. */
  private filled(text: string): string {
    return text.replaceAll(EVALCHECK_URL, this.evalcheck);
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** Serves a page with this body, by default with the policy of docs/embed.md and nothing else. */
  add(path: string, body: string, more: { policy?: string; head?: string } = {}): string {
    const html = `<!doctype html><html lang="en"><head><title>Docs</title><link rel="icon" href="data:,">${more.head ?? SCRIPT}</head><body>${body}</body></html>`;
    const policy = more.policy ?? `${STRICTEST}; ${REQUIRED_DIRECTIVES}`;
    this.pages.set(path, { html, policy });
    return new URL(path, this.url).href;
  }
}

const SCRIPT = `<script async src="${EVALCHECK_URL}embed.js"></script>`;
const REQUIRED_DIRECTIVES = Object.entries(REQUIRED).map((line) => line.join(" ")).join("; ");
export const STRICTEST = "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'";

/** A policy for a generated site, with hashes of its inline scripts, and for the embed. */
function strict(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*(?:\ssrc=|application\/json))[^>]*>([^]*?)<\/script>/g)];
  const hashes = inline.map(([, code]) => `'sha256-${createHash("sha256").update(code ?? "").digest("base64")}'`);
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(" ")} ${REQUIRED["script-src"]}`,
    `frame-src ${REQUIRED["frame-src"]}`,
    // Only the site generators use inline styles.
    html.includes(" style=\"") ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** True if the step `examples` has built a site. */
export const isBuilt = (site: string): boolean => existsSync(join(SITES, site, "index.html"));

/** An event of an element that the host page has received. */
export interface Heard {
  type: string;
  /** The id of the element. */
  from: string;
  detail: Report & { code: string; message: string };
}

/** One element and its frame. */
export class Embed {
  readonly element: Locator;
  readonly iframe: Locator;
  readonly frame: FrameLocator;

  constructor(readonly page: Page, selector = "eval-check") {
    this.element = page.locator(selector);
    this.iframe = this.element.locator("iframe");
    this.frame = this.iframe.contentFrame();
  }

  get verdict(): Locator {
    return this.frame.getByTestId("verdict");
  }

  async choose(name: string, content: string): Promise<void> {
    const file = { name, mimeType: "application/octet-stream", buffer: Buffer.from(content) };
    await this.frame.locator("input[type=file]").setInputFiles(file);
  }

  async ready(): Promise<void> {
    await expect(this.frame.locator("html[data-ready]")).toBeAttached();
  }

  async expectVerdict(verdict: string): Promise<void> {
    await expect(this.verdict).toHaveAttribute("data-verdict", verdict);
  }

  async height(): Promise<number> {
    return this.iframe.evaluate((frame) => frame.getBoundingClientRect().height);
  }

  /**
   * Lets script ask for a check of a text, so many times over, and gives the report, or the code of the error.
   */
  async check(content: string, name?: string, times = 1): Promise<Report | string> {
    return this.element.evaluate(
      (element, [content, name, times]) =>
        (element as HTMLElement & { check(file: Blob, options: { name?: string }): Promise<Report> })
          .check(new Blob(Array.from({ length: times }, () => content)), name === undefined ? {} : { name })
          .catch((error: { code: string }) => error.code),
      [content, name, times] as const,
    );
  }
}

/** What elements say, from the beginning of the page; requests to evalcheck; and what went wrong. */
export class Watched {
  readonly requests: string[] = [];
  readonly problems: string[] = [];
  private forgiven: RegExp[] = [];

  constructor(readonly page: Page, evalcheck: string) {
    page.on("pageerror", (error) => this.problems.push(`uncaught: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") this.problems.push(`console: ${message.text()}`);
    });
    page.context().on("request", (request) => {
      const url = new URL(request.url());
      if (request.url().startsWith(evalcheck)) this.requests.push(url.pathname + url.hash);
      else if (url.protocol.startsWith("http") && url.hostname !== "127.0.0.1") this.problems.push(`to another host: ${url.href}`);
    });
  }

  async listen(): Promise<void> {
    await this.page.addInitScript(() => {
      const heard: { type: string; from: string; detail: unknown }[] = [];
      Object.assign(globalThis, { heard });
      for (const type of ["report", "progress", "error"]) {
        document.addEventListener(`evalcheck:${type}`, ({ target, detail }: CustomEventInit & Event) =>
          heard.push({ type, from: (target as Element).id, detail }),
        );
      }
    });
  }

  /** What was heard at the document, of a type. */
  async heard(type: string): Promise<Heard[]> {
    const all = await this.page.evaluate(() => (globalThis as unknown as { heard: Heard[] }).heard);
    return all.filter((one) => one.type === type);
  }

  forgive(problem: RegExp): void {
    this.forgiven.push(problem);
  }

  unforgiven(): string[] {
    return this.problems.filter((problem) => !this.forgiven.some((pattern) => pattern.test(problem)));
  }
}

export const test = base.extend<{ host: Docs; watched: Watched; evalcheck: string }>({
  evalcheck: async ({ baseURL }, use) => use(baseURL as string),
  host: async ({ evalcheck }, use) => {
    const host = new Docs(evalcheck);
    await host.start();
    await use(host);
    await host.stop();
  },
  watched: [
    async ({ page, evalcheck }, use) => {
      const watched = new Watched(page, evalcheck);
      await watched.listen();
      await use(watched);
      expect(watched.unforgiven()).toEqual([]);
    },
    { auto: true },
  ],
});
