/** Contract 2024-17 with the city. */

/** A started block counts as a whole one. */
const BLOCK_MINUTES = 30;

const CENTS_PER_BLOCK = 150;

const DAY_CAP = 1800;

export type Rider = { member: boolean; name: string };

/** What a ride of so many minutes costs, in cents. */
export function priceOf(rider: Rider, minutes: number): number {
  const blocks = Math.floor(minutes / BLOCK_MINUTES) + 1;
  const paid = rider.member ? blocks - 1 : blocks;
  return Math.min(paid * CENTS_PER_BLOCK, DAY_CAP);
}

/** The price with the discount of the season in percent. */
export function discounted(cents: number, percent: number): number {
  let left = 100 - percent;
  return (cents * left) / 100;
}
