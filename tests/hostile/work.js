// Counts what the tasks of the page's main thread do, so that no test measures how long they take. Runs in the page before its own
// code, and so refers to nothing outside of itself.

/**
 * Adds `takeWork()`, which gives the most that one task did since the last call: elements and letters of text that it put into the
 * document, bytes of a message of a worker that it read; and the most elements that were there. What the page renders at once, it puts
 * there in one task.
 */
export function countWork() {
  const nothing = () => ({ elements: 0, letters: 0, bytes: 0, shown: 0 });
  let most = nothing();
  const raise = (what, amount) => (most[what] = Math.max(most[what], amount));

  const observer = new MutationObserver((records) => {
    const changed = new Set();
    for (const { target, addedNodes } of records) {
      if (target.nodeType === Node.TEXT_NODE) changed.add(target);
      for (const added of addedNodes) {
        const walker = document.createTreeWalker(added);
        do changed.add(walker.currentNode);
        while (walker.nextNode());
      }
    }
    const texts = [...changed].filter((node) => node.nodeType === Node.TEXT_NODE);
    raise("elements", changed.size - texts.length);
    raise("letters", texts.reduce((sum, { length }) => sum + length, 0));
    raise("shown", document.getElementsByTagName("*").length);
  });
  observer.observe(document, { subtree: true, childList: true, characterData: true });

  self.Worker = new Proxy(Worker, {
    construct(target, given) {
      const worker = new target(...given);
      worker.addEventListener("message", ({ data }) => raise("bytes", data.event?.byteLength ?? 0));
      return worker;
    },
  });

  self.takeWork = () => {
    const taken = most;
    most = nothing();
    return taken;
  };
}
