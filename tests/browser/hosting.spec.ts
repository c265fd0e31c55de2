// Hosts that compress and hosts that do not, and the nginx configuration of docs/hosting.md, if nginx is installed.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { join } from "node:path";

import { expect, full, test } from "./support/app.ts";
import { has } from "./support/command.ts";
import { sample, write } from "./support/files.ts";
import { DIST, Host } from "./support/host.ts";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Starts nginx with the documented configuration, with another folder and port. */
async function nginx(folder: string, port: number): Promise<ChildProcess> {
  const document = readFileSync(new URL("../../docs/hosting.md", import.meta.url), "utf8");
  const [www, policy] = [join(folder, "www"), join(folder, "policy.conf")];
  cpSync(DIST, www, { recursive: true });
  const here = (text: string) => text.replaceAll("/var/www/evalcheck", www).replaceAll("/etc/nginx/evalcheck-policy.conf", policy);
  const [, shown = "", prepare = ""] = /```nginx\n([\s\S]*?)```[\s\S]*?```sh\n([\s\S]*?)```/.exec(document) ?? [];
  execFileSync("sh", ["-e", "-c", here(prepare)]);
  const configuration = here(shown).replace("listen 8080", `listen 127.0.0.1:${port}`);
  expect(configuration).toContain(www);
  expect(configuration).toContain(policy);
  expect(configuration).toContain(String(port));
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${join(folder, kind)};`);
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const main = await write(
    folder,
    "nginx.conf",
    `${user} daemon off; pid ${join(folder, "pid")}; error_log stderr; events {} http { access_log off; ${paths.join(" ")}\n${configuration}}`,
  );
  return spawn("nginx", ["-p", folder, "-c", main, "-e", "stderr"], { stdio: ["ignore", "inherit", "inherit"] });
}

test("nginx serves the page with the documented configuration", async ({ app, folder, request }) => {
  test.skip(!has("nginx") && !has("/usr/sbin/nginx"), "nginx is not installed: its documented configuration is NOT tested");
  const port = await freePort();
  const server = await nginx(folder, port);
  try {
    const address = `http://127.0.0.1:${port}/`;
    await expect.poll(() => request.get(address).then((answer) => answer.status(), () => 0)).toBe(200);
    await app.open(address);
    await app.choose({ name: "samples.jsonl", content: sample("Hi") });
    await app.expectVerdict("valid");

    const html = await (await request.get(address)).text();
    const [style = ""] = /styles-[0-9a-f]+\.css/.exec(html) ?? [];
    const [worker = ""] = /worker-[0-9a-f]+\//.exec(html) ?? [];
    for (const [path, type, lasting] of [
      ["", "text/html", false],
      ["sw.js", "text/javascript", false],
      ["manifest.webmanifest", "application/manifest+json", false],
      ["icons/maskable-512.png", "image/png", false],
      [style, "text/css", true],
      [`${worker}engine.wasm`, "application/wasm", true],
    ] as const) {
      const headers = (await request.get(address + path)).headers();
      expect(headers["content-type"], path).toContain(type);
      expect(headers["cache-control"], path).toContain(lasting ? "immutable" : "no-cache");
      expect(headers["x-content-type-options"], path).toBe("nosniff");
      expect(headers["content-security-policy"], path).toMatch(/^default-src 'none'; .*frame-ancestors/);
    }
    const packed = (await request.get(`${address}${worker}engine.wasm`, { headers: { "accept-encoding": "gzip" } })).headers();
    expect(packed).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
    expect((await request.get(`${address}_headers`)).status()).toBe(404);
  } finally {
    server.kill();
    await once(server, "exit");
  }
});

for (const [what, compresses, plain, packed] of [
  ["everything", () => true, ["page", "engine", "rest", "page-rest", "regex"], []],
  // The first modules show it; a browser has asked for both by then.
  ["HTML alone", (name: string) => name === "", ["page", "engine"], ["page", "engine", "rest", "page-rest", "regex"]],
  ["nothing", () => false, [], ["page", "engine", "rest", "page-rest", "regex"]],
] as const) {
  test(`modules are small from a host that compresses ${what}`, full(what === "everything"), async ({ app, page }) => {
    const host = await Host.start({ "/": DIST }, { compresses });
    try {
      await app.open(`${host.origin}/`);
      app.allowLoadingLater(packed.length > 0 ? "regex.wasm.bin" : "regex.wasm");
      await app.choose({ name: "samples.jsonl", content: sample("Hi") });
      await app.expectVerdict("valid");
      await page.getByTestId("tab-records").click();
      await page.getByTestId("filter-field").fill("/^H/");
      await page.getByTestId("filter-field").press("Enter");
      await expect(page.getByTestId("hit")).toHaveCount(1);
      const requested = (ending: string) =>
        host.requested.filter((path) => path.endsWith(ending)).map((path) => /(page-rest|\w+)(-\w+)?\.wasm/.exec(path)?.[1]);
      expect(requested(".wasm").sort()).toEqual([...plain].sort());
      expect(requested(".wasm.bin").sort()).toEqual([...packed].sort());
    } finally {
      await host.stop();
    }
  });
}
