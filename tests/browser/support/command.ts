// The `evalcheck` command, whose output must equal that of the page.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { readReports } from "../../oracle/reports.js";

/** `EVALCHECK_CLI`, or the last build of cargo. */
function command(): string {
  const named = process.env.EVALCHECK_CLI;
  if (named) return named;
  const name = process.platform === "win32" ? "evalcheck.exe" : "evalcheck";
  const [newest] = ["debug", "release"]
    .map((profile) => fileURLToPath(new URL(`../../../target/${profile}/${name}`, import.meta.url)))
    .filter((path) => existsSync(path))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  if (!newest) throw new Error("there is no evalcheck command: run `cargo build -p evalcheck-cli` first");
  return newest;
}

/** The largest number of findings of each code that the page keeps. */
const MAX_FINDINGS = "5000";

/** The same for each file of a small batch. */
const MAX_FINDINGS_IN_BATCH = "1000";

/** The output of the command for a file. */
export function evalcheck(path: string, output: "short" | "json"): string {
  return run(["--output", output, "--max-findings", MAX_FINDINGS, basename(path)], dirname(path));
}

/** The text of the command for several files of a folder. */
export function evalcheckAll(folder: string, names: string[]): string {
  return run(["--output", "short", "--max-findings", MAX_FINDINGS_IN_BATCH, ...names], folder);
}

/** The reports of the command on several files of a folder. */
export function reportsOf(folder: string, names: string[]): object[] {
  return readReports(run(["--output", "jsonl", "--max-findings", MAX_FINDINGS_IN_BATCH, ...names], folder));
}

/** Applies the safe fixes of several files of a folder to the files. */
export function fixInPlace(folder: string, names: string[]): void {
  run(["--in-place", ...names], folder, "fix");
}

function run(args: string[], cwd: string, task = "check"): string {
  const ran = spawnSync(command(), [task, ...args], { cwd, encoding: "utf8", maxBuffer: 1 << 30 });
  // 3: a dataset that could not be checked to its end has a report that says so.
  if (![0, 1, 3].includes(ran.status ?? -1)) throw new Error(`evalcheck: ${ran.status} ${ran.stderr}`);
  return ran.stdout;
}

/** Whether a program is installed. */
export function has(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch (error) {
    // Some versions of `zip` have no option `--version`.
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}
