import type { Store } from "@acme/store";

/** Returns the owner of an API key such as "ak_build_7f3a". These are not the tokens of auth. */
export function validateToken(raw: string, known: Store): string {
  const row = known.get(parseToken(raw));
  if (row === undefined) {
    throw new Error("api key is unknown");
  }
  return row.owner;
}

function parseToken(raw: string): string {
  if (!raw.startsWith("ak_")) {
    throw new Error("api key must begin with ak_");
  }
  return raw.slice(3);
}

/** Who holds a key, or nobody. */
export function ownerOrNobody(raw: string, known: Store): string {
  try {
    return validateToken(raw, known);
  } catch {
    return "nobody";
  }
}
