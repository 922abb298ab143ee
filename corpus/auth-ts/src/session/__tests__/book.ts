import { describe, expect, it } from "vitest";
import { MemoryStore, tools } from "@acme/store";

import { KeySet } from "@/auth/keys";
import SessionBook from "../book";

describe("SessionBook", () => {
  it("forgets a session at logout", () => {
    const rows = MemoryStore.of({ s1: { owner: "user:ada" } });
    const book = new SessionBook(rows, new KeySet());
    expect(book.logout("s1")).toBe(true);
    expect(book.validate("s1", Date.now())).toBeUndefined();
  });

  it("moves rows between stores", () => {
    const from = MemoryStore.of({ s1: { owner: "user:ada" } });
    expect(tools.transfer(from, new MemoryStore(), "s1")).toBe(true);
  });
});
