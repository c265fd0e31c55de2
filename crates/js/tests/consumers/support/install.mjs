// Packs the built package and installs it here, as its users do.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("../../../", import.meta.url));
export const CONSUMERS = fileURLToPath(new URL("../", import.meta.url));

function npm(...all) {
  // On Windows npm is a script, which only a shell starts.
  const isWindows = process.platform === "win32";
  return execFileSync("npm", [...all, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: CONSUMERS,
    encoding: "utf8",
    shell: isWindows,
  });
}

/** Packs the package into a folder, which is removed by `remove`. */
export function pack() {
  const folder = mkdtempSync(join(tmpdir(), "evalcheck-packed-"));
  const [{ filename, files }] = JSON.parse(npm("pack", PACKAGE, "--json", "--pack-destination", folder));
  return {
    tarball: join(folder, filename),
    files: files.map(({ path }) => path),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Installs a tarball beside the locked packages of the consumers. */
export function install(tarball) {
  rmSync(join(CONSUMERS, "node_modules", "evalcheck"), { recursive: true, force: true });
  npm("install", "--no-save", "--no-package-lock", "--prefer-offline", tarball);
}
