import { check, checkInWorker } from "evalcheck";

document.querySelector("input").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  const here = await check(file);
  const inWorker = await checkInWorker(file);
  const schema = { name: "schema.json", text: '{"properties":{"input":{"required":["id"]}}}' };
  const withSchema = await check(file, { schema });
  const withSchemaInWorker = await checkInWorker(file, { schema });
  document.querySelector("output").textContent = JSON.stringify({ here, inWorker, withSchema, withSchemaInWorker });
});
