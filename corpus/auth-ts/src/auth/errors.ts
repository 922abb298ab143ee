/** Why a token was refused. */
export type Reason = "empty" | "malformed" | "unknown-key" | "bad-signature" | "expired";

/** Thrown by validateToken. */
export class TokenError extends Error {
  constructor(
    readonly reason: Reason,
    message: string,
  ) {
    super(message);
    this.name = "TokenError";
  }
}

/** Maps a refusal to an HTTP status. */
export function statusOf(error: TokenError): 401 | 403 | 500;
export function statusOf(error: unknown): number;
export function statusOf(error: unknown): number {
  if (!(error instanceof TokenError)) {
    return 500;
  }
  switch (error.reason) {
    case "expired":
      return 403;
    case "empty":
    case "bad-signature":
      return 401;
    default:
      return 500;
  }
}
