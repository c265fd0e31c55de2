import { openAsBlob } from "node:fs";
import { check } from "evalcheck";

const report = await check(await openAsBlob("samples.jsonl"), { fileName: "samples.jsonl" });
console.log(report.valid, report.counts.errors);
