// The content security policy of the page holds in its workers too, on a host that sends no headers at all; and such a
// host may be wrong about types.

import { expect, test, type App } from "./support/app.ts";
import { sample } from "./support/files.ts";
import { DIST, Host } from "./support/host.ts";

async function on(types: Record<string, string>, app: App, then: () => Promise<void>): Promise<void> {
  const host = await Host.start({ "/plain/": DIST }, types);
  try {
    await app.open(`${host.origin}/plain/`);
    await then();
  } finally {
    await host.stop();
  }
}

test("the worker may ask no other host", async ({ app, page }) => {
  await on({}, app, async () => {
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
      expect(other.asked).toEqual([]);
    } finally {
      await other.stop();
    }
  });
});

test("the worker makes no code of text", async ({ app, page }) => {
  await on({}, app, async () => {
    const [worker] = page.workers();
    const made = await worker?.evaluate(
      () =>
        // In a task of the worker's own: what a debugger evaluates is under no policy.
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
  test(`a host that sends wasm as ${type} is survived`, async ({ app }) => {
    await on({ ".wasm": type }, app, async () => {
      await app.choose({ name: "samples.jsonl", content: `${sample("Hi")}\n` });
      await app.expectVerdict("valid");
    });
  });
}
