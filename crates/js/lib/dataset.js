// What a dataset can be.

/** A string that is surely the name of a file and no content of one. */
const FILE_NAME = /^[^\n,;\t{}[\]"]{1,250}\.(jsonl|ndjson|jsonlines|json|csv|tsv|zip)$/i;

export const isFileName = (text) => FILE_NAME.test(text);

/** A dataset as a blob, which holds its bytes outside of the engine's memory and is read in pieces. */
export function asBlob(dataset) {
  if (dataset instanceof Blob) return dataset;
  if (typeof dataset === "string" && isFileName(dataset)) {
    throw new TypeError(`"${dataset}" is the name of a file, and a string is checked as it is: pass a File, or in Node await openAsBlob("${dataset}") of node:fs`);
  }
  if (typeof dataset === "string" || dataset instanceof ArrayBuffer || ArrayBuffer.isView(dataset)) return new Blob([dataset]);
  const found = dataset instanceof Object ? dataset.constructor?.name : dataset === null ? "null" : typeof dataset;
  throw new TypeError(`expected a File, a Blob, an ArrayBuffer, a view of one, or a string, not ${found}`);
}
