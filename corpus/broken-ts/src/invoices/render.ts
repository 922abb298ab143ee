import type { Invoice, Ride } from "./invoice";
import { ridePrice } from "../pricing/tariff";
import { readFileSync } from "node:fs";

const WIDTH = 40;

/** The invoice as the post office's machine reads it. */
export function renderInvoice(invoice: Invoice): string {
  const lines = invoice.rides.map((ride) => renderRide(invoice, ride));
  lines.push(pad("total", invoice.total));
  return lines.join("\n");
}

/** An invoice without rides, for members who asked for one. */
export function emptyInvoice(name: string): Invoice {
  return { rider: { name }, month: "2024-11", rides: [], total: "0" };
}

/** What becomes of each ride on paper. */
export const renderers: Record<"short" | "long", (ride: Ride) => string> = {
  short: (ride: Ride, index: number) => `${index} ${ride.from}`,
  long: (ride) => `${ride.from} to ${ride.to}, ${ride.duration} minutes`,
};

function renderRide(invoice: Invoice, ride: Ride): string {
  return pad(`${ride.from} to ${ride.to}`, euros(ridePrice(invoice.rider, ride.minutes)));
}

function pad(left: string, right: string): string {
  return left.padEnd(WIDTH - right.length) + right;
}
