import { describe, expect, it } from "vitest";
import { discounted, priceOf } from "./tariff";

const member = { member: true, name: "ada" };
const guest = { member: false, name: "bo" };

describe("priceOf", () => {
  describe("a member", () => {
    it("rides the first half hour for free", () => {
      expect(priceOf(member, 30)).toBe(0);
    });

    it("pays for the second half hour", () => {
      expect(priceOf(member, 45)).toBe(150);
    });
  });

  describe("a guest", () => {
    it("pays every started half hour", () => {
      expect(priceOf(guest, 31)).toBe(300);
    });

    it("never pays more than a day's cap", () => {
      expect(priceOf(guest, 24 * 60)).toBe(1800);
    });
  });
});

describe("discounted", () => {
  it("is a whole number of cents", () => {
    const prices = [150, 155].map((cents) => ({ cents, after: discounted(cents, 10) }));
    expect(prices).toEqual([
      { cents: 150, after: 135 },
      { cents: 155, after: 140 },
    ]);
  });
});
