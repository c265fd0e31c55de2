// What the command takes, of processor time and of time, and what it finds.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const MEASURE = fileURLToPath(new URL("rivals/measure.py", import.meta.url));

/** A check, with as many findings of a code as the page keeps. */
export const CHECK = ["check", "--output", "json", "--max-findings", "5000", "--jobs"];

/** GB of a file per second of processor time. */
export function perCore({ plan }, { file }, way) {
  return { gb_per_cpu_second: file.bytes / 1e9 / take(plan, way, [...CHECK, "1", file.path]).seconds };
}

/** Processor time of a check with statistics, and of one without. */
export function statistics({ plan }, { file }, way) {
  const seconds = (...command) => take(plan, way, [...command, file.path]).seconds;
  return { stats: seconds("stats", "--output", "json"), check: seconds(...CHECK, "1") };
}

/** Time of a check on one thread, and on two. */
export function threads({ plan }, { file }, way) {
  const elapsed = (jobs) => take(plan, way, [...CHECK, jobs, file.path]).elapsed;
  return { one: elapsed("1"), two: elapsed("2") };
}

/** Runs the command of a revision. */
function take(plan, way, options) {
  return measured(plan, "all", [plan.products[way].command, ...options]);
}

/**
 * Runs a program on `one` core or on `all`. Returns its processor time and its time in seconds, and what it printed. The status 1 of
 * evalcheck says that there are errors in the file, as intended.
 */
export function measured({ python }, cores, command, statuses = [0, 1]) {
  const text = execFileSync(python, [MEASURE, cores, ...command], { encoding: "utf8", maxBuffer: 2 ** 30, stdio: ["ignore", "pipe", "inherit"] });
  const { status, errors, ...taken } = JSON.parse(text);
  if (!statuses.includes(status)) throw new Error(`${command.join(" ")} failed (${status}): ${errors.trim()}`);
  return taken;
}
