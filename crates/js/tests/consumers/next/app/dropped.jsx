"use client";

import { check, checkInWorker } from "evalcheck";
import { useEffect, useState } from "react";

export function Dropped() {
  const [reports, setReports] = useState(null);
  // Before it is hydrated, the page does not notice a file.
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);

  async function onChange({ target }) {
    const [file] = target.files;
    const here = await check(file);
    const inWorker = await checkInWorker(file);
    const body = new FormData();
    body.append("file", file);
    const response = await fetch("/check", { method: "POST", body });
    setReports({ here, inWorker, onServer: await response.json() });
  }

  return (
    <>
      <input type="file" disabled={!isReady} onChange={onChange} />
      <output>{reports && JSON.stringify(reports)}</output>
    </>
  );
}
