// From a line's number to that line on the screen, with its text: milliseconds for lines all over a file, for each run.

import { Choices } from "../text.mjs";
import { verify } from "./bench.mjs";

const JUMPS = 24;

export async function jump(bench, { file, runs }) {
  bench.warm(file.path);
  const choices = new Choices(4);
  const samples = [];
  for (let run = 0; run < runs; run += 1) {
    const product = await bench.product();
    verify(await product.check(file.path), file);
    await product.page.getByTestId("tab-lines").click();
    await product.page.getByTestId("line-list").waitFor();
    const lines = [file.records, 1, ...Array.from({ length: JUMPS - 2 }, () => 1 + choices.below(file.records))];
    const times = [];
    for (const line of lines) times.push(await product.page.evaluate(goTo, line));
    samples.push({ most: Math.max(...times), times });
    await product.close();
  }
  return samples;
}

/** Goes to a line by the field for it, and waits until the line is painted. */
function goTo(number) {
  const field = document.querySelector("[data-testid=goto-line]");
  const list = document.querySelector("[data-testid=line-list]");
  const here = () => {
    const row = list.querySelector(`[data-testid=line][data-line="${number}"]`);
    const text = row?.querySelector(".line-text:not(.waiting)");
    if (!text) return false;
    const [at, box] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
    return at.bottom > box.top && at.top < box.bottom;
  };
  return new Promise((resolve) => {
    const start = performance.now();
    const look = () => {
      if (!here()) return requestAnimationFrame(look);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now() - start);
      port2.postMessage(null);
    };
    field.value = String(number);
    field.form.requestSubmit();
    requestAnimationFrame(look);
  });
}
