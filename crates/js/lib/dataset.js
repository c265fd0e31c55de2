// What a dataset can be.

/** A dataset as a blob, which holds its bytes outside of the engine's memory and is read in pieces. */
export function asBlob(dataset) {
  if (dataset instanceof Blob) return dataset;
  if (typeof dataset === "string" || dataset instanceof ArrayBuffer || ArrayBuffer.isView(dataset)) return new Blob([dataset]);
  const found = dataset instanceof Object ? dataset.constructor?.name : dataset === null ? "null" : typeof dataset;
  throw new TypeError(`expected a File, a Blob, an ArrayBuffer, a view of one, or a string, not ${found}`);
}
