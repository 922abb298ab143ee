import type { Row, Store } from "./store";

/** A store that lives as long as the process. */
export default class MemoryStore implements Store {
  readonly #rows = new Map<string, Row>();
  private writes = 0;

  get(id: string): Row | undefined {
    return this.#rows.get(id);
  }

  set(id: string, row: Row): void {
    this.count();
    this.#rows.set(id, row);
  }

  delete(id: string): boolean {
    this.count();
    return this.#rows.delete(id);
  }

  get size(): number {
    return this.#rows.size;
  }

  static of(rows: Record<string, Row>): MemoryStore {
    const store = new MemoryStore();
    for (const [id, row] of Object.entries(rows)) {
      store.set(id, row);
    }
    return store;
  }

  private count(): void {
    this.writes += 1;
  }
}
