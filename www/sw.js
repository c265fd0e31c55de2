// The service worker makes the page work offline. It caches the files of one version. The build inserts the version and
// the list of files, so that the script changes whenever one of them does.
//
// A page never gets files of two versions: all file names except the page's own contain a hash of the content, and the
// page changes only when it is reloaded. A newer version waits until all pages of this one are closed or the user
// accepts it.
"use strict";

const VERSION = "__EVALCHECK_VERSION__";
const FILES = __EVALCHECK_FILES__;
const PAGE = "index.html";

const { scope } = self.registration;
// All copies of this page on a host share its caches, so the name contains the scope.
const PREFIX = `evalcheck ${scope} `;
const CACHE = PREFIX + VERSION;

const urlOf = (path) => new URL(path, scope).href;
// The URL under which the page is cached.
const cacheKey = (path) => (path === PAGE ? scope : urlOf(path));

function ok(response) {
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return response;
}

/** A file of this version, which its integrity makes sure. Revalidates the HTTP cache. */
const get = (path, url = urlOf(path)) => fetch(url, { cache: "no-cache", integrity: FILES[path] }).then(ok);

/** The response with a file. */
async function load(path, isPacked) {
  if (isPacked) {
    const { body } = await get(packed(path));
    const type = path.endsWith(".wasm") ? "application/wasm" : "text/javascript";
    return new Response(body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });
  }
  // Some hosts do not serve index.html for a folder.
  const { body, headers } = await get(path, cacheKey(path)).catch(() => get(path));
  // A new response, because browsers refuse a redirected one for a navigation.
  return new Response(body, { headers });
}

// The build keeps modules also packed, for hosts that do not compress: see files.js.
const packed = (path) => `${path}.bin`;
const isPacked = (path) => path.endsWith(".bin");

/** Whether the host sends modules as they are. */
async function sendsAsIs() {
  const { body, headers } = await fetch(urlOf(Object.keys(FILES).find((path) => path.endsWith(".wasm"))));
  void body.cancel();
  return !headers.has("Content-Encoding");
}

async function install() {
  const cache = await caches.open(CACHE);
  const takesPacked = await sendsAsIs();
  const put = async (path) => cache.put(cacheKey(path), await load(path, takesPacked && packed(path) in FILES));
  await Promise.all(Object.keys(FILES).filter((path) => !isPacked(path)).map(put));
}

/** Deletes the caches of earlier versions, once none of their pages can be open. */
async function cleanUp() {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const { installing, waiting } = self.registration;
  if (installing || waiting || pages.some(({ url }) => url.startsWith(scope))) return;
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
}

async function answer(path, request) {
  const own = await caches.open(CACHE);
  // After an update, a page of the previous version may still be loading.
  return (await own.match(cacheKey(path))) ?? (await caches.match(cacheKey(path))) ?? fetch(request);
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
  // Other files, such as the script of the embed, come from the server.
  if (path in FILES || !isPage) event.respondWith(answer(path, request));
});
