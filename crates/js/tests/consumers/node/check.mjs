import { openAsBlob } from "node:fs";
import { check, checkInWorker } from "evalcheck";
import { check as checkInline } from "evalcheck/inline";

const [path] = process.argv.slice(2);
const file = await openAsBlob(path);
const options = { fileName: "input.jsonl" };
const here = await check(file, options);
const inWorker = await checkInWorker(file, options);
const inline = await checkInline(file, options);
console.log(JSON.stringify({ here, inWorker, inline }));
