import { build } from "esbuild";

await build({
  entryPoints: { given: "src/given.js", "workers/checks": "evalcheck/worker" },
  bundle: true,
  format: "esm",
  outdir: "dist",
  loader: { ".wasm": "file" },
});
