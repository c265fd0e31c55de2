// What a visitor loads, in bytes, compressed as static hosts compress (Brotli 11): `node sizes.mjs DIST` prints JSON.
// `page`: index.html, everything that it names, and the script of the worker. `engine`: the worker's wasm.
// `regex`, `markdown`: the modules of regular expressions and of Markdown, which the worker loads when they are first used.
// `embed`: the script that other sites load, which is no part of the page.

import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, normalize } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const [dist] = process.argv.slice(2);

function compressed(path) {
  const bytes = readFileSync(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return brotliCompressSync(bytes, { params }).length;
}

const index = readFileSync(join(dist, "index.html"), "utf8");
const named = new Set(["index.html"]);
for (const [, path] of index.matchAll(/["'](\.\/[^"'?#]+)["']/g)) {
  const name = normalize(path);
  if (/\.(html|css|js|wasm)$/.test(name) && statSync(join(dist, name), { throwIfNoEntry: false })?.isFile()) named.add(name);
}
const loader = [...named].find((name) => name.startsWith("worker-"));
if (!loader) throw new Error("index.html names no worker");
const folder = loader.slice(0, loader.indexOf("/") === -1 ? loader.indexOf("\\") : loader.indexOf("/"));
const files = {};
for (const name of named) if (!name.startsWith(folder)) files[name] = compressed(join(dist, name));
const modules = { engine: 0, regex: 0, markdown: 0 };
for (const entry of readdirSync(join(dist, folder), { recursive: true })) {
  const path = join(dist, folder, entry);
  if (entry.endsWith(".wasm")) modules[entry.slice(0, -".wasm".length)] += compressed(path);
  else if (entry.endsWith(".js")) files[join(folder, entry)] = compressed(path);
}
for (const [name, size] of Object.entries(modules)) {
  if (!(size > 0)) throw new Error(`the module ${name} of the worker is missing or not known`);
}
const page = Object.values(files).reduce((sum, size) => sum + size, 0);
const embed = compressed(join(dist, "embed.js"));
console.log(JSON.stringify({ page, ...modules, embed, files }));
