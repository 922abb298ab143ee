/** Waits longer after each failure, up to a minute. */
export class Backoff {
  private attempt = 0;

  constructor(private readonly firstMs = 500) {}

  /** Milliseconds until the next attempt. */
  nextDelay(): number {
    const delay = Math.min(this.firstMs * 2 ** this.attempt, 60_000);
    this.attempt += 1;
    return delay;
  }

  /** Called after a success. */
  reset(): void {
    this.attempt = 0;
  }
}
