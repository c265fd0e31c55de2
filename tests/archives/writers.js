// Ordinary archives: the same files packed by common programs, in the ways that they offer.

import { execFile, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import AdmZip from "adm-zip";
import { ZipArchive } from "archiver";
import JSZip from "jszip";
import yazl from "yazl";

const run = promisify(execFile);

const ATTACHMENTS = {
  "attachments/a.pdf": "%PDF-1.4\n% The first file.\n",
  "attachments/deeper/long.pdf": "%PDF-1.4\n% A line that comes again and again.\n".repeat(5000),
  "attachments/résumé.pdf": "%PDF-1.4\n% A name that is not ASCII.\n",
  "attachments/日本語.pdf": "%PDF-1.4\n% A name that no code page of the first PCs holds.\n",
};

const references = Object.keys(ATTACHMENTS).map((path) => ({ type: "file_ref", path }));
const record = { input: { messages: [{ role: "user", content: [{ type: "text", text: "Read." }, ...references] }] }, usage_output: null };

/** A dataset with its attachments. */
export const FILES = { "samples.jsonl": `${JSON.stringify(record)}\n`, ...ATTACHMENTS };

/** Writes the files to a folder, to be packed from there. */
export async function unpacked(folder) {
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** A program whose last argument is the archive. */
const into = (program, ...args) => async (source, file) => {
  await run(program, [...args.map((arg) => arg.replace("ZIP", file))], { cwd: source, env: { ...process.env, LC_ALL: "C.UTF-8" } });
};

/** A program that writes the archive to a pipe. */
const piped = (program, ...args) => async (source, file) => {
  const child = spawn(program, args, { cwd: source, stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, LC_ALL: "C.UTF-8" } });
  const ended = new Promise((resolve, reject) => child.on("error", reject).on("close", (code) => (code === 0 ? resolve() : reject(new Error(`${program}: ${code}`)))));
  await pipeline(child.stdout, createWriteStream(file));
  await ended;
};

/** Several programs one after the other. */
const steps = (...all) => async (source, file) => {
  for (const step of all) await step(source, file);
};

const zipfile = (how) => async (source, file, { python }) => {
  await run(python, [fileURLToPath(new URL("write_zipfile.py", import.meta.url)), how, file], { cwd: source });
};

const jszip = (options, fileOptions) => async (_, file) => {
  const zip = new JSZip();
  for (const [path, text] of Object.entries(FILES)) zip.file(path, text, fileOptions);
  await writeFile(file, await zip.generateAsync({ type: "nodebuffer", ...options }));
};

const archiver = (options, asStream) => async (_, file) => {
  const archive = new ZipArchive(options);
  const written = pipeline(archive, createWriteStream(file));
  for (const [name, text] of Object.entries(FILES)) archive.append(asStream ? Readable.from([Buffer.from(text)]) : text, { name });
  await archive.finalize();
  await written;
};

const yazlWith = (options, asStream) => async (_, file) => {
  const zip = new yazl.ZipFile();
  for (const [path, text] of Object.entries(FILES)) {
    if (asStream) zip.addReadStream(Readable.from([Buffer.from(text)]), path, options);
    else zip.addBuffer(Buffer.from(text), path, options);
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
};

const admZip = (fill) => async (source, file) => {
  const zip = new AdmZip();
  fill(zip, source);
  await writeFile(file, zip.toBuffer());
};

/** The programs and the ways in which they pack. `warns` is the code of the one finding that a way deserves. */
export const WRITERS = [
  ...["stored", "deflated", "pipe", "folders", "zip64", "commented", "make_archive", "appended", "zipapp-prefix"].map((how) => ({
    program: "python",
    how,
    pack: zipfile(how),
    warns: how === "zipapp-prefix" ? "zip/data-before-start" : undefined,
  })),
  { program: "zip", how: "default", pack: into("zip", "-qr", "ZIP", ".") },
  { program: "zip", how: "stored", pack: into("zip", "-qr0", "ZIP", ".") },
  { program: "zip", how: "best", pack: into("zip", "-qr9X", "ZIP", "samples.jsonl", "attachments") },
  { program: "zip", how: "no-folders", pack: into("zip", "-qrD", "ZIP", ".") },
  { program: "zip", how: "pipe", pack: piped("zip", "-qr", "-", ".") },
  { program: "zip", how: "zip64", pack: into("zip", "-qr", "-fz", "ZIP", ".") },
  { program: "zip", how: "escaped-names", pack: into("zip", "-qr", "-UN=e", "ZIP", ".") },
  { program: "zip", how: "utf8-names", pack: into("zip", "-qr", "-UN=UTF8", "ZIP", ".") },
  { program: "zip", how: "updated", pack: steps(into("zip", "-q", "ZIP", "samples.jsonl"), into("zip", "-qr", "ZIP", ".")) },
  { program: "zip", how: "deleted", pack: steps(into("zip", "-qr", "ZIP", "."), into("zip", "-qd", "ZIP", "attachments/a.pdf"), into("zip", "-q", "ZIP", "attachments/a.pdf")) },
  { program: "7z", how: "default", pack: into("7z", "a", "-tzip", "-bd", "ZIP", ".") },
  { program: "7z", how: "stored", pack: into("7z", "a", "-tzip", "-mx0", "ZIP", ".") },
  { program: "7z", how: "best", pack: into("7z", "a", "-tzip", "-mx9", "-mm=Deflate", "ZIP", ".") },
  { program: "7z", how: "utf8", pack: into("7z", "a", "-tzip", "-mcu=on", "ZIP", ".") },
  { program: "7z", how: "local-names", pack: into("7z", "a", "-tzip", "-mcl=on", "ZIP", ".") },
  { program: "7z", how: "updated", pack: steps(into("7z", "a", "-tzip", "ZIP", "samples.jsonl"), into("7z", "u", "-tzip", "ZIP", ".")) },
  { program: "bsdtar", how: "file", pack: into("bsdtar", "-a", "-cf", "ZIP", "samples.jsonl", "attachments") },
  { program: "bsdtar", how: "stored", pack: into("bsdtar", "--format", "zip", "--options", "zip:compression=store", "-cf", "ZIP", "samples.jsonl", "attachments") },
  { program: "bsdtar", how: "here", pack: into("bsdtar", "-a", "-cf", "ZIP", "."), warns: "zip/name-spelling" },
  { program: "bsdtar", how: "pipe", pack: piped("bsdtar", "--format", "zip", "-cf", "-", "samples.jsonl", "attachments"), warns: "zip/zeros-after-end" },
  { program: "bsdtar", how: "zip64", pack: into("bsdtar", "--format", "zip", "--options", "zip:zip64", "-cf", "ZIP", "samples.jsonl", "attachments"), warns: "zip/unneeded-64-bit-end" },
  { program: "jar", how: "default", pack: into("jar", "cf", "ZIP", "-C", ".", ".") },
  { program: "jar", how: "no-manifest", pack: into("jar", "cMf", "ZIP", "-C", ".", ".") },
  { program: "jar", how: "stored", pack: into("jar", "c0f", "ZIP", "-C", ".", ".") },
  { program: "jar", how: "updated", pack: steps(into("jar", "cf", "ZIP", "samples.jsonl"), into("jar", "uf", "ZIP", "-C", ".", ".")) },
  { program: "jszip", how: "stored", pack: jszip({}) },
  { program: "jszip", how: "deflated", pack: jszip({ compression: "DEFLATE" }) },
  { program: "jszip", how: "streamed", pack: jszip({ compression: "DEFLATE", streamFiles: true }) },
  { program: "jszip", how: "unix", pack: jszip({ platform: "UNIX", comment: "a comment" }, { createFolders: true }) },
  { program: "archiver", how: "default", pack: archiver({}) },
  { program: "archiver", how: "best", pack: archiver({ zlib: { level: 9 }, comment: "a comment" }) },
  { program: "archiver", how: "stored", pack: archiver({ store: true }) },
  { program: "archiver", how: "streamed", pack: archiver({}, true) },
  { program: "archiver", how: "zip64", pack: archiver({ forceZip64: true }) },
  { program: "yazl", how: "default", pack: yazlWith({}) },
  { program: "yazl", how: "stored", pack: yazlWith({ compress: false }) },
  { program: "yazl", how: "streamed", pack: yazlWith({}, true) },
  { program: "yazl", how: "zip64", pack: yazlWith({ forceZip64Format: true }) },
  { program: "yazl", how: "zip64-streamed", pack: yazlWith({ forceZip64Format: true }, true) },
  { program: "adm-zip", how: "buffers", pack: admZip((zip) => Object.entries(FILES).forEach(([path, text]) => zip.addFile(path, Buffer.from(text)))) },
  { program: "adm-zip", how: "folder", pack: admZip((zip, source) => zip.addLocalFolder(source)) },
];
