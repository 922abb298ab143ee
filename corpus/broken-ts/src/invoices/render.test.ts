import { expect, it } from "vitest";
import { renderInvoice } from "./render";
import { sumOf } from "./totals";

it("an invoice ends with the total", () => {
  const rides = [{ from: "harbour", to: "market", minutes: 45 }];
  const text = renderInvoice({ rider: { member: true, name: "ada" }, month: "2024-10", rides, total: sumOf(rides) });
  expect(text).toMatch(/total +1\.50$/);
});
