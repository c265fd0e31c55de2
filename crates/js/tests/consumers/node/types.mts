// Compiled without the types of a browser.
import { openAsBlob } from "node:fs";
import { Worker } from "node:worker_threads";
import { check, checkInWorker, explain, fix, formats, init, type Loaded, type Report, type SchemaFile, terminateWorker, version } from "evalcheck";
import { check as checkInline } from "evalcheck/inline";
import { check as checkInlineWithSchemas, init as initInline } from "evalcheck/inline-schemas";

const file = await openAsBlob("input.jsonl");
const report: Report = await check(file, { signal: AbortSignal.timeout(1000), onProgress: ({ bytes }) => bytes.toFixed() });
const others: Report[] = [await checkInWorker("{}"), await checkInline(new Uint8Array(2))];
const loaded: Loaded = await init({ wasm: new URL("file:///evalcheck.wasm"), worker: () => new Worker("worker.js") });
const schemaFile: SchemaFile = { name: "faq.schema.json", text: "{}" };
const constant = { type: "object", required: ["question"] } as const;
for (const schema of ["{}", schemaFile, constant, [constant, schemaFile]] as const) others.push(await check(file, { schema, schemaFormats: true }));
others.push(await checkInlineWithSchemas("{}", { schema: {} }), loaded.checkText("{}", { schema: constant }));
await init({ schemaWasm: new Uint8Array(8), schemas: true });
await initInline({ schemas: true });
const { blob, fixes } = await fix(file, { unsafe: true, select: ["json"] });
const text: string = await blob.text();
const lines: (number | null)[] = report.findings.map(({ line }) => line);
const ids: string[] = (await formats()).map(({ id }) => id);
const summary: string | undefined = (await explain("json/comment"))?.summary;
terminateWorker();
console.log(others, loaded.version() === (await version()), fixes, text, lines, ids, summary);

// @ts-expect-error Not an option.
await check(file, { maxFindings: 5 });
// @ts-expect-error Not a schema.
await check(file, { schema: 5 });
// @ts-expect-error Not a dataset.
await check(5);
// @ts-expect-error A promise.
formats().length;
