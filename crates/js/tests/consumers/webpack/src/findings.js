import { check } from "evalcheck";

const input = document.querySelector("input[type=file]");
input.addEventListener("change", async () => {
  const report = await check(input.files[0], {
    maxFindingsPerCode: 1000,
    onProgress: ({ bytes, total_bytes }) => console.log(`${bytes} of ${total_bytes} bytes`),
  });
  console.log(report.valid ? "valid" : `${report.counts.errors} errors`);
  for (const { line, path, message } of report.findings) console.log(`line ${line}: ${path}: ${message}`);
});
