// The cookie parser from before the move to TypeScript.

/**
 * Reads one cookie out of a header.
 *
 * @param {string | undefined} header
 * @param {string} name
 * @returns {string}
 */
export function readCookie(header, name) {
  for (const pair of (header || "").split(";")) {
    const [key, value] = trimPair(pair);
    if (key === name) {
      return decodeURIComponent(value || "");
    }
  }
  return "";
}

/** @param {string} pair */
function trimPair(pair) {
  return pair.trim().split("=");
}
