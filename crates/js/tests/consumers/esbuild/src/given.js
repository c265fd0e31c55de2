import { check, checkInWorker, init } from "evalcheck";
import wasm from "evalcheck/evalcheck.wasm";

init({ wasm, worker: "workers/checks.js" });

document.querySelector("input").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  const here = await check(file);
  const inWorker = await checkInWorker(file);
  document.querySelector("output").textContent = JSON.stringify({ here, inWorker });
});
