// Applies the theme before the first paint, so that the page does not flash in another theme. In an embed, copies the
// options in the fragment (#embed&...) to attributes of the root element, where src/platform/embed.rs reads them.
{
  const root = document.documentElement.dataset;
  const options = new URLSearchParams(location.hash.slice(1));
  const isEmbedded = options.has("embed");
  if (isEmbedded) {
    root.embed = options.has("compact") ? "compact" : "full";
    for (const name of ["grow", "format", "example"]) if (options.has(name)) root[name] = options.get(name);
  }
  try {
    const theme = isEmbedded ? options.get("theme") : localStorage.getItem("evalcheck-theme");
    if (theme === "light" || theme === "dark") root.theme = theme;
  } catch {}
}
