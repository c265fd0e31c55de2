// Compiled without the types of a browser.
import { openAsBlob } from "node:fs";
import { Worker } from "node:worker_threads";
import { check, checkInWorker, explain, fix, formats, init, type Loaded, type Report, terminateWorker, version } from "evalcheck";
import { check as checkInline } from "evalcheck/inline";

const file = await openAsBlob("input.jsonl");
const report: Report = await check(file, { signal: AbortSignal.timeout(1000), onProgress: ({ bytes }) => bytes.toFixed() });
const others: Report[] = [await checkInWorker("{}"), await checkInline(new Uint8Array(2))];
const loaded: Loaded = await init({ wasm: new URL("file:///evalcheck.wasm"), worker: () => new Worker("worker.js") });
const { blob, fixes } = await fix(file, { unsafe: true, select: ["json"] });
const text: string = await blob.text();
const lines: (number | null)[] = report.findings.map(({ line }) => line);
const ids: string[] = (await formats()).map(({ id }) => id);
const summary: string | undefined = (await explain("json/comment"))?.summary;
terminateWorker();
console.log(others, loaded.version() === (await version()), fixes, text, lines, ids, summary);

// @ts-expect-error Not an option.
await check(file, { maxFindings: 5 });
// @ts-expect-error Not a dataset.
await check(5);
// @ts-expect-error A promise.
formats().length;
