// A ZIP with one deflated entry, written as it comes: what a program that streams would write, with sizes and checksum
// in a data descriptor.

import { constants, crc32, deflateRawSync } from "node:zlib";

/** Deflated so much at a time. Blocks end on a byte (a full flush), so that they can be written one after another. */
export class ZipOfOne {
  #write;
  #name;
  #crc = 0;
  #size = 0;
  #packed = 0;
  #at = 0;

  constructor(write, name) {
    this.#write = write;
    this.#name = Buffer.from(name);
    this.#put(header(0x04034b50, [[2, 20], [2, 8], [2, 8], [2, 0], [2, 0x5821], [4, 0], [4, 0], [4, 0], [2, this.#name.length], [2, 0]]));
    this.#put(this.#name);
    this.dataAt = this.#at;
  }

  #put(bytes) {
    this.#write(bytes);
    this.#at += bytes.length;
  }

  add(bytes) {
    this.#crc = crc32(bytes, this.#crc);
    this.#size += bytes.length;
    const packed = deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
    this.#packed += packed.length;
    this.#put(packed);
  }

  /** Closes the archive and says where the packed bytes lie. */
  end() {
    const last = deflateRawSync(Buffer.alloc(0));
    this.#packed += last.length;
    this.#put(last);
    const sums = [[4, this.#crc], [4, this.#packed], [4, this.#size]];
    this.#put(header(0x08074b50, sums));
    const directory = this.#at;
    this.#put(
      header(0x02014b50, [
        [2, 0x0314], [2, 20], [2, 8], [2, 8], [2, 0], [2, 0x5821], ...sums,
        [2, this.#name.length], [2, 0], [2, 0], [2, 0], [2, 0], [4, (0o100644 << 16) >>> 0], [4, 0],
      ]),
    );
    this.#put(this.#name);
    const size = this.#at - directory;
    this.#put(header(0x06054b50, [[2, 0], [2, 0], [2, 1], [2, 1], [4, size], [4, directory], [2, 0]]));
    return { packedAt: this.dataAt, packed: this.#packed };
  }
}

/** A signature and numbers of 2 or 4 bytes, little-endian. */
function header(signature, numbers) {
  const all = [[4, signature], ...numbers];
  const bytes = Buffer.alloc(all.reduce((sum, [size]) => sum + size, 0));
  let at = 0;
  for (const [size, value] of all) at = bytes.writeUIntLE(value, at, size);
  return bytes;
}
