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
    const schema = { name: "schema.json", text: '{"properties":{"input":{"required":["id"]}}}' };
    const withSchema = await check(file, { schema });
    const withSchemaInWorker = await checkInWorker(file, { schema });
    const body = new FormData();
    body.append("file", file);
    const posted = async (route) => (await fetch(route, { method: "POST", body })).json();
    const [onServer, withSchemaOnServer] = [await posted("/check"), await posted("/schema")];
    setReports({ here, inWorker, onServer, withSchema, withSchemaInWorker, withSchemaOnServer });
  }

  return (
    <>
      <input type="file" disabled={!isReady} onChange={onChange} />
      <output>{reports && JSON.stringify(reports)}</output>
    </>
  );
}
