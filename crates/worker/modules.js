// Modules beside the engine that most visitors do not need: regular expressions, Markdown and schemas of one's own. Each is loaded when it is first used.
// The engine refers to this object and to the scripts of the modules by their names: the build puts those scripts before this file.

const modules = (() => {
  const scripts = { regex: regex_module, markdown: markdown_module, schema: schema_module };
  let sources = {};
  const loading = {};

  /**
   * Says where each module is: at a URL, packed as gzip if its name ends with `.bin`, or, in the single-file page, in a blob of its packed bytes
   * as Base64.
   */
  function from(urlsOrBlobs) {
    sources = urlsOrBlobs;
  }

  async function open(source) {
    if (source instanceof Blob) {
      const bytes = Uint8Array.from(atob(await source.text()), (character) => character.charCodeAt(0));
      return unpacked(new Blob([bytes]).stream());
    }
    const response = await fetch(source);
    if (!response.ok) throw new Error(`the server responded with status ${response.status}`);
    return source.endsWith(".bin") ? unpacked(response.body) : response.arrayBuffer();
  }

  const unpacked = (gzip) => new Response(gzip.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();

  /** Loads a module, once. After a failure the next call tries again. */
  async function load(name) {
    loading[name] ??= open(sources[name]).then((module) => scripts[name]({ module_or_path: module }));
    try {
      await loading[name];
    } catch (error) {
      delete loading[name];
      throw error;
    }
  }

  return { from, load };
})();
