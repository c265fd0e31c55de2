// <eval-check>: evalcheck in a page of yours. docs/embed.md says how to use it; crates/wire/src/embed.rs has the other
// side of what is said here. One file for <script>, <script async>, <script defer> and <script type="module">.
(() => {
  "use strict";
  const NAME = "eval-check";
  if (customElements.get(NAME)) return;

  const VERSION = 1;
  // A module has no currentScript and a classic script no import.meta; where a stack begins is this file in both.
  const here = document.currentScript?.src || /[a-z-]+:\/\/\S+?(?=:\d+:\d+)/i.exec(new Error().stack)?.[0];
  const PAGE = new URL("index.html", here || document.baseURI);
  // A page of the disk has no origin that could be named.
  const FROM_DISK = PAGE.origin === "null";

  // CSS pixels: what is kept free for the first screen, so that nothing moves when the frame comes; the most that the
  // frame grows to by itself; the least and the most that the height can be set to.
  const FIRST = { compact: 300, full: 620 };
  const TALLEST = 1000;
  const HEIGHTS = [200, 4000];
  // How near to what is in sight an element has to come before anything is loaded.
  const NEAR = "400px 0px";
  // Milliseconds from the frame's load until its silence is an error.
  const PATIENCE = 20_000;

  // A rule that is important wins here over one that is important in the page around.
  const STYLE = `
    :host { display: block !important; }
    :host([hidden]) { display: none !important; }
    iframe { display: block; width: 100%; border: 0; }
    iframe[hidden] { display: none; }
  `;

  const isNumber = (value) => Number.isFinite(value) && value >= 0;
  const isText = (value) => typeof value === "string";
  const COUNTED = ["bytes", "total_bytes", "records", "lines", "errors", "warnings"];
  const SHAPES = {
    size: ({ height }) => isNumber(height),
    progress: ({ file, progress }) => isText(file) && COUNTED.every((name) => isNumber(progress?.[name])),
    report: ({ report }) =>
      report?.report === "evalcheck/1" &&
      typeof report.valid === "boolean" &&
      typeof report.checked === "boolean" &&
      isText(report.file?.name) &&
      isNumber(report.counts?.records) &&
      Array.isArray(report.findings),
    error: ({ code, message }) => isText(code) && isText(message),
  };
  const isOurs = (message, type) =>
    typeof message === "object" && message !== null && message.evalcheck === VERSION && message.type === type;
  const isKnown = (message) =>
    Object.hasOwn(SHAPES, message?.type) &&
    isOurs(message, message.type) &&
    (message.id === undefined || isNumber(message.id)) &&
    SHAPES[message.type](message);

  const failure = (code, message) => Object.assign(new Error(message), { name: "EvalCheckError", code });

  class EvalCheck extends HTMLElement {
    static observedAttributes = ["format", "theme", "height", "compact", "example", "title"];

    #root = this.attachShadow({ mode: "open" });
    #near = null;
    #frame = null;
    #port = null;
    #silence = 0;
    #said = "";
    #tall = 0;
    // The check that script has asked for; others wait for their turn.
    #asked = null;
    #lastId = 0;
    #turn = Promise.resolve();

    connectedCallback() {
      if (this.#root.adoptedStyleSheets.length === 0) {
        const style = new CSSStyleSheet();
        style.replaceSync(STYLE);
        this.#root.adoptedStyleSheets = [style];
      }
      this.#frame = document.createElement("iframe");
      // An empty frame is white, whatever the theme.
      this.#frame.style.visibility = "hidden";
      live.add(this);
      // Sites change their theme by an attribute of their root or body.
      for (const element of [document.documentElement, document.body]) watch.observe(element, { attributes: true });
      this.refresh();
      this.#root.replaceChildren(this.#frame);
      this.#near = new IntersectionObserver(
        (seen) => {
          if (seen.some((entry) => entry.isIntersecting)) this.#load();
        },
        { rootMargin: NEAR },
      );
      this.#near.observe(this);
    }

    disconnectedCallback() {
      live.delete(this);
      this.#near?.disconnect();
      this.#hangUp();
      removeEventListener("message", this.#hear);
      this.#root.replaceChildren();
      this.#frame = null;
      this.#tall = 0;
      this.#fail("disconnected", "The element was taken out of the page.", true);
    }

    attributeChangedCallback() {
      this.refresh();
    }

    /** Checks a file, and gives its report v1. */
    check(file, { name } = {}) {
      if (!(file instanceof Blob)) return Promise.reject(new TypeError("check() takes a File or a Blob"));
      const given =
        file instanceof File && name === undefined
          ? file
          : new File([file], name ?? file.name ?? "dataset", { lastModified: file.lastModified });
      const answer = this.#turn.then(
        () =>
          new Promise((resolve, reject) => {
            this.#asked = { id: ++this.#lastId, file: given, resolve, reject };
            if (!this.#frame) this.#fail("disconnected", "The element is not in a page.", true);
            else if (this.#port) this.#ask();
            else this.#load();
          }),
      );
      this.#turn = answer.catch(() => {});
      return answer;
    }

    /** Makes the frame as the attributes, and the page around, have it now. */
    refresh() {
      const frame = this.#frame;
      if (!frame) return;
      const { theme, compact, grow } = this.#options();
      const between = (least, value, most) => Math.min(Math.max(least, value), most);
      const height = grow
        ? between(FIRST[compact ? "compact" : "full"], this.#tall, TALLEST)
        : between(HEIGHTS[0], this.#height(), HEIGHTS[1]);
      frame.title = this.title || "evalcheck: check a dataset";
      frame.style.height = `${height}px`;
      // A frame whose scheme is not that of its element is not transparent.
      frame.style.colorScheme = theme === "auto" ? "light dark" : theme;
      this.#configure("configure");
    }

    /** The page around does not let the frame be. */
    blocked() {
      if (this.#frame?.src && !this.#port) this.#unanswered();
    }

    // The height that is set; 0 for one that grows.
    #height() {
      return Number(/^(\d+)(px)?$/.exec(this.getAttribute("height")?.trim())?.[1] ?? 0);
    }

    #options() {
      const text = (name) => this.getAttribute(name) ?? "";
      const chosen = text("theme");
      const around = getComputedStyle(this).colorScheme;
      const [light, dark] = ["light", "dark"].map((word) => around.split(" ").includes(word));
      const theme = /^(light|dark)$/.test(chosen) ? chosen : light === dark ? "auto" : light ? "light" : "dark";
      const compact = this.hasAttribute("compact") && text("compact") !== "false";
      return { format: text("format"), theme, compact, grow: this.#height() === 0, example: text("example") };
    }

    #load() {
      const frame = this.#frame;
      if (!frame || frame.src) return;
      this.#near.disconnect();
      addEventListener("message", this.#hear);
      const { theme, compact, grow } = this.#options();
      // What the first paint needs; the rest is said when the page answers.
      const words = ["embed", `theme=${theme}`, compact && "compact", grow && "grow"].filter(Boolean);
      frame.allow = "clipboard-write";
      frame.referrerPolicy = "no-referrer";
      frame.addEventListener("load", () => {
        frame.style.visibility = "";
        clearTimeout(this.#silence);
        if (!this.#port) this.#silence = setTimeout(() => this.#unanswered(), PATIENCE);
      });
      frame.src = `${PAGE.href}#${words.join("&")}`;
    }

    // From the page in the frame: it is there, for the first time or because it was loaded anew.
    #hear = ({ source, origin, data }) => {
      const window = this.#frame?.contentWindow;
      if (!window || source !== window || origin !== PAGE.origin || !isOurs(data, "hello")) return;
      this.#hangUp();
      if (this.#asked?.sent) this.#fail("reloaded", "The frame was loaded anew.");
      this.#show(true);
      const { port1, port2 } = new MessageChannel();
      this.#port = port1;
      port1.onmessage = (event) => this.#take(event.data);
      this.#said = "";
      this.#configure("connect", (message) =>
        window.postMessage(message, { targetOrigin: FROM_DISK ? "*" : PAGE.origin, transfer: [port2] }),
      );
      if (this.#asked) this.#ask();
    };

    #take(message) {
      if (!isKnown(message)) return;
      const asked = message.id !== undefined && message.id === this.#asked?.id ? this.#asked : null;
      switch (message.type) {
        case "size":
          this.#tall = message.height;
          this.refresh();
          break;
        case "progress":
          this.#tell("progress", { file: message.file, ...message.progress });
          break;
        case "report":
          if (asked) this.#asked = null;
          this.#tell("report", message.report);
          asked?.resolve(message.report);
          break;
        case "error":
          this.#fail(message.code, message.message, false, asked);
      }
    }

    #configure(type, post = (message) => this.#port?.postMessage(message)) {
      const options = this.#options();
      const said = JSON.stringify(options);
      if (!this.#port || said === this.#said) return;
      this.#said = said;
      post({ evalcheck: VERSION, type, ...options });
    }

    #ask() {
      this.#asked.sent = true;
      this.#port.postMessage({ evalcheck: VERSION, type: "check", id: this.#asked.id, file: this.#asked.file });
    }

    #hangUp() {
      clearTimeout(this.#silence);
      this.#port?.close();
      this.#port = null;
    }

    #unanswered() {
      if (this.#frame.hidden) return;
      this.#show(false);
      this.#fail(
        "frame",
        `${PAGE.href} did not answer. Does the policy of this page allow it (frame-src), ` +
          "and does its host allow it in a frame (frame-ancestors)?",
      );
    }

    // The frame, or what stands between the tags in its place.
    #show(frame) {
      this.#frame.hidden = !frame;
      if (frame) this.#frame.style.visibility = "";
      this.#root.querySelector("slot")?.remove();
      if (!frame) this.#root.append(document.createElement("slot"));
    }

    #fail(code, message, quietly = false, asked = this.#asked) {
      if (!quietly) this.#tell("error", { code, message });
      if (!asked) return;
      this.#asked = null;
      asked.reject(failure(code, message));
    }

    #tell(type, detail) {
      this.dispatchEvent(new CustomEvent(`evalcheck:${type}`, { detail, bubbles: true, composed: true }));
    }
  }

  const live = new Set();
  const refresh = () => live.forEach((element) => element.refresh());
  const watch = new MutationObserver(refresh);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", refresh);
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    const isFrame = /^(frame|child|default)-src$/.test(effectiveDirective);
    if (isFrame && PAGE.href.startsWith(blockedURI)) live.forEach((element) => element.blocked());
  });

  customElements.define(NAME, EvalCheck);
})();
