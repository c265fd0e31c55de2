// The release that the step `release` of `cargo xtask test` made and serves, and programs that are run with it.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The root of the repository. */
export const ROOT = resolve(import.meta.dirname, "..", "..");

/** The release: its version, the target of its one archive, the folder of all releases and their address, the command in it. */
export const RELEASE = {
  version: process.env.EVALCHECK_VERSION,
  target: process.env.EVALCHECK_RELEASE_TARGET,
  releases: process.env.EVALCHECK_RELEASES,
  url: process.env.EVALCHECK_RELEASES_URL?.replace(/\/$/, ""),
  command: process.env.EVALCHECK_CLI,
};

/** The name of the archive, without its ending. */
export const STEM = `evalcheck-${RELEASE.version}-${RELEASE.target}`;

/** The folder of the release. */
export const FOLDER = join(RELEASE.releases ?? "", `v${RELEASE.version}`);

/** A folder that is removed after the test `t`. */
export function temporary(t) {
  const folder = mkdtempSync(join(tmpdir(), "evalcheck-release-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a program to its end: its exit status and its outputs. */
export function run(program, args, options = {}) {
  return new Promise((done, reject) => {
    const child = execFile(program, args, { maxBuffer: 1 << 28, ...options }, (error, stdout, stderr) => {
      if (error && typeof error.code !== "number") reject(error);
      else done({ status: error ? error.code : 0, stdout, stderr });
    });
    child.stdin.end();
  });
}
