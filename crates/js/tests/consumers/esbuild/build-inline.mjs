import { build } from "esbuild";

await build({ entryPoints: { inline: "src/inline.js" }, bundle: true, format: "esm", outdir: "dist" });
