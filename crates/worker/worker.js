// The module that the page starts as its worker: loads the engine, which then talks to the page by itself.
import init from "./evalcheck_worker.js";
import { died } from "./watch.js";

try {
  await init();
} catch (error) {
  died(`The engine could not be loaded: ${error}`);
}
