// The checks of support/app.ts notice the problems that they look for.

import { expect, test } from "./support/app.ts";

const CAUSES: [string, () => unknown, RegExp][] = [
  ["a request to the page's own server", () => void fetch("./index.html"), /a request after the page had loaded/],
  ["a request to another host", () => void fetch("http://192.0.2.1/").catch(() => {}), /policy: connect-src http:\/\/192/],
  ["an image from another host", () => void (new Image().src = "http://192.0.2.1/x.png"), /policy: img-src/],
  ["an inline script", () => void document.body.appendChild(document.createElement("script")).append("1"), /policy: (script-src|require-trusted-types-for)/],
  ["markup from text", () => queueMicrotask(() => (document.body.innerHTML = "<b>")), /policy: require-trusted-types-for/],
  ["another Trusted Types policy", () => queueMicrotask(() => (globalThis as any).trustedTypes.createPolicy("other", {})), /policy: trusted-types/],
  ["an inline style", () => document.body.setAttribute("style", "color: red"), /policy: style-src/],
  ["an uncaught error", () => void Promise.reject(new Error("on purpose")), /uncaught: on purpose/],
  ["a dialog", () => alert("on purpose"), /dialog: on purpose/],
  ["a window", () => void open("about:blank"), /a window was opened/],
];

test("what goes wrong in the page or its worker is noticed", async ({ app, page }) => {
  await app.open();
  for (const [what, cause, problem] of CAUSES) {
    await test.step(what, async () => {
      app.problems.length = 0;
      await page.evaluate(cause);
      await app.expectProblem(problem);
    });
  }
  app.problems.length = 0;
  await page.workers()[0]?.evaluate(() => void fetch(new URL("no-such-file", location.origin)).catch(() => {}));
  await app.expectProblem(/a request after the page had loaded: .*no-such-file/);
});

test("a request at the very end of a test is noticed", async ({ app, page }) => {
  await app.open();
  await page.evaluate(() => void fetch("./index.html"));
  expect(await app.unexpectedProblems()).toEqual([expect.stringContaining("a request after the page had loaded")]);
  app.allowProblem();
});

test("a page that is left alone for an hour requests nothing", async ({ app, page }) => {
  await page.clock.install();
  await app.open();
  await page.clock.runFor("01:00:00");
  await app.openExample("juryarena/broken");
  await app.expectVerdict("invalid");
  await page.clock.runFor("01:00:00");
});
