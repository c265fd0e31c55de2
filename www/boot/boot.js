// What has to begin before the page's own code is there, and what only a script may do under the page's policy:
// addresses of scripts come from a policy of Trusted Types, and this one is all there is. src/platform/boot.rs is the
// page's side of it.
"use strict";

globalThis.evalcheckBoot = (() => {
  const rules = { createScriptURL: (address) => address };
  const scripts = globalThis.trustedTypes?.createPolicy("evalcheck", rules) ?? rules;

  /** A file of the build: from the server, or, in the page that is one file, from the element of that name. */
  async function asset(name, address) {
    const packed = document.getElementById(name);
    if (!packed) {
      // Low: the page's own code comes first.
      const response = await fetch(address, { priority: "low" });
      if (!response.ok) throw new Error(`the server answers ${response.status} for ${name}`);
      return response;
    }
    const bytes = Uint8Array.from(atob(packed.textContent), (letter) => letter.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(unpacked, { headers: { "Content-Type": packed.dataset.type } });
  }

  async function compile(response) {
    // From a stream it is faster, and refused under any other type; some hosts know no type for wasm.
    if (response.headers.get("Content-Type") === "application/wasm") return WebAssembly.compileStreaming(response);
    return WebAssembly.compile(await response.arrayBuffer());
  }

  async function load() {
    const script = new URL(document.querySelector("meta[name=evalcheck-worker]").content, document.baseURI);
    const [text, engine] = await Promise.all([
      asset("worker.js", script).then((response) => response.text()),
      asset("engine.wasm", new URL("engine.wasm", script)).then(compile),
    ]);
    // A worker from a blob is under this page's policy also where the host sends none; one that is loaded by its
    // address would be under no policy at all.
    const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    return { address: scripts.createScriptURL(address), engine };
  }

  // Asked for at once, beside the page's own code, and kept: further workers ask no server.
  let parts = load();

  /** Starts a worker. All of them share one script and one compiled engine. */
  async function startWorker() {
    try {
      parts ??= load();
      const { address, engine } = await parts;
      const worker = new Worker(address, { name: "evalcheck" });
      worker.postMessage({ engine });
      return worker;
    } catch (error) {
      // The next attempt loads them anew.
      parts = null;
      throw error;
    }
  }

  const { serviceWorker } = navigator;
  let newer = null;
  let isNewer = false;
  let accepted = false;
  let heard = () => {};

  /** A newer version is there: in a service worker that waits, or, when that is null, already in charge. */
  function offer(worker) {
    newer = worker;
    isNewer = true;
    heard();
  }

  /** Keeps the page for when there is no network. */
  async function keep() {
    // The page that is one file has no manifest and needs none of this; in a frame, the page is a guest.
    if (!serviceWorker || top !== self || !document.querySelector("link[rel=manifest]")) return;
    const address = scripts.createScriptURL(new URL("sw.js", document.baseURI).href);
    const controlled = serviceWorker.controller !== null;
    const registration = await serviceWorker.register(address, { updateViaCache: "none" });
    if (!controlled) return;
    const follow = (worker) =>
      worker?.addEventListener("statechange", () => {
        if (worker.state === "installed") offer(worker);
      });
    follow(registration.installing);
    if (registration.waiting) offer(registration.waiting);
    registration.addEventListener("updatefound", () => follow(registration.installing));
    serviceWorker.addEventListener("controllerchange", () => {
      // Where it was accepted in another tab, this one goes on as it is until it is reloaded.
      if (accepted) location.reload();
      else offer(null);
    });
  }

  // What a check needs comes first. Where nothing can be kept, the page works with a network alone.
  parts.then(keep).catch(() => {});

  /** Calls `tell` when a newer version is there. */
  function onUpdate(tell) {
    heard = tell;
    if (isNewer) tell();
  }

  /** Takes the newer version. */
  function update() {
    accepted = true;
    if (newer?.state === "installed") newer.postMessage("take over");
    else location.reload();
  }

  return { asset, startWorker, onUpdate, update };
})();
