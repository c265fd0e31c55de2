// An archive with attachments of several kinds.

import { strToU8, zipSync } from "fflate";
import { PDF, PNG } from "./files.ts";

/** A record that refers to these paths. */
export const record = (...paths: string[]): string =>
  JSON.stringify({
    input: { messages: [{ role: "user", content: paths.map((path) => ({ type: "file_ref", path })) }] },
    usage_output: null,
  });

/** A picture of 900 by 600 pixels, as a BMP of one bit a pixel. */
function picture(): Uint8Array {
  const [width, height] = [900, 600];
  const row = Math.ceil(width / 32) * 4;
  const bytes = Buffer.alloc(62 + row * height);
  bytes.write("BM");
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(62, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(1, 28);
  bytes.writeUInt32LE(0xffffff, 58);
  return bytes;
}

/** A second of silence, as a WAV of 8,000 samples. */
function silence(): Uint8Array {
  const bytes = Buffer.alloc(44 + 8_000, 0x80);
  bytes.write("RIFF");
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(8_000, 24);
  bytes.writeUInt32LE(8_000, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write("data", 36);
  bytes.writeUInt32LE(8_000, 40);
  return bytes;
}

/** Used, unused, missing and repeated files. */
export const ARCHIVE = zipSync({
  "samples.jsonl": strToU8(
    [
      record("attachments/dot.png", "attachments/report.pdf"),
      record("attachments/dot.png"),
      record("attachments/Report.PDF"),
      record("attachments/none.txt"),
      ...Array.from({ length: 4 }, () => record("attachments/dot.png", "attachments/silence.wav")),
    ].join("\n"),
  ),
  "attachments/dot.png": PNG,
  "attachments/report.pdf": strToU8(PDF),
  "attachments/silence.wav": silence(),
  "attachments/picture.bmp": picture(),
  "attachments/page.html": strToU8("<!doctype html><script>document.title = 'ran'</script>"),
  "attachments/copy.txt": strToU8("The same."),
  "attachments/other.txt": strToU8("The same."),
});
