// Zod 4: `node with_zod4.mjs FORMAT FILE`.

import { check } from "./lines.mjs";
import { FORMATS } from "./zod4.mjs";

const [format, path] = process.argv.slice(2);
const schema = FORMATS[format];
await check(path, (value) => schema.safeParse(value).success);
