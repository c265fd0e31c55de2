// Files to check, created on demand.

import { spawnSync } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { once } from "node:events";

import { test as base } from "@playwright/test";
import { zipSync } from "fflate";

import { has } from "./command.ts";

export const sample = (content: unknown, role = "user"): string =>
  JSON.stringify({ input: { messages: [{ role, content }] }, usage_output: null });

/** The minimal example of JuryArena's documentation. */
export const DOCUMENT_EXAMPLE =
  '{"input":{"messages":[{"role":"user","content":"Write a Python program that reads all text files in a directory and returns the top 5 most frequent words."}]},"usage_output":null}\n';

/** Eleven valid lines and a line with the wrong role of JuryArena's documentation. */
export const WRONG_ROLE_ON_LINE_12 = `${sample("Hi")}\n`.repeat(11) + `${sample("Hi", "tool")}\n`;

/** A minimal PDF. */
export const PDF = [
  "%PDF-1.4",
  "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj",
  "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj",
  "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj",
  "trailer<</Root 1 0 R>>",
  "%%EOF\n",
].join("\n");

/** An image of one red pixel. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

/** Creates an archive of files, by their names in the archive. Returns its path and the program that created it. */
export async function pack(
  folder: string,
  name: string,
  files: Record<string, string | Uint8Array>,
): Promise<{ path: string; program: string }> {
  const path = join(folder, name);
  const bytes = (content: string | Uint8Array) => new Uint8Array(Buffer.from(content));
  const program = ["zip", "python3"].find(has) ?? "fflate";
  if (program === "fflate") {
    const entries = Object.fromEntries(Object.entries(files).map(([entry, content]) => [entry, bytes(content)]));
    await writeFile(path, zipSync(entries));
    return { path, program };
  }
  const tree = await mkdtemp(join(folder, "tree-"));
  for (const [entry, content] of Object.entries(files)) {
    await mkdir(dirname(join(tree, entry)), { recursive: true });
    await writeFile(join(tree, entry), content);
  }
  const args = program === "zip" ? ["-q", "-r", path, "."] : ["-m", "zipfile", "-c", path, ...topNames(files)];
  const ran = spawnSync(program, args, { cwd: tree, encoding: "utf8" });
  if (ran.status !== 0) throw new Error(`${program} ${args.join(" ")}: ${ran.stderr}`);
  return { path, program };
}

const topNames = (files: Record<string, unknown>): string[] => [
  ...new Set(Object.keys(files).map((name) => name.split("/")[0] as string)),
];

/** Writes a file of `lines` lines without holding it in memory. */
export async function writeLines(path: string, lines: number, line: (number: number) => string): Promise<void> {
  const out = createWriteStream(path, { highWaterMark: 4 << 20 });
  let block: string[] = [];
  let size = 0;
  for (let number = 1; number <= lines; number += 1) {
    const text = line(number);
    block.push(text, "\n");
    size += text.length;
    if (size > 1 << 20 || number === lines) {
      if (!out.write(block.join(""))) await once(out, "drain");
      block = [];
      size = 0;
    }
  }
  out.end();
  await once(out, "finish");
}

/** A temporary folder for each worker of Playwright, and one in it for each test. */
export const test = base.extend<{ folder: string }, { workerFolder: string }>({
  workerFolder: [
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), "evalcheck-browser-"));
      await use(folder);
      await rm(folder, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
  folder: async ({ workerFolder }, use) => use(await mkdtemp(join(workerFolder, "test-"))),
});

/** Writes a file and returns its path. */
export async function write(folder: string, name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

export const read = (path: string): Promise<Buffer> => readFile(path);
