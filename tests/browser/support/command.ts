// The `evalcheck` command, which has to say the same as the page.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** `EVALCHECK_CLI`, or what cargo built last. */
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

/** What the page keeps of each code; the command keeps as much when told so. */
const MOST = "5000";

/** What the page keeps of each code for each of a few files. */
const MOST_OF_SEVERAL = "1000";

/** What the command writes on a file. */
export function evalcheck(path: string, output: "text" | "json"): string {
  return run(["check", "--output", output, "--max-findings", MOST, path]);
}

/** What the command writes on several files of a folder. */
export function evalcheckAll(folder: string, names: string[], output: "text" | "json"): string {
  return run(["check", "--output", output, "--max-findings", MOST_OF_SEVERAL, ...names], folder);
}

function run(args: string[], cwd?: string): string {
  const ran = spawnSync(command(), args, { cwd, encoding: "utf8", maxBuffer: 1 << 30 });
  if (ran.status !== 0 && ran.status !== 1) throw new Error(`evalcheck: ${ran.status} ${ran.stderr}`);
  return ran.stdout;
}

/** Whether a program is installed. */
export function has(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch (error) {
    // `zip --version` is no option of some versions of it; it is there all the same.
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}
