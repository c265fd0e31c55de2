// Reads what the command prints with `--output jsonl`.

/**
 * The reports, each with its findings, in the order of the files.
 * @param {string} output
 * @returns {any[]}
 */
export function readReports(output) {
  const reports = [];
  let findings = [];
  for (const line of output.split("\n").filter(Boolean)) {
    const { finding, report } = JSON.parse(line);
    if (finding) findings.push(finding);
    // The report of a file comes after its findings.
    if (report) {
      reports.push({ ...report, findings });
      findings = [];
    }
  }
  return reports;
}
