// Makes the start screen in index.html work until the page's own code replaces it: adapts it to the theme and to an embed,
// and keeps files that are dropped, pasted or chosen. src/platform/start.rs calls this script.
"use strict";

globalThis.evalcheckStart = (() => {
  const find = (selector) => document.querySelector(`#app ${selector}`);
  const buttons = () => [...document.querySelectorAll("#app button")];

  // The same texts and icons as in src/components/.
  const { theme, embed } = document.documentElement.dataset;
  const themes = {
    light: ["Light", "dark", "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4"],
    dark: ["Dark", "auto", "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z"],
  };
  if (theme in themes) {
    const [name, next, icon] = themes[theme];
    const button = find(".site-header button");
    button.setAttribute("aria-label", `Theme: ${theme}. Change to ${next}.`);
    button.dataset.themeChoice = theme;
    button.querySelector("path").setAttribute("d", icon);
    button.querySelector("span").textContent = name;
  }
  if (embed) {
    find(".drop-words").textContent = "Drop files or a folder here";
    find(".privacy").lastChild.textContent = "Files stay in this browser.";
  }

  const [, chooseFiles, chooseFolder] = buttons();
  const input = find("input");
  let kept = [];
  let clicked = -1;
  let focused = -1;
  let open = (items) => {
    kept = items;
    evalcheckFiles.onLoading((percent) => {
      find(".drop-words").textContent = `${named(items)}. Loading the checker, ${percent}%`;
    });
  };

  /** A size as the page writes it: 1 byte, 1.4 kB. */
  function sized(bytes) {
    const power = Math.min(3, Math.floor(Math.log10(bytes || 1) / 3));
    const unit = ["byte", "kilobyte", "megabyte", "gigabyte"][power];
    const format = { style: "unit", unit, unitDisplay: power ? "short" : "long", maximumFractionDigits: 1 };
    return new Intl.NumberFormat("en", format).format(bytes / 1000 ** power);
  }

  /** The name and size of one file, the number of several, the name of a folder. */
  function named(items) {
    const [{ name, size }] = items;
    if (items.length > 1) return `${items.length} files and folders`;
    return size === undefined ? `The folder ${name}` : `${name}, ${sized(size)}`;
  }

  // Also called after the replacement, when the file picker was open meanwhile.
  const takeChosen = () => {
    if (input.files.length > 0) open([...input.files]);
  };
  input.addEventListener("change", takeChosen);
  // Chosen while this script waited for the style sheet.
  takeChosen();

  const listening = new AbortController();
  const listen = (name, handle) => addEventListener(name, handle, { signal: listening.signal });
  listen("dragover", (event) => {
    // Without this, the browser would open the file instead of the page.
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
  });
  const take = (event) => {
    event.preventDefault();
    // The items are only available during the event.
    const items = [...((event.dataTransfer ?? event.clipboardData)?.items ?? [])].map((item) => {
      const entry = item.webkitGetAsEntry();
      return entry?.isDirectory ? entry : item.getAsFile();
    });
    const files = items.filter(Boolean);
    if (files.length > 0) open(files);
  };
  listen("drop", take);
  listen("paste", take);
  listen("click", (event) => {
    const button = event.target.closest("button");
    if (!button) {
      focused = -1;
    } else if (button === chooseFiles || button === chooseFolder) {
      input.webkitdirectory = button === chooseFolder;
      input.click();
    } else {
      clicked = buttons().indexOf(button);
    }
  });

  listen("focusin", (event) => (focused = buttons().indexOf(event.target)));

  /** The page's own code takes over: from now on, `callback` opens files and folders. */
  function takeOver(callback) {
    listening.abort();
    open = callback;
    // The page is rendered by then. It has the same buttons: the last click is repeated, and the focus stays.
    setTimeout(() => {
      if (kept.length > 0) return callback(kept);
      buttons()[focused]?.focus();
      buttons()[clicked]?.click();
    });
  }

  return { takeOver };
})();
