import { check } from "evalcheck/inline";

document.querySelector("input").addEventListener("change", async ({ target }) => {
  const inline = await check(target.files[0]);
  document.querySelector("output").textContent = JSON.stringify({ inline });
});
