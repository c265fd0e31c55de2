// The content security policy also applies to the worker, on a host that sends no headers. And hosts that send wrong
// media types.

import { expect, full, test, type App } from "./support/app.ts";
import { sample } from "./support/files.ts";
import { DIST, Host } from "./support/host.ts";

async function onHost(types: Record<string, string>, app: App, run: () => Promise<void>): Promise<void> {
  const host = await Host.start({ "/plain/": DIST }, { types, compresses: () => true });
  try {
    await app.open(`${host.origin}/plain/`);
    await run();
  } finally {
    await host.stop();
  }
}

test("the worker cannot send requests to other hosts", async ({ app, page }) => {
  await onHost({}, app, async () => {
    const other = await Host.start({ "/": DIST });
    try {
      const [worker] = page.workers();
      const seen = await worker?.evaluate(async (address) => {
        const refused = new Promise<string>((resolve) =>
          addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective)),
        );
        const answer = await fetch(address).then(() => "answered", () => "failed");
        return { answer, directive: await refused };
      }, `${other.origin}/index.html`);
      expect(seen).toEqual({ answer: "failed", directive: "connect-src" });
      expect(other.requested).toEqual([]);
    } finally {
      await other.stop();
    }
  });
});

test("the worker cannot evaluate strings as code", async ({ app, page }) => {
  await onHost({}, app, async () => {
    const [worker] = page.workers();
    const made = await worker?.evaluate(
      () =>
        // In a task of the worker, because the policy does not apply to code that a debugger evaluates.
        new Promise<string>((resolve) =>
          setTimeout(() => {
            try {
              resolve(`made ${new Function("return 1")()}`);
            } catch (error) {
              resolve((error as Error).name);
            }
          }),
        ),
    );
    expect(made).toBe("EvalError");
  });
});

for (const type of ["application/octet-stream", "text/plain", "application/wasm; charset=utf-8"]) {
  test(`wasm sent as ${type} is loaded`, full(type !== "text/plain"), async ({ app }) => {
    await onHost({ ".wasm": type }, app, async () => {
      await app.choose({ name: "samples.jsonl", content: `${sample("Hi")}\n` });
      await app.expectVerdict("valid");
    });
  });
}
