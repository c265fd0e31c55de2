// The reference: JuryArena's sample as Zod 3 declares it, and what its loader does with the lines of a file.

import { z } from "zod";

const part = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("file_ref"), path: z.string() }),
  z.object({ type: z.literal("image_url"), image_url: z.object({ url: z.string() }) }),
]);

const message = z.object({
  role: z.enum(["system", "user", "assistant"]),
  content: z.union([z.string(), z.array(part)]),
});

export const sample = z.object({
  input: z.object({ messages: z.array(message) }),
  json_schema: z.record(z.unknown()).optional(),
  usage_output: z.union([z.null(), z.string(), z.record(z.unknown()), z.array(z.unknown())]).optional(),
});

/** @typedef {{ line: number, path: string, message: string, loose?: "at" | "below" }} Issue */

/**
 * What the reference says of each record of a file, by its line: an empty list where it accepts it.
 * An issue that is `loose` fixes a place and not the words: an error must stand `at` its path, or there or `below`.
 * @param {string} text
 * @returns {Map<number, { record: string, issues: Issue[] }>}
 */
export function judge(text) {
  const verdicts = new Map();
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n/);
  for (const [index, raw] of lines.entries()) {
    const record = raw.trim();
    if (record !== "") verdicts.set(index + 1, { record, issues: issuesOf(record, index + 1) });
  }
  return verdicts;
}

/**
 * What JuryArena holds of a record that it accepts.
 * @param {string} record
 */
export const held = (record) => sample.parse(JSON.parse(record));

/** @returns {Issue[]} */
function issuesOf(record, line) {
  let value;
  try {
    value = JSON.parse(record);
  } catch {
    return [{ line, path: "", message: "invalid JSON" }];
  }
  const result = sample.safeParse(value);
  return result.success ? [] : result.error.issues.flatMap((issue) => flatten(issue, value, line));
}

/**
 * Zod says no more than `Invalid input` where no alternative of a union fits. An array as the content of a message
 * can only have been meant as its parts, so what Zod says of that alternative counts; elsewhere the place alone does.
 * @returns {Issue[]}
 */
function flatten(issue, root, line) {
  const path = issue.path.length === 0 ? "(root)" : issue.path.join(".");
  const plain = { line, path, message: issue.message };
  if (issue.code === z.ZodIssueCode.invalid_union_discriminator) return [{ ...plain, loose: "at" }];
  if (issue.code !== z.ZodIssueCode.invalid_union) return [plain];
  const value = issue.path.reduce((at, key) => at?.[key], root);
  if (value === undefined) return [{ ...plain, message: "Required" }];
  if (issue.path.at(-1) === "content" && Array.isArray(value)) {
    const asParts = issue.unionErrors.at(-1).issues;
    return asParts.flatMap((inner) => flatten(inner, root, line));
  }
  return [{ ...plain, loose: "below" }];
}
