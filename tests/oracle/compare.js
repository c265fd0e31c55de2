// Holds what evalcheck says of a file against what the reference says of it.

import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { judge } from "./schema.js";

/** @typedef {import("./schema.js").Issue} Issue */

/** Enough to see what is wrong, few enough to read. */
const SHOWN = 8;

/** The command that is compared: `EVALCHECK_CLI`, or what cargo built last. */
function command() {
  const named = process.env.EVALCHECK_CLI;
  if (named) return named;
  const name = process.platform === "win32" ? "evalcheck.exe" : "evalcheck";
  const built = ["debug", "release"]
    .map((profile) => fileURLToPath(new URL(`../../target/${profile}/${name}`, import.meta.url)))
    .filter((path) => existsSync(path))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  if (built.length === 0) throw new Error("there is no evalcheck command: run `cargo build -p evalcheck-cli` first");
  return built[0];
}

/**
 * Checks bytes as a file and gives the report.
 * @param {string | Uint8Array} content
 */
export const report = async (content) => JSON.parse(await run(content, ["check", "--all", "--output", "json"]));

/**
 * What evalcheck says that the system makes of the records of a file.
 * @param {string | Uint8Array} content
 * @returns {Promise<{ line: number, state: string, record: any }[]>}
 */
export const loaded = async (content) =>
  (await run(content, ["loaded"])).split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));

async function run(content, subcommand) {
  const folder = await mkdtemp(join(tmpdir(), "evalcheck-oracle-"));
  try {
    const file = join(folder, "samples.jsonl");
    await writeFile(file, content);
    return await new Promise((resolve, reject) => {
      const args = [...subcommand, "--format", "juryarena", file];
      execFile(command(), args, { maxBuffer: 1 << 30 }, (error, stdout, stderr) => {
        // 1 is the exit status of a file with errors, 3 that of one that could not be checked to its end.
        if (error && error.code !== 1 && error.code !== 3) reject(new Error(`evalcheck failed (${error.code}): ${stderr}`));
        else resolve(stdout);
      });
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Every difference between the reference and evalcheck on a file, in words; empty where they agree.
 * @param {string} text
 * @returns {Promise<{ differences: string[], verdicts: ReturnType<typeof judge>, report: any }>}
 */
export async function compare(text) {
  const verdicts = judge(text);
  const checked = await report(text);
  const errors = groupByLine(checked.findings.filter(({ severity }) => severity === "error"));
  const differing = [];
  for (const [line, { record, issues }] of verdicts) {
    const ours = errors.get(line) ?? [];
    errors.delete(line);
    const why = difference(issues, ours) ?? misattributed(issues, ours);
    if (why !== null) differing.push({ record, why, text: describe(line, record, issues, ours, why) });
  }
  for (const [line, ours] of errors) {
    differing.push({ record: "", text: `line ${line}: the reference reads no record here\n${list("evalcheck", ours)}` });
  }
  // A short record says most.
  differing.sort((a, b) => a.record.length - b.record.length);
  const differences = differing.slice(0, SHOWN).map(({ text: words }) => words);
  if (differing.length > SHOWN) differences.push(`... and ${differing.length - SHOWN} more records`);
  differences.push(...countDifferences(verdicts, checked));
  return { differences, verdicts, report: checked };
}

/** Why an error of ours is not in the reference's words as it says; `null` where all are. */
function misattributed(issues, ours) {
  const isZods = ({ path, message }) => issues.some((issue) => issue.path === path && clipped(issue.message) === message);
  const wrong = ours.find((error) => error.says === "zod" && !isZods(error));
  return wrong ? `the reference does not say ${words(wrong)}` : null;
}

function groupByLine(findings) {
  const groups = new Map();
  for (const finding of findings) {
    const group = groups.get(finding.line);
    if (group) group.push(finding);
    else groups.set(finding.line, [finding]);
  }
  return groups;
}

function countDifferences(verdicts, checked) {
  const accepted = [...verdicts.values()].filter(({ issues }) => issues.length === 0).length;
  const expected = { records: verdicts.size, valid: accepted, invalid: verdicts.size - accepted };
  return Object.entries(expected)
    .filter(([name, count]) => checked.counts[name] !== count)
    .map(([name, count]) => `counts.${name}: the reference has ${count}, evalcheck ${checked.counts[name]}`);
}

/**
 * Why our errors of a record are not the reference's, in its order; `null` where they are.
 * @param {Issue[]} issues
 * @param {{ path: string | null, message: string }[]} ours
 */
export function difference(issues, ours) {
  let next = 0;
  for (const issue of issues) {
    const error = ours[next];
    if (error === undefined) return `nothing of ours for ${words(issue)}`;
    if (!fits(issue, error)) return `${words(issue)} is answered by ${words(error)}`;
    next += 1;
    while (issue.loose === "below" && next < ours.length && fits(issue, ours[next])) next += 1;
  }
  return next === ours.length ? null : `only ours: ${words(ours[next])}`;
}

function fits(issue, error) {
  if (issue.message === "invalid JSON") return error.path === null && error.message.startsWith("invalid JSON");
  const at = error.path === issue.path;
  switch (issue.loose) {
    case "at":
      return at;
    case "below":
      return at || error.path?.startsWith(`${issue.path}.`);
    default:
      return at && clipped(issue.message) === error.message;
  }
}

/** A message of ours quotes the first 80 characters of a longer value: it has to fit on a screen. */
function clipped(message) {
  const [, before, received] = /^(Invalid enum value\. .*?, received ')([^]*)'$/.exec(message) ?? [];
  const characters = [...(received ?? "")];
  return characters.length > 80 ? `${before}${characters.slice(0, 80).join("")}…'` : message;
}

const words = (issue) => `«${issue.path || "(no path)"}: ${issue.message}»`;

const list = (name, issues) =>
  issues.length === 0
    ? `  ${name}: accepts it`
    : `  ${name}:\n${issues.map((issue) => `    ${words(issue)}${issue.loose ? " (in our words)" : ""}`).join("\n")}`;

const describe = (line, record, issues, ours, why) =>
  [`line ${line}: ${why}`, `  record: ${record}`, list("Zod", issues), list("evalcheck", ours)].join("\n");
