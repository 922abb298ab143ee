import { describeState, type ParcelState } from "./format";
import { Backoff, openSocket, type Socket } from "./net";

/** What a page can ask for. */
export interface WatchOptions {
  url: string;
  onChange(id: string, text: string): void;
}

/** Follows parcels and tells the page what became of them. */
export class ParcelWatcher {
  private readonly known = new Map<string, ParcelState>();
  private readonly backoff = new Backoff();
  private socket: Socket | undefined;

  constructor(private readonly options: WatchOptions) {}

  /** Starts to follow a parcel. */
  follow(id: string): void {
    this.ensureSocket().send(JSON.stringify({ follow: id }));
  }

  /** Stops everything. */
  detach(): void {
    this.socket?.close();
    this.known.clear();
  }

  private ensureSocket(): Socket {
    this.socket ??= openSocket(
      this.options.url,
      (text) => this.applyUpdate(JSON.parse(text)),
      () => this.scheduleReconnect(),
    );
    return this.socket;
  }

  private applyUpdate(update: { id: string; state: ParcelState }): void {
    this.backoff.reset();
    const before = this.known.get(update.id);
    this.known.set(update.id, update.state);
    if (before?.place.city !== update.state.place.city) {
      this.options.onChange(update.id, describeState(update.state));
    }
  }

  private scheduleReconnect(): void {
    this.socket = undefined;
    setTimeout(() => this.ensureSocket(), this.backoff.nextDelay());
  }
}
