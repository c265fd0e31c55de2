// What the command says about archives, against what programs read from them. The quick suite has some constructions of each family,
// and one way of each program that packs. The step `archives` of `cargo xtask test` sets EVALCHECK_CLI, EVALCHECK_ARCHIVES (the
// example `archives` of the crate) and, where there is one, EVALCHECK_PYTHON.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { isFull, sized } from "../suite.mjs";
import { each, readAll, which } from "./readers.js";
import { dispute, reports, unflagged } from "./verdict.js";
import { unpacked, WRITERS } from "./writers.js";

const { EVALCHECK_CLI: command, EVALCHECK_ARCHIVES: ours, EVALCHECK_PYTHON: python } = process.env;
const unzip = which("unzip");
const readers = { ours, python, unzip };

/** The most archives that a failure lists. */
const LISTED = 5;

/** Of so many constructions of a family one is tried. */
const ONE_OF = sized(8, 1);

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "evalcheck-archives-"));
  execFileSync(ours, ["write", join(folder, "constructions")]);
});
after(() => rm(folder, { recursive: true }));

describe("what readers dispute is an error", () => {
  // The names have to be known before the archives are built.
  const families = execFileSync(ours, ["families"], { encoding: "utf8" }).trim().split("\n");
  const counts = {};
  for (const family of families) {
    test(family, async () => {
      const place = join(folder, "constructions", family);
      const names = (await readdir(place)).sort().filter((_, index) => index % ONE_OF === 0);
      const files = names.map((name) => join(place, name));
      const [outcomes, said] = [await readAll(files, readers), await reports(command, files)];
      const failures = [];
      files.forEach((file, index) => {
        const about = dispute(outcomes[index]) ?? "nothing";
        counts[about] = (counts[about] ?? 0) + 1;
        const why = unflagged(said[index], outcomes[index]);
        if (why) failures.push(`${file.slice(place.length + 1)}: ${why}`);
      });
      assert.equal(failures.length, 0, `${failures.length} of ${files.length} archives:\n${failures.slice(0, LISTED).join("\n")}`);
    });
  }
  after(() => {
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    console.log(`archives: ${total} constructed, readers dispute ${JSON.stringify(counts)}`);
  });
});

describe("an ordinary archive gets no finding", () => {
  const libraries = { python, jszip: true, archiver: true, yazl: true, "adm-zip": true };
  const programs = [...new Set(WRITERS.map(({ program }) => program))];
  const installed = new Set(programs.filter((program) => (program in libraries ? libraries[program] : which(program))));
  const isFirst = ({ program }, index) => WRITERS.findIndex((writer) => writer.program === program) === index;
  const writers = WRITERS.filter((writer, index) => installed.has(writer.program) && (isFull || isFirst(writer, index)));
  const results = new Map();
  before(async () => {
    const source = join(folder, "source");
    await unpacked(source);
    await mkdir(join(folder, "ordinary"));
    const place = ({ program, how }) => join(folder, "ordinary", `${program}-${how}.zip`);
    await each(writers, (writer) => writer.pack(source, place(writer), { python }));
    const files = writers.map(place);
    const [outcomes, said] = [await readAll(files, readers), await reports(command, files)];
    writers.forEach((writer, index) => results.set(writer, { outcomes: outcomes[index], report: said[index] }));
  });
  for (const writer of writers) {
    test(`${writer.program} ${writer.how}`, () => {
      const { outcomes, report } = results.get(writer);
      assert.equal(unflagged(report, outcomes), undefined);
      assert.deepEqual(report.findings.map(({ code }) => code), writer.warns ? [writer.warns] : []);
    });
  }
  after(() => {
    console.log(`archives: ${writers.length} ordinary, by ${[...installed].join(", ")}`);
    const missing = [...programs.filter((program) => !installed.has(program)), ...(unzip ? [] : ["unzip"])];
    if (missing.length > 0) console.log(`archives: NOT tried, because they are not installed: ${missing.join(", ")}`);
  });
});
