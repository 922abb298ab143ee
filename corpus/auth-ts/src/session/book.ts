import type { Store } from "@acme/store";

import { validateToken, type KeySet } from "#auth";
import { isIdle } from "@/session/expiry";

/** The list of open sessions. */
export default class SessionBook {
  private opened = 0;

  constructor(
    private readonly rows: Store,
    private readonly keys: KeySet,
  ) {}

  /** Opens a session for a valid token and returns its id. */
  login(raw: string): string {
    const claims = validateToken(raw, this.keys);
    const id = this.nextId();
    this.rows.set(id, { owner: claims.subject });
    return id;
  }

  /** Forgets a session; says whether it was open. */
  logout(id: string): boolean {
    return this.rows.delete(id);
  }

  /** Who owns an open session. */
  validate(id: string, lastSeen: number): string | undefined {
    if (isIdle(lastSeen)) {
      return undefined;
    }
    return this.rows.get(id)?.owner;
  }

  private nextId = (): string => {
    this.opened += 1;
    return `s${this.opened}`;
  };
}
