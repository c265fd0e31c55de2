// Fetches the wasm.

/** The answer that holds the wasm. */
export async function fetchWasm(address) {
  const response = await fetch(address);
  // Development servers answer an unknown address with their start page.
  const isPage = response.headers.get("Content-Type")?.startsWith("text/html");
  if (response.ok && !isPage) return response;
  const found = isPage ? "a page is there" : `status ${response.status}`;
  throw new Error(`evalcheck cannot load its wasm from ${address}: ${found}. The README of the package says what bundlers need.`);
}
