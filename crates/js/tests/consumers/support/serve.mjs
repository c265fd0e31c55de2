// Serves a folder.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
};

/** The path below which a folder is served. */
const BASE = "/some/where/";

/**
 * Serves a folder, a URL with a slash at its end, below a path and with a content security policy. Returns the address and what
 * ends it.
 */
export async function serve(folder, policy) {
  const headers = policy ? { "Content-Security-Policy": policy } : {};
  const server = createServer(async ({ url }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const name = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    try {
      if (!name.startsWith(BASE)) throw new Error("elsewhere");
      const body = await readFile(new URL(`.${name.slice(BASE.length - 1)}`, folder));
      response.writeHead(200, { ...headers, "Content-Type": TYPES[extname(name)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}${BASE}`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
