import { openAsBlob } from "node:fs";
import { check, checkInWorker } from "evalcheck";
import { check as checkInline } from "evalcheck/inline";
import { check as checkInlineWithSchemas } from "evalcheck/inline-schemas";

const [path] = process.argv.slice(2);
const file = await openAsBlob(path);
const options = { fileName: "input.jsonl" };
const here = await check(file, options);
const inWorker = await checkInWorker(file, options);
const inline = await checkInline(file, options);
const schema = { name: "schema.json", text: '{"properties":{"input":{"required":["id"]}}}' };
const withSchema = await check(file, { ...options, schema });
const withSchemaInWorker = await checkInWorker(file, { ...options, schema });
const withSchemaInline = await checkInlineWithSchemas(file, { ...options, schema });
console.log(JSON.stringify({ here, inWorker, inline, withSchema, withSchemaInWorker, withSchemaInline }));
