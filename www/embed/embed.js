// The custom element <eval-check>, described in docs/embed.md. The messages are described in crates/wire/src/embed.rs.
// Works as <script>, <script async>, <script defer> and <script type="module">.
(() => {
  "use strict";
  const NAME = "eval-check";
  if (customElements.get(NAME)) return;

  const VERSION = 1;
  // A module has no currentScript and a classic script no import.meta. In both, a stack trace starts with this file.
  const script = document.currentScript?.src || /[a-z-]+:\/\/\S+?(?=:\d+:\d+)/i.exec(new Error().stack)?.[0];
  const PAGE = new URL("index.html", script || document.baseURI);
  // A page loaded from disk has no origin.
  const FROM_DISK = PAGE.origin === "null";

  // Heights in CSS pixels: the initial height, so that nothing moves when the frame loads; the largest height that the
  // frame grows to; the range of the height attribute.
  const INITIAL_HEIGHT = { compact: 300, full: 620 };
  const MAX_GROWN_HEIGHT = 1000;
  const HEIGHT_RANGE = [200, 4000];
  // The frame is loaded when the element is this close to the visible part of the page.
  const LOAD_MARGIN = "400px 0px";
  // Milliseconds from the load event of the frame until a missing answer is an error.
  const ANSWER_TIMEOUT = 20_000;

  // Important rules of a shadow tree override important rules of the page.
  const STYLE = `
    :host { display: block !important; }
    :host([hidden]) { display: none !important; }
    iframe { display: block; width: 100%; border: 0; }
    iframe[hidden] { display: none; }
  `;

  // A schema that cannot be read has no text, so that no file is valid without it.
  const readSchema = async (address, onError) => {
    let [name, text] = ["schema.json", ""];
    try {
      const url = new URL(address, document.baseURI);
      name = decodeURIComponent(url.pathname.split("/").pop()) || name;
      const response = await fetch(url);
      if (!response.ok) throw new Error(`status ${response.status}`);
      text = await response.text();
    } catch (error) {
      onError(`The schema ${address} could not be read: ${error.message}.`);
    }
    return { name, text };
  };

  const isNumber = (value) => Number.isFinite(value) && value >= 0;
  const isText = (value) => typeof value === "string";
  const PROGRESS_FIELDS = ["bytes", "total_bytes", "records", "lines", "errors", "warnings"];
  const SHAPES = {
    size: ({ height }) => isNumber(height),
    progress: ({ file, progress }) => isText(file) && PROGRESS_FIELDS.every((name) => isNumber(progress?.[name])),
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
    static observedAttributes = ["format", "theme", "height", "compact", "example", "schema", "title"];

    #root = this.attachShadow({ mode: "open" });
    #intersection = null;
    #frame = null;
    #port = null;
    // The page that is to be connected.
    #waiting = null;
    #answerTimer = 0;
    #sentOptions = "";
    #contentHeight = 0;
    #schema = { address: "" };
    // The request of check() that is being processed; others wait in the queue.
    #request = null;
    #lastId = 0;
    #queue = Promise.resolve();

    connectedCallback() {
      if (this.#root.adoptedStyleSheets.length === 0) {
        const style = new CSSStyleSheet();
        style.replaceSync(STYLE);
        this.#root.adoptedStyleSheets = [style];
      }
      this.#frame = document.createElement("iframe");
      // An empty frame is white in any theme.
      this.#frame.style.visibility = "hidden";
      elements.add(this);
      // Sites change their theme with an attribute of their root element or body.
      for (const element of [document.documentElement, document.body]) themeObserver.observe(element, { attributes: true });
      this.refresh();
      this.#root.replaceChildren(this.#frame);
      this.#intersection = new IntersectionObserver(
        (entries) => {
          if (entries.some((entry) => entry.isIntersecting)) this.#load();
        },
        { rootMargin: LOAD_MARGIN },
      );
      this.#intersection.observe(this);
    }

    disconnectedCallback() {
      elements.delete(this);
      this.#intersection?.disconnect();
      this.#disconnect();
      removeEventListener("message", this.#onMessage);
      this.#root.replaceChildren();
      this.#frame = null;
      this.#contentHeight = 0;
      this.#reportError("disconnected", "The element was removed from the page.", true);
    }

    attributeChangedCallback(name) {
      if (name === "schema") this.#readSchema();
      this.refresh();
    }

    /** Checks a file and returns its report, version 1. */
    check(file, { name } = {}) {
      if (!(file instanceof Blob)) return Promise.reject(new TypeError("check() takes a File or a Blob"));
      const named =
        file instanceof File && name === undefined
          ? file
          : new File([file], name ?? file.name ?? "dataset", { lastModified: file.lastModified });
      const answer = this.#queue.then(
        () =>
          new Promise((resolve, reject) => {
            this.#request = { id: ++this.#lastId, file: named, resolve, reject };
            if (!this.#frame) this.#reportError("disconnected", "The element is not in a page.", true);
            else if (this.#port) this.#postRequest();
            else this.#load();
          }),
      );
      this.#queue = answer.catch(() => {});
      return answer;
    }

    /** Applies the attributes of the element and the theme of the page to the frame. */
    refresh() {
      const frame = this.#frame;
      if (!frame) return;
      const { theme, compact, grow } = this.#options();
      const clamp = (min, value, max) => Math.min(Math.max(min, value), max);
      const height = grow
        ? clamp(INITIAL_HEIGHT[compact ? "compact" : "full"], this.#contentHeight, MAX_GROWN_HEIGHT)
        : clamp(HEIGHT_RANGE[0], this.#height(), HEIGHT_RANGE[1]);
      frame.title = this.title || "evalcheck: check a dataset";
      frame.style.height = `${height}px`;
      // A frame is transparent only if its color scheme is that of its element.
      frame.style.colorScheme = theme === "auto" ? "light dark" : theme;
      this.#configure("configure");
    }

    /** Called when the policy of the page has blocked a frame. */
    blocked() {
      if (this.#frame?.src && !this.#port && !this.#waiting) this.#frameFailed();
    }

    // Until the schema is read, the frame gets neither options nor files.
    async #readSchema() {
      const address = this.getAttribute("schema")?.trim() ?? "";
      if (address === this.#schema.address) return;
      const schema = (this.#schema = { address, reading: address !== "" });
      if (schema.reading) {
        schema.file = await readSchema(address, (message) => this.#dispatch("error", { code: "schema", message }));
        schema.reading = false;
      }
      if (this.#schema !== schema) return;
      this.#connect();
      this.refresh();
      this.#postRequest();
    }

    // The height attribute; 0 if the frame grows.
    #height() {
      return Number(/^(\d+)(px)?$/.exec(this.getAttribute("height")?.trim())?.[1] ?? 0);
    }

    #options() {
      const text = (name) => this.getAttribute(name) ?? "";
      const chosen = text("theme");
      const inherited = getComputedStyle(this).colorScheme;
      const [light, dark] = ["light", "dark"].map((word) => inherited.split(" ").includes(word));
      const theme = /^(light|dark)$/.test(chosen) ? chosen : light === dark ? "auto" : light ? "light" : "dark";
      const compact = this.hasAttribute("compact") && text("compact") !== "false";
      const grow = this.#height() === 0;
      return { format: text("format"), theme, compact, grow, example: text("example"), schema: this.#schema.file };
    }

    #load() {
      const frame = this.#frame;
      if (!frame || frame.src) return;
      this.#intersection.disconnect();
      addEventListener("message", this.#onMessage);
      const { theme, compact, grow } = this.#options();
      // Options for the first paint; the others are sent when the page has answered.
      const fragment = ["embed", `theme=${theme}`, compact && "compact", grow && "grow"].filter(Boolean);
      frame.allow = "clipboard-write";
      frame.referrerPolicy = "no-referrer";
      frame.addEventListener("load", () => {
        frame.style.visibility = "";
        clearTimeout(this.#answerTimer);
        if (!this.#port && !this.#waiting) this.#answerTimer = setTimeout(() => this.#frameFailed(), ANSWER_TIMEOUT);
      });
      frame.src = `${PAGE.href}#${fragment.join("&")}`;
    }

    // The page in the frame is ready, for the first time or after a reload.
    #onMessage = ({ source, origin, data }) => {
      const window = this.#frame?.contentWindow;
      if (!window || source !== window || origin !== PAGE.origin || !isOurs(data, "hello")) return;
      this.#disconnect();
      if (this.#request?.sent) this.#reportError("reloaded", "The frame was reloaded.");
      this.#showFrame(true);
      this.#waiting = window;
      this.#connect();
    };

    #connect() {
      const window = this.#waiting;
      if (!window || this.#schema.reading) return;
      this.#waiting = null;
      const { port1, port2 } = new MessageChannel();
      this.#port = port1;
      port1.onmessage = (event) => this.#onPortMessage(event.data);
      this.#sentOptions = "";
      this.#configure("connect", (message) =>
        window.postMessage(message, { targetOrigin: FROM_DISK ? "*" : PAGE.origin, transfer: [port2] }),
      );
      this.#postRequest();
    }

    #onPortMessage(message) {
      if (!isKnown(message)) return;
      const request = message.id !== undefined && message.id === this.#request?.id ? this.#request : null;
      switch (message.type) {
        case "size":
          this.#contentHeight = message.height;
          this.refresh();
          break;
        case "progress":
          this.#dispatch("progress", { file: message.file, ...message.progress });
          break;
        case "report":
          if (request) this.#request = null;
          this.#dispatch("report", message.report);
          request?.resolve(message.report);
          break;
        case "error":
          this.#reportError(message.code, message.message, false, request);
      }
    }

    #configure(type, post = (message) => this.#port?.postMessage(message)) {
      const options = this.#options();
      const serialized = JSON.stringify({ ...options, schema: options.schema && this.#schema.address });
      if (!this.#port || this.#schema.reading || serialized === this.#sentOptions) return;
      this.#sentOptions = serialized;
      post({ evalcheck: VERSION, type, ...options });
    }

    #postRequest() {
      const request = this.#request;
      if (!request || request.sent || !this.#port || this.#schema.reading) return;
      request.sent = true;
      this.#port.postMessage({ evalcheck: VERSION, type: "check", id: request.id, file: request.file });
    }

    #disconnect() {
      clearTimeout(this.#answerTimer);
      this.#waiting = null;
      this.#port?.close();
      this.#port = null;
    }

    #frameFailed() {
      if (this.#frame.hidden) return;
      this.#showFrame(false);
      this.#reportError(
        "frame",
        `${PAGE.href} did not answer. Check that the content security policy of this page allows it (frame-src) ` +
          "and that its host allows framing (frame-ancestors).",
      );
    }

    // Shows the frame, or the content of the element instead.
    #showFrame(visible) {
      this.#frame.hidden = !visible;
      if (visible) this.#frame.style.visibility = "";
      this.#root.querySelector("slot")?.remove();
      if (!visible) this.#root.append(document.createElement("slot"));
    }

    #reportError(code, message, rejectOnly = false, request = this.#request) {
      if (!rejectOnly) this.#dispatch("error", { code, message });
      if (!request) return;
      this.#request = null;
      request.reject(failure(code, message));
    }

    #dispatch(type, detail) {
      this.dispatchEvent(new CustomEvent(`evalcheck:${type}`, { detail, bubbles: true, composed: true }));
    }
  }

  const elements = new Set();
  const refresh = () => elements.forEach((element) => element.refresh());
  const themeObserver = new MutationObserver(refresh);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", refresh);
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    const isFrame = /^(frame|child|default)-src$/.test(effectiveDirective);
    if (isFrame && PAGE.href.startsWith(blockedURI)) elements.forEach((element) => element.blocked());
  });

  customElements.define(NAME, EvalCheck);
})();
