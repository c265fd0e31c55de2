// The page without a network: a service worker for the files of one version. The build writes the version and the files
// into it, so that it changes whenever one of them does.
//
// No page is ever given files of two versions. All names but those below hold a hash of what is in the file, so a page
// finds under them what it was built with or nothing; and the page itself changes only when it is loaded anew. A newer
// version waits until the pages of this one are closed or a person asks for it.
"use strict";

const VERSION = "__EVALCHECK_VERSION__";
const FILES = __EVALCHECK_FILES__;
const PAGE = "index.html";

const { scope } = self.registration;
// Caches belong to the whole host, which may have several copies of this page at several paths.
const PREFIX = `evalcheck ${scope} `;
const CACHE = PREFIX + VERSION;

const named = (path) => new URL(path, scope).href;
// The page by the name that people know.
const address = (path) => (path === PAGE ? scope : named(path));

function ok(response) {
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return response;
}

async function load(cache, path, integrity) {
  // The server is asked whether what the browser has is current, and what comes has to be of this version.
  const ask = (address) => fetch(address, { cache: "no-cache", integrity });
  // Some hosts know no page for a folder.
  const response = await ask(address(path)).then(ok).catch(() => ask(named(path)).then(ok));
  // Without the note that there was a redirect, with which a browser refuses it as a page.
  await cache.put(address(path), new Response(response.body, { headers: response.headers }));
}

async function install() {
  const cache = await caches.open(CACHE);
  await Promise.all(Object.entries(FILES).map(([path, integrity]) => load(cache, path, integrity)));
}

/** Deletes what earlier versions have left, when no page of theirs can be open. */
async function cleanUp() {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const { installing, waiting } = self.registration;
  if (installing || waiting || pages.some(({ url }) => url.startsWith(scope))) return;
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
}

async function answer(path, request) {
  const own = await caches.open(CACHE);
  // After an update, a page of the version before may still be loading.
  return (await own.match(address(path))) ?? (await caches.match(address(path))) ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(cleanUp()));
self.addEventListener("message", ({ data }) => {
  if (data === "take over") void self.skipWaiting();
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || !url.href.startsWith(scope)) return;
  const path = url.pathname.slice(new URL(scope).pathname.length) || PAGE;
  const isPage = request.mode === "navigate";
  if (isPage) event.waitUntil(cleanUp());
  // What is no file of this version, such as an example beside the page, is the server's.
  if (path in FILES || !isPage) event.respondWith(answer(path, request));
});
