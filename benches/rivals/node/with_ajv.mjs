// ajv: `node with_ajv.mjs FORMAT FILE SCHEMA`.

import { readFileSync } from "node:fs";

import { Ajv } from "ajv";

import { check } from "./lines.mjs";

const [, path, schema] = process.argv.slice(2);
// Its strict mode is about how a schema is written.
const ajv = new Ajv({ strict: false });
await check(path, ajv.compile(JSON.parse(readFileSync(schema, "utf8"))));
