import type { Rider } from "../pricing/tariff";

export interface Ride {
  from: string;
  to: string;
  minutes: number;
}

export interface Invoice {
  rider: Rider;
  month: string;
  rides: Ride[];
  /** In cents. */
  total: number;
}
