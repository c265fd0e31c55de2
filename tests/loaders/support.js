// Runs the command and the systems' loaders on many files, and compares what they say.

import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { readReports } from "../oracle/reports.js";

export { Random } from "../oracle/random.js";

/** Files of one call of the command: their names have to fit into its arguments. */
const FILES_PER_CALL = 2000;

/** Disagreements that a failure shows. */
const SHOWN = 8;

/** The step `loaders` of `cargo xtask test` sets the variables. */
function variable(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run \`cargo xtask test --only loaders\``);
  return value;
}

/** The Python that has the packages of `requirements-NAME.txt`. */
export const python = (name) => JSON.parse(variable("EVALCHECK_PYTHONS"))[name];

/** The exit statuses of the command with a report: of files with errors, and of those that could not be checked to their ends. */
const WITH_REPORT = [1, 3];

/** Runs a program that ends with status 0, or with one that is accepted. */
function run(program, args, { accepted = [], ...options }, input) {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { maxBuffer: 1 << 30, ...options }, (error, stdout, stderr) => {
      if (error && !accepted.includes(error.code)) reject(new Error(`${program} failed (${error.code}): ${stderr}`));
      else resolve(stdout);
    });
    // A program may end without reading its input; its status says what that means.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

/**
 * Writes files into a folder that exists as long as `use` runs.
 * @template T
 * @param {{ name: string, content: string | Uint8Array }[]} files
 * @param {(folder: string) => Promise<T>} use
 */
export async function withFiles(files, use) {
  const folder = await mkdtemp(join(tmpdir(), "evalcheck-loaders-"));
  try {
    for (const { name, content } of files) await writeFile(join(folder, name), content);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * The reports of the command on files in a folder.
 * @param {string} folder @param {string[]} names
 * @param {string[]} args such as `["--format", "quest"]`
 * @returns {Promise<any[]>}
 */
export async function reports(folder, names, args) {
  const all = [];
  for (let at = 0; at < names.length; at += FILES_PER_CALL) {
    const some = names.slice(at, at + FILES_PER_CALL);
    const command = ["check", ...args, "--output", "jsonl", ...some];
    // The command ends with 1 when a file has errors.
    const output = await run(variable("EVALCHECK_CLI"), command, { cwd: folder, accepted: WITH_REPORT }, "");
    all.push(...readReports(output));
  }
  return all;
}

/**
 * What the command says that the system makes of the records of files in a folder.
 * @param {string} folder @param {string[]} names @param {string[]} args
 * @returns {Promise<Map<string, { line: number, state: "held" | "dropped" | "refused", record: any }[]>>} by the files' names
 */
export async function loaded(folder, names, args) {
  const records = new Map(names.map((name) => [name, []]));
  for (let at = 0; at < names.length; at += FILES_PER_CALL) {
    const command = ["loaded", ...args, ...names.slice(at, at + FILES_PER_CALL)];
    const output = await run(variable("EVALCHECK_CLI"), command, { cwd: folder, accepted: WITH_REPORT }, "");
    for (const line of output.split("\n").filter((line) => line !== "")) {
      const { file, ...record } = JSON.parse(line);
      records.get(file).push(record);
    }
  }
  return records;
}

const isDataset = (text) => /^[[{]|\n/.test(text);

/**
 * The examples of rules for a format, as the command explains them, that are datasets and no descriptions of one.
 * @returns {Promise<{ code: string, invalid: string, valid: string }[]>}
 */
export async function explained(format) {
  const command = (args) => run(variable("EVALCHECK_CLI"), ["explain", ...args], {}, "");
  const codes = (await command([])).trimEnd().split("\n").map((line) => line.split(" ")[0]);
  const examples = [];
  for (const code of codes) {
    const [, invalid, valid] = /\nExample:\n(.*)\n\nFixed:\n(.*)\n$/s.exec(await command([code, "--format", format]));
    const unindented = (text) => text.replaceAll(/^ {4}/gm, "");
    examples.push({ code, invalid: unindented(invalid), valid: unindented(valid) });
  }
  return examples.filter(({ invalid, valid }) => isDataset(invalid) && isDataset(valid));
}

/** What a driver in this folder says of files in another: it reads their names, one a line, and writes a JSON value a line. */
async function answers(interpreter, driver, folder, names) {
  const program = fileURLToPath(new URL(driver, import.meta.url));
  const output = await run(interpreter, [program], { cwd: folder }, names.join("\n"));
  return output.trimEnd().split("\n").map((line) => JSON.parse(line));
}

/**
 * What a driver in Python says of files in a folder.
 * @param {string} environment the NAME of `requirements-NAME.txt`
 * @returns {Promise<any[]>}
 */
export const drive = (environment, driver, folder, names) => answers(python(environment), driver, folder, names);

/**
 * What a driver for Node says of files in a folder.
 * @returns {Promise<any[]>}
 */
export const driveNode = (driver, folder, names) => answers(process.execPath, driver, folder, names);

/**
 * @typedef {{ code: string, path?: RegExp, hides?: boolean, reason: string }} Choice
 * A documented rule that is stricter than the loader, everywhere or at some paths of findings, and why it is. One that
 * `hides` makes the loader read something else than is meant, so that its other errors are not compared.
 */

/**
 * Compares verdicts: a file that the loader refuses has an error, and a file that it loads has none but those of
 * `choices`.
 * @param {{ name: string, content: string | Uint8Array }[]} files
 * @param {any[]} reports
 * @param {(string | null)[]} refusals for each file why the loader refuses it; null where it loads
 * @param {Choice[]} choices
 * @returns {{ disagreements: string[], refused: number, chosen: Map<Choice, number> }} `chosen` says in how many files
 * that load a choice made an error
 */
export function compare(files, reports, refusals, choices) {
  const disagreements = [];
  const chosen = new Map(choices.map((choice) => [choice, 0]));
  const choiceOf = (error) => choices.find(({ code, path }) => code === error.code && (path?.test(error.path ?? "") ?? true));
  for (const [index, { name, content }] of files.entries()) {
    const errors = reports[index].findings.filter(({ severity }) => severity === "error");
    const refusal = refusals[index];
    const hidden = refusal === null && errors.some((error) => choiceOf(error)?.hides);
    const others = hidden ? [] : errors.filter((error) => !choiceOf(error));
    if (refusal === null) {
      for (const choice of new Set(errors.map(choiceOf).filter(Boolean))) chosen.set(choice, chosen.get(choice) + 1);
    }
    const differs = refusal === null ? others.length > 0 : errors.length === 0;
    if (!differs) continue;
    const said = others.map(({ code, path, message }) => `${code} at "${path ?? ""}": ${message}`).join("; ") || "nothing";
    const text = typeof content === "string" ? content : Buffer.from(content).toString();
    disagreements.push(`${name}: the loader: ${refusal ?? "loads"}\n  evalcheck: ${said}\n  ${JSON.stringify(text).slice(0, 600)}`);
  }
  const refused = refusals.filter((refusal) => refusal !== null).length;
  return { disagreements, refused, chosen };
}

/**
 * Files that a loader refuses although every record is said to be held. Where the text is no JSON, or has a NUL in a header, the mistake may be
 * beside the records, and they are shown as they will be held.
 * @param {{ name: string, content: string | Uint8Array }[]} files
 * @param {any[]} reports
 * @param {(string | null)[]} refusals as for {@link compare}
 * @param {Awaited<ReturnType<typeof loaded>>} held
 */
export function wronglyHeld(files, reports, refusals, held) {
  return files.flatMap(({ name, content }, index) => {
    const isText = reports[index].findings.every(({ code }) => !/^(json|document|text|file)\/|^csv\/nul-character$/.test(code));
    const states = held.get(name).map(({ state }) => state);
    const isWrong = refusals[index] !== null && isText && states.length > 0 && states.every((state) => state === "held");
    return isWrong ? [`${name}: held, but the loader: ${refusals[index]}\n  ${JSON.stringify(content.toString()).slice(0, 600)}`] : [];
  });
}

/** The choices that were needed, each with its files, as a text. */
export const needed = (chosen) =>
  [...chosen].filter(([, files]) => files > 0).map(([{ code, path = "everywhere" }, files]) => `${code} ${path} (${files})`).join(", ");

/** Disagreements as the message of a failure. */
export const listed = (disagreements) =>
  [`${disagreements.length} disagreements`, ...disagreements.slice(0, SHOWN)].join("\n\n");

/** Whether two values of JSON are the same, apart from the last digits of numbers. */
export function near(one, other) {
  if (typeof one === "number" && typeof other === "number") {
    return one === other || Math.abs(one - other) <= 1e-9 * Math.max(Math.abs(one), Math.abs(other));
  }
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") return one === other;
  const keys = Object.keys(one);
  const isSame = (key) => Object.hasOwn(other, key) && near(one[key], other[key]);
  return Array.isArray(one) === Array.isArray(other) && keys.length === Object.keys(other).length && keys.every(isSame);
}
