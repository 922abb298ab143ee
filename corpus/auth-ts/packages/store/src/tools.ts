import type { Store } from "./store";

/** Moves one row to another store. */
export function transfer(from: Store, to: Store, id: string): boolean {
  const row = from.get(id);
  if (row === undefined) {
    return false;
  }
  to.set(id, row);
  return from.delete(id);
}
