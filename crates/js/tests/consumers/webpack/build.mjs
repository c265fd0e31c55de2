import { promisify } from "node:util";
import webpack from "webpack";

import config from "./webpack.config.js";

const stats = await promisify(webpack)(config);
if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString());
