// What programs read from archives: a map from the names of files to their contents (as hashes), or why they refuse the archive.

import { execFile, execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import AdmZip from "adm-zip";
import JSZip from "jszip";
import yauzl from "yauzl";

/** An archive of 65,537 files takes too long to unpack. */
const MOST_UNPACKED = 1 << 20;

export const hash = (contents) => createHash("sha1").update(contents).digest("hex");

/** @typedef {{ files?: Map<string, string>, refused?: string }} Outcome */

async function outcome(read) {
  try {
    const files = new Map();
    await read((name, contents) => files.set(name, hash(contents)));
    return { files };
  } catch (error) {
    return { refused: String(error?.message ?? error).split("\n")[0] };
  }
}

function withYauzl(bytes) {
  return outcome(async (add) => {
    const archive = await yauzl.fromBufferPromise(bytes);
    for await (const entry of archive.eachEntry()) {
      if (entry.fileName.endsWith("/")) continue;
      add(entry.fileName, await buffer(await archive.openReadStreamPromise(entry)));
    }
  });
}

function withJszip(bytes) {
  return outcome(async (add) => {
    const archive = await JSZip.loadAsync(bytes);
    for (const file of Object.values(archive.files).filter((file) => !file.dir)) {
      add(file.name, await file.async("nodebuffer"));
    }
  });
}

function withAdmZip(bytes) {
  return outcome((add) => {
    for (const entry of new AdmZip(bytes).getEntries().filter((entry) => !entry.isDirectory)) {
      add(entry.entryName, entry.getData());
    }
  });
}

/** The files below a folder, whose names need not be UTF-8. */
async function walk(folder) {
  const inside = (entry) => Buffer.concat([folder, Buffer.from("/"), entry.name]);
  const entries = await readdir(folder, { encoding: "buffer", withFileTypes: true });
  const below = await Promise.all(entries.map((entry) => (entry.isDirectory() ? walk(inside(entry)) : [inside(entry)])));
  return below.flat();
}

async function withUnzip(unzip, file) {
  if ((await stat(file)).size > MOST_UNPACKED) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "evalcheck-unzip-"));
  try {
    return await outcome(async (add) => {
      await new Promise((resolve, reject) => {
        // It writes nothing but complaints, and its status 1 is a warning.
        const options = { encoding: "latin1", env: { ...process.env, LC_ALL: "C.UTF-8" } };
        execFile(unzip, ["-o", "-qq", "-P", "none", file, "-d", folder], options, (error, stdout, stderr) => {
          if (error && error.code !== 1) reject(new Error(`status ${error.code}: ${(stderr || stdout).trim().replaceAll("\n", " ").replaceAll(file, "")}`));
          else resolve();
        });
      });
      for (const path of await walk(Buffer.from(folder))) {
        add(path.subarray(folder.length + 1).toString(), await readFile(path));
      }
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs `task` on each item, a few at a time. */
export async function each(items, task) {
  const results = new Array(items.length);
  let next = 0;
  const work = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await task(items[at], at);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return results;
}

/** A line for each archive: NAME=CONTENTS in hexadecimal digits, with spaces between; or `!` and why not. */
function linesOf(program, args, files) {
  const { stdout, status, stderr } = spawnSync(program, args, { input: files.join("\n"), maxBuffer: 1 << 30, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
  return stdout.split("\n").slice(0, files.length).map((line) => {
    if (line.startsWith("!")) return { refused: line.slice(1) };
    const files = line.split(" ").filter(Boolean).map((pair) => pair.split("=").map((hex) => Buffer.from(hex, "hex")));
    return { files: new Map(files.map(([name, contents]) => [name.toString(), hash(contents)])) };
  });
}

export function which(program) {
  try {
    return execFileSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" }).trim();
  } catch {
    return undefined;
  }
}

/** What each reader that there is makes of each archive. */
export async function readAll(files, { ours, python, unzip }) {
  const script = fileURLToPath(new URL("read_zipfile.py", import.meta.url));
  const batches = { evalcheck: ours && linesOf(ours, ["read"], files), zipfile: python && linesOf(python, [script], files) };
  return each(files, async (file, index) => {
    const bytes = await readFile(file);
    const outcomes = { yauzl: await withYauzl(bytes), jszip: await withJszip(bytes), "adm-zip": await withAdmZip(bytes) };
    if (unzip) outcomes.unzip = await withUnzip(unzip, file);
    for (const [name, results] of Object.entries(batches)) if (results) outcomes[name] = results[index];
    return outcomes;
  });
}
