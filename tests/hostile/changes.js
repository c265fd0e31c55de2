// What happens to a file while it is read. Each takes its path.

import { appendFile, mkdir, rename, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";

const BAD = '{"input":{"messages":[{"role":"tool","content":"Hi"}]},"usage_output":null}\n';

export const CHANGES = {
  rewritten: async (path) => {
    const { size } = await stat(path);
    await writeFile(path, BAD.repeat(Math.ceil(size / BAD.length)).slice(0, size));
  },
  truncated: (path) => truncate(path, 1_000),
  "emptied": (path) => truncate(path, 0),
  grown: (path) => appendFile(path, BAD),
  deleted: (path) => rm(path),
  "replaced by another file": async (path) => {
    await writeFile(`${path}.new`, BAD);
    await rename(`${path}.new`, path);
  },
  "replaced by a folder": async (path) => {
    await rm(path);
    await mkdir(path);
  },
  "replaced by a link to nothing": async (path) => {
    await rm(path);
    await symlink("nothing", path);
  },
};
