// Helpers: further workers of this script, which this worker starts for a large file. Each runs the same compiled engine.
// The engine refers to this object by its name: the build puts worker.js after this file.

const helpers = (() => {
  const NAME = "evalcheck-helper";
  let engine = null;
  let onDemand = null;
  let most = 1;
  let policy = null;

  /** Says what a helper runs, where it finds modules, and how many helpers there may be. */
  function from(compiled, sources, workers) {
    engine = compiled;
    onDemand = sources;
    most = workers;
  }

  /** Starts a helper. */
  function start() {
    const plain = { createScriptURL: (url) => url };
    policy ??= globalThis.trustedTypes?.createPolicy("evalcheck", plain) ?? plain;
    const helper = new Worker(policy.createScriptURL(location.href), { name: NAME });
    // Else its errors count as errors of this worker, also after it has been ended.
    helper.addEventListener("error", (event) => event.preventDefault());
    helper.postMessage({ engine, onDemand });
    helper.postMessage({ rest: evalcheckRest.compiled() });
    return helper;
  }

  return { from, start, most: () => most, isOne: () => self.name === NAME };
})();
