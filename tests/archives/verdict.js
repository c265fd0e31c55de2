// What the command says about archives, and whether that is enough for what their readers disagree about.

import { execFile } from "node:child_process";

import { readReports } from "../oracle/reports.js";

const BATCH = 200;

/** The report on each archive. */
export async function reports(command, files) {
  const all = [];
  for (let at = 0; at < files.length; at += BATCH) {
    const batch = files.slice(at, at + BATCH);
    const output = await new Promise((resolve, reject) => {
      const args = ["check", "--format", "juryarena", "--output", "jsonl", "--max-findings", "20", ...batch];
      execFile(command, args, { maxBuffer: 1 << 30 }, (error, stdout, stderr) => {
        // 1 is the exit status of a file with errors, 3 that of one that could not be checked to its end.
        if (error && error.code !== 1 && error.code !== 3) reject(new Error(stderr));
        else resolve(readReports(stdout));
      });
    });
    all.push(...output);
  }
  return all;
}

/** Which entry is the dataset is a matter of the format. */
const ABOUT_DATASET = ["zip/no-dataset", "zip/dataset-name", "zip/several-datasets"];

/** The findings about an archive itself, not about the dataset in it. */
export const aboutArchive = ({ findings }) => findings.filter(({ code }) => code.startsWith("zip/") && !ABOUT_DATASET.includes(code));

/** Where some reader refuses the archive and a warning is enough, because it holds what everybody else reads. */
const WARNED = ["zip/repeated-entry", "zip/zeros-after-end", "zip/data-before-start", "zip/unneeded-64-bit-end"];

/** A name as far as it does not depend on its encoding: common programs write UTF-8 without saying so. */
const plain = (name) => (/[^\x20-\x7e]/.test(name) ? "?" : name);

/** What readers disagree about: "contents", "refusal", or "names" where they read the same contents; undefined where nothing. */
export function dispute(outcomes) {
  const read = Object.values(outcomes).filter((outcome) => outcome?.files);
  const contents = new Set(read.map(({ files }) => [...new Set(files.values())].sort().join()));
  const byName = new Map();
  for (const { files } of read) {
    for (const [name, value] of files) byName.set(name, (byName.get(name) ?? new Set()).add(value));
  }
  if (contents.size > 1 || [...byName.values()].some((values) => values.size > 1)) return "contents";
  if (Object.entries(outcomes).some(([reader, outcome]) => outcome?.refused && reader !== "evalcheck")) return "refusal";
  const names = new Set(read.map(({ files }) => [...files.keys()].map(plain).sort().join("\n")));
  return names.size > 1 ? "names" : undefined;
}

/** Why the report does not do for what the readers say; undefined where it does. */
export function unflagged(report, outcomes) {
  const about = dispute(outcomes);
  if (!about) return undefined;
  // What is no archive to us has a finding about the file.
  const findings = outcomes.evalcheck?.refused ? report.findings : aboutArchive(report);
  const enough = findings.some(({ code, severity }) => {
    return severity === "error" || (severity === "warning" && (about === "names" || (about === "refusal" && WARNED.includes(code))));
  });
  if (enough) return undefined;
  const said = Object.entries(outcomes).map(([reader, outcome]) => `${reader}: ${describe(outcome)}`);
  return `${about} disputed, and we say ${findings.map(({ code }) => code).join(", ") || "nothing"}\n    ${said.join("\n    ")}`;
}

function describe(outcome) {
  if (!outcome) return "not asked";
  if (outcome.refused) return `refused (${outcome.refused})`;
  return [...outcome.files].map(([name, value]) => `${JSON.stringify(name)} ${value.slice(0, 6)}`).join(", ") || "no file";
}
