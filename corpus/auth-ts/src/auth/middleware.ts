import type { Claims } from "./claims";
import { statusOf } from "./errors";
import type { KeySet } from "./keys";
import { validateToken } from "./login";

/** The part of a request the guard looks at. */
export interface Request {
  path: string;
  headers: Record<string, string | undefined>;
}

/** Answers a request with a status. */
export type Handler = (request: Request, claims: Claims) => number;

/** Refuses requests that carry no valid token. */
export class Guard {
  constructor(private readonly keys: KeySet) {}

  /** Lets a request through to the handler when its token is valid. */
  wrap(handler: Handler): (request: Request) => number {
    return (request) => {
      try {
        const claims = validateToken(bearer(request), this.keys);
        console.log(`${request.path} by ${claims.toString()}`);
        return handler(request, claims);
      } catch (error) {
        return this.refuse(request, error);
      }
    };
  }

  private refuse(request: Request, error: unknown): number {
    const status = statusOf(error);
    console.warn(`refused ${request.path}: ${status}`);
    return status;
  }
}

function bearer(request: Request): string {
  return (request.headers.authorization ?? "").replace(/^Bearer /, "");
}
