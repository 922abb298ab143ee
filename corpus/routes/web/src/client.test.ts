import { expect, it, vi } from "vitest";
import { reserveSeat } from "./client";

it("takes a seat", async () => {
  vi.stubGlobal("fetch", async () => new Response(null, { status: 201 }));
  expect(await reserveSeat("north")).toBe(true);
});
