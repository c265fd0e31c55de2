// Runs in the page, and so refers to nothing outside of itself.

/** Waits for the verdict on the dataset that was chosen, and shows all that the page can show of it. */
export async function showAll() {
  const one = (id) => document.querySelector(`[data-testid="${id}"]`);
  const some = (selector, most) => [...document.querySelectorAll(selector)].slice(0, most);
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const until = async (question) => {
    const end = performance.now() + 120_000;
    for (;;) {
      const answer = question();
      if (answer) return answer;
      if (performance.now() > end) throw new Error(`in vain: ${question}`);
      await frame();
    }
  };
  const click = async (element) => {
    element?.click();
    await frame();
    await until(() => !document.querySelector(".waiting, [data-state=reading], [aria-busy=true]"));
  };
  // Elements that do something by themselves, and that the page adds for no dataset.
  const active =
    "script, style, link, meta, base, object, embed, form:not(.list-toolbar), dialog[open], template, audio, video, a[href]:not([data-testid=example]), area, math, foreignObject, [onclick], [onload], [onerror], [style*=url], iframe:not([src^='blob:']), img:not([src^='blob:'])";
  const strange = [];
  const app = document.querySelector("#app");
  const observer = new MutationObserver(() => {
    for (const element of app.querySelectorAll(active)) strange.push(element.outerHTML.slice(0, 200));
  });
  observer.observe(app, { subtree: true, childList: true });
  const seen = { verdict: (await until(() => one("verdict"))).dataset.verdict, findings: 0, turns: 0, attachments: [] };
  for (const finding of some("[data-testid=finding]", 4)) {
    await click(finding);
    seen.findings += 1;
  }
  await click(one("tab-lines"));
  // The worker may count the dataset first.
  await until(() => one("line") || !one("tab-lines"));
  for (const line of some("[data-testid=line]", 3)) {
    await click(line);
    await click(one("tab-sample"));
    // The page remembers it.
    await click(document.querySelector("[data-testid=rendered][aria-pressed=false]"));
    for (const button of some("[data-testid=unfold]", 12)) await click(button);
    seen.turns = Math.max(seen.turns, some("[data-testid=turn]", Infinity).length);
    for (const button of some("[data-testid=attachment] button", 12)) await click(button);
    for (const picture of some("[data-testid=attachment] img", 12)) picture.scrollIntoView();
    const states = some("[data-testid=attachment]", 12).map((attachment) => attachment.dataset.state);
    if (states.length > seen.attachments.length) seen.attachments = states;
    await frame();
    await click(one("tab-source"));
    await click(document.querySelector(".omitted"));
    await frame();
  }
  observer.disconnect();
  return { ...seen, strange };
}
