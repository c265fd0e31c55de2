// A static host for one test. Its folders can be replaced, it can go down, and it can send wrong media types.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { Local } from "./local.ts";

/** The built page. */
export const DIST = fileURLToPath(new URL("../../../dist", import.meta.url));

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** What a host does to files. */
interface HostOptions {
  /** Media types in place of the usual ones, by file extension. */
  types?: Record<string, string>;
  /** Whether it compresses a file; `""` is the page. */
  compresses?: (name: string) => boolean;
}

/** Sends only the media type and, like GitHub Pages, allows caching for ten minutes. */
export class Host extends Local {
  /** Folders by the URL paths below which they are served. */
  readonly folders: Record<string, string>;
  /** The paths of all requests. */
  readonly requested: string[] = [];
  /** True to close every connection. */
  down = false;
  protected readonly server: Server;

  private constructor(folders: Record<string, string>, { types, compresses = () => false }: HostOptions) {
    super();
    this.folders = folders;
    const typed = { ...TYPES, ...types };
    this.server = createServer(async (request, response) => {
      if (this.down) return void request.socket.destroy();
      const path = decodeURIComponent(new URL(request.url ?? "/", "http://host").pathname);
      this.requested.push(path);
      const base = Object.keys(this.folders).find((base) => path.startsWith(base));
      const name = path.slice(base?.length);
      const file = join(this.folders[base ?? ""] ?? "", name === "" || name.endsWith("/") ? `${name}index.html` : name);
      if (!base || name.includes("..") || !(await stat(file).catch(() => null))?.isFile()) {
        return void response.writeHead(404).end("not found\n");
      }
      const type = typed[extname(file)] ?? "application/octet-stream";
      const headers = { "Content-Type": type, "Cache-Control": "max-age=600" };
      const content = await readFile(file);
      if (compresses(name)) response.writeHead(200, { ...headers, "Content-Encoding": "gzip" }).end(gzipSync(content, { level: 1 }));
      else response.writeHead(200, headers).end(content);
    });
  }

  /** Serves folders by URL paths. */
  static async start(folders: Record<string, string>, options: HostOptions = {}): Promise<Host> {
    return new Host(folders, options).listen();
  }
}

/** Creates another version of the built page, with another style sheet and another title. */
export async function nextVersion(folder: string): Promise<string> {
  await cp(DIST, folder, { recursive: true });
  const style = (await readdir(folder)).find((name) => /^styles-.*\.css$/.test(name));
  if (!style) throw new Error("the page has no style sheet");
  const renamed = style.replace(/-.*\./, "-0123456789abcdef.");
  await rename(join(folder, style), join(folder, renamed));
  const before = await readFile(join(folder, renamed), "utf8");
  const after = `${before}:root { --next: 1 }\n`;
  await writeFile(join(folder, renamed), after);
  const index = join(folder, "index.html");
  const html = await readFile(index, "utf8");
  const integrity = (text: string) => `sha384-${createHash("sha384").update(text).digest("base64")}`;
  const changed = html
    .replaceAll(style, renamed)
    .replace(integrity(before), integrity(after))
    .replace(/<title>.*<\/title>/, "<title>The next version</title>");
  if (changed === html) throw new Error("nothing was changed");
  await writeFile(index, changed);
  seal(folder);
  return folder;
}

/** Writes the service worker for what is in the folder now, as a build does. */
function seal(folder: string): void {
  const xtask = process.env.EVALCHECK_XTASK;
  const [program, args] = xtask ? [xtask, []] : ["cargo", ["xtask"]];
  execFileSync(program as string, [...(args as string[]), "seal", folder], { stdio: ["ignore", "ignore", "inherit"] });
}
