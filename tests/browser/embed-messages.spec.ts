// The messages between <eval-check> and its frame: only valid messages from the right window are accepted.

import type { Frame, Page } from "@playwright/test";

import { Embed, expect, test } from "./support/embed.ts";
import { DOCUMENT_EXAMPLE } from "./support/files.ts";

/** A page that sends nothing by itself and collects the ports that it receives. */
const SILENT = `<!doctype html><script>
  window.ports = [];
  addEventListener("message", (event) => {
    if (event.source === parent && event.data.type === "connect") ports.push(event.ports[0]);
  });
</script>`;

/** Waits until the page has received all messages that these frames have posted to it. */
async function delivered(page: Page, senders: Frame[]): Promise<void> {
  await page.evaluate(() => {
    const counter = { markers: 0 };
    Object.assign(globalThis, { counter });
    addEventListener("message", ({ data }) => void (data === "marker" && counter.markers++));
  });
  for (const sender of senders) await sender.evaluate(() => (parent === self ? self : parent).postMessage("marker", "*"));
  const received = () => page.evaluate(() => (globalThis as unknown as { counter: { markers: number } }).counter.markers);
  await expect.poll(received).toBe(senders.length);
}

const REPORT = { report: "evalcheck/1", valid: true, checked: true, file: { name: "x" }, counts: { records: 1 }, findings: [] };

test("the element connects only to its own frame and origin", async ({ page, host, evalcheck }) => {
  await page.route(`${evalcheck}index.html`, (route) => route.fulfill({ contentType: "text/html", body: SILENT }));
  const other = host.add("/other", "", { head: "" });
  const policy = `script-src https://tools.example.org/evalcheck/embed.js; frame-src ${host.url} https://tools.example.org/evalcheck/`;
  await page.goto(host.add("/", `<eval-check></eval-check><iframe id="sibling" src="${other}"></iframe>`, { policy }));
  const frame = () => page.frames().find((frame) => frame.url().startsWith(`${evalcheck}index.html`))!;
  await expect.poll(() => frame()?.evaluate(() => document.readyState)).toBe("complete");
  const hello = { evalcheck: 1, type: "hello" };
  const connected = () => frame().evaluate(() => (window as unknown as { ports: [] }).ports.length);

  await page.evaluate((hello) => postMessage(hello, "*"), hello);
  const sibling = page.frames().find((frame) => frame.url() === other)!;
  await sibling.evaluate((hello) => parent.postMessage(hello, "*"), hello);
  for (const wrong of [null, "hello", { type: "hello" }, { ...hello, evalcheck: 2 }, { ...hello, type: "size", height: 900 }]) {
    await frame().evaluate((wrong) => parent.postMessage(wrong, "*"), wrong);
  }
  await delivered(page, [page.mainFrame(), sibling, frame()]);
  expect(await connected()).toBe(0);

  await frame().evaluate((hello) => parent.postMessage(hello, "*"), hello);
  await expect.poll(connected).toBe(1);
});

test("a frame that has navigated to another origin is not connected", async ({ page, host, evalcheck }) => {
  const hello = '<!doctype html><script>window.connects = 0; onmessage = () => connects += 1; parent.postMessage({ evalcheck: 1, type: "hello" }, "*");</script>';
  await page.route(`${host.url}gone`, (route) => route.fulfill({ contentType: "text/html", body: hello }));
  await page.route(`${evalcheck}index.html`, (route) =>
    route.fulfill({ contentType: "text/html", body: `<!doctype html><script>location = "${host.url}gone"</script>` }),
  );
  const policy = `script-src https://tools.example.org/evalcheck/embed.js; frame-src ${host.url} https://tools.example.org/evalcheck/`;
  await page.goto(host.add("/", "<eval-check></eval-check>", { policy }));
  const gone = () => page.frames().find((frame) => frame.url() === `${host.url}gone`);
  await expect.poll(() => gone()?.evaluate(() => document.readyState)).toBe("complete");
  await delivered(page, [gone()!]);
  expect(await gone()?.evaluate(() => (window as unknown as { connects: number }).connects)).toBe(0);
});

test("the element ignores invalid messages", async ({ page, host, watched, evalcheck }) => {
  await page.route(`${evalcheck}index.html`, (route) => route.fulfill({ contentType: "text/html", body: SILENT }));
  await page.goto(host.add("/", "<eval-check compact></eval-check>"));
  const embed = new Embed(page);
  const frame = () => page.frames().find((frame) => frame.url().startsWith(`${evalcheck}index.html`))!;
  await expect.poll(() => frame()?.evaluate(() => document.readyState)).toBe("complete");
  await frame().evaluate(() => parent.postMessage({ evalcheck: 1, type: "hello" }, "*"));
  await expect.poll(() => frame().evaluate(() => (window as unknown as { ports: [] }).ports.length)).toBe(1);

  const progress = { bytes: 1, total_bytes: 1, records: 1, lines: 1, errors: 0, warnings: 0 };
  const wrong: unknown[] = [
    null,
    7,
    "report",
    [],
    { evalcheck: 1 },
    { evalcheck: 1, type: "no-such" },
    { evalcheck: 1, type: "toString" },
    { evalcheck: 1, type: "__proto__" },
    { evalcheck: 1, type: ["size"], height: 700 },
    { type: "size", height: 700 },
    { evalcheck: "1", type: "size", height: 700 },
    { evalcheck: 2, type: "size", height: 700 },
    { evalcheck: 1, type: "size", height: "700" },
    { evalcheck: 1, type: "size", height: -1 },
    { evalcheck: 1, type: "size", height: Number.NaN },
    { evalcheck: 1, type: "report" },
    { evalcheck: 1, type: "report", report: null },
    { evalcheck: 1, type: "report", report: { ...REPORT, report: "evalcheck/2" } },
    { evalcheck: 1, type: "report", report: { ...REPORT, valid: "true" } },
    { evalcheck: 1, type: "report", report: { ...REPORT, findings: {} } },
    { evalcheck: 1, type: "report", report: { ...REPORT, file: "x" } },
    { evalcheck: 1, type: "report", report: REPORT, id: "1" },
    { evalcheck: 1, type: "progress", file: "x" },
    { evalcheck: 1, type: "progress", file: 1, progress },
    { evalcheck: 1, type: "progress", file: "x", progress: { ...progress, bytes: "1" } },
    { evalcheck: 1, type: "error", code: "x" },
    { evalcheck: 1, type: "error", code: 1, message: "x" },
  ];
  const right = [{ evalcheck: 1, type: "report", report: REPORT }, { evalcheck: 1, type: "error", code: "last", message: "the end" }];
  await frame().evaluate(
    (messages) => messages.forEach((message) => (window as unknown as { ports: MessagePort[] }).ports[0]?.postMessage(message)),
    [...wrong, ...right],
  );
  await expect.poll(() => watched.heard("error")).toMatchObject([{ detail: { code: "last", message: "the end" } }]);
  expect(await watched.heard("report")).toMatchObject([{ detail: REPORT }]);
  expect(await watched.heard("progress")).toEqual([]);
  expect(await embed.height()).toBe(300);

  // Only a report with the id of the request resolves the promise.
  const answer = embed.check("x");
  await frame().evaluate((report) => {
    const [port] = (window as unknown as { ports: MessagePort[] }).ports;
    port?.addEventListener("message", ({ data }) => {
      if (data.type !== "check" || !(data.file instanceof File)) return;
      port.postMessage({ evalcheck: 1, type: "report", id: data.id + 1, report: { ...report, file: { name: "wrong" } } });
      port.postMessage({ evalcheck: 1, type: "report", id: data.id, report: { ...report, file: { name: "right" } } });
    });
    port?.start();
  }, REPORT);
  expect(await answer).toMatchObject({ file: { name: "right" } });
});

test("the page accepts one connection, from its parent, and ignores invalid messages", async ({ page, host, evalcheck }) => {
  const other = host.add("/other", "", { head: "" });
  await page.goto(host.add("/", `<iframe id="sibling" src="${other}"></iframe>`, { policy: "script-src 'none'", head: "" }));
  await page.evaluate(async (src) => {
    const frame = document.createElement("iframe");
    frame.width = "700";
    frame.height = "700";
    const hello = new Promise((done) => {
      addEventListener("message", (event) => event.source === frame.contentWindow && done(event.data));
    });
    frame.src = src;
    document.body.append(frame);
    if (JSON.stringify(await hello) !== '{"evalcheck":1,"type":"hello"}') throw new Error("unexpected hello");
  }, `${evalcheck}index.html#embed`);

  const connect = { evalcheck: 1, type: "connect", format: "", theme: "auto", compact: true, grow: false, example: "" };
  const sibling = page.frames().find((frame) => frame.url() === other)!;
  await sibling.evaluate((connect) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => parent.postMessage("the sibling was answered", "*");
    parent.frames[1]?.postMessage(connect, "*", [port2]);
  }, connect);
  const heard = await page.evaluate(
    async ([connect, example]) => {
      const heard: unknown[] = [];
      addEventListener("message", (event) => heard.push(event.data));
      const frame = frames[1] as Window;
      const offer = (name: string, message: unknown) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = (event) => heard.push(name, event.data);
        frame.postMessage(message, "*", [port2]);
      };
      frame.postMessage(connect, "*");
      for (const wrong of [{ ...connect, evalcheck: 2 }, { ...connect, type: "configure" }, { ...connect, compact: "yes" }, { ...connect, format: 5 }, 5]) {
        offer("wrong", wrong);
      }
      const { port1, port2 } = new MessageChannel();
      frame.postMessage(connect, "*", [port2]);
      offer("second", connect);
      const configure = { ...connect, type: "configure" };
      const file = new File([example as string], "right.jsonl");
      const check = { evalcheck: 1, type: "check", id: 7, file };
      for (const wrong of [
        5,
        null,
        { ...configure, format: "quest", evalcheck: 2 },
        { ...configure, format: "quest", grow: 1 },
        { ...configure, format: "quest", theme: {} },
        { ...check, id: "7" },
        { ...check, id: -7 },
        { ...check, id: 0.5 },
        { ...check, id: undefined },
        { ...check, file: undefined },
        { ...check, file: { name: "x" } },
        { ...check, file: new Blob(["x"]) },
        { ...check, type: "checks" },
      ]) {
        port1.postMessage(wrong);
      }
      port1.postMessage(check);
      const messages: { type: string; id?: number; report?: { file: { name: string }; format: { id: string } } }[] = [];
      await new Promise<void>((done) => {
        port1.onmessage = ({ data }) => {
          messages.push(data);
          if (data.type === "report") done();
        };
      });
      const kinds = messages.map(({ type, id }) => ({ type, id })).filter(({ type }) => type !== "size");
      return { heard, kinds, report: messages.at(-1)?.report, sizes: messages.filter(({ type }) => type === "size").length };
    },
    [connect, DOCUMENT_EXAMPLE] as const,
  );
  expect(heard.heard).toEqual([]);
  expect(heard.sizes).toBeGreaterThan(0);
  expect(heard.kinds.every(({ id }) => id === 7)).toBe(true);
  expect(heard.report).toMatchObject({ file: { name: "right.jsonl" }, format: { id: "juryarena" } });
});
