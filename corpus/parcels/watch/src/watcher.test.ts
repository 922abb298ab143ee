import { expect, test } from "vitest";

import { formatSince } from "./format";
import { Backoff } from "./net";

test("formatSince rounds down to whole hours", () => {
  expect(formatSince(0, 119 * 60_000)).toBe("1 h");
});

test("backoff doubles and stops at a minute", () => {
  const backoff = new Backoff(500);
  expect([backoff.nextDelay(), backoff.nextDelay()]).toEqual([500, 1000]);
});
