import { expect, test } from "vitest";

import { Report } from "./report";

test("report adds lines of one customer", () => {
  const report = new Report();
  report.add({ customer: "acme", cents: 150 }).add({ customer: "acme", cents: 5 });
  expect(report.toString()).toBe("acme 1.55 EUR");
});
