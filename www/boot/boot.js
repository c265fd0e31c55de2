// Loads the engine and the rests of both modules beside the page's own code, starts workers and registers the service worker. files.js loads
// files. The content security policy allows script URLs only from the Trusted Types policy below. src/platform/boot.rs calls this script.
"use strict";

globalThis.evalcheckBoot = (() => {
  const policy = { createScriptURL: (url) => url };
  const trusted = globalThis.trustedTypes?.createPolicy("evalcheck", policy) ?? policy;

  const files = evalcheckFiles;

  // Nothing more is loaded before the start screen in index.html is painted: it would share the connection and the processor.
  // A page that is not visible is not painted.
  const painted = new Promise((resolve) => {
    new PerformanceObserver(resolve).observe({ type: "paint", buffered: true });
    setTimeout(resolve, document.hidden ? 0 : 1000);
  });

  const script = new URL(document.querySelector("meta[name=evalcheck-worker]").content, document.baseURI);
  const beside = (name) => new URL(name, script);
  // A split module exports the table that its rest fills.
  const isSplit = (names) => names.includes("slots");

  async function load() {
    const [text, engine] = await Promise.all([
      files.asset("worker.js", script).then((response) => response.text()),
      files.module("engine.wasm", beside("engine.wasm")),
    ]);
    // A worker from a blob inherits the content security policy of this page. One from a URL would have only the policy
    // that the host sends, and many send none.
    const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    const module = (name, canUnpack) => files.onDemand(name, beside(name), canUnpack);
    // A worker that waits for the rest cannot unpack it.
    const onDemand = { rest: module("rest.wasm", false) };
    for (const name of ["regex", "markdown", "schema"]) onDemand[name] = module(`${name}.wasm`, true);
    const exported = WebAssembly.Module.exports(engine).map(({ name }) => name);
    const engineRest = isSplit(exported) ? files.restModule("rest.wasm", beside("rest.wasm")) : null;
    // With the rest, the worker answers questions, and the page needs its own rest to draw the answers.
    const rest = Promise.all([engineRest, evalcheckRest.waiting]).then(([module]) => module);
    return { url: trusted.createScriptURL(url), engine, rest, onDemand };
  }

  // Starts to load before a file is there. The result is kept, so that further workers cause no requests.
  let parts = painted.then(load);

  /** The page's module has started. Loads the rest of it after the engine, unless it is given. */
  async function pageStarted(exports, module) {
    const url = beside("page-rest.wasm");
    evalcheckRest.of(exports, url);
    if (!module && isSplit(Object.keys(exports))) {
      await Promise.resolve(parts).catch(() => {});
      module = await files.restModule("page-rest.wasm", url);
    }
    evalcheckRest.add(module);
    files.pageIsWhole();
  }

  // The rules with their pages, as JSON. Nothing waits for them.
  const rules = Promise.resolve(parts)
    .then(({ rest }) => rest)
    .catch(() => {})
    .then(() => files.lateText("rules.json", beside("rules.json")));

  /** Calls `callback` with the rules when they are loaded. */
  const onRules = (callback) => void rules.then(callback);

  // One core is left to the browser, which reads the file: with two cores, a second worker makes a check slower. `?workers=4` in the
  // address for another number.
  const asked = new URLSearchParams(location.search).get("workers");
  const workers = Math.min(8, Math.max(1, Number(asked) || (navigator.hardwareConcurrency || 1) - 1));

  /** Starts a worker. All workers share the script and the compiled engine; this one may start further ones. */
  async function startWorker() {
    try {
      parts ??= load();
      const { url, engine, rest, onDemand } = await parts;
      // The worker of the single-file page cannot load it by itself.
      if (document.getElementById("rest.wasm")) await rest;
      const worker = new Worker(url, { name: "evalcheck" });
      worker.postMessage({ engine, onDemand, workers });
      void Promise.resolve(rest).then((late) => worker.postMessage({ rest: late }));
      return worker;
    } catch (error) {
      // The next call loads everything again.
      parts = null;
      files.startOver();
      throw error;
    }
  }

  const { serviceWorker } = navigator;
  let newer = null;
  let available = false;
  let accepted = false;
  let notify = () => {};

  /** A newer version is available: in this waiting service worker or, if it is null, in the active one. */
  function offer(worker) {
    newer = worker;
    available = true;
    notify();
  }

  /** Makes the page work offline. */
  async function registerServiceWorker() {
    // The single-file page has no manifest and needs no service worker, and an embedded page registers none.
    if (!serviceWorker || top !== self || !document.querySelector("link[rel=manifest]")) return;
    const url = trusted.createScriptURL(new URL("sw.js", document.baseURI).href);
    const controlled = serviceWorker.controller !== null;
    const registration = await serviceWorker.register(url, { updateViaCache: "none" });
    if (!controlled) return;
    const follow = (worker) =>
      worker?.addEventListener("statechange", () => {
        if (worker.state === "installed") offer(worker);
      });
    follow(registration.installing);
    if (registration.waiting) offer(registration.waiting);
    registration.addEventListener("updatefound", () => follow(registration.installing));
    serviceWorker.addEventListener("controllerchange", () => {
      // If the update was accepted in another tab, this one keeps its version until it is reloaded.
      if (accepted) location.reload();
      else offer(null);
    });
  }

  // The engine has priority. Without a service worker, the page works online.
  const registered = parts.then(({ rest }) => rest).then(registerServiceWorker).catch(() => {});

  const loaded = new Promise((resolve) => {
    if (document.readyState === "complete") resolve();
    else addEventListener("load", resolve, { once: true });
  });

  /**
   * The engine works. Says so on the root element, for tests, once the page has loaded all that it loads by itself: from then on it requests
   * nothing but modules that are first used.
   */
  async function sayReady() {
    await Promise.all([registered, rules, loaded]);
    document.documentElement.dataset.ready = "";
  }

  /** Calls `callback` when a newer version is available. */
  function onUpdate(callback) {
    notify = callback;
    if (available) callback();
  }

  /** Loads the newer version. */
  function update() {
    accepted = true;
    if (newer?.state === "installed") newer.postMessage("take over");
    else location.reload();
  }

  return { painted, pageStarted, startWorker, sayReady, onRules, onUpdate, update };
})();
