import { check, checkInWorker } from "evalcheck";

import { isValid } from "./valid.js";
import "./findings.js";

document.querySelector("input").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  const here = await check(file);
  const inWorker = await checkInWorker(file);
  console.log(`isValid: ${await isValid(file)}`);
  document.querySelector("output").textContent = JSON.stringify({ here, inWorker });
});
