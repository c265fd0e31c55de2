// Applies the theme of the address, else the one that the user chose, before the first paint, so that the page does not flash in
// another theme; src/platform/theme.rs reads it from the root element. In an embed, copies the options in the fragment
// (#embed&...) to attributes of the root element, where src/platform/embed.rs reads them.
{
  const root = document.documentElement.dataset;
  const options = new URLSearchParams(location.hash.slice(1));
  const isEmbedded = options.has("embed");
  if (isEmbedded) {
    root.embed = options.has("compact") ? "compact" : "full";
    for (const name of ["grow", "format", "example"]) if (options.has(name)) root[name] = options.get(name);
  }
  try {
    const theme = options.get("theme") ?? (isEmbedded ? null : localStorage.getItem("evalcheck-theme"));
    if (theme === "light" || theme === "dark") root.theme = theme;
  } catch {}
}
