import { openAsBlob } from "node:fs";
import { readFile } from "node:fs/promises";
import { check } from "evalcheck";

const schema = { name: "faq.schema.json", text: await readFile("faq.schema.json", "utf8") };
const report = await check(await openAsBlob("faq.jsonl"), { fileName: "faq.jsonl", schema });
for (const { line, path, message, related = [] } of report.findings) {
  console.log(`line ${line}: ${path}: ${message}`);
  for (const { label, file, line } of related) console.log(`  ${label}: ${file}, line ${line}`);
}
