// Regular expressions: a module of its own, because most searches have none. It is loaded when a query first has one.
// The engine refers to this object by its name: the build puts this file and the module's script before worker.js.

const regexes = (() => {
  let source = null;
  let loading = null;

  /** Says where the module is: at a URL or, in the single-file page, in a blob of its compressed bytes as Base64. */
  function from(urlOrBlob) {
    source = urlOrBlob;
  }

  async function open() {
    if (!(source instanceof Blob)) {
      const response = await fetch(source);
      if (!response.ok) throw new Error(`the server responded with status ${response.status}`);
      return response.arrayBuffer();
    }
    const bytes = Uint8Array.from(atob(await source.text()), (character) => character.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  }

  /** Loads the module, once. After a failure the next call tries again. */
  async function load() {
    loading ??= open().then((module) => regex_module({ module_or_path: module }));
    try {
      await loading;
    } catch (error) {
      loading = null;
      throw error;
    }
  }

  const compile = (pattern, ignoresCase) => new regex_module.Pattern(pattern, ignoresCase);

  return { from, load, compile };
})();
