import { checkInWorker, terminateWorker } from "evalcheck";

export async function isValid(file, signal) {
  const report = await checkInWorker(file, { signal, onProgress: ({ bytes }) => console.log(bytes) });
  terminateWorker(); // Frees its memory. The next check starts another worker.
  return report.valid;
}
