// A ZIP of stored entries, also of several with one name, which libraries refuse to write.

import { crc32 } from "node:zlib";

/** @param {[string, string][]} files */
export function storedZip(files) {
  const locals = [];
  const directory = [];
  let at = 0;
  for (const [name, text] of files) {
    const [path, data] = [Buffer.from(name), Buffer.from(text)];
    const common = numbers([2, 20], [2, 0x800], [2, 0], [2, 0], [2, 0x5821], [4, crc32(data)], [4, data.length], [4, data.length], [2, path.length], [2, 0]);
    const local = Buffer.concat([numbers([4, 0x04034b50]), common, path, data]);
    directory.push(Buffer.concat([numbers([4, 0x02014b50], [2, 20]), common, numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, at]), path]));
    locals.push(local);
    at += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = numbers([4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, listed.length], [4, at], [2, 0]);
  return Buffer.concat([...locals, listed, end]);
}

/** Numbers of so many bytes each, the lowest byte first. */
function numbers(...fields) {
  const bytes = Buffer.alloc(fields.reduce((sum, [size]) => sum + size, 0));
  let at = 0;
  for (const [size, value] of fields) at = bytes.writeUIntLE(value, at, size);
  return bytes;
}
