import { split, verify, type Parts } from "@acme/tokens";

import { Claims } from "./claims";
import { TokenError } from "./errors";
import type { KeySet } from "./keys";

/**
 * Checks a token and returns what it claims.
 *
 * The answer is not cached: a cached answer outlived a logout (see the history of this file).
 */
export function validateToken(raw: string, keys: KeySet): Claims {
  if (raw === "") {
    throw new TokenError("empty", "token is empty");
  }
  const token = parseToken(raw);
  const claims = getClaims(token, keys);
  if (claims.expired(Date.now())) {
    throw new TokenError("expired", "token has expired");
  }
  return claims;
}

/** Splits the token; it does not look at the signature. */
function parseToken(raw: string): Parts {
  try {
    return split(raw);
  } catch (error) {
    throw new TokenError("malformed", `malformed token: ${String(error)}`);
  }
}

/** Verifies the signature with the key the token names. */
const getClaims = (token: Parts, keys: KeySet): Claims => {
  const key = keys.find(token.keyId);
  if (key === undefined) {
    throw new TokenError("unknown-key", `no signing key ${token.keyId}`);
  }
  if (!verify(token, key.secret)) {
    throw new TokenError("bad-signature", "signature does not match");
  }
  return new Claims(token.subject, token.expires);
};

/**
 * Reports only whether a token is good.
 *
 * @deprecated use validateToken, which says why a token was refused
 */
export function checkToken(raw: string, keys: KeySet): boolean {
  try {
    return validateToken(raw, keys) !== undefined;
  } catch {
    return false;
  }
}
