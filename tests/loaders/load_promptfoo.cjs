// promptfoo's own loader: reads the names of files in the current folder, one a line, and writes a JSON value for each: the tests that
// it holds, or why it refuses the file.
//
// promptfoo has eighty dependencies, of which reading a file of tests needs four; package-lock.json lists no others, and what stands
// for the rest answers anything with itself. The functions are those that `promptfoo eval` calls for `tests: file://FILE`.

const Module = require("node:module");
const path = require("node:path");

process.env.PROMPTFOO_DISABLE_TELEMETRY = "1";
process.env.PROMPTFOO_DISABLE_UPDATE = "1";

const FOLDER = path.join(__dirname, "promptfoo");
const REAL = ["csv-parse", "dedent", "js-yaml", "zod"];

/** Stands for a module, a function or a value. */
const stub = new Proxy(function () {}, {
  get(target, key) {
    if (key === "prototype") return target.prototype;
    if (key === "then" || key === "__esModule") return undefined;
    if (key === Symbol.toPrimitive) return () => "";
    return stub;
  },
  apply: () => stub,
  construct: () => stub,
});

/** No file is there but the dataset, so that a pattern finds none. */
const GLOB = { globSync: () => [], hasMagic: () => false };

/** Texts have no variables in them. */
const NUNJUCKS = { configure: () => ({ renderString: (text) => text, addGlobal() {}, addFilter() {} }) };

const load = Module._load;
Module._load = function (request, parent, isMain) {
  const isOwn = parent?.filename?.includes(`${path.sep}promptfoo${path.sep}dist`);
  const isFile = request.startsWith(".") || path.isAbsolute(request) || Module.isBuiltin(request);
  const isReal = REAL.some((name) => request === name || request.startsWith(`${name}/`));
  if (!isOwn || isFile || isReal) return load.call(this, request, parent, isMain);
  return { glob: GLOB, nunjucks: NUNJUCKS }[request] ?? stub;
};

// The functions are not exported.
const compile = Module.prototype._compile;
Module.prototype._compile = function (content, filename) {
  const isIndex = filename.endsWith(path.join("promptfoo", "dist", "src", "index.cjs"));
  const names = "readTests, validateAssertions, validateTestProviderReferences, uniqueErrorMessages, runAssertionInternal, ASSERTION_HANDLERS";
  return compile.call(this, isIndex ? `${content}\nmodule.exports.loading = { ${names} };` : content, filename);
};

const { loading } = require(path.join(FOLDER, "node_modules", "promptfoo", "dist", "src", "index.cjs"));

/** Types that are compared without a model and without other programs. */
const COMPARED = /^(not-)?(i?contains(-any|-all)?|equals|regex|starts-with|levenshtein|latency|cost)$/;

/** For each assertion of a test whether it ends in an error when the test is run; undefined where that is not tried. */
async function run({ assert }) {
  const ends = [];
  for (const assertion of Array.isArray(assert) ? assert : []) {
    const isKnown = String(assertion.type).replace(/^not-/, "") in loading.ASSERTION_HANDLERS;
    const isFile = typeof assertion.value === "string" && assertion.value.startsWith("file://");
    const isTried = typeof assertion.type === "string" && assertion.type !== "assert-set" && (!isKnown || COMPARED.test(assertion.type));
    if (!isTried || isFile || assertion.transform) {
      ends.push(undefined);
      continue;
    }
    const response = { output: "x", cost: 1 };
    const ending = loading.runAssertionInternal({ prompt: "p", assertion, test: { vars: {} }, vars: {}, latencyMs: 1, providerResponse: response });
    ends.push(await ending.then(() => false, () => true));
  }
  return ends;
}

async function read(name) {
  // As in a process of its own: what was warned of once is read otherwise afterwards.
  loading.uniqueErrorMessages.clear();
  try {
    // First the configuration is read, then the tests in it.
    const inFile = await loading.readTests(`file://${name}`, process.cwd());
    const tests = await loading.readTests(inFile, process.cwd());
    loading.validateAssertions(tests);
    // Which providers there are is said by the configuration.
    loading.validateTestProviderReferences(tests.map(({ providers }) => ({ providers: Array.isArray(providers) ? [] : providers })), []);
    return { refused: null, tests, ends: await Promise.all(tests.map(run)) };
  } catch (error) {
    return { refused: `${error.name}: ${error.message}`.slice(0, 300), tests: null, ends: null };
  }
}

async function main() {
  let input = "";
  for await (const piece of process.stdin) input += piece;
  for (const name of input.split("\n")) process.stdout.write(`${JSON.stringify(await read(name))}\n`);
}

main();
