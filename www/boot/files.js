// Loads the files of the build, and counts what has arrived. boot.js and the page's module use this script.
"use strict";

globalThis.evalcheckFiles = (() => {
  // The bytes that have arrived, of the unpacked files: of all that a check needs, and of the rests. The build inserts the sums.
  const { bytes, restBytes } = document.querySelector("meta[name=evalcheck-worker]").dataset;
  const needed = { done: 0 };
  const rests = [];
  let isPageWhole = false;
  const percent = (done, all) => Math.min(100, Math.floor((100 * done) / all));
  // A rest that arrives within this time is not reported.
  const PATIENCE_MS = 1000;
  let onProgress = () => {};
  let told = [];

  /** Says how much has arrived, if that changed. */
  function tell() {
    const later = rests.reduce((sum, { done }) => sum + done, 0);
    const now = [percent(needed.done, bytes), isPageWhole, rests.some(({ isLate }) => isLate) ? percent(later, restBytes) : 100];
    if (now.every((part, at) => part === told[at])) return;
    told = now;
    onProgress(...now);
  }

  /** The response, whose bytes are counted as they are read. */
  function counted(response, part) {
    const transform = (chunk, controller) => {
      controller.enqueue(chunk);
      part.done += chunk.length;
      tell();
    };
    return new Response(response.body.pipeThrough(new TransformStream({ transform })), response);
  }

  /** A response of this gzip file, unpacked. */
  function unpacked(body, name) {
    const type = name.endsWith(".wasm") ? "application/wasm" : "text/javascript";
    return new Response(body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });
  }

  // A host that does not compress sends modules three times as large as need be. For it the build keeps each module also packed, as gzip under a
  // name that no host takes for it. Whether the host compresses is known from this page; if it compresses HTML alone, from the first module. A
  // service worker keeps all files unpacked.
  const packed = (url) => `${url}.bin`;
  const isCached = () => Boolean(navigator.serviceWorker?.controller);
  let takesPacked = null;

  function pageCameAsIs() {
    const { encodedBodySize, decodedBodySize } = performance.getEntriesByType("navigation")[0] ?? {};
    return !isCached() && encodedBodySize > 0 && encodedBodySize === decodedBodySize;
  }

  async function get(url, priority) {
    const response = await fetch(url, { priority });
    if (!response.ok) throw new Error(`the server responded with status ${response.status} for ${url}`);
    return response;
  }

  async function download(name, url, priority) {
    takesPacked ??= pageCameAsIs();
    if (!takesPacked) {
      const response = await get(url, priority);
      if (isCached() || response.headers.has("Content-Encoding")) return response;
      takesPacked = true;
      void response.body.cancel();
    }
    return unpacked((await get(packed(url), priority)).body, name);
  }

  /** A file of the build: from the server or, in the single-file page, from the element with its name. The page's own code has priority. */
  async function asset(name, url, { priority = "low", part = needed } = {}) {
    const element = document.getElementById(name);
    if (!element) return counted(await download(name, url, priority), part);
    const bytes = Uint8Array.from(atob(element.textContent), (character) => character.charCodeAt(0));
    return counted(unpacked(new Blob([bytes]).stream(), name), part);
  }

  /** Compiles a module of the build. */
  async function module(name, url, part) {
    const response = await asset(name, url, { part });
    // Streaming compilation is faster but requires this media type, which some hosts do not send.
    if (response.headers.get("Content-Type") === "application/wasm") return WebAssembly.compileStreaming(response);
    return WebAssembly.compile(await response.arrayBuffer());
  }

  /** Loads what no verdict needs, by `load(part)`. The page works without it, so this tries until the server has it. */
  async function loadLate(load) {
    const part = { done: 0, isLate: false };
    rests.push(part);
    const late = (isLate) => {
      part.isLate = isLate;
      tell();
    };
    const timer = setTimeout(() => late(true), PATIENCE_MS);
    for (let wait = 1_000; ; wait = Math.min(2 * wait, 60_000)) {
      try {
        part.done = 0;
        const loaded = await load(part);
        clearTimeout(timer);
        late(false);
        return loaded;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }

  /** Compiles the rest of a module. */
  const restModule = (name, url) => loadLate((part) => module(name, url, part));

  /** A text that is shown on demand. */
  const lateText = (name, url) => loadLate(async (part) => (await asset(name, url, { part })).text());

  /** Where a worker finds a module that it loads when it first needs it: a URL or, in the single-file page, a blob of Base64. */
  function onDemand(name, url, canUnpack) {
    const element = document.getElementById(name);
    if (element) return new Blob([element.textContent]);
    return takesPacked && canUnpack ? packed(url.href) : url.href;
  }

  /** The page has the rest of its module. */
  function pageIsWhole() {
    isPageWhole = true;
    tell();
  }

  /**
   * Calls `callback` now, and whenever more has arrived, with the percentage of what a check needs, whether the page has its rest, and the
   * percentage of both rests.
   */
  function onLoading(callback) {
    onProgress = callback;
    told = [];
    tell();
  }

  /** What a check needs is loaded again. */
  function startOver() {
    needed.done = 0;
  }

  return { asset, module, restModule, lateText, onDemand, onLoading, pageIsWhole, startOver };
})();
