// The checks of support/app.ts notice the problems that they look for.

import { test } from "./support/app.ts";

for (const [what, cause, problem] of [
  ["a request to the page's own server", () => void fetch("./index.html"), /a request after the page had loaded/],
  ["a request to another host", () => void fetch("http://192.0.2.1/").catch(() => {}), /policy: connect-src http:\/\/192/],
  ["an image from another host", () => void (new Image().src = "http://192.0.2.1/x.png"), /policy: img-src/],
  ["an inline script", () => void document.body.appendChild(document.createElement("script")).append("1"), /policy: (script-src|require-trusted-types-for)/],
  ["markup from text", () => queueMicrotask(() => (document.body.innerHTML = "<b>")), /policy: require-trusted-types-for/],
  ["another Trusted Types policy", () => queueMicrotask(() => (globalThis as any).trustedTypes.createPolicy("other", {})), /policy: trusted-types/],
  ["an inline style", () => document.body.setAttribute("style", "color: red"), /policy: style-src/],
  ["an uncaught error", () => void Promise.reject(new Error("on purpose")), /uncaught: on purpose/],
  ["a window", () => void open("about:blank"), /a window was opened/],
  ["a dialog", () => alert("on purpose"), /dialog: on purpose/],
] as const) {
  test(`${what} is noticed`, async ({ app, page }) => {
    await app.open();
    await page.evaluate(cause);
    await app.expectProblem(problem);
  });
}

test("a request of the worker is noticed", async ({ app, page }) => {
  await app.open();
  const [worker] = page.workers();
  await worker?.evaluate(() => void fetch(new URL("no-such-file", location.origin)).catch(() => {}));
  await app.expectProblem(/a request after the page had loaded: .*no-such-file/);
});
