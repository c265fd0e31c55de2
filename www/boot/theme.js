// Before the first paint, so that a page in a chosen theme does not flash in the other. In a frame of another page the
// address says how it is to be, behind #embed; src/platform/embed.rs reads what is noted here.
{
  const noted = document.documentElement.dataset;
  const said = new URLSearchParams(location.hash.slice(1));
  const isEmbedded = said.has("embed");
  if (isEmbedded) {
    noted.embed = said.has("compact") ? "compact" : "full";
    for (const name of ["grow", "format", "example"]) if (said.has(name)) noted[name] = said.get(name);
  }
  try {
    const theme = isEmbedded ? said.get("theme") : localStorage.getItem("evalcheck-theme");
    if (theme === "light" || theme === "dark") noted.theme = theme;
  } catch {}
}
