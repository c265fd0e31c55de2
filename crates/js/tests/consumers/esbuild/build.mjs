import { copyFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

await build({
  entryPoints: { main: "src/main.js", "evalcheck-worker": "evalcheck/worker" },
  bundle: true,
  format: "esm",
  outdir: "dist",
});
await copyFile(fileURLToPath(import.meta.resolve("evalcheck/evalcheck.wasm")), "dist/evalcheck.wasm");
// Only for the option `schema`.
await copyFile(fileURLToPath(import.meta.resolve("evalcheck/schema.wasm")), "dist/schema.wasm");
