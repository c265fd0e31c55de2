// Puts the other ways with their libraries into a folder that a browser can load: `node bundle.mjs FOLDER`.

import { fileURLToPath } from "node:url";
import { copyFileSync } from "node:fs";
import { join } from "node:path";

import { build } from "esbuild";

const [folder] = process.argv.slice(2);
const ways = fileURLToPath(new URL("ways", import.meta.url));
await build({
  entryPoints: [join(ways, "page.js"), join(ways, "worker.js")],
  outdir: folder,
  bundle: true,
  format: "esm",
  target: "esnext",
  minify: true,
  logLevel: "error",
  // The reference stands with the tests, which have a Zod of their own.
  alias: { zod: fileURLToPath(import.meta.resolve("zod")) },
});
copyFileSync(join(ways, "index.html"), join(folder, "index.html"));
