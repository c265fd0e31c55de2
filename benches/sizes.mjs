// What a visitor loads, in bytes, compressed as static hosts compress (Brotli 11): `node sizes.mjs DIST` prints JSON.
// `page`: index.html, everything that it names, and the script of the worker. `engine`: the worker's wasm until a verdict.
// `regex`, `markdown`, `schema`: the modules of regular expressions, of Markdown and of the user's own schemas, which the worker loads when they
// are first used. The npm package has the last one too.
// `embed`: the script that other sites load, which is no part of the page. `listed`: what nobody waits for, and the sum of all modules.

import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

/** The sizes of the page in a folder. */
export function sizesOf(dist) {
  const index = readFileSync(join(dist, "index.html"), "utf8");
  const named = new Set(["index.html"]);
  for (const [, path] of index.matchAll(/["'](\.\/[^"'?#]+)["']/g)) {
    const name = normalize(path);
    if (/\.(html|css|js|wasm)$/.test(name) && statSync(join(dist, name), { throwIfNoEntry: false })?.isFile()) named.add(name);
  }
  const loader = [...named].find((name) => name.startsWith("worker-"));
  if (!loader) throw new Error("index.html names no worker");
  const [folder] = loader.split(sep);
  const files = {};
  for (const name of named) if (!name.startsWith(folder)) files[name] = compressed(join(dist, name));
  const modules = {};
  for (const entry of readdirSync(join(dist, folder), { recursive: true })) {
    const path = join(dist, folder, entry);
    if (entry.endsWith(".wasm")) modules[entry.slice(0, -".wasm".length)] = compressed(path);
    else if (entry.endsWith(".js")) files[join(folder, entry)] = compressed(path);
  }
  const sum = (sizes) => Object.values(sizes).reduce((sum, size) => sum + size, 0);
  const { rest, "page-rest": pageRest, ...awaited } = modules;
  const listed = { rest, "page-rest": pageRest, modules: sum(modules) };
  return { page: sum(files), ...awaited, embed: compressed(join(dist, "embed.js")), listed, files };
}

function compressed(path) {
  const bytes = readFileSync(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return brotliCompressSync(bytes, { params }).length;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(JSON.stringify(sizesOf(process.argv[2])));
