import { check, checkInWorker, type Finding, type Progress, type Report } from "evalcheck";

const input = document.querySelector<HTMLInputElement>("input")!;
const output = document.querySelector("output")!;

input.addEventListener("change", async () => {
  const file: File = input.files![0]!;
  const onProgress = ({ bytes, total_bytes }: Progress): void => console.log(`${bytes} of ${total_bytes} bytes`);
  const here: Report = await check(file);
  const inWorker: Report = await checkInWorker(file, { onProgress });
  const schema = { name: "schema.json", text: '{"properties":{"input":{"required":["id"]}}}' };
  const withSchema = await check(file, { schema });
  const withSchemaInWorker = await checkInWorker(file, { schema });
  const errors: Finding[] = here.findings.filter(({ severity }) => severity === "error");
  console.log(`${errors.length} errors`);
  output.textContent = JSON.stringify({ here, inWorker, withSchema, withSchemaInWorker });
});
