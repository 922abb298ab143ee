/** What a valid token says about its bearer. */
export class Claims {
  constructor(
    readonly subject: string,
    readonly expires: number,
  ) {}

  /** Whether the claims are no longer good at a time, in milliseconds since 1970. */
  expired(now: number): boolean {
    return now >= this.expires;
  }

  /** Whether a person is behind the subject. */
  isHuman(): boolean {
    return this.subject.startsWith("user:");
  }

  /** The bearer's name in the access log; people are not logged by name. */
  toString(): string {
    return this.isHuman() ? "user" : this.subject;
  }
}
