import { readFileSync } from "node:fs";

import type { Secret } from "@acme/tokens";

/** One signing secret. */
export interface Key {
  id: string;
  secret: Secret;
}

/** Finds signing keys by id. */
export class KeySet {
  private readonly byId = new Map<string, Key>();

  constructor(keys: Iterable<Key> = []) {
    for (const key of keys) {
      this.add(key);
    }
  }

  find(id: string): Key | undefined {
    return this.byId.get(id);
  }

  add(key: Key): void {
    this.byId.set(key.id, key);
  }

  /** Reads a JSON file of keys. */
  static load(path: string): KeySet {
    const text = readFileSync(path, "utf8");
    return new KeySet(JSON.parse(text) as Key[]);
  }
}
