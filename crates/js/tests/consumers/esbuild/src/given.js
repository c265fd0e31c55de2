import { check, checkInWorker, init } from "evalcheck";
import wasm from "evalcheck/evalcheck.wasm";
import schemaWasm from "evalcheck/schema.wasm";

init({ wasm, schemaWasm, worker: "workers/checks.js" });

document.querySelector("input").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  const here = await check(file);
  const inWorker = await checkInWorker(file);
  const schema = { name: "schema.json", text: '{"properties":{"input":{"required":["id"]}}}' };
  const withSchema = await check(file, { schema });
  const withSchemaInWorker = await checkInWorker(file, { schema });
  document.querySelector("output").textContent = JSON.stringify({ here, inWorker, withSchema, withSchemaInWorker });
});
