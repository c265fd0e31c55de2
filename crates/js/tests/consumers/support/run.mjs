// Runs programs of the consumers.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { join, resolve as below } from "node:path";

import { CONSUMERS } from "./install.mjs";

const ENVIRONMENT = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };

/** Runs a script with Node in the folder of a consumer, or another one, and returns what it writes. */
export function node(consumer, ...all) {
  return new Promise((resolve, reject) => {
    const options = { cwd: below(CONSUMERS, consumer), env: ENVIRONMENT, maxBuffer: 64 << 20 };
    execFile(process.execPath, all, options, (error, stdout, stderr) => {
      if (error) reject(new assert.AssertionError({ message: `${all.join(" ")} failed:\n${stdout}${stderr}` }));
      else resolve(stdout);
    });
  });
}

/** The path of a program of an installed package. */
export const program = (...path) => join(CONSUMERS, "node_modules", ...path);

/** Starts a server in the folder of a consumer. Its address is the first that it writes. */
export async function start(consumer, ...all) {
  const server = spawn(process.execPath, all, { cwd: join(CONSUMERS, consumer), env: ENVIRONMENT });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  let written = "";
  const url = await new Promise((resolve, reject) => {
    const take = (text) => {
      written += text;
      // Without colours.
      const [address] = written.replaceAll(/\x1b\[\d+m/g, "").match(/http:\/\/(?:127\.0\.0\.1|localhost):\d+\S*(?=\s)/) ?? [];
      if (address) resolve(address);
    };
    server.stdout.on("data", take);
    server.stderr.on("data", take);
    server.once("exit", (code) => reject(new Error(`${all.join(" ")} ended with ${code}:\n${written}`)));
  });
  return { url, close: () => (server.kill(), ended) };
}
